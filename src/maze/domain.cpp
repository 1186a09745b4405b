#include "maze/device_kernel.hpp"
#include "maze/view/level_artefact.hpp"

#include <knossos/maze/domain.hpp>
#include <knossos/maze/setup.hpp>
#include <knossos/maze/view/level_files.hpp>
#include <knossos/maze/view/level_map.hpp>
#include <knossos/maze/view/level_reader.hpp>
#include <knossos/tilemap/files.hpp>

#include <fmt/format.h>

namespace knossos::maze {

namespace {

Decoder decoder_for(const Values& values) {
    constexpr std::size_t most_stages = 256;
    return [setup = std::make_shared<const MazeSetup>(from_values<MazeFields>(values))](
               const Space& space, const std::byte* genome) -> ArtefactPtr {
        LevelOrigin origin{.colours = setup->colours(genome)};
        if (setup->has_stages())
            origin.stages = [setup, bytes = std::vector(genome, genome + space.genome_bytes())] {
                return setup->stages(bytes.data(), most_stages);
            };
        return level_artefact(setup->level(genome), setup->fitness(), std::move(origin));
    };
}

// A generation can't be interrupted, so one that would take minutes is refused.
std::optional<std::string> why_unwatchable(const Values& values, std::uint64_t individuals) {
    const auto fields = from_values<MazeFields>(values);
    if (fields.width > largest_watched_side || fields.height > largest_watched_side)
        return fmt::format("the maze is {} × {}; the studio draws up to {} × {}", fields.width, fields.height,
                           largest_watched_side, largest_watched_side);
    const double work =
        static_cast<double>(fields.width) * fields.height * fields.steps * static_cast<double>(individuals);
    if (fields.representation == MazeRepresentation::automaton && work > 1e10)
        return "this automaton takes too long for the studio: fewer steps, cells or individuals";
    return std::nullopt;
}

// What did best in our own studies (docs/mazes.md).
Temperatures temperatures(const Values& values) {
    const auto fields = from_values<MazeFields>(values);
    if (!fields.goal.empty()) return {0.02, 0.002};
    switch (fields.fitness) {
    case FitnessFunction::reconvergence:
        return {20.0, 2.0};
    case FitnessFunction::isolated_reconvergence:
        return {10.0, 1.0};
    case FitnessFunction::culs_de_sac:
        return {0.5, 0.1};
    case FitnessFunction::cul_de_sac_length:
        return {50.0, 5.0};
    case FitnessFunction::exit_path:
        break;
    }
    return {1.5, 0.15};
}

LoggedFunction logged_as(const Values& values) {
    constexpr std::uint32_t first = 1101;
    const auto fields = from_values<MazeFields>(values);
    const auto& names = fitness_function_names;
    const std::size_t place = fields.goal.empty() ? static_cast<std::size_t>(fields.fitness) : names.size();
    return {.id = first + static_cast<std::uint32_t>(place),
            .name = fmt::format("maze-{}", place < names.size() ? names[place] : "goal")};
}

// Whatever is drawn in rock and floor may be a maze; a map with a layer of that name is.
Claim claims(std::string_view bytes, const std::filesystem::path& file) {
    const auto format = tilemap::map_format(bytes, file);
    if (!format) return Claim::perhaps;
    try {
        const auto map = tilemap::read_map(*format, bytes, file.string(), tilemap::files_beside(file));
        return tilemap::has_layer(map, level_vocabulary()) ? Claim::certain : Claim::perhaps;
    } catch (const InvalidInput&) { // reading it will say why
        return Claim::perhaps;
    }
}

} // namespace

Domain domain() {
    return {.info = {.name = std::string{MazeFields::name},
                     .summary = "maze-like levels",
                     .fields = fields_of<MazeFields>()},
            .title = "Mazes",
            .make = [](const Values& values) { return MazeSetup{from_values<MazeFields>(values)}.problem(); },
            .things = "mazes",
            .decoder = decoder_for,
            .formats = level_formats(),
            .read = [](std::string_view bytes, const std::filesystem::path& file) -> ArtefactPtr {
                Level level = parse_level_file(bytes, file);
                auto colours = colours_in(bytes, level, file.string());
                return level_artefact(std::move(level), std::nullopt, {.colours = std::move(colours)});
            },
            .claims = claims,
            .why_unwatchable = why_unwatchable,
            .shown_beside = [](const Values&, const Space& space) -> std::size_t {
                return space.length <= 20'000 ? 8 : 0;
            },
            .descriptors_field = "descriptors",
            .temperatures = temperatures,
            .device_kernel = device_kernel,
            .size_fields = {"width", "height"},
            // How genomes are written, and what they are like at the start.
            .notation_fields = {"representation", "fill", "pairs", "cap", "steps", "style"},
            .describe =
                [](const Values& values) {
                    const auto fields = from_values<MazeFields>(values);
                    const std::string_view function =
                        fitness_function_names[static_cast<std::size_t>(fields.fitness)];
                    return fmt::format("maze, {}{}, {} × {}", fields.goal.empty() ? function : fields.goal,
                                       fields.k > 0 ? fmt::format(", k = {}", fields.k) : "", fields.width,
                                       fields.height);
                },
            .logged_as = logged_as,
            .wishes = wish_list,
            .wishes_field = "goal",
            .page = level_page};
}

} // namespace knossos::maze
