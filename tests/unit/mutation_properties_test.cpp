// Walks the registered mutations: see operator_properties.hpp.

#include "variation_properties.hpp"

#include <functional>

namespace knossos::mutation_properties_test {
namespace {

using namespace operator_properties;

using Genes = const GeneList&;

std::vector<std::size_t> differences(Genes before, Genes after) {
    std::vector<std::size_t> positions;
    for (std::size_t i = 0; i < before.size(); ++i)
        if (before[i] != after[i]) positions.push_back(i);
    return positions;
}

void expect_same_genes(Genes before, Genes after) {
    const std::size_t largest = *std::ranges::max_element(before);
    if (largest > 10'000'000) { // real numbers: too many values to count each
        GeneList old{before.begin(), before.end()};
        GeneList now{after.begin(), after.end()};
        std::ranges::sort(old);
        std::ranges::sort(now);
        ASSERT_EQ(old, now);
        return;
    }
    std::vector<std::int32_t> more(largest + 1);
    for (const std::uint32_t gene : before) ++more[gene];
    for (const std::uint32_t gene : after) --more.at(gene);
    ASSERT_TRUE(std::ranges::all_of(more, [](std::int32_t count) { return count == 0; }));
}

// What lies between the first and the last gene that differ.
struct Changed {
    GeneList before;
    GeneList after;
};

Changed changed_stretch(Genes before, Genes after) {
    const auto positions = differences(before, after);
    if (positions.empty()) return {};
    const auto first = static_cast<std::ptrdiff_t>(positions.front());
    const auto end = static_cast<std::ptrdiff_t>(positions.back()) + 1;
    return {{before.begin() + first, before.begin() + end}, {after.begin() + first, after.begin() + end}};
}

double visible(const Space& space) {
    // An integer that is drawn anew may come out as it was; a bit flips, and a real is never the same.
    if (space.kind == GenomeKind::reals) return 1.0;
    return space.kind == GenomeKind::bits ? 1.0 : 1.0 - 1.0 / static_cast<double>(space.alphabet);
}

// In how many of the n over 2 stretches of at least two positions position i lies.
double stretches_over(std::size_t i, std::size_t n) {
    const auto left = static_cast<double>(i);
    const auto right = static_cast<double>(n - 1 - i);
    return choose(static_cast<double>(n), 2.0) - choose(left, 2.0) - choose(right, 2.0);
}

struct MutationPromise {
    /// Called with what has changed, genes before and after.
    std::function<void(const Values&, const Space&, Genes before, Genes after)> check{};
    /// How often position i changes; where nothing is said, all positions change equally often.
    std::function<double(const Values&, const Space&, std::size_t i)> change{};
};

const std::map<std::string, MutationPromise>& mutation_promises() {
    static const std::map<std::string, MutationPromise> table{
        {"point",
         {.check =
              [](const Values&, const Space& space, Genes before, Genes after) {
                  const std::size_t changed = differences(before, after).size();
                  ASSERT_LE(changed, 1U);
                  if (space.kind == GenomeKind::bits) {
                      ASSERT_EQ(changed, 1U);
                  }
              },
          .change = [](const Values&, const Space& space,
                       std::size_t) { return visible(space) / static_cast<double>(space.length); }}},
        {"uniform",
         {.check =
              [](const Values& values, const Space& space, Genes before, Genes after) {
                  const std::size_t changed = differences(before, after).size();
                  if (number(values, "per_gene") == 0.0) {
                      ASSERT_EQ(changed, 0U);
                  }
                  if (number(values, "per_gene") == 1.0 && space.kind == GenomeKind::bits) {
                      ASSERT_EQ(changed, space.length);
                  }
              },
          .change = [](const Values& values, const Space& space,
                       std::size_t) { return number(values, "per_gene") * visible(space); }}},
        {"bit-flip",
         {.check = {},
          .change =
              [](const Values& values, const Space& space, std::size_t) {
                  const double rate = number(values, "per_bit");
                  return rate > 0.0 ? rate : 1.0 / static_cast<double>(space.length);
              }}},
        {"rotate",
         {.check =
              [](const Values&, const Space& space, Genes before, Genes after) {
                  expect_same_genes(before, after);
                  if (space.kind != GenomeKind::permutation) return;
                  GeneList turned = before;
                  std::ranges::rotate(turned, std::ranges::find(turned, after[0]));
                  ASSERT_EQ(turned, after);
                  ASSERT_NE(before, after);
              }}},
        {"move-ones",
         {.check =
              [](const Values& values, const Space&, Genes before, Genes after) {
                  expect_same_genes(before, after);
                  const auto moved = static_cast<double>(differences(before, after).size()) / 2.0;
                  ASSERT_GE(moved, 1.0);
                  if (number(values, "most") > 0.0) {
                      ASSERT_LE(moved, number(values, "most"));
                  }
              }}},
        {"swap",
         {.check = [](const Values&, const Space&, Genes before,
                      Genes after) { ASSERT_EQ(differences(before, after).size(), 2U); },
          .change =
              [](const Values&, const Space& space, std::size_t) {
                  return space.length < 2 ? 0.0 : 2.0 / static_cast<double>(space.length);
              }}},
        {"insertion",
         {.check =
              [](const Values&, const Space&, Genes before, Genes after) {
                  auto [moved, expected] = changed_stretch(before, after);
                  ASSERT_GE(moved.size(), 2U);
                  // Everything between moves by one: forwards or backwards.
                  if (moved.front() == expected.back())
                      std::ranges::rotate(moved, moved.begin() + 1);
                  else
                      std::ranges::rotate(moved, moved.end() - 1);
                  ASSERT_EQ(moved, expected);
              },
          .change =
              [](const Values&, const Space& space, std::size_t i) {
                  return space.length < 2 ? 0.0
                                          : stretches_over(i, space.length) /
                                                choose(static_cast<double>(space.length), 2.0);
              }}},
        {"inversion",
         {.check =
              [](const Values&, const Space&, Genes before, Genes after) {
                  auto [turned, expected] = changed_stretch(before, after);
                  ASSERT_GE(turned.size(), 2U);
                  std::ranges::reverse(turned);
                  ASSERT_EQ(turned, expected);
              },
          .change =
              [](const Values&, const Space& space, std::size_t i) {
                  if (space.length < 2) return 0.0;
                  // The middle of a stretch stays.
                  const auto middles = static_cast<double>(std::min(i, space.length - 1 - i));
                  return (stretches_over(i, space.length) - middles) /
                         choose(static_cast<double>(space.length), 2.0);
              }}},
        {"scramble",
         {.check = {},
          .change =
              [](const Values&, const Space& space, std::size_t i) {
                  if (space.length < 2) return 0.0;
                  double total = 0.0;
                  for (std::size_t from = 0; from <= i; ++from)
                      for (std::size_t last = std::max(i, from + 1); last < space.length; ++last)
                          total += 1.0 - 1.0 / static_cast<double>(last - from + 1);
                  return total / choose(static_cast<double>(space.length), 2.0);
              }}},
        {"shuffle-indexes",
         {.check = {},
          .change =
              [](const Values& values, const Space& space, std::size_t i) {
                  // Where the gene of position i goes as one position after the other has its turn.
                  const std::size_t n = space.length;
                  if (n < 2) return 0.0;
                  const double rate = number(values, "per_index");
                  const double to_each = rate / static_cast<double>(n - 1);
                  std::vector<double> at(n);
                  at[i] = 1.0;
                  for (std::size_t turn = 0; turn < n; ++turn) {
                      const double here = at[turn];
                      double arriving = 0.0;
                      for (std::size_t other = 0; other < n; ++other) {
                          if (other == turn) continue;
                          arriving += at[other] * to_each;
                          at[other] += (here - at[other]) * to_each;
                      }
                      at[turn] = here * (1.0 - rate) + arriving;
                  }
                  return 1.0 - at[i];
              }}},
        {"polynomial",
         {.check =
              [](const Values& values, const Space& space, Genes before, Genes after) {
                  if (number(values, "per_gene") == 1.0 && number(values, "eta") < 100.0 &&
                      !space.own_bounds) {
                      ASSERT_EQ(differences(before, after).size(), space.length);
                  }
              },
          .change =
              [](const Values& values, const Space& space, std::size_t) {
                  const double rate = number(values, "per_gene");
                  return rate > 0.0 ? rate : 1.0 / static_cast<double>(space.length);
              }}},
        {"gaussian",
         {.check = {},
          .change =
              [](const Values& values, const Space& space, std::size_t) {
                  const double rate = number(values, "per_gene");
                  if (number(values, "sigma") == 0.0) return 0.0;
                  return rate > 0.0 ? rate : 1.0 / static_cast<double>(space.length);
              }}},
        {"problem-move",
         {.check = [](const Values&, const Space&, Genes before,
                      Genes after) { expect_same_genes(before, after); }}},
    };
    return table;
}

class RegisteredMutation : public testing::TestWithParam<Entry<Mutation>> {};

TEST_P(RegisteredMutation, MakesGenomesThatKeepWhatItPromises) {
    const MutationPromise& promise = line_of(mutation_promises(), GetParam().info.name);
    for_each_variation(GetParam(), [&](const Values& values, const Space& space, const Population& before,
                                       const Population& after, std::size_t row) {
        if (promise.check)
            promise.check(values, space, genes_of(space, before.genome(row)),
                          genes_of(space, after.genome(row)));
    });
}

TEST_P(RegisteredMutation, ChangesEveryPositionAsOftenAsDocumented) {
    const MutationPromise& promise = line_of(mutation_promises(), GetParam().info.name);
    const std::uint64_t rounds = 100 * test::seeds(1);
    constexpr std::size_t mutants = 20;
    const std::uint64_t trials = rounds * mutants;
    for (const std::size_t length : {1U, 2U, 7U, 65U})
        for (const Space& space :
             {Space::bits(length), Space::bits_with_ones(length, (length + 1) / 2), Space::packed(length, 5),
              Space::integers(length, 300), Space::permutation(length), Space::reals(length, {-2.0, 3.0})})
            for (const auto& [values, op] : working_variants(
                     GetParam(), space, [&](const Mutation& part) { return adapted(part, space); })) {
                SCOPED_TRACE(said(GetParam().info, values) + " on " + said(space));
                std::vector<std::uint64_t> changes(length);
                for (std::uint64_t round = 0; round < rounds; ++round) {
                    const Population before = random_population(space, mutants, round);
                    const Varied after = varied(op, stage_for(3, round), before, true, together(mutants));
                    for (std::size_t row = 0; row < mutants; ++row)
                        for (const std::size_t i : differences(genes_of(space, before.genome(row)),
                                                               genes_of(space, after.genomes.genome(row))))
                            ++changes[i];
                }
                const std::uint64_t all = std::accumulate(changes.begin(), changes.end(), std::uint64_t{0});
                for (std::size_t i = 0; i < length; ++i)
                    test::expect_rate(changes[i], trials,
                                      promise.change
                                          ? promise.change(values, space, i)
                                          : static_cast<double>(all) / static_cast<double>(trials * length));
                if (HasFailure()) return;
            }
}

TEST_P(RegisteredMutation, DependsNeitherOnThreadsNorOnStorage) {
    expect_same_from_threads(GetParam());
    expect_storage_to_be_no_matter(GetParam());
}

// Those that are made of others have tests of their own.
std::vector<Entry<Mutation>> simple_mutations() {
    std::vector<Entry<Mutation>> simple = Registry::built_in().mutations();
    std::erase_if(simple, [](const Entry<Mutation>& entry) { return static_cast<bool>(entry.make_of); });
    return simple;
}
INSTANTIATE_TEST_SUITE_P(Registry, RegisteredMutation, testing::ValuesIn(simple_mutations()),
                         test_name<Mutation>);

} // namespace
} // namespace knossos::mutation_properties_test
