#include <knossos/core/text.hpp>
#include <knossos/core/values.hpp>
#include <knossos/operators/problem_move.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace knossos {

namespace {

[[noreturn]] void refuse_moves(const std::string& fault) {
    throw InvalidSetting{"mutate", ProblemMove::name, "moves", fault};
}

std::vector<std::string> all_moves(const Problem& problem) {
    std::vector<std::string> all = problem.moves();
    const std::vector<std::string> further = problem.further_moves();
    all.insert(all.end(), further.begin(), further.end());
    return all;
}

} // namespace

ProblemMove ProblemMove::bind(const Problem& its) const {
    ProblemMove bound{.probability = probability, .moves = moves, .problem = its};
    const std::vector<std::string> known = all_moves(its);
    for (const std::string& move : entries_of(moves)) {
        const auto found = std::ranges::find(known, move);
        if (known.empty())
            refuse_moves(fmt::format(
                "names '{}', but the problem does not tell its moves apart; leave it empty", move));
        if (found == known.end()) {
            const auto meant = nearest(move, known);
            refuse_moves(fmt::format("names '{}', which is no move of the problem; {}", move,
                                     meant ? fmt::format("did you mean {}?", *meant)
                                           : fmt::format("there are {}", fmt::join(known, ", "))));
        }
        const auto place = static_cast<std::uint32_t>(found - known.begin());
        if (std::ranges::find(bound.only, place) != bound.only.end())
            refuse_moves(fmt::format("names {} twice", move));
        bound.only.push_back(place);
    }
    return bound;
}

std::vector<std::string> ProblemMove::kinds() const {
    if (!problem) return {};
    if (only.empty()) return problem->moves();
    const std::vector<std::string> known = all_moves(*problem);
    std::vector<std::string> named;
    for (const std::uint32_t move : only) named.push_back(known[move]);
    return named;
}

} // namespace knossos
