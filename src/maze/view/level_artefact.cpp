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

std::string score_text(const Score& score) {
    std::string text = "\n";
    if (score.total) text += fmt::format("score {:.6g}\n", *score.total);
    if (score.usable && score.violation > 0.0)
        text += fmt::format("what must hold is missed by {:.4g}\n", score.violation);
    else if (score.usable && !score.total)
        text += "everything that was wished for holds\n";
    if (!score.usable) text += "  the exit can't be reached, or too few checkpoints lie on the way\n";
    for (const auto& term : score.terms) {
        const bool is_objective = term.term.aim != Aim::range;
        text += fmt::format("  {:<36} {:>10}  {}\n", to_text(term.term), short_number(term.value),
                            is_objective ? ""
                            : term.met   ? "holds"
                                         : fmt::format("missed by {:.4g}", -term.contribution));
    }
    return text;
}

class LevelArtefact final : public Artefact {
  public:
    LevelArtefact(Level level, std::optional<Fitness> fitness)
        : level_{std::move(level)}, fitness_{std::move(fitness)} {}

    [[nodiscard]] std::string json() const override {
        const Level drawn = with_walls_as_rock(level_);
        auto cells = OrderedJson::array();
        const std::string rows = to_text(drawn.grid);
        for (std::size_t start = 0; start < rows.size(); start += drawn.grid.width() + 1)
            cells.push_back(rows.substr(start, drawn.grid.width()));
        auto checkpoints = OrderedJson::array();
        for (const Cell cell : drawn.checkpoints) checkpoints.push_back(cell_json(cell));
        OrderedJson object{{"cells", cells},
                           {"entrance", cell_json(drawn.entrance)},
                           {"exit", cell_json(drawn.exit)},
                           {"checkpoints", checkpoints}};
        const Measures measures = measure(level_);
        auto& table = object["measures"];
        for (const auto& row : measure_table())
            table[std::string{row.name}] = value_of(measures, row.measure);
        return joined_objects({object.dump(), scored(measures)});
    }

    [[nodiscard]] std::string text(const render::TerminalOptions& options) const override {
        const Measures measures = measure(level_);
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

    [[nodiscard]] bool is_reached() const override {
        return !fitness_ || fitness_->terms.empty() || fitness_->score(measure(level_)).met();
    }

    [[nodiscard]] std::string caption() const override { return level_caption(level_, measure(level_)); }

    [[nodiscard]] std::vector<Measured> measures() const override {
        const Measures all = measure(level_);
        std::vector<Measured> found;
        for (const auto& row : measure_table())
            found.push_back({std::string{row.name}, value_of(all, row.measure), std::string{row.meaning}});
        return found;
    }

    [[nodiscard]] std::string view(bool brief) const override {
        std::string level = level_json(level_, true);
        std::erase(level, '\n');
        level = fmt::format("{{\"level\":{}}}", level);
        if (brief) return level;
        const Measures measures = measure(level_);
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

  private:
    [[nodiscard]] std::string scored(const Measures& measures) const {
        return fitness_ ? fmt::format("{{\"score\":{}}}", score_json(fitness_->score(measures))) : "{}";
    }

    // What somebody drew is kept as it is. So is what a goal is about: then the file holds the maze that was
    // scored.
    [[nodiscard]] bool keeps_pockets() const {
        if (!fitness_) return true;
        if (fitness_->terms.empty()) return false;
        const Score open = fitness_->score(measure(level_));
        const Score sealed = fitness_->score(measure(with_pockets_sealed(level_)));
        return open.total != sealed.total || open.violation != sealed.violation;
    }

    [[nodiscard]] LevelOptions level_options(const render::FormatOptions& options) const {
        return {.theme = options.theme,
                .cell = options.cell,
                .max_side = options.max_side,
                .solution = options.is_on("solution", true),
                .culs_de_sac = options.is_on("culs_de_sac", false),
                .distances = options.is_on("distances", false),
                .keep_pockets = options.is_on("keep_pockets", false) || keeps_pockets(),
                .side_tileset = options.is_on("side_tileset", false)};
    }

    Level level_;
    std::optional<Fitness> fitness_;
};

} // namespace

ArtefactPtr level_artefact(Level level, std::optional<Fitness> fitness) {
    return std::make_unique<LevelArtefact>(std::move(level), std::move(fitness));
}

std::string level_page() {
    auto measures = OrderedJson::array();
    for (const auto& row : measure_table())
        measures.push_back(
            {{"name", row.name}, {"short", row.short_name}, {"share", row.share}, {"meaning", row.meaning}});
    return OrderedJson{{"measures", measures}, {"largest_maze", largest_watched_side}}.dump();
}

} // namespace knossos::maze
