#include <knossos/recipe/difference.hpp>

#include <fmt/format.h>

#include <array>
#include <utility>

namespace knossos {

namespace {

constexpr std::string_view none = "(none)";

constexpr std::array<std::pair<std::string_view, double Statistics::*>, 9> columns{
    {{"best", &Statistics::best},
     {"mean", &Statistics::mean},
     {"worst", &Statistics::worst},
     {"deviation", &Statistics::deviation},
     {"diversity", &Statistics::diversity},
     {"best_ever", &Statistics::best_ever},
     {"merit", &Statistics::merit},
     {"violation", &Statistics::violation},
     {"feasible", &Statistics::feasible}}};

// Bit for bit: a NaN is like itself.
bool same(double a, double b) { return a == b || (a != a && b != b); }

std::optional<Difference> difference_in_row(const Statistics& first, const Statistics& second) {
    if (first.evaluations != second.evaluations)
        return Difference{.name = "evaluations",
                          .first = fmt::format("{}", first.evaluations),
                          .second = fmt::format("{}", second.evaluations),
                          .generation = first.generation};
    for (const auto& [name, column] : columns)
        if (!same(first.*column, second.*column))
            return Difference{.name = std::string{name},
                              .first = fmt::format("{}", first.*column),
                              .second = fmt::format("{}", second.*column),
                              .generation = first.generation};
    return std::nullopt;
}

} // namespace

std::optional<Difference> first_difference(const Recipe& first, const Recipe& second) {
    const auto ours = first.identity();
    const auto theirs = second.identity();
    auto a = ours.begin();
    auto b = theirs.begin();
    while (a != ours.end() || b != theirs.end()) {
        const bool only_first = b == theirs.end() || (a != ours.end() && a->first < b->first);
        const bool only_second = a == ours.end() || (b != theirs.end() && b->first < a->first);
        if (only_first) return Difference{.name = a->first, .first = a->second, .second = std::string{none}};
        if (only_second) return Difference{.name = b->first, .first = std::string{none}, .second = b->second};
        if (a->second != b->second)
            return Difference{.name = a->first, .first = a->second, .second = b->second};
        ++a;
        ++b;
    }
    const std::string until = first.stop().to_text();
    if (const std::string other = second.stop().to_text(); until != other)
        return Difference{.name = "stop", .first = until, .second = other};
    return std::nullopt;
}

std::optional<Difference> first_difference(const std::vector<Statistics>& first,
                                           const std::vector<Statistics>& second) {
    auto a = first.begin();
    auto b = second.begin();
    while (a != first.end() && b != second.end()) {
        if (a->generation == b->generation) {
            if (auto found = difference_in_row(*a, *b)) return found;
            ++a;
            ++b;
        } else if (a->generation < b->generation) {
            ++a;
        } else {
            ++b;
        }
    }
    const std::uint64_t end = first.empty() ? 0 : first.back().generation;
    const std::uint64_t other_end = second.empty() ? 0 : second.back().generation;
    if (end != other_end)
        return Difference{.name = "generations",
                          .first = fmt::format("{}", end),
                          .second = fmt::format("{}", other_end),
                          .generation = std::min(end, other_end)};
    return std::nullopt;
}

} // namespace knossos
