#include "dungeon/view/level_artefact.hpp"

#include <knossos/core/text.hpp>
#include <knossos/dungeon/view/level.hpp>
#include <knossos/dungeon/view/level_files.hpp>

#include <fmt/format.h>

namespace knossos::dungeon {

namespace {

// What each wish came to.
std::string score_text(const Goal& goal, const Judgement& judgement) {
    std::string text;
    for (const TermScore& one : goal.scores(judgement))
        text += fmt::format("  {:<36} {:>10}  {}\n", to_text(one.term), short_number(one.value),
                            one.term.aim != Aim::range ? ""
                            : one.missed == 0.0        ? "holds"
                                                       : fmt::format("missed by {:.4g}", one.missed));
    // Nobody wished for it in words, so that it is told only where it is what was missed.
    if (const double loose = judgement.measures[Measure::loose_doors]; goal.framed && loose > 0.0)
        text += fmt::format("  {:<36} {:>10}  missed; problem.framed=false leaves it open\n", "loose_doors 0",
                            short_number(loose));
    return text;
}

// The cells mirrored and turned: four ways, or eight if the level is a square.
std::vector<std::vector<std::uint8_t>> all_turned(const Level& level) {
    std::vector<std::vector<std::uint8_t>> all;
    for (const bool swapped : {false, true})
        for (const bool upside_down : {false, true})
            for (const bool mirrored : {false, true}) {
                if (swapped && level.width != level.height) continue;
                auto& cells = all.emplace_back(level.area());
                for (std::uint32_t y = 0; y < level.height; ++y)
                    for (std::uint32_t x = 0; x < level.width; ++x) {
                        const std::uint32_t from_x = mirrored ? level.width - 1 - x : x;
                        const std::uint32_t from_y = upside_down ? level.height - 1 - y : y;
                        const std::size_t from = swapped ? std::size_t{from_x} * level.width + from_y
                                                         : std::size_t{from_y} * level.width + from_x;
                        cells[std::size_t{y} * level.width + x] =
                            static_cast<std::uint8_t>(level.cells[from]);
                    }
            }
    return all;
}

// Letters of tiles need no escaping.
std::string rows_json(const Level& level) {
    std::string rows;
    for (std::size_t start = 0; start < level.area(); start += level.width) {
        rows += rows.empty() ? "\"" : ",\"";
        for (std::size_t i = start; i < start + level.width; ++i) rows += letter(level.cells[i]);
        rows += '"';
    }
    return fmt::format("[{}]", rows);
}

class LevelArtefact final : public Artefact {
  public:
    LevelArtefact(Level level, std::optional<Goal> goal, std::string source)
        : level_{std::move(level)}, goal_{std::move(goal)}, source_{std::move(source)} {}

    [[nodiscard]] std::string json() const override {
        return of_its_file([&] { return level_json(level_, goal_ ? &*goal_ : nullptr); });
    }
    [[nodiscard]] std::string text(const render::TerminalOptions& options) const override {
        return of_its_file([&] {
            const std::string drawing = level_text(level_, options);
            return goal_ ? drawing + score_text(*goal_, judged(level_, *goal_)) : drawing;
        });
    }
    [[nodiscard]] render::Picture picture(const render::FormatOptions& options) const override {
        return of_its_file([&] { return level_picture(level_, options); });
    }
    [[nodiscard]] std::vector<render::NamedBytes> files(std::string_view format,
                                                        const render::FormatOptions& options,
                                                        std::string_view stem) const override {
        auto files = of_its_file([&] { return level_files(level_, format, options, stem); });
        return files.empty() ? Artefact::files(format, options, stem) : files;
    }
    [[nodiscard]] std::span<const render::Format> formats() const override { return level_formats(); }
    [[nodiscard]] render::Handout handout(const render::FormatOptions& options) const override {
        return of_its_file([&] { return level_handout(level_, options); });
    }
    [[nodiscard]] bool is_reached() const override { return !goal_ || goal_->holds(judged(level_, *goal_)); }
    [[nodiscard]] std::string why_withheld() const override {
        if (!goal_ || (!goal_->solvable && !goal_->unlosable)) return {};
        const Judgement judgement = Judge{}.judge(level_, MeasureSet{});
        if (goal_->solvable && !judgement.solvable)
            return "can't be solved, and is not to be had without problem.solvable=false";
        if (goal_->unlosable && !judgement.unlosable)
            return "can be lost, and is not to be had without --losable (problem.unlosable=false)";
        return {};
    }
    [[nodiscard]] std::string caption() const override {
        return of_its_file([&] { return level_caption(level_, Judge{}.judge(level_)); });
    }
    [[nodiscard]] std::vector<Measured> measures() const override {
        const Measures all = judged(level_, goal_.value_or(Goal{})).measures;
        std::vector<Measured> found;
        for (const auto& row : measure_table())
            found.push_back({.name = std::string{row.name},
                             .value = all[row.measure],
                             .meaning = std::string{row.meaning},
                             .short_name = std::string{row.short_name}});
        return found;
    }
    [[nodiscard]] std::string drawing() const override {
        return fmt::format("{{\"rows\":{}}}", rows_json(level_));
    }
    // With the level, so that a page can draw it as its editor does.
    [[nodiscard]] std::string view(bool brief) const override {
        return joined_objects({fmt::format("{{\"dungeon\":{}}}", drawing()), Artefact::view(brief)});
    }
    [[nodiscard]] std::vector<std::uint8_t> cells() const override {
        std::vector<std::uint8_t> all(level_.area());
        for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::uint8_t>(level_.cells[i]);
        return all;
    }
    [[nodiscard]] std::size_t cells_per_row() const override { return level_.width; }
    [[nodiscard]] std::vector<std::vector<std::uint8_t>> turned_cells() const override {
        return all_turned(level_);
    }

  private:
    // A level that has too many states is refused when it is judged, which does not know its file.
    template <class Work>
    auto of_its_file(Work work) const -> decltype(work()) {
        try {
            return work();
        } catch (const TooManyStates& error) {
            if (source_.empty()) throw;
            throw InvalidInput{fmt::format("{}: {}", source_, error.what())};
        }
    }

    Level level_;
    std::optional<Goal> goal_;
    std::string source_;
};

} // namespace

std::string level_page() {
    std::string tiles;
    for (std::size_t i = 0; i < tile_kinds; ++i)
        tiles += fmt::format("{}{{\"letter\":\"{}\",\"name\":\"{}\"}}", i == 0 ? "" : ",", tile_letters[i],
                             name_of(static_cast<Tile>(i)));
    return fmt::format(R"({{"dungeon_tiles":[{}],"largest_dungeon":{}}})", tiles, largest_side);
}

ArtefactPtr level_artefact(Level level, std::optional<Goal> goal, std::string source) {
    return std::make_unique<LevelArtefact>(std::move(level), std::move(goal), std::move(source));
}

} // namespace knossos::dungeon
