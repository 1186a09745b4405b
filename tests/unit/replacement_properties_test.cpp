// Walks the registered replacements: see operator_properties.hpp.

#include "operator_properties.hpp"

#include <functional>
#include <set>

namespace knossos::replacement_properties_test {
namespace {

using namespace operator_properties;

// Whether the best of the old generation is there in the next one, or one as good.
const std::map<std::string, std::function<bool(const Values&)>>& keeps_the_best() {
    static const std::map<std::string, std::function<bool(const Values&)>> table{
        {"generational", [](const Values& values) { return number(values, "elites") > 0.0; }},
        {"plus", [](const Values&) { return true; }},
        {"comma", [](const Values&) { return false; }},
        {"worst", [](const Values& values) { return flag(values, "only_better"); }},
        {"tournament", [](const Values& values) { return flag(values, "only_better"); }},
        {"crowding", [](const Values&) { return true; }},
    };
    return table;
}

// Individuals carry their own number as a genome, so that one sees who is where.
Population numbered(std::size_t size, std::uint32_t first, std::uint64_t seed) {
    Population population{Space::integers(1, 1'000'000), size};
    Stream stream = stream_for(seed, first);
    for (std::uint32_t i = 0; i < size; ++i) {
        const std::uint32_t number = first + i;
        std::memcpy(population.genome(i), &number, sizeof(number));
        population.fitness()[i] = static_cast<double>(stream.below(20)); // few values: ties are common
    }
    return population;
}

std::uint32_t number_of(const Population& population, std::size_t i) {
    std::uint32_t number = 0;
    std::memcpy(&number, population.genome(i), sizeof(number));
    return number;
}

void expect_a_generation(const Replacement& replacement, std::size_t size, std::size_t offspring,
                         std::uint64_t seed, bool keeps_best) {
    const Population parents = numbered(size, 0, seed);
    const Population children = numbered(offspring, 500'000, seed);
    const Objective objective = directions[seed % 2];
    std::vector<std::uint32_t> parent_of(offspring + offspring % 2);
    Stream stream = stream_for(seed, 5);
    for (auto& parent : parent_of) parent = stream.below(static_cast<std::uint32_t>(size));
    const auto next_generation = [&] {
        Population current = parents;
        Population used_up = children;
        std::vector<std::uint32_t> order;
        Stream its = stream_for(seed, 77);
        replacement(its, {current, used_up, parent_of, objective, order});
        return current;
    };
    const Population next = next_generation();
    ASSERT_EQ(next.size(), size);
    ASSERT_TRUE(same_bytes(next, next_generation())) << "is no function of its stream";
    std::set<std::uint32_t> seen;
    double best = next.fitness()[0];
    for (std::size_t i = 0; i < size; ++i) {
        const std::uint32_t number = number_of(next, i);
        const bool child = number >= 500'000;
        ASSERT_LT(child ? number - 500'000 : number, child ? offspring : size) << "comes from nowhere";
        ASSERT_EQ(next.fitness()[i],
                  child ? children.fitness()[number - 500'000] : parents.fitness()[number]);
        ASSERT_TRUE(seen.insert(number).second) << number << " is there twice";
        if (better(objective, next.fitness()[i], best)) best = next.fitness()[i];
    }
    for (const double fitness : parents.fitness())
        ASSERT_FALSE(keeps_best && better(objective, fitness, best)) << "the best is lost";
}

class RegisteredReplacement : public testing::TestWithParam<Entry<Replacement>> {};

TEST_P(RegisteredReplacement, MakesAGenerationOfParentsAndChildren) {
    const auto& keeps_best = line_of(keeps_the_best(), GetParam().info.name);
    if (!keeps_best) return;
    for (const Values& values : variants_of(GetParam().info)) {
        const Replacement replacement = GetParam().make(values);
        std::vector<std::pair<std::size_t, std::size_t>> turns{{100'000, 20}};
        for (const std::size_t size : {1U, 2U, 3U, 5U, 8U, 31U, 64U, 129U, 1000U})
            for (const std::size_t offspring : {std::size_t{1}, std::size_t{2}, size, size + 1, 3 * size})
                turns.emplace_back(size, offspring);
        for (const std::size_t offspring : {1U, 2U, 4096U, 4097U}) turns.emplace_back(4096, offspring);
        // Those that need as many children as there are places take a hundred thousand of them too.
        if (!accepted([&] { replacement.check(100'000, 20); })) turns.emplace_back(100'000, 100'000);
        for (const auto& [size, offspring] : turns) {
            if (!accepted([&, population = size, children = offspring] {
                    replacement.check(population, children);
                }))
                continue;
            const std::uint64_t seeds = size <= 129 ? test::seeds(30) : size <= 1000 ? 3 : 1;
            for (std::uint64_t seed = 0; seed < seeds; ++seed) {
                SCOPED_TRACE(said(GetParam().info, values) + ", " + std::to_string(size) + " and " +
                             std::to_string(offspring) + " children, seed " + std::to_string(seed));
                expect_a_generation(replacement, size, offspring, seed, keeps_best(values));
                if (HasFailure()) return;
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Registry, RegisteredReplacement,
                         testing::ValuesIn(Registry::built_in().replacements()), test_name<Replacement>);

} // namespace
} // namespace knossos::replacement_properties_test
