#pragma once

#include <knossos/core/fields.hpp>
#include <knossos/core/problem.hpp>
#include <knossos/dungeon/problem.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace knossos::dungeon {

enum class RepresentationName : unsigned char { tiles, rooms };
enum class Several : unsigned char { weighted_sum, pareto };

} // namespace knossos::dungeon

namespace knossos {
template <>
struct EnumNames<dungeon::RepresentationName> {
    static constexpr std::array<std::string_view, 2> names{"tiles", "rooms"};
};
template <>
struct EnumNames<dungeon::Several> {
    static constexpr std::array<std::string_view, 2> names{"weighted-sum", "pareto"};
};
} // namespace knossos

namespace knossos::dungeon {

/// The [problem] section of a dungeon recipe, field by field.
struct Fields {
    RepresentationName representation = RepresentationName::tiles;
    std::uint32_t width = 16;
    std::uint32_t height = 12;
    Style style = Style::halls;
    std::string place = "keys 2, doors 2, treasure 3, monsters 3";
    std::string goal{};
    Several several = Several::weighted_sum;
    std::string descriptors{};
    bool solvable = true;
    bool unlosable = true;
    bool framed = true;
    double carve = 0.2;
    std::uint32_t rooms = 0;
    std::string locks{};
    levels::Symmetry symmetry = levels::Symmetry::none;
    std::string start{};
    double keep = 0.0;

    static constexpr std::string_view name = "dungeon";
    static constexpr auto fields() {
        return std::tuple{
            field("representation", &Fields::representation, "how a genome stands for a dungeon"),
            field("width", &Fields::width, 2, largest_side, "columns"),
            field("height", &Fields::height, 2, largest_side, "rows"),
            field("style", &Fields::style, "what the ground of tiles begins as"),
            field("place", &Fields::place,
                  "what is placed: keys 2, doors 2, red 1, treasure 5, monsters 3..6, checkpoints 2, "
                  "one-ways 1"),
            field("goal", &Fields::goal,
                  "wishes, such as solution 40..70, key_depth 2..; a long solution if "
                  "there are none"),
            field("several", &Fields::several, "how several maximise and minimise wishes are taken"),
            field("descriptors", &Fields::descriptors,
                  "measures that say what a dungeon is like, such as solution, backtracking"),
            field("solvable", &Fields::solvable, "whether some walk must end on the exit"),
            field("unlosable", &Fields::unlosable,
                  "whether the exit must stay in reach wherever anybody walks"),
            field("framed", &Fields::framed, "whether doors and one-ways must stand between rock"),
            field("carve", &Fields::carve, 0, 1,
                  "tiles: share of the proposed changes that are to the ground"),
            field("rooms", &Fields::rooms, 0, 200, "rooms: how many are dug; 0 takes what suits the size"),
            field("locks", &Fields::locks,
                  "tiles: rows of a level in which ? is free; rock, ground and things stay as they are there")
                .added_later(),
            field("symmetry", &Fields::symmetry, "tiles: which cells of the ground must be alike")
                .added_later(),
            field("start", &Fields::start, "tiles: rows of a level that evolution begins with; ? is free")
                .added_later(),
            field("keep", &Fields::keep, 0, 1, "share of the start's cells that stay as they are")
                .added_later()};
    }
};

/// The dungeon problem that the fields describe, whichever its representation.
class Setup {
  public:
    /// Throws InvalidSetting that names the field.
    explicit Setup(const Fields& fields);

    [[nodiscard]] Problem problem() const;
    [[nodiscard]] Level level(const std::byte* genome) const;
    [[nodiscard]] const Goal& goal() const;

  private:
    std::variant<DungeonProblem<Tiles>, DungeonProblem<Rooms>> problem_;
};

} // namespace knossos::dungeon
