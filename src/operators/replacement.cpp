#include <knossos/core/error.hpp>
#include <knossos/operators/replacement.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

namespace knossos {

namespace {

void fill_with_indices(std::vector<std::uint32_t>& order, std::size_t size) {
    order.resize(size);
    std::iota(order.begin(), order.end(), 0U);
}

// Moves the `count` individuals that come first by `before` to the front, each of the two parts in slot
// order.
template <class Before>
void split(std::vector<std::uint32_t>& order, std::size_t count, Before before) {
    const auto middle = order.begin() + static_cast<std::ptrdiff_t>(count);
    if (count > 0 && count < order.size()) std::nth_element(order.begin(), middle, order.end(), before);
    std::vector<std::uint8_t> is_first(order.size());
    std::for_each(order.begin(), middle, [&](std::uint32_t one) { is_first[one] = 1; });
    std::array<std::uint32_t*, 2> next{order.data() + count, order.data()};
    for (std::uint32_t one = 0; one < order.size(); ++one) *next[is_first[one]]++ = one;
}

// Strict order, so that the outcome does not depend on the sorting algorithm.
auto better_first(const Scores& scores) {
    return [=](std::uint32_t a, std::uint32_t b) { return scores.before(a, b); };
}

// The `count` of 0 .. size − 1 that come first, in order. For a handful out of many: one pass, no index of
// everybody.
template <class Before>
std::vector<std::uint32_t> first_few(std::size_t count, Before before, std::size_t size) {
    std::vector<std::uint32_t> few;
    few.reserve(count + 1);
    for (std::uint32_t i = 0; i < size; ++i) {
        if (few.size() == count && !before(i, few.front())) continue;
        if (few.size() == count) {
            std::pop_heap(few.begin(), few.end(), before);
            few.pop_back();
        }
        few.push_back(i);
        std::push_heap(few.begin(), few.end(), before);
    }
    std::sort_heap(few.begin(), few.end(), before);
    return few;
}

std::uint32_t worst_of(const Scores& scores) {
    std::uint32_t worst = 0;
    for (std::uint32_t i = 1; i < scores.size(); ++i)
        if (scores.better(worst, i)) worst = i;
    return worst;
}

} // namespace

void GenerationalReplacement::check(std::size_t population, std::size_t offspring) const {
    if (offspring != population)
        throw InvalidSetting{
            "replace", "", "",
            fmt::format("generational replacement needs offspring = population; offspring is {}, "
                        "population is {}: use plus, comma, worst, tournament or crowding",
                        offspring, population)};
    if (elites >= population)
        throw InvalidSetting{
            "replace", name, "elites",
            fmt::format("is {}; it must be in 0..{} (below the population)", elites, population - 1)};
}

void GenerationalReplacement::operator()(Stream& /*stream*/, Succession succession) const {
    if (elites != 0) {
        const auto survivors =
            first_few(elites, better_first(succession.residents()), succession.current.size());
        const auto better_than = better_first(succession.children());
        const auto leaving = first_few(
            elites, [&](std::uint32_t a, std::uint32_t b) { return better_than(b, a); },
            succession.offspring.size());
        for (std::size_t i = 0; i < elites; ++i)
            succession.offspring.copy_from(succession.current, survivors[i], leaving[i]);
    }
    std::swap(succession.current, succession.offspring);
}

void PlusReplacement::operator()(Stream& /*stream*/, Succession succession) const {
    const auto children = static_cast<std::uint32_t>(succession.offspring.size());
    const std::size_t size = succession.current.size();
    auto& order = succession.order;
    fill_with_indices(order, children + size); // children first: they win ties
    const Scores of_children = succession.children();
    const Scores of_residents = succession.residents();
    const auto value = [&](std::uint32_t i) {
        return i < children ? of_children.values[i] : of_residents.values[i - children];
    };
    const auto tie = [&](std::uint32_t i) {
        return i < children ? of_children.ties[i] : of_residents.ties[i - children];
    };
    split(order, size, [&](std::uint32_t a, std::uint32_t b) {
        const double of_a = value(a);
        const double of_b = value(b);
        if (of_a != of_b) return better(of_children.objective, of_a, of_b);
        if (of_children.tied() && tie(a) != tie(b)) return tie(a) < tie(b);
        return a < b;
    });
    // Survivors among the parents stay where they are; surviving children move into the slots of the parents
    // that go.
    auto leaving = std::lower_bound(order.begin() + static_cast<std::ptrdiff_t>(size), order.end(), children);
    for (std::size_t i = 0; i < size && order[i] < children; ++i)
        succession.current.copy_from(succession.offspring, order[i], *leaving++ - children);
}

void CommaReplacement::check(std::size_t population, std::size_t offspring) const {
    if (offspring < population)
        throw InvalidSetting{
            "replace", "", "",
            fmt::format("comma replacement needs offspring of at least the population; offspring is {}, "
                        "population is {}",
                        offspring, population)};
}

void CommaReplacement::operator()(Stream& /*stream*/, Succession succession) const {
    auto& order = succession.order;
    fill_with_indices(order, succession.offspring.size());
    split(order, succession.current.size(), better_first(succession.children()));
    for (std::size_t i = 0; i < succession.current.size(); ++i)
        succession.current.copy_from(succession.offspring, order[i], i);
}

void ReplaceWorst::operator()(Stream& /*stream*/, Succession succession) const {
    for (std::size_t child = 0; child < succession.offspring.size(); ++child) {
        const std::uint32_t worst = worst_of(succession.residents());
        if (!only_better || !succession.resident_better(worst, child))
            succession.current.copy_from(succession.offspring, child, worst);
    }
}

void ReplaceInTournament::check(std::size_t population, std::size_t /*offspring*/) const {
    if (size > population)
        throw InvalidSetting{"replace", name, "size",
                             fmt::format("is {}; it must be in 1..{} (the population)", size, population)};
}

void ReplaceInTournament::operator()(Stream& stream, Succession succession) const {
    const auto residents = static_cast<std::uint32_t>(succession.current.size());
    const Scores scores = succession.residents();
    for (std::size_t child = 0; child < succession.offspring.size(); ++child) {
        std::uint32_t worst = stream.below(residents);
        for (std::uint32_t drawn = 1; drawn < size; ++drawn) {
            const std::uint32_t other = stream.below(residents);
            if (scores.better(worst, other)) worst = other;
        }
        if (!only_better || !succession.resident_better(worst, child))
            succession.current.copy_from(succession.offspring, child, worst);
    }
}

void Crowding::operator()(Stream& /*stream*/, Succession succession) const {
    const Space& space = succession.current.space();
    const auto distance = [&](std::size_t child, std::uint32_t parent) {
        return genome_distance(space, succession.offspring.genome(child), succession.current.genome(parent));
    };
    const auto compete = [&](std::size_t child, std::uint32_t parent) {
        if (!succession.resident_better(parent, child))
            succession.current.copy_from(succession.offspring, child, parent);
    };
    for (std::size_t child = 0; child < succession.offspring.size(); child += 2) {
        const std::uint32_t first = succession.parents[child];
        if (child + 1 == succession.offspring.size()) {
            compete(child, first);
            break;
        }
        const std::uint32_t second = succession.parents[child + 1];
        const bool straight = distance(child, first) + distance(child + 1, second) <=
                              distance(child, second) + distance(child + 1, first);
        compete(child, straight ? first : second);
        compete(child + 1, straight ? second : first);
    }
}

} // namespace knossos
