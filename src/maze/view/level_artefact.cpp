#include "maze/view/level_artefact.hpp"

#include <knossos/core/text.hpp>
#include <knossos/maze/measures.hpp>
#include <knossos/maze/view/level_files.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace knossos::maze {

namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson cell_json(Cell cell) { return OrderedJson::array({cell.x, cell.y}); }

// Rows of '#' and '.', and where the places lie among them.
OrderedJson drawing_json(const Level& level) {
    auto cells = OrderedJson::array();
    const std::string rows = to_text(level.grid);
    for (std::size_t start = 0; start < rows.size(); start += level.grid.width() + 1)
        cells.push_back(rows.substr(start, level.grid.width()));
    auto checkpoints = OrderedJson::array();
    for (const Cell cell : level.checkpoints) checkpoints.push_back(cell_json(cell));
    return {{"cells", cells},
            {"entrance", cell_json(level.entrance)},
            {"exit", cell_json(level.exit)},
            {"checkpoints", checkpoints}};
}

// Rows in which a mark stands for a wall to the east or south of a cell.
template <class HasWall>
OrderedJson walls_json(const Grid& grid, char mark, HasWall has_wall) {
    auto rows = OrderedJson::array();
    for (std::uint32_t y = 0; y < grid.height(); ++y) {
        std::string row(grid.width(), '.');
        for (std::uint32_t x = 0; x < grid.width(); ++x)
            if (has_wall(Cell{x, y})) row[x] = mark;
        rows.push_back(row);
    }
    return rows;
}

// The rock of a grid, mirrored and turned: four ways, or eight if it is a square.
std::vector<std::vector<std::uint8_t>> turned(const Grid& grid) {
    const std::uint32_t width = grid.width();
    const std::uint32_t height = grid.height();
    std::vector<std::vector<std::uint8_t>> all;
    for (const bool swapped : {false, true})
        for (const bool upside_down : {false, true})
            for (const bool mirrored : {false, true}) {
                if (swapped && width != height) continue;
                auto& cells = all.emplace_back(grid.area());
                for (std::uint32_t y = 0; y < height; ++y)
                    for (std::uint32_t x = 0; x < width; ++x) {
                        const std::uint32_t from_x = mirrored ? width - 1 - x : x;
                        const std::uint32_t from_y = upside_down ? height - 1 - y : y;
                        const Cell from = swapped ? Cell{from_y, from_x} : Cell{from_x, from_y};
                        cells[grid.index({x, y})] = grid.is_rock(from) ? 1 : 0;
                    }
            }
    return all;
}

class LevelArtefact final : public Artefact {
  public:
    LevelArtefact(Level level, std::optional<Fitness> fitness, LevelOrigin origin)
        : level_{std::move(level)}, fitness_{std::move(fitness)}, origin_{std::move(origin)} {}

    [[nodiscard]] std::string json() const override {
        OrderedJson object = drawing_json(level_);
        if (level_.grid.has_walls()) {
            const Grid& grid = level_.grid;
            object["walls_east"] = walls_json(grid, '|', [&](Cell cell) { return grid.wall_east(cell); });
            object["walls_south"] = walls_json(grid, '_', [&](Cell cell) { return grid.wall_south(cell); });
            if (!origin_.colours.empty()) object["colours"] = origin_.colours;
            // The same maze for those who know cells only: twice as large, and so are its distances.
            object["walls_as_rock"] = drawing_json(with_walls_as_rock(level_));
        }
        const Measures measures = measured(level_, fitness_.value_or(Fitness{}));
        auto& table = object["measures"];
        for (const auto& row : measure_table())
            table[std::string{row.name}] = value_of(measures, row.measure);
        return joined_objects({object.dump(), scored(measures)});
    }

    [[nodiscard]] std::string text(const render::TerminalOptions& options) const override {
        const Measures measures = measured(level_, fitness_.value_or(Fitness{}));
        const std::string drawing = level_text(level_, measures, options, {});
        return fitness_ ? drawing + score_text(fitness_->score(measures)) : drawing;
    }

    [[nodiscard]] render::Picture picture(const render::FormatOptions& options) const override {
        return level_picture(level_, level_options(options));
    }

    [[nodiscard]] std::vector<render::NamedBytes> files(std::string_view format,
                                                        const render::FormatOptions& options,
                                                        std::string_view stem) const override {
        return render_level(level_, format, level_options(options), stem);
    }

    [[nodiscard]] std::span<const render::Format> formats() const override { return level_formats(); }

    [[nodiscard]] bool is_reached() const override {
        return !fitness_ || fitness_->terms.empty() ||
               fitness_->score(measured(level_, *fitness_, fitness_->needs())).met();
    }

    [[nodiscard]] std::string caption() const override {
        return level_caption(level_, measure(level_, caption_measures));
    }

    [[nodiscard]] std::vector<Measured> measures() const override {
        const Measures all = measured(level_, fitness_.value_or(Fitness{}));
        std::vector<Measured> found;
        for (const auto& row : measure_table())
            found.push_back({.name = std::string{row.name},
                             .value = value_of(all, row.measure),
                             .meaning = std::string{row.meaning},
                             .short_name = std::string{row.short_name}});
        return found;
    }

    [[nodiscard]] std::string drawing() const override {
        std::string level = level_json(level_, true);
        std::erase(level, '\n');
        return level;
    }

    [[nodiscard]] std::string view(bool brief) const override {
        const std::string colours =
            origin_.colours.empty() ? "{}" : OrderedJson{{"colours", origin_.colours}}.dump();
        std::string level = fmt::format("{{\"level\":{}}}", joined_objects({drawing(), colours}));
        if (brief) return level;
        const Measures measures = fitness_ ? measured(level_, *fitness_, caption_measures | fitness_->needs())
                                           : measure(level_, caption_measures);
        return joined_objects(
            {level, scored(measures), OrderedJson{{"caption", level_caption(level_, measures)}}.dump()});
    }

    [[nodiscard]] std::vector<std::uint8_t> cells() const override {
        const Grid& grid = level_.grid;
        std::vector<std::uint8_t> all(grid.area());
        for (std::size_t i = 0; i < all.size(); ++i) {
            const Cell cell = grid.cell(i);
            all[i] =
                static_cast<std::uint8_t>((grid.is_rock(cell) ? 1U : 0U) | (grid.wall_east(cell) ? 2U : 0U) |
                                          (grid.wall_south(cell) ? 4U : 0U));
        }
        return all;
    }

    [[nodiscard]] std::size_t cells_per_row() const override { return level_.grid.width(); }

    [[nodiscard]] std::vector<std::vector<std::uint8_t>> turned_cells() const override {
        // Walls between cells would change sides; as rock they need not.
        const Grid& grid = level_.grid;
        const Level drawn = grid.has_walls() ? with_walls_as_rock(level_) : Level{};
        return turned(grid.has_walls() ? drawn.grid : grid);
    }

    [[nodiscard]] std::unique_ptr<const Artefact> as_written() const override {
        if (keeps_pockets()) return nullptr;
        Level sealed = with_pockets_sealed(level_);
        if (sealed == level_) return nullptr;
        return level_artefact(std::move(sealed), fitness_, origin_);
    }

    [[nodiscard]] std::vector<ArtefactPtr> stages() const override {
        std::vector<ArtefactPtr> all;
        if (!origin_.stages) return all;
        for (Level& level : origin_.stages()) all.push_back(level_artefact(std::move(level)));
        return all;
    }

  private:
    [[nodiscard]] std::string scored(const Measures& measures) const {
        return fitness_ ? fmt::format("{{\"score\":{}}}", score_json(fitness_->score(measures))) : "{}";
    }

    // What somebody drew is kept as it is. So is what a goal wants: a maze never becomes worse by being
    // written.
    [[nodiscard]] bool keeps_pockets() const {
        if (!fitness_) return true;
        if (fitness_->terms.empty()) return false;
        const Score open = fitness_->score(measured(level_, *fitness_, fitness_->needs()));
        const Score sealed =
            fitness_->score(measured(with_pockets_sealed(level_), *fitness_, fitness_->needs()));
        if (open.violation != sealed.violation) return open.violation < sealed.violation;
        return open.total.value_or(0.0) > sealed.total.value_or(0.0);
    }

    [[nodiscard]] LevelOptions level_options(const render::FormatOptions& options) const {
        return {.theme = options.theme,
                .cell = options.cell,
                .max_side = options.max_side,
                .solution = options.is_on("solution", true),
                .culs_de_sac = options.is_on("culs_de_sac", false),
                .distances = options.is_on("distances", false),
                .colours = options.is_on("colours", true) ? origin_.colours : std::vector<std::string>{},
                .keep_pockets = options.is_on("keep_pockets", false) || keeps_pockets(),
                .side_tileset = options.is_on("side_tileset", false)};
    }

    Level level_;
    std::optional<Fitness> fitness_;
    LevelOrigin origin_;
};

} // namespace

ArtefactPtr level_artefact(Level level, std::optional<Fitness> fitness, LevelOrigin origin) {
    return std::make_unique<LevelArtefact>(std::move(level), std::move(fitness), std::move(origin));
}

std::string level_page() {
    auto measures = OrderedJson::array();
    for (const auto& row : measure_table())
        measures.push_back({{"name", row.name},
                            {"short", row.short_name},
                            {"share", row.kind == MeasureKind::share},
                            {"meaning", row.meaning}});
    auto colours = OrderedJson::array();
    for (const LevelColour& one : level_colours)
        colours.push_back({{"letter", std::string(1, one.letter)},
                           {"name", one.name},
                           {"light", render::hex(one.light)},
                           {"dark", render::hex(one.dark)}});
    return OrderedJson{
        {"measures", measures}, {"largest_maze", largest_watched_side}, {"maze_colours", colours}}
        .dump();
}

} // namespace knossos::maze
