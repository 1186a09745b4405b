#include "views.hpp"

#include <knossos/queens/board.hpp>
#include <knossos/render/board.hpp>
#include <knossos/render/formats.hpp>
#include <knossos/render/level.hpp>
#include <knossos/render/theme.hpp>
#include <knossos/version.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <set>

namespace knossos::studio {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint32_t largest_listed_board = 200; // beyond, a density is sent
constexpr std::uint32_t density_side = 64;
constexpr std::size_t most_attacks = 400;

// JSON has no infinity.
Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json to_json(const Value& value) {
    return std::visit([](const auto& held) { return Json(held); }, value);
}

Json to_json(const FieldInfo& field) {
    constexpr std::array<std::string_view, 5> types{"boolean", "integer", "real", "choice", "text"};
    return {{"name", field.name},
            {"type", types[static_cast<std::size_t>(field.type)]},
            {"usual", to_json(field.usual)},
            {"minimum", number(field.minimum)},
            {"maximum", number(field.maximum)},
            {"choices", field.choices},
            {"meaning", field.meaning}};
}

Json to_json(const PartInfo& part) {
    auto fields = Json::array();
    for (const FieldInfo& field : part.fields) fields.push_back(to_json(field));
    return {{"name", part.name}, {"summary", part.summary}, {"fields", fields}, {"uses", part.uses}};
}

Json to_json(maze::Cell cell) { return Json::array({cell.x, cell.y}); }

Json to_json(const std::vector<maze::Cell>& cells) {
    auto list = Json::array();
    for (const maze::Cell cell : cells) list.push_back(to_json(cell));
    return list;
}

Json density_of(const queens::Board& board) {
    std::vector<std::uint32_t> counts(std::size_t{density_side} * density_side);
    for (const auto square : board.queens) {
        const std::uint64_t row = std::uint64_t{board.size - 1 - square.row} * density_side / board.size;
        const std::uint64_t column = std::uint64_t{square.column} * density_side / board.size;
        ++counts[row * density_side + column];
    }
    return {{"side", density_side}, {"counts", counts}};
}

Json board_view(const queens::Board& board, bool with_attacks) {
    Json view{{"size", board.size}};
    if (board.size > largest_listed_board) {
        view["density"] = density_of(board);
    } else if (const auto columns = queens::to_columns(board); !columns.empty()) {
        view["columns"] = columns;
    } else {
        auto squares = Json::array();
        for (const auto square : board.queens) squares.push_back({square.row, square.column});
        view["squares"] = squares;
    }
    if (!with_attacks) return view;
    view["conflicts"] = render::board_conflicts(board);
    if (board.size > largest_listed_board) return view;
    auto attacks = Json::array();
    for (const auto& [a, b] : queens::capturing_pairs(board)) {
        if (attacks.size() == most_attacks) break;
        attacks.push_back({a, b});
    }
    view["attacks"] = attacks;
    return view;
}

Json level_view(const maze::Level& level) { return Json::parse(render::level_json(level, true)); }

maze::Level level_of(const Session& session, const std::vector<std::byte>& genome) {
    return session.maze()->level(genome.data());
}

Json score_view(const maze::Score& score) {
    auto terms = Json::array();
    for (const auto& term : score.terms)
        terms.push_back({{"term", maze::to_text(term.term)},
                         {"value", term.value},
                         {"contribution", term.contribution},
                         {"met", term.met}});
    return {{"total", score.total}, {"usable", score.usable}, {"terms", terms}};
}

Json statistics_view(const Statistics& statistics) {
    return {{"generation", statistics.generation},       {"evaluations", statistics.evaluations},
            {"best", number(statistics.best)},           {"mean", number(statistics.mean)},
            {"worst", number(statistics.worst)},         {"diversity", number(statistics.diversity)},
            {"best_ever", number(statistics.best_ever)}, {"seconds", statistics.seconds}};
}

Json recipes_view() {
    auto list = Json::array();
    for (const auto& built_in : built_in_recipes()) {
        const Recipe recipe = Recipe::load(std::string{built_in.name});
        if (recipe.choice("problem") == nullptr) continue;
        list.push_back({{"name", built_in.name},
                        {"description", recipe.description()},
                        {"problem", recipe.choice("problem")->kind},
                        {"seed", recipe.seed()},
                        {"sections", recipe_view(recipe)}});
    }
    return list;
}

// A recipe's stop rules that can be written as one number each; nested ones are left to files.
Json stop_view(const StopRule& stop) {
    Json view = Json::object();
    if (stop.limit(StopKind::evaluations)) view["evaluations"] = *stop.limit(StopKind::evaluations);
    if (stop.limit(StopKind::generations)) view["generations"] = *stop.limit(StopKind::generations);
    return view;
}

std::size_t differing_cells(const maze::Grid& a, const maze::Grid& b) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < a.area(); ++i) {
        const maze::Cell cell = a.cell(i);
        if (a.is_rock(cell) != b.is_rock(cell) || a.wall_east(cell) != b.wall_east(cell) ||
            a.wall_south(cell) != b.wall_south(cell))
            ++count;
    }
    return count;
}

// The queen of the pictures, in a square of 1 × 1.
std::string queen_path() {
    constexpr double large = 100.0; // with every detail
    std::string text;
    for (const auto& segment : render::queen_outline(large).segments()) {
        using Kind = render::Path::Kind;
        if (segment.kind == Kind::move) text += fmt::format("M{:.3f} {:.3f}", segment.end.x, segment.end.y);
        if (segment.kind == Kind::line) text += fmt::format("L{:.3f} {:.3f}", segment.end.x, segment.end.y);
        if (segment.kind == Kind::curve)
            text +=
                fmt::format("C{:.3f} {:.3f} {:.3f} {:.3f} {:.3f} {:.3f}", segment.first.x, segment.first.y,
                            segment.second.x, segment.second.y, segment.end.x, segment.end.y);
        if (segment.kind == Kind::close) text += "Z";
    }
    return text;
}

} // namespace

std::string registry_text() {
    auto sections = Json::array();
    for (const RecipeSection& section : recipe_sections()) {
        auto parts = Json::array();
        for (const PartInfo& part : section.parts) parts.push_back(to_json(part));
        sections.push_back({{"path", section.path},
                            {"optional", section.optional},
                            {"removable", section.removable},
                            {"usual", section.usual},
                            {"parts", parts}});
    }
    auto formats = Json::array();
    for (const auto& format : render::formats())
        formats.push_back({{"name", format.name},
                           {"extension", format.extensions.front()},
                           {"meaning", format.meaning},
                           {"boards", format.board != nullptr},
                           {"mazes", format.level != nullptr}});
    auto measures = Json::array();
    for (const auto& row : maze::measure_table())
        measures.push_back(
            {{"name", row.name}, {"short", row.short_name}, {"share", row.share}, {"meaning", row.meaning}});
    auto scale = Json::array();
    for (int step = 0; step <= 32; ++step) scale.push_back(render::hex(render::cividis(step / 32.0)));
    return Json{{"version", version},    {"sections", sections}, {"recipes", recipes_view()},
                {"formats", formats},    {"measures", measures}, {"scale", scale},
                {"queen", queen_path()}, {"largest_maze", 256U}}
        .dump();
}

Json recipe_view(const Recipe& recipe) {
    Json view = Json::object();
    for (const RecipeSection& section : recipe_sections()) {
        const auto* choice = recipe.choice(section.path);
        if (choice == nullptr) continue;
        Json values = Json::object();
        for (const auto& [name, value] : choice->values) values[name] = to_json(value);
        view[section.path] = {{"kind", choice->kind}, {"values", values}};
    }
    view["stop"] = {{"text", recipe.stop().to_text()}, {"values", stop_view(recipe.stop())}};
    return view;
}

Json summary_view(const Studio& studio, const Session& session, const Session::Seen& seen) {
    const Recipe& recipe = session.recipe();
    const Problem& problem = session.problem();
    Json view{{"id", session.id()},
              {"name", recipe.name()},
              {"problem", recipe.choice("problem")->kind},
              {"seed", recipe.seed()},
              {"created", session.created()},
              {"state", to_string(seen.state)},
              {"solved", seen.solved},
              {"speed", seen.speed},
              {"version", session.version()},
              {"maximise", problem.objective() == Objective::maximise},
              {"target", problem.target() ? number(*problem.target()) : Json(nullptr)},
              {"statistics", statistics_view(seen.statistics)},
              {"stopped_by", seen.stopped_by},
              {"digest", seen.digest},
              {"recipe", session.order().recipe},
              {"set", session.order().overrides},
              {"command", command_line(session.order(), studio.workspace() / session.id())}};
    if (!seen.message.empty()) view["message"] = seen.message;
    return view;
}

Json frame_view(const Session& session, const Frame& frame) {
    Json view = statistics_view(frame.statistics);
    view["solved"] = frame.solved;
    auto population = Json::array();
    if (session.maze() != nullptr) {
        const maze::Level level = level_of(session, frame.best);
        view["level"] = level_view(level);
        const maze::Measures measures = maze::measure(level);
        view["score"] = score_view(session.maze()->fitness().score(measures));
        view["caption"] = render::level_caption(level, measures);
        for (const Sampled& one : frame.sample)
            population.push_back(
                {{"fitness", number(one.fitness)}, {"level", level_view(level_of(session, one.genome))}});
    } else if (session.is_queens()) {
        const queens::Board board = queens::decode(session.space(), frame.best.data());
        view["board"] = board_view(board, true);
        view["caption"] = render::board_caption(board, view["board"]["conflicts"].get<std::uint64_t>());
        for (const Sampled& one : frame.sample)
            population.push_back(
                {{"fitness", number(one.fitness)},
                 {"board", board_view(queens::decode(session.space(), one.genome.data()), false)}});
    }
    view["population"] = population;
    return view;
}

Json history_view(const Session& session) {
    auto rows = Json::array();
    for (const FramePtr& frame : session.frames()) {
        const Statistics& row = frame->statistics;
        rows.push_back({row.generation, row.evaluations, number(row.best_ever), number(row.best),
                        number(row.mean), number(row.worst), number(row.diversity), row.seconds});
    }
    return {{"columns",
             {"generation", "evaluations", "best_ever", "best", "mean", "worst", "diversity", "seconds"}},
            {"rows", rows}};
}

Json gallery_view(const Session& session, std::size_t most) {
    if (session.maze() == nullptr) return Json::array();
    struct Candidate {
        double fitness;
        std::uint64_t generation;
        std::vector<std::byte> genome;
    };
    std::vector<Candidate> candidates;
    std::set<std::string> known; // as texts: g++ 12 warns of the order of vectors of bytes
    const auto consider = [&](double fitness, const Frame& frame, const std::vector<std::byte>& genome) {
        const auto* bytes = reinterpret_cast<const char*>(genome.data());
        if (known.emplace(bytes, genome.size()).second)
            candidates.push_back({fitness, frame.statistics.generation, genome});
    };
    for (const FramePtr& frame : session.frames()) {
        consider(frame->statistics.best_ever, *frame, frame->best);
        for (const Sampled& one : frame->sample) consider(one.fitness, *frame, one.genome);
    }
    const Objective objective = session.problem().objective();
    std::ranges::stable_sort(candidates, [&](const Candidate& a, const Candidate& b) {
        return better(objective, a.fitness, b.fitness);
    });
    constexpr std::size_t most_looked_at = 2000; // decoding takes its time
    if (candidates.size() > most_looked_at) candidates.resize(most_looked_at);
    std::vector<maze::Level> taken;
    auto list = Json::array();
    for (const Candidate& one : candidates) {
        if (list.size() == most) break;
        maze::Level level = level_of(session, one.genome);
        const std::size_t least = std::max<std::size_t>(1, level.grid.area() / 5);
        if (std::ranges::any_of(taken, [&](const maze::Level& other) {
                return differing_cells(other.grid, level.grid) < least;
            }))
            continue;
        list.push_back(
            {{"fitness", number(one.fitness)}, {"generation", one.generation}, {"level", level_view(level)}});
        taken.push_back(std::move(level));
    }
    return list;
}

Json survey_view(const maze::Level& level, const maze::Fitness* fitness) {
    const maze::Survey survey = maze::survey(level);
    auto measures = Json::object();
    for (const auto& row : maze::measure_table())
        measures[std::string{row.name}] = number(maze::value_of(survey.measures, row.measure));
    auto witnesses = Json::array();
    for (std::size_t i = 0; i < survey.checkpoints; ++i)
        for (std::size_t j = i + 1; j < survey.checkpoints; ++j)
            if (survey.prc(i, j) > 0)
                witnesses.push_back({{"pair", {i, j}},
                                     {"distance", survey.prc(i, j)},
                                     {"isolated", survey.iprc(i, j) > 0},
                                     {"cells", to_json(survey.witnesses(i, j))}});
    Json view{{"distance", survey.distance},
              {"pocket", survey.pocket},
              {"path", to_json(survey.path)},
              {"culs_de_sac", to_json(survey.culs_de_sac)},
              {"witnesses", witnesses},
              {"measures", measures},
              {"caption", render::level_caption(level, survey.measures)}};
    if (fitness != nullptr) view["score"] = score_view(fitness->score(survey.measures));
    return view;
}

} // namespace knossos::studio
