#include "verbs/queens_command.hpp"

#include "outputs.hpp"
#include "signals.hpp"
#include "terminal.hpp"

#include <knossos/core/error.hpp>
#include <knossos/core/files.hpp>
#include <knossos/core/memory.hpp>
#include <knossos/queens/all_solutions.hpp>
#include <knossos/queens/board.hpp>
#include <knossos/queens/domain.hpp>
#include <knossos/queens/solver.hpp>
#include <knossos/queens/view/board_files.hpp>
#include <knossos/recipe/domains.hpp>
#include <knossos/version.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <charconv>
#include <chrono>

namespace knossos::app {

namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

std::string evaluations_text(std::uint64_t count) { return counted(count, "evaluation", "evaluations"); }

double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

std::uint32_t parse_number_of_queens(const std::string& text) {
    std::uint64_t n = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
    const bool whole = end == text.data() + text.size();
    if (whole && error == std::errc{} && n > 0 && n <= 0xFFFFFFFFU) {
        const std::uint64_t needed = 12 * n + 50'000'000;
        if (needed <= usable_memory()) return static_cast<std::uint32_t>(n);
        throw InvalidInput{fmt::format(
            "n = {} would need about {:.1f} GB of memory; this machine has {:.1f} GB", thousands(n),
            static_cast<double>(needed) * 1e-9, static_cast<double>(usable_memory()) * 1e-9)};
    }
    if (whole && (n > 0xFFFFFFFFU || error == std::errc::result_out_of_range))
        throw InvalidInput{
            fmt::format("n = {} is too large: it would need at least {} of memory", text,
                        n > 0 ? fmt::format("{:.0f} GB", 12e-9 * static_cast<double>(n)) : "200 EB")};
    throw InvalidInput{fmt::format("n is '{}'; it must be a whole number of at least 1", text)};
}

std::vector<queens::Square> placed_queens(const QueensOptions& options, std::uint32_t size) {
    if (!options.place.empty() && !options.place_file.empty())
        throw InvalidInput{"--place and --place-file can't be used together"};
    if (options.place_file.empty()) return queens::parse_squares(options.place, size);
    const std::string squares = read_file(options.place_file, 100'000'000);
    try {
        return queens::parse_squares(squares, size);
    } catch (const InvalidInput& error) {
        throw InvalidInput{fmt::format("{}: {}", options.place_file, error.what())};
    }
}

Json envelope(const QueensOptions& options, Json result, std::uint64_t evaluations, std::uint64_t generations,
              double seconds) {
    return {{"recipe", "queens"},
            {"seed", options.seed.value_or(1)},
            {"version", version},
            {"result", std::move(result)},
            {"costs", {{"evaluations", evaluations}, {"generations", generations}, {"seconds", seconds}}}};
}

int report_hopeless(const QueensOptions& options, const std::string& why, const std::string& program) {
    if (options.json)
        fmt::print("{}\n",
                   envelope(options,
                            {{"reached", false}, {"best", nullptr}, {"board", nullptr}, {"reason", why}}, 0,
                            0, 0.0)
                       .dump());
    else
        fmt::print(stderr, "{}: {}\n", program, why);
    return not_reached;
}

int collect(const QueensOptions& options, std::uint32_t size) {
    const SignalWatch watch;
    const auto start = Clock::now();
    const auto known = queens::known_count(size);
    LiveLine line{is_live() && !options.quiet && !options.json};
    queens::CollectionOptions search;
    if (options.budget) search.max_evaluations = *options.budget;
    search.keep_going = [&](const queens::CollectionPoint& point) {
        line.show([&] {
            return fmt::format("{}{} solutions, {} fundamental  {} evaluations  {}",
                               thousands(point.solutions), known ? " of " + thousands(known->all) : "",
                               thousands(point.fundamental),
                               short_number(static_cast<double>(point.evaluations)), duration(since(start)));
        });
        return !SignalWatch::asked_to_stop() && (!options.time || since(start) < *options.time);
    };
    const queens::Collection found =
        queens::collect_solutions(size, Streams{options.seed.value_or(1)}, search);
    line.clear();
    if (options.json) {
        auto progress = Json::array();
        for (const auto& point : found.progress)
            progress.push_back({{"evaluations", point.evaluations},
                                {"solutions", point.solutions},
                                {"fundamental", point.fundamental}});
        fmt::print("{}\n", envelope(options,
                                    {{"reached", found.complete},
                                     {"count", found.solutions},
                                     {"solutions", queens::all_boards(found)},
                                     {"fundamental", found.fundamental},
                                     {"progress", progress}},
                                    found.evaluations, found.attempts, since(start))
                               .dump());
    } else if (!options.quiet) {
        fmt::print("{}: {}, {} up to symmetry{}\n", counted(size, "queen", "queens"),
                   counted(found.solutions, "solution", "solutions"), thousands(found.fundamental.size()),
                   found.complete ? " (all there are)"
                   : known
                       ? fmt::format(" (of {} and {})", thousands(known->all), thousands(known->fundamental))
                       : "");
        fmt::print("  {}, {}\n\n", evaluations_text(found.evaluations), duration(since(start)));
        fmt::print("  {:>14}  {:>11}  {:>11}\n", "evaluations", "solutions", "fundamental");
        for (const auto& point : found.progress)
            fmt::print("  {:>14}  {:>11}  {:>11}\n", thousands(point.evaluations), thousands(point.solutions),
                       thousands(point.fundamental));
        constexpr std::size_t shown = 12;
        fmt::print("\none of each kind up to symmetry, as columns by row:\n");
        for (std::size_t i = 0; i < std::min(shown, found.fundamental.size()); ++i)
            fmt::print("  {}", queens::board_rows(queens::from_columns(found.fundamental[i])));
        if (found.fundamental.size() > shown)
            fmt::print("  and {} more; --json lists them all\n", thousands(found.fundamental.size() - shown));
    }
    return found.complete ? reached : not_reached;
}

// Why a board could not be completed, as far as that can be said.
std::string no_completion(std::uint32_t size, std::span<const queens::Square> fixed,
                          std::uint64_t evaluations) {
    if (size <= queens::largest_exact_completion && !queens::exists_completion(size, fixed))
        return "no completion exists: an exhaustive search has looked everywhere";
    return fmt::format("no completion found within {}{}", evaluations_text(evaluations),
                       size <= queens::largest_exact_completion ? ", though one exists: try a larger --budget"
                                                                : "");
}

} // namespace

int solve_queens(const QueensOptions& options, const Registry& registry) {
    const std::uint32_t size = parse_number_of_queens(options.size);
    const auto fixed = placed_queens(options, size);
    const Domain domain = queens::domain();
    for (const auto& output : options.outputs) {
        if (const auto& format = knossos::format_of(output, registry); !domain.writes(format))
            throw InvalidInput{fmt::format("{}: a board can't be written as {}", output, format.name)};
        check_place(output);
    }
    if (options.all && !fixed.empty()) throw InvalidInput{"--all and --place can't be used together"};
    if (options.all && !options.outputs.empty())
        throw InvalidInput{"--all and -o can't be used together; use --json"};
    if (!queens::has_solution(size))
        return report_hopeless(
            options,
            fmt::format("the {} queens problem has no solution: n = 2 and n = 3 are the only "
                        "such boards",
                        size),
            registry.program());
    if (options.all) return collect(options, size);
    if (!fixed.empty() && size <= queens::largest_exact_completion && !queens::exists_completion(size, fixed))
        return report_hopeless(options, no_completion(size, fixed, 0), registry.program());

    const SignalWatch watch;
    const auto start = Clock::now();
    LiveLine line{is_live() && !options.quiet && !options.json};
    queens::SolverOptions search{
        .max_evaluations = options.budget.value_or(0), .fixed = fixed, .keep_going = {}};
    search.keep_going = [&](const queens::SolverStatus& status) {
        line.show([&] {
            return fmt::format("{} conflicts  {} evaluations  {} restarts  {}", thousands(status.conflicts),
                               short_number(static_cast<double>(status.evaluations)),
                               thousands(status.restarts), duration(since(start)));
        });
        return !SignalWatch::asked_to_stop() && (!options.time || since(start) < *options.time);
    };
    const queens::SolverResult found = queens::solve(size, Streams{options.seed.value_or(1)}, search);
    line.clear();
    const double seconds = since(start);
    // The answer is checked by code that knows nothing of the search.
    const bool proven = queens::is_solution(std::span<const std::uint32_t>{found.columns});
    if (found.solved && !proven) throw Error{"internal error: the solver's answer is not a solution"};
    const queens::Board board = queens::from_columns(found.columns);
    for (const auto& output : options.outputs) queens::write_board(output, board);
    if (options.json) {
        Json result{{"reached", proven},
                    {"best", found.conflicts},
                    {"genome", found.columns},
                    {"board", found.columns}};
        if (!proven && !fixed.empty()) result["reason"] = no_completion(size, fixed, found.evaluations);
        fmt::print("{}\n",
                   envelope(options, std::move(result), found.evaluations, found.restarts, seconds).dump());
    } else if (!options.quiet) {
        fmt::print(
            "{}, seed {}: {}\n", counted(size, "queen", "queens"), options.seed.value_or(1),
            proven ? fmt::format("solved in {}, {}", duration(seconds), evaluations_text(found.evaluations))
            : fixed.empty() ? fmt::format("not solved within {}", evaluations_text(found.evaluations))
                            : no_completion(size, fixed, found.evaluations));
        fmt::print("\n{}", queens::board_text(board, terminal_options(options.ascii)));
        if (size <= 32 && proven) fmt::print("\ncolumns by row: {}", queens::board_rows(board));
    }
    return proven ? reached : not_reached;
}

} // namespace knossos::app
