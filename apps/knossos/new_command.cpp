#include "commands.hpp"
#include "templates.hpp"

#include <knossos/core/error.hpp>
#include <knossos/core/files.hpp>
#include <knossos/version.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>
#include <utility>

namespace knossos::app {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_name = 60;

bool is_letter(char c) { return c >= 'a' && c <= 'z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// What recipes, folders, programs and CMake all take as a name.
bool is_name(std::string_view text) {
    return !text.empty() && text.size() <= longest_name && is_letter(text.front()) && text.back() != '-' &&
           std::ranges::all_of(text, [](char c) { return is_letter(c) || is_digit(c) || c == '-'; });
}

// The nearest that could be one: "My Problem" → "my-problem".
std::string suggestion_for(std::string_view text) {
    std::string name;
    for (const char c : text.substr(0, longest_name)) {
        const char small = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        if (is_letter(small) || (is_digit(small) && !name.empty()))
            name += small;
        else if (!name.empty() && name.back() != '-')
            name += '-';
    }
    while (name.ends_with('-')) name.pop_back();
    return is_name(name) ? name : "my-problem";
}

void check_name(const std::string& name, const Registry& registry) {
    if (!is_name(name))
        throw InvalidInput{fmt::format("'{}' can't be the name of a problem: it consists of at most {} small "
                                       "letters, digits and hyphens and begins with a letter, such as {}",
                                       name, longest_name, suggestion_for(name))};
    // What build tools call their own targets.
    constexpr std::array<std::string_view, 6> reserved{"all",  "clean",   "edit-cache",
                                                       "help", "install", "test"};
    if (std::ranges::find(reserved, name) != reserved.end())
        throw InvalidInput{
            fmt::format("'{0}' is a word of build tools; choose another name, such as my-{0}", name)};
    // Such a program would hide ours, and such a name would mean something else in every file that writes it.
    if (name == "knossos" || name == "std")
        throw InvalidInput{fmt::format("'{0}' is the name of {1}; choose another name, such as my-{0}", name,
                                       name == "std" ? "C++'s own library" : "Knossos itself")};
    if (std::ranges::any_of(registry.domains(), [&](const Domain& one) { return one.info.name == name; }))
        throw InvalidInput{
            fmt::format("there is a problem '{0}' already; choose another name, such as my-{0}", name)};
    std::error_code ignored; // then making it will say why it can't be made
    if (fs::exists(fs::symlink_status(name, ignored)))
        throw InvalidInput{fmt::format("{}: is there already; choose another name, or remove it", name)};
}

std::string filled(std::string_view text, const std::string& name) {
    const std::string_view all{version};
    const std::array places{
        std::pair<std::string_view, std::string_view>{"@name@", name},
        std::pair<std::string_view, std::string_view>{"@version@", all.substr(0, all.rfind('.'))}};
    std::string result{text};
    for (const auto& [place, value] : places)
        for (std::size_t at = 0; (at = result.find(place, at)) != std::string::npos; at += value.size())
            result.replace(at, place.size(), value);
    return result;
}

} // namespace

int make_program(const std::string& name, const Registry& registry) {
    check_name(name, registry);
    // All of it or nothing, whenever a kill or a full disk gets between: it has its name only once it is
    // complete.
    const fs::path made = fmt::format(".{}.new.tmp", name);
    std::error_code error;
    fs::remove_all(made, error); // of one that was killed
    if (!error) fs::create_directory(made, error);
    if (error) throw InputOutputError{fmt::format("{}: making the folder failed: {}", name, error.message())};
    try {
        for (const Template& one : templates())
            write_file(made / (one.file == "recipe.toml" ? name + ".toml" : std::string{one.file}),
                       filled(one.text, name));
        fs::rename(made, name, error);
        if (error)
            throw InputOutputError{fmt::format("{}: making the folder failed: {}", name, error.message())};
        sync_folder(".");
    } catch (...) {
        fs::remove_all(made, error);
        throw;
    }
    fmt::print("{0}: a program that you can build, run and test:\n"
               "  cmake -S {0} -B {0}/build -DCMAKE_BUILD_TYPE=Release && cmake --build {0}/build\n"
               "  {0}/build/{0} run {0}/{0}.toml\n"
               "  ctest --test-dir {0}/build\n"
               "{0}/README.md says more\n",
               name);
    return reached;
}

} // namespace knossos::app
