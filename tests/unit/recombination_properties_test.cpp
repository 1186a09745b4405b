// Walks the registered recombinations: see operator_properties.hpp.

#include "variation_properties.hpp"

#include <functional>

namespace knossos::recombination_properties_test {
namespace {

using namespace operator_properties;

struct RecombinationPromise {
    bool keeps_loci = false; ///< every locus of the two children holds the two genes of that locus
    bool repeats = true;     ///< parents that are alike have children like them
    /// How often locus i of n changes places; nothing is said where it depends on the parents.
    std::function<double(const Values&, std::size_t i, std::size_t n)> exchange{};
};

const std::map<std::string, RecombinationPromise>& recombination_promises() {
    static const std::map<std::string, RecombinationPromise> table{
        {"clone", {.keeps_loci = true, .exchange = [](auto&&...) { return 0.0; }}},
        {"one-point",
         {.keeps_loci = true,
          .exchange =
              [](const Values& values, std::size_t i, std::size_t n) {
                  if (n < 2) return 0.0;
                  return static_cast<double>(i) / static_cast<double>(flag(values, "anywhere") ? n : n - 1);
              }}},
        {"two-point",
         {.keeps_loci = true,
          .exchange =
              [](const Values&, std::size_t i, std::size_t n) {
                  const auto borders = static_cast<double>(n);
                  return n < 2
                             ? 0.0
                             : static_cast<double>((i + 1) * (n - 1 - i)) / (borders * (borders - 1.0) / 2.0);
              }}},
        {"k-point",
         {.keeps_loci = true,
          .exchange =
              [](const Values& values, std::size_t i, std::size_t n) {
                  const double points = number(values, "points");
                  const double borders = static_cast<double>(n) - 1.0;
                  const auto before = static_cast<double>(i);
                  double odd = 0.0;
                  for (double cuts = 1.0; cuts <= points; cuts += 2.0)
                      odd += choose(before, cuts) * choose(borders - before, points - cuts);
                  return odd / choose(borders, points);
              }}},
        {"uniform",
         {.keeps_loci = true,
          .exchange = [](const Values& values, std::size_t,
                         std::size_t) { return number(values, "exchange"); }}},
        {"partially-matched", {}},
        {"order", {}},
        {"position-based", {}},
        {"cycle", {.keeps_loci = true}},
        {"simulated-binary", {}},
        {"blend", {}},
        {"edge-recombination", {.repeats = false}}, // the same tour, but maybe the other way round
    };
    return table;
}

class RegisteredRecombination : public testing::TestWithParam<Entry<Recombination>> {};

TEST_P(RegisteredRecombination, MakesGenomesThatKeepWhatItPromises) {
    const RecombinationPromise& promise = line_of(recombination_promises(), GetParam().info.name);
    for_each_variation(GetParam(), [&](const Values&, const Space& space, const Population& before,
                                       const Population& after, std::size_t row) {
        if (!promise.keeps_loci) return;
        const GeneList a = genes_of(space, before.genome(row));
        const GeneList b = genes_of(space, before.genome(row + 1));
        const GeneList first = genes_of(space, after.genome(row));
        const GeneList second = genes_of(space, after.genome(row + 1));
        for (std::size_t i = 0; i < a.size(); ++i)
            ASSERT_TRUE((first[i] == a[i] && second[i] == b[i]) || (first[i] == b[i] && second[i] == a[i]))
                << "locus " << i;
    });
}

TEST_P(RegisteredRecombination, HasChildrenLikeParentsThatAreAlike) {
    if (!line_of(recombination_promises(), GetParam().info.name).repeats) return;
    for (const std::size_t length : {1U, 2U, 30U, 65U, 1000U})
        for (const Space& space : spaces_of(length))
            for (const auto& [values, op] :
                 working_variants(GetParam(), space, [](const Recombination& part) { return part; })) {
                Population parents = random_population(space, 26, length);
                for (std::size_t row = 0; row < parents.size(); row += 2)
                    parents.copy_from(parents, row, row + 1);
                ASSERT_TRUE(
                    same_bytes(varied(op, stage_for(length), parents, true, together(13)).genomes, parents))
                    << said(GetParam().info, values) << " on " << said(space);
            }
}

TEST_P(RegisteredRecombination, ExchangesEveryLocusAsOftenAsDocumented) {
    const RecombinationPromise& promise = line_of(recombination_promises(), GetParam().info.name);
    if (!promise.exchange) return;
    const std::uint64_t rounds = 100 * test::seeds(1);
    constexpr std::size_t couples = 20;
    for (const std::size_t length : {1U, 2U, 7U, 65U})
        for (const Space& space : {Space::bits(length), Space::packed(length, 5), Space::integers(length, 2),
                                   Space::integers(length, 300), Space::reals(length, {0.0, 1.0})})
            for (const auto& [values, op] :
                 working_variants(GetParam(), space, [](const Recombination& part) { return part; })) {
                SCOPED_TRACE(said(GetParam().info, values) + " on " + said(space));
                // Parents that differ everywhere show from which of them a gene came.
                Population parents{space, 2 * couples};
                const Individual ones{space, GeneList(length, 1)};
                for (std::size_t couple = 0; couple < couples; ++couple)
                    std::copy_n(ones.bytes(), space.genome_bytes(), parents.genome(2 * couple + 1));
                std::vector<std::uint64_t> exchanged(length);
                for (std::uint64_t round = 0; round < rounds; ++round) {
                    const Varied after = varied(op, stage_for(2, round), parents, true, together(couples));
                    for (std::size_t couple = 0; couple < couples; ++couple) {
                        const GeneList genes = genes_of(space, after.genomes.genome(2 * couple));
                        for (std::size_t i = 0; i < length; ++i) exchanged[i] += genes[i];
                    }
                }
                for (std::size_t i = 0; i < length; ++i)
                    test::expect_rate(exchanged[i], rounds * couples, promise.exchange(values, i, length));
                if (HasFailure()) return;
            }
}

TEST_P(RegisteredRecombination, DependsNeitherOnThreadsNorOnStorage) {
    expect_same_from_threads(GetParam());
    expect_storage_to_be_no_matter(GetParam());
}

INSTANTIATE_TEST_SUITE_P(Registry, RegisteredRecombination,
                         testing::ValuesIn(Registry::built_in().recombinations()), test_name<Recombination>);

} // namespace
} // namespace knossos::recombination_properties_test
