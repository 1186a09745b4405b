#include <knossos/core/toml_depth.hpp>

#include <algorithm>

namespace knossos {

namespace {

// Where a string that starts at `at` ends: behind its closing quotes, or at the end of the text.
std::size_t end_of_string(std::string_view toml, std::size_t at) {
    const char quote = toml[at];
    const bool many = toml.substr(at, 3) == std::string_view{quote == '"' ? "\"\"\"" : "'''"};
    const std::size_t quotes = many ? 3 : 1;
    for (at += quotes; at < toml.size(); ++at) {
        if (quote == '"' && toml[at] == '\\') {
            ++at;
        } else if (!many && toml[at] == '\n') {
            return at;
        } else if (toml.substr(at, quotes) ==
                   std::string_view{many ? (quote == '"' ? "\"\"\"" : "'''") : (quote == '"' ? "\"" : "'")}) {
            return at + quotes;
        }
    }
    return toml.size();
}

} // namespace

std::size_t most_key_parts(std::string_view toml) {
    std::size_t most = 0;
    std::size_t parts = 1;
    for (std::size_t at = 0; at < toml.size();) {
        const char symbol = toml[at];
        if (symbol == '"' || symbol == '\'') {
            at = end_of_string(toml, at);
            continue;
        }
        if (symbol == '#') {
            at = std::min(toml.find('\n', at), toml.size());
            continue;
        }
        if (symbol == '.') most = std::max(most, ++parts);
        if (std::string_view{"=,[]{}\n"}.find(symbol) != std::string_view::npos) parts = 1;
        ++at;
    }
    return std::max<std::size_t>(most, 1);
}

} // namespace knossos
