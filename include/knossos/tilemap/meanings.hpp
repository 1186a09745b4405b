#pragma once

#include <knossos/tilemap/tile_map.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What the tiles of somebody's map stand for.
namespace knossos::tilemap {

/// What a cell of a domain's levels can be: its name, and other words that people use for it.
struct Meaning {
    std::string name;
    std::vector<std::string> others{};
};

struct Vocabulary {
    std::vector<Meaning> meanings;
    std::size_t rock = 0;  ///< which of them
    std::size_t floor = 1; ///< likewise
    std::string layer{};   ///< the name of the layer that is looked for first

    /// By its name or another word, in any case; '-', '_' and a blank are the same.
    [[nodiscard]] std::optional<std::size_t> find(std::string_view word) const;
};

/// What whoever wants a map read may say about it.
struct MapChoice {
    std::string tiles{}; ///< "rock=1,2,5..8; floor=3": numbers as they stand in the layer, 0 for no tile
    std::string layer{}; ///< its name
    std::string level{}; ///< of an LDtk project with several

    [[nodiscard]] bool empty() const { return tiles.empty() && layer.empty() && level.empty(); }
};

/// Throws InvalidInput if something was said that is about nothing in the file, so that nobody thinks it was
/// heard.
void check_choice(const MapChoice& choice, bool is_map, bool is_project, std::string_view source);

/// Which tile stands for which meaning, as somebody said.
using Legend = std::map<std::uint32_t, std::size_t>;
/// Throws InvalidInput that begins with `source`.
Legend parse_legend(std::string_view text, const Vocabulary& vocabulary, std::string_view source = "--tiles");

/// Whether a map has a layer with the name that the vocabulary looks for: it was made for that.
bool has_layer(const TileMap& map, const Vocabulary& vocabulary);

/// The layer with this name; without a name that of the vocabulary, or else the only one. Throws InvalidInput
/// with the names there are.
const Layer& choose_layer(const TileMap& map, const Vocabulary& vocabulary, std::string_view name,
                          std::string_view source);

/// What each cell of a layer is: as the legend says; else by the class of its tile, which a property may make
/// more exact (class `key`, property `colour` = `red`); else by a property that
/// is called like a meaning and is true, or is called "kind" and holds a word for one; a property "rock" that
/// is false says floor. Cells without a tile are floor where the layer's tiles are rock but never floor, and
/// rock where they are floor but never rock. Throws InvalidInput with the tiles of which nothing is known,
/// rather than take them for anything.
std::vector<std::uint8_t> meanings_of(const TileMap& map, const Layer& layer, const Vocabulary& vocabulary,
                                      const Legend& legend, std::string_view source);

/// What an object is: by its class, or, if it has none, its name; a property may make that more exact.
std::optional<std::size_t> meaning_of(const Object& object, const Vocabulary& vocabulary);

} // namespace knossos::tilemap
