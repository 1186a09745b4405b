#include "dungeon/view/level_artefact.hpp"

#include <knossos/dungeon/domain.hpp>
#include <knossos/dungeon/setup.hpp>
#include <knossos/dungeon/view/level.hpp>
#include <knossos/dungeon/view/level_files.hpp>
#include <knossos/dungeon/view/level_map.hpp>
#include <knossos/tilemap/files.hpp>

#include <fmt/format.h>

#include <memory>

namespace knossos::dungeon {

namespace {

constexpr std::uint32_t largest_watched = 96;

Decoder decoder_for(const Values& values) {
    return [setup = std::make_shared<const Setup>(from_values<Fields>(values))](
               const Space&, const std::byte* genome) -> ArtefactPtr {
        return level_artefact(setup->level(genome), setup->goal());
    };
}

// Text is read if only dungeons have such letters: rows of rock and floor may be of another kind.
ArtefactPtr read_dungeon(std::string_view bytes, const std::filesystem::path& file) {
    const bool is_drawn = tilemap::map_format(bytes, file) || bytes.starts_with("\x89PNG");
    if (is_drawn) return level_artefact(read_level_file(bytes, file), std::nullopt, file.string());
    if (auto level = parse_level_json(bytes, file.string()))
        return level_artefact(std::move(*level), std::nullopt, file.string());
    if (!looks_like_level(bytes)) return nullptr;
    return level_artefact(parse_level(bytes, file.string()), std::nullopt, file.string());
}

// A generation can't be interrupted, so one that would take minutes is refused.
std::optional<std::string> why_unwatchable(const Values& values, std::uint64_t individuals) {
    const auto fields = from_values<Fields>(values);
    if (fields.width > largest_watched || fields.height > largest_watched)
        return fmt::format("the dungeon is {} × {}; the studio draws up to {} × {}", fields.width,
                           fields.height, largest_watched, largest_watched);
    if (static_cast<double>(fields.width) * fields.height * static_cast<double>(individuals) > 2e7)
        return "so many dungeons of this size take too long for the studio: fewer cells or individuals";
    return std::nullopt;
}

} // namespace

Domain domain() {
    return {.info = {.name = std::string{Fields::name},
                     .summary = "levels with keys and doors that nobody gets stuck in",
                     .fields = fields_of<Fields>()},
            .title = "Dungeons",
            .make = [](const Values& values) { return Setup{from_values<Fields>(values)}.problem(); },
            .things = "dungeons",
            .decoder = decoder_for,
            .formats = level_formats(),
            .read = read_dungeon,
            .claims = claim_of_file,
            .why_unwatchable = why_unwatchable,
            .shown_beside = [](const Values&, const Space& space) -> std::size_t {
                return space.length <= 2'500 ? 8 : 0;
            },
            .descriptors_field = "descriptors",
            .temperatures = [](const Values& values) -> Temperatures {
                return from_values<Fields>(values).goal.empty() ? Temperatures{3.0, 0.3}
                                                                : Temperatures{0.02, 0.002};
            },
            .size_fields = {"width", "height"},
            .notation_fields = {"representation", "style", "carve", "rooms"},
            .describe =
                [](const Values& values) {
                    const auto fields = from_values<Fields>(values);
                    return fmt::format("dungeon, {}, {}, {} × {}", fields.place,
                                       fields.goal.empty() ? "long solution" : fields.goal, fields.width,
                                       fields.height);
                },
            .logged_as = [](const Values& values) -> LoggedFunction {
                const bool goal = !from_values<Fields>(values).goal.empty();
                return {.id = goal ? 1502U : 1501U, .name = goal ? "dungeon-goal" : "dungeon-solution"};
            },
            .wishes = wish_list,
            .wishes_field = "goal",
            .page = level_page};
}

} // namespace knossos::dungeon
