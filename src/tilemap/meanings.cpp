#include <knossos/core/error.hpp>
#include <knossos/core/text.hpp>
#include <knossos/tilemap/meanings.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <span>

namespace knossos::tilemap {

namespace {

std::string lower(std::string_view text) {
    std::string result{text};
    for (char& letter : result)
        if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
    return result;
}

// "Red_Key", "red-key" and "red key" are one word.
std::string plain_word(std::string_view text) {
    std::string result = lower(text);
    for (char& letter : result)
        if (letter == '_' || letter == '-') letter = ' ';
    return result;
}

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

// Calls part(text) for each piece between separators that holds something.
template <class Part>
void split(std::string_view text, char separator, Part part) {
    while (!text.empty()) {
        const std::size_t end = text.find(separator);
        if (const auto piece = trimmed(text.substr(0, end)); !piece.empty()) part(piece);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
}

std::optional<std::uint32_t> number_in(std::string_view text) {
    std::uint32_t number = 0;
    text = trimmed(text);
    const auto [rest, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failed != std::errc{} || rest != text.data() + text.size()) return std::nullopt;
    return number;
}

std::string names_of(const Vocabulary& vocabulary) {
    std::vector<std::string_view> names;
    for (const Meaning& meaning : vocabulary.meanings) names.push_back(meaning.name);
    return fmt::format("{}", fmt::join(names, ", "));
}

// A class, which a property may make more exact: a `key` whose `colour` is `red`, a `one_way` that leads
// `north`.
std::optional<std::size_t> said_by_class(std::string_view kind, const std::vector<Property>& properties,
                                         const Vocabulary& vocabulary) {
    if (kind.empty()) return std::nullopt;
    for (const Property& property : properties)
        if (const auto* word = std::get_if<std::string>(&property.value);
            word != nullptr && word->size() < 64)
            for (const std::string& both :
                 {fmt::format("{} {}", *word, kind), fmt::format("{} {}", kind, *word)})
                if (const auto found = vocabulary.find(both)) return found;
    return vocabulary.find(kind);
}

std::optional<std::size_t> said_of(const Tile& tile, const Vocabulary& vocabulary) {
    if (const auto found = said_by_class(tile.kind, tile.properties, vocabulary)) return found;
    for (const Property& property : tile.properties) {
        const auto* truth = std::get_if<bool>(&property.value);
        if (truth != nullptr && *truth)
            if (const auto found = vocabulary.find(property.name)) return found;
        const auto* word = std::get_if<std::string>(&property.value);
        if (word != nullptr && lower(property.name) == "kind")
            if (const auto found = vocabulary.find(*word)) return found;
    }
    // Said not to be rock.
    const auto* is_rock = find_property(tile.properties, vocabulary.meanings[vocabulary.rock].name);
    if (is_rock != nullptr && *is_rock == Value{false}) return vocabulary.floor;
    return std::nullopt;
}

// "1, 2, 7..12": runs as ranges, and an end to it.
std::string list_of(const std::vector<std::uint32_t>& numbers) {
    constexpr std::size_t most = 12;
    std::vector<std::string> parts;
    for (auto at = numbers.begin(); at != numbers.end();) {
        const std::uint32_t first = *at;
        std::uint32_t last = first;
        while (++at != numbers.end() && *at == last + 1) ++last;
        if (parts.size() == most) return fmt::format("{} and more", fmt::join(parts, ", "));
        parts.push_back(first == last ? fmt::format("{}", first) : fmt::format("{}..{}", first, last));
    }
    return fmt::format("{}", fmt::join(parts, ", "));
}

// The first number behind those of a set; 0 if it is not about the layer.
std::uint64_t end_of(const TileMap& map, const Layer& layer, const Tileset& set) {
    const auto concerns = [&](const Tileset& one) { return one.layer.empty() || one.layer == layer.name; };
    if (!concerns(set)) return 0;
    std::uint64_t end = std::uint64_t{1} << 32U;
    for (const Tileset& other : map.tilesets)
        if (concerns(other) && other.first > set.first) end = std::min<std::uint64_t>(end, other.first);
    return end;
}

std::string where_of(const Layer& layer, std::string_view source) {
    return layer.name.empty() ? std::string{source} : fmt::format("{}, layer {}", source, layer.name);
}

[[noreturn]] void refuse_unknown(const TileMap& map, const Layer& layer, const Vocabulary& vocabulary,
                                 const std::vector<std::uint32_t>& unknown, std::string_view source) {
    std::vector<std::string> sets;
    for (const std::uint32_t tile : std::span{unknown}.first(std::min<std::size_t>(unknown.size(), 100))) {
        const Tileset* set = tileset_of(map, layer, tile);
        if (set == nullptr) continue;
        const std::string about = !set->problem.empty() ? set->problem
                                  : set->name.empty()   ? std::string{}
                                                        : fmt::format("tileset {}", set->name);
        if (!about.empty() && std::ranges::find(sets, about) == sets.end()) sets.push_back(about);
    }
    const bool is_one = unknown.size() == 1;
    throw InvalidInput{fmt::format("{}: nothing says what {} {}{} {}; say it with --tiles '{}=...; {}=...', "
                                   "or give the tiles a class ({}) "
                                   "in the editor",
                                   where_of(layer, source), is_one ? "tile" : "tiles", list_of(unknown),
                                   sets.empty() ? "" : fmt::format(" ({})", fmt::join(sets, "; ")),
                                   is_one ? "is" : "are", vocabulary.meanings[vocabulary.rock].name,
                                   vocabulary.meanings[vocabulary.floor].name, names_of(vocabulary))};
}

} // namespace

std::optional<std::size_t> Vocabulary::find(std::string_view word) const {
    const std::string wanted = plain_word(word);
    for (std::size_t i = 0; i < meanings.size(); ++i)
        if (wanted == plain_word(meanings[i].name) ||
            std::ranges::find(meanings[i].others, wanted, plain_word) != meanings[i].others.end())
            return i;
    return std::nullopt;
}

void check_choice(const MapChoice& choice, bool is_map, bool is_project, std::string_view source) {
    if (!choice.level.empty() && !is_project)
        throw InvalidInput{fmt::format("{}: --level is about projects of LDtk, and this is none", source)};
    if (!is_map && !choice.empty())
        throw InvalidInput{fmt::format("{}: {} is about maps of Tiled and LDtk, and this is none", source,
                                       choice.tiles.empty() ? "--layer" : "--tiles")};
}

Legend parse_legend(std::string_view text, const Vocabulary& vocabulary, std::string_view source) {
    constexpr std::uint32_t most_of_a_range = 100'000;
    Legend legend;
    split(text, ';', [&](std::string_view entry) {
        const std::size_t equals = entry.find('=');
        const std::string_view name = trimmed(entry.substr(0, equals));
        if (equals == std::string_view::npos)
            throw InvalidInput{
                fmt::format("{}: '{}' has no '='; expected such as rock=1,2,5", source, entry)};
        const auto meaning = vocabulary.find(name);
        if (!meaning) {
            std::vector<std::string> known;
            for (const Meaning& one : vocabulary.meanings) {
                known.push_back(one.name);
                known.insert(known.end(), one.others.begin(), one.others.end());
            }
            const auto meant = nearest(plain_word(name), known);
            // All of them are more than a line.
            throw InvalidInput{fmt::format("{}: a tile can't be '{}'; {}", source, name,
                                           meant ? fmt::format("did you mean {}?", *meant)
                                                 : fmt::format("it can be {}", names_of(vocabulary)))};
        }
        split(entry.substr(equals + 1), ',', [&](std::string_view part) {
            const std::size_t dots = part.find("..");
            const auto first = number_in(part.substr(0, dots));
            const auto last = dots == std::string_view::npos ? first : number_in(part.substr(dots + 2));
            if (!first || !last || *last < *first || *last - *first > most_of_a_range)
                throw InvalidInput{fmt::format(
                    "{}: '{}' is no tile; expected a number, or a range such as 5..8", source, part)};
            for (std::uint32_t tile = *first; tile - *first <= *last - *first; ++tile)
                if (const auto [at, is_new] = legend.emplace(tile, *meaning);
                    !is_new && at->second != *meaning)
                    throw InvalidInput{fmt::format("{}: tile {} can't be both {} and {}", source, tile,
                                                   vocabulary.meanings[at->second].name,
                                                   vocabulary.meanings[*meaning].name)};
        });
    });
    if (legend.empty())
        throw InvalidInput{fmt::format("{}: names no tile; expected such as rock=1,2,5", source)};
    return legend;
}

bool has_layer(const TileMap& map, const Vocabulary& vocabulary) {
    return std::ranges::any_of(map.layers,
                               [&](const Layer& layer) { return lower(layer.name) == vocabulary.layer; });
}

const Layer& choose_layer(const TileMap& map, const Vocabulary& vocabulary, std::string_view name,
                          std::string_view source) {
    const std::string wanted = lower(name.empty() ? std::string_view{vocabulary.layer} : name);
    std::vector<std::string> names;
    for (const Layer& layer : map.layers) {
        if (lower(layer.name) == wanted) return layer;
        names.push_back(layer.name);
    }
    if (name.empty() && map.layers.size() == 1) return map.layers.front();
    if (names.empty()) throw InvalidInput{fmt::format("{}: the map has no layer of tiles", source)};
    if (name.empty())
        throw InvalidInput{fmt::format("{}: which layer is it? There are {}; say --layer {}", source,
                                       fmt::join(names, ", "), names.front())};
    throw InvalidInput{fmt::format("{}: --layer is '{}'; there {} {}", source, name,
                                   names.size() == 1 ? "is" : "are", fmt::join(names, ", "))};
}

std::vector<std::uint8_t> meanings_of(const TileMap& map, const Layer& layer, const Vocabulary& vocabulary,
                                      const Legend& legend, std::string_view source) {
    std::vector<std::uint32_t> used = layer.tiles;
    std::ranges::sort(used);
    used.erase(std::unique(used.begin(), used.end()), used.end());
    const bool has_empty = !used.empty() && used.front() == 0;
    const bool only_empty = has_empty && used.size() == 1;
    Legend known = legend;
    for (const Tileset& set : map.tilesets) {
        const std::uint64_t end = end_of(map, layer, set);
        for (const Tile& tile : set.tiles)
            if (const std::uint64_t number = std::uint64_t{set.first} + tile.id; number < end)
                if (const auto meaning = said_of(tile, vocabulary))
                    known.emplace(static_cast<std::uint32_t>(number), *meaning);
    }
    bool has_rock = false;
    bool has_floor = false;
    for (const auto& [tile, meaning] : known) {
        if (!only_empty && !std::ranges::binary_search(used, tile)) continue;
        has_rock |= meaning == vocabulary.rock;
        has_floor |= meaning == vocabulary.floor;
    }
    std::vector<std::uint32_t> unknown;
    for (const std::uint32_t tile : used)
        if (tile != 0 && !known.contains(tile)) unknown.push_back(tile);
    if (!unknown.empty()) refuse_unknown(map, layer, vocabulary, unknown, source);
    if (has_empty && !known.contains(0)) {
        if (has_rock == has_floor)
            throw InvalidInput{
                fmt::format("{0}: cells without a tile could be {1} or {2}; say --tiles '{1}=0' or '{2}=0'",
                            where_of(layer, source), vocabulary.meanings[vocabulary.rock].name,
                            vocabulary.meanings[vocabulary.floor].name)};
        known.emplace(0, has_rock ? vocabulary.floor : vocabulary.rock);
    }
    std::vector<std::uint8_t> cells(layer.tiles.size());
    for (std::size_t i = 0; i < cells.size(); ++i)
        cells[i] = static_cast<std::uint8_t>(known.find(layer.tiles[i])->second);
    return cells;
}

std::optional<std::size_t> meaning_of(const Object& object, const Vocabulary& vocabulary) {
    return said_by_class(object.kind.empty() ? object.name : object.kind, object.properties, vocabulary);
}

} // namespace knossos::tilemap
