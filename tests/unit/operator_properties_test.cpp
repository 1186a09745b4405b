// Walks the registry: whatever is registered is tried on every kind of genome that it accepts, at every size,
// with its fields at their default values and at their ends. That alone covers a new operator. What an
// operator promises beyond making valid genomes stands in the tables here, and a missing line is a failure.

#include "support.hpp"

#include <knossos/recipe/registry.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <numeric>
#include <ostream>
#include <set>
#include <thread>

namespace knossos {

// How a failing test says which part it was about.
template <class Part>
void PrintTo(const Entry<Part>& entry, std::ostream* out) {
    *out << entry.info.name;
}

namespace operator_properties_test {
namespace {

using test::GeneList;
using test::genes_of;
using test::Individual;
using test::stage_for;
using test::stream_for;

// --- what all stages share -----------------------------------------------------------------------------

constexpr std::size_t sizes[] = {1, 2, 3, 5, 8, 31, 32, 33, 63, 64, 65, 127, 128, 129, 1000, 4096, 100'000};

struct Amount {
    std::size_t rounds;
    std::size_t slots; ///< genomes or couples in one round, each with its own stream
};

Amount amount_for(std::size_t length) {
    if (length < 1000) return {test::seeds(20), 13};
    if (length < 4096) return {test::seeds(10), 7};
    if (length < 100'000) return {test::seeds(10), 5};
    return {test::seeds(5), 2};
}

std::vector<Space> spaces_of(std::size_t length) {
    std::vector<Space> spaces{Space::bits(length),
                              Space::bits_with_ones(length, 1),
                              Space::bits_with_ones(length, length / 2),
                              Space::bits_with_ones(length, length),
                              Space::packed(length, 2),
                              Space::packed(length, 5),
                              Space::packed(length, 1U << 17U),
                              Space::integers(length, 1),
                              Space::integers(length, 256),
                              Space::integers(length, 300),
                              Space::integers(length, 70'000)};
    for (const Space& space : test::permutation_spaces(length)) spaces.push_back(space);
    return spaces;
}

std::string said(const Space& space) {
    return describe(space) + ", genes of " + std::to_string(space.bits_per_gene()) + " bits";
}

std::string said(const PartInfo& info, const Values& values) {
    std::string text = info.name;
    for (const auto& [field, value] : values) text += " " + field + " = " + to_text(value);
    return text;
}

std::vector<Value> ends_of(const FieldInfo& field) {
    switch (field.type) {
    case FieldType::boolean:
        return {false, true};
    case FieldType::choice:
        return {field.choices.begin(), field.choices.end()};
    case FieldType::real:
        if (std::isinf(field.minimum) || std::isinf(field.maximum)) return {};
        return {field.minimum, 0.7 * field.minimum + 0.3 * field.maximum, field.maximum};
    case FieldType::integer: {
        // Most of them may be as large as the population or the genome: 3 goes with nearly all of those.
        const double largest = field.maximum > 1000.0 ? 3.0 : field.maximum;
        return {static_cast<std::int64_t>(field.minimum), static_cast<std::int64_t>(largest)};
    }
    case FieldType::text:
        break;
    }
    return {};
}

// The default values, then each field alone at each of its ends.
std::vector<Values> variants_of(const PartInfo& info) {
    Values defaults;
    for (const FieldInfo& field : info.fields) defaults[field.name] = field.default_value;
    std::vector<Values> variants{defaults};
    for (const FieldInfo& field : info.fields)
        for (const Value& end : ends_of(field)) {
            if (end == field.default_value) continue;
            variants.push_back(defaults);
            variants.back()[field.name] = end;
        }
    return variants;
}

double number(const Values& values, const char* field) {
    const Value& value = values.at(field);
    const auto* const whole = std::get_if<std::int64_t>(&value);
    return whole != nullptr ? static_cast<double>(*whole) : std::get<double>(value);
}

bool flag(const Values& values, const char* field) { return std::get<bool>(values.at(field)); }
std::string word(const Values& values, const char* field) { return std::get<std::string>(values.at(field)); }

template <class Call>
bool accepted(Call call) {
    try {
        call();
    } catch (const InvalidInput&) {
        return false;
    }
    return true;
}

// A line of a table of promises; fails the test if there is none.
template <class Line>
const Line& line_of(const std::map<std::string, Line>& table, const std::string& name) {
    static const Line nothing{};
    const auto found = table.find(name);
    if (found != table.end()) return found->second;
    ADD_FAILURE() << name << " is registered, but nothing is said here about what it promises";
    return nothing;
}

template <class Part>
std::string test_name(const testing::TestParamInfo<Entry<Part>>& info) {
    std::string name = info.param.info.name;
    std::ranges::replace(name, '-', '_');
    return name;
}

Population random_population(const Space& space, std::size_t size, std::uint64_t seed) {
    Population population{space, size};
    for (std::uint32_t i = 0; i < size; ++i) {
        Stream stream = stream_for(seed, i);
        randomise(stream, space, population.genome(i));
    }
    return population;
}

bool same_bytes(const Population& a, const Population& b) { return std::ranges::equal(a.bytes(), b.bytes()); }

template <class Part>
struct Variant {
    Values values;
    Part part;
};

template <class Part, class Adapt>
std::vector<Variant<Part>> working_variants(const Entry<Part>& entry, const Space& space, Adapt adapt) {
    std::vector<Variant<Part>> variants;
    for (const Values& values : variants_of(entry.info)) {
        const Part part = adapt(entry.make(values));
        if (accepted([&] { part.check(space); })) variants.push_back({values, part});
    }
    return variants;
}

// Exchanges two genes, which makes a genome again whatever its kind.
struct Proposing {
    Space its_space;
    static constexpr Objective objective = Objective::minimise;
    [[nodiscard]] Space space() const { return its_space; }
    template <class View>
    [[nodiscard]] double evaluate(View) const {
        return 0.0;
    }
    template <class View>
    bool propose(Stream& stream, View genome) const {
        const std::size_t first = stream.below64(genome.size());
        const std::size_t second = stream.below64(genome.size());
        const auto gene = genome[first];
        if constexpr (requires { genome.set(first, gene); }) {
            genome.set(first, genome[second]);
            genome.set(second, gene);
        } else {
            std::swap(genome[first], genome[second]);
        }
        return true;
    }
};

Mutation adapted(const Mutation& mutation, const Space& space) { return mutation.bound(Proposing{space}); }
Recombination adapted(const Recombination& recombination, const Space&) { return recombination; }

// --- variation: one way to run both kinds of it --------------------------------------------------------

// The slots of a round in batches: all of them together, or a few at a time from the last to the first.
std::vector<std::vector<std::uint32_t>> together(std::size_t slots) {
    std::vector<std::uint32_t> all(slots);
    std::iota(all.begin(), all.end(), 0U);
    return {all};
}

std::vector<std::vector<std::uint32_t>> a_few_backwards(std::size_t slots) {
    std::vector<std::vector<std::uint32_t>> batches;
    for (std::size_t end = slots, size = 1; end > 0; size = size % 5 + 1) {
        batches.emplace_back();
        for (std::size_t i = 0; i < size && end > 0; ++i)
            batches.back().push_back(static_cast<std::uint32_t>(--end));
    }
    return batches;
}

// Rows 2s and 2s + 1 are the couple of slot s.
void vary(const Recombination& op, StageStreams streams, Population& genomes, bool always,
          std::span<const std::uint32_t> slots, std::vector<std::uint8_t>& changed) {
    Scratch scratch;
    std::vector<Couple> couples;
    for (const std::uint32_t slot : slots)
        couples.push_back({genomes.genome(2 * slot), genomes.genome(2 * slot + 1), slot});
    op.cross(streams, genomes.space(), couples, scratch, always);
    for (const Couple& couple : couples) changed[couple.slot] = couple.changed ? 1 : 0;
}

void vary(const Mutation& op, StageStreams streams, Population& genomes, bool always,
          std::span<const std::uint32_t> slots, std::vector<std::uint8_t>& changed) {
    Scratch scratch;
    std::vector<Mutant> mutants;
    for (const std::uint32_t slot : slots) mutants.push_back({genomes.genome(slot), slot});
    op.mutate(streams, genomes.space(), mutants, scratch, always);
    for (const Mutant& mutant : mutants) changed[mutant.slot] = mutant.changed ? 1 : 0;
}

template <class Part>
constexpr std::size_t rows_per_slot = std::same_as<Part, Recombination> ? 2 : 1;

struct Varied {
    Population genomes;
    std::vector<std::uint8_t> changed;
};

template <class Part>
Varied varied(const Part& op, StageStreams streams, const Population& before, bool always,
              const std::vector<std::vector<std::uint32_t>>& batches) {
    Varied after{before, std::vector<std::uint8_t>(before.size() / rows_per_slot<Part>)};
    for (const auto& slots : batches) vary(op, streams, after.genomes, always, slots, after.changed);
    return after;
}

template <class Part>
Varied varied_in_threads(const Part& op, StageStreams streams, const Population& before) {
    Varied after{before, std::vector<std::uint8_t>(before.size() / rows_per_slot<Part>)};
    constexpr std::uint32_t workers = 3;
    std::vector<std::thread> threads;
    for (std::uint32_t worker = 0; worker < workers; ++worker)
        threads.emplace_back([&, worker] {
            for (std::uint32_t slot = worker; slot < after.changed.size(); slot += workers)
                vary(op, streams, after.genomes, false, {&slot, 1}, after.changed);
        });
    for (std::thread& thread : threads) thread.join();
    return after;
}

// Calls check(variant, before rows, after rows, changed) for every slot of every round on every space, after
// having made sure of what holds for every operator: the children are genomes, what is said to be unchanged
// is, and the same children come from the same slots in any batches.
template <class Part, class Check>
void for_each_variation(const Entry<Part>& entry, Check check) {
    std::uint64_t cases = 0;
    for (const std::size_t length : sizes) {
        const Amount amount = amount_for(length);
        for (const Space& space : spaces_of(length)) {
            const auto variants =
                working_variants(entry, space, [&](const Part& part) { return adapted(part, space); });
            for (std::size_t round = 0; round < amount.rounds && !variants.empty(); ++round) {
                const Variant<Part>& variant = variants[round % variants.size()];
                SCOPED_TRACE(said(entry.info, variant.values) + " on " + said(space) + ", round " +
                             std::to_string(round));
                const StageStreams streams = stage_for(length, round);
                const bool always = round / variants.size() % 2 == 0;
                const Population before = random_population(space, amount.slots * rows_per_slot<Part>, round);
                const Varied after = varied(variant.part, streams, before, always, together(amount.slots));
                const Varied again =
                    varied(variant.part, streams, before, always, a_few_backwards(amount.slots));
                ASSERT_TRUE(same_bytes(after.genomes, again.genomes)) << "depends on the batches";
                ASSERT_EQ(after.changed, again.changed);
                for (std::size_t slot = 0; slot < amount.slots; ++slot) {
                    const std::size_t row = slot * rows_per_slot<Part>;
                    const std::size_t bytes = rows_per_slot<Part> * before.stride();
                    for (std::size_t i = 0; i < rows_per_slot<Part>; ++i)
                        ASSERT_TRUE(is_valid(space, after.genomes.genome(row + i))) << "slot " << slot;
                    if (after.changed[slot] == 0) {
                        ASSERT_TRUE(std::equal(before.genome(row), before.genome(row) + bytes,
                                               after.genomes.genome(row)))
                            << "slot " << slot << " has changed and says that it hasn't";
                    } else {
                        check(variant.values, space, before, after.genomes, row);
                    }
                    ++cases;
                }
                if (testing::Test::HasFailure()) return;
            }
        }
    }
    EXPECT_GE(cases, test::seeds(2000)) << "hardly tried: is there a kind of genome that it accepts?";
}

template <class Part>
void expect_same_from_threads(const Entry<Part>& entry) {
    for (const Space& space : spaces_of(129))
        for (const auto& [values, op] :
             working_variants(entry, space, [&](const Part& part) { return adapted(part, space); })) {
            SCOPED_TRACE(said(entry.info, values) + " on " + said(space));
            const Population before = random_population(space, 40, 1);
            const Varied alone = varied(op, stage_for(1), before, false, together(40 / rows_per_slot<Part>));
            ASSERT_TRUE(same_bytes(alone.genomes, varied_in_threads(op, stage_for(1), before).genomes));
        }
}

// The genes that come out, for the same genes in another storage.
template <class Part>
std::vector<GeneList> genes_after(const Part& op, const Space& space, const std::vector<GeneList>& genes,
                                  std::uint64_t seed) {
    Population before{space, genes.size()};
    for (std::size_t i = 0; i < genes.size(); ++i) {
        const Individual one{space, genes[i]};
        std::copy_n(one.bytes(), space.genome_bytes(), before.genome(i));
    }
    const Varied after =
        varied(op, stage_for(seed), before, true, together(genes.size() / rows_per_slot<Part>));
    std::vector<GeneList> outcome;
    for (std::size_t i = 0; i < genes.size(); ++i)
        outcome.push_back(genes_of(space, after.genomes.genome(i)));
    return outcome;
}

// Packed integers are handled by word operations, plain ones gene by gene: each is the other's twin.
template <class Part>
void expect_storage_to_be_no_matter(const Entry<Part>& entry, std::span<const Space> storages) {
    const Space& space = storages[0];
    for (std::uint64_t seed = 0; seed < (space.length < 1000 ? test::seeds(8) : 2); ++seed) {
        const Population random = random_population(space, 8, seed);
        std::vector<GeneList> genes;
        for (std::size_t i = 0; i < random.size(); ++i) genes.push_back(genes_of(space, random.genome(i)));
        for (const auto& [values, op] :
             working_variants(entry, space, [&](const Part& part) { return adapted(part, space); })) {
            SCOPED_TRACE(said(entry.info, values) + " on " + describe(space));
            const std::vector<GeneList> expected = genes_after(op, space, genes, seed);
            for (const Space& other : storages.subspan(1)) {
                const Part same = adapted(entry.make(values), other);
                if (!accepted([&] { same.check(other); })) continue;
                ASSERT_EQ(genes_after(same, other, genes, seed), expected) << said(other) << ", " << seed;
            }
        }
    }
}

template <class Part>
void expect_storage_to_be_no_matter(const Entry<Part>& entry) {
    for (const std::size_t length : {1U, 2U, 3U, 21U, 63U, 64U, 65U, 129U, 1000U}) {
        expect_storage_to_be_no_matter(entry, test::permutation_spaces(length));
        for (const std::uint32_t alphabet : {1U, 2U, 5U, 200U}) {
            std::vector<Space> storages{Space::integers(length, alphabet), Space::packed(length, alphabet)};
            for (const unsigned bytes : {2U, 4U}) {
                storages.push_back(storages[0]);
                storages.back().gene_bytes = bytes;
            }
            expect_storage_to_be_no_matter(entry, storages);
            if (testing::Test::HasFatalFailure()) return;
        }
    }
}

double choose(double n, double k) {
    double ways = 1.0;
    for (double i = 0; i < k; ++i) ways *= (n - i) / (i + 1.0);
    return n < k ? 0.0 : ways;
}

// --- recombination -------------------------------------------------------------------------------------

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
                                   Space::integers(length, 300)})
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

// --- mutation ------------------------------------------------------------------------------------------

using Genes = const GeneList&;

std::vector<std::size_t> differences(Genes before, Genes after) {
    std::vector<std::size_t> positions;
    for (std::size_t i = 0; i < before.size(); ++i)
        if (before[i] != after[i]) positions.push_back(i);
    return positions;
}

void expect_same_genes(Genes before, Genes after) {
    std::vector<std::int32_t> more(std::size_t{*std::ranges::max_element(before)} + 1);
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
    // An integer that is drawn anew may come out as it was; a bit flips.
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
              Space::integers(length, 300), Space::permutation(length)})
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

INSTANTIATE_TEST_SUITE_P(Registry, RegisteredMutation, testing::ValuesIn(Registry::built_in().mutations()),
                         test_name<Mutation>);

// --- selection -----------------------------------------------------------------------------------------

constexpr Objective directions[] = {Objective::minimise, Objective::maximise};

std::vector<std::uint32_t> draw(const Selection& selection, const Scores& scores, std::size_t draws,
                                std::uint64_t generation, std::size_t tile) {
    SelectionTable table;
    const StageStreams streams = stage_for(31, generation);
    Stream prepare = streams(0xFFFFFFFFU);
    selection.prepare(prepare, scores, draws, table);
    std::vector<std::uint32_t> chosen(draws);
    // From the last tile to the first: what a slot gets must not depend on the order of tiles.
    for (std::size_t tiles = (draws + tile - 1) / tile; tiles-- > 0;) {
        const std::size_t first = tiles * tile;
        selection.pick(streams, scores, table, first,
                       std::span{chosen}.subspan(first, std::min(tile, draws - first)));
    }
    return chosen;
}

// How many are as bad as individual i or worse, and how many of those are worse.
struct Standing {
    double not_better = 0.0;
    double worse = 0.0;
    std::size_t rank = 0; ///< from the best; among equals by slot
};

std::vector<Standing> standings(const Scores& scores) {
    std::vector<Standing> all(scores.size());
    for (std::size_t i = 0; i < scores.size(); ++i)
        for (std::size_t j = 0; j < scores.size(); ++j) {
            all[i].not_better += scores.better(j, i) ? 0.0 : 1.0;
            all[i].worse += scores.better(i, j) ? 1.0 : 0.0;
            if (scores.better(j, i) || (!scores.better(i, j) && j < i)) ++all[i].rank;
        }
    return all;
}

using Shares = std::vector<double>;

Shares tournament_shares(const Values& values, const Scores& scores) {
    Shares shares;
    const double size = number(values, "size");
    const bool replacement = flag(values, "replacement");
    const auto ways = [&](double people) {
        return replacement ? std::pow(people, size) : choose(people, size);
    };
    for (const Standing& one : standings(scores))
        shares.push_back((ways(one.not_better) - ways(one.worse)) / (one.not_better - one.worse));
    return shares;
}

Shares wheel_shares(const Values& values, const Scores& scores) {
    const auto [lowest, highest] = std::ranges::minmax(scores.values);
    const double sum = std::accumulate(scores.values.begin(), scores.values.end(), 0.0);
    const bool minimise = scores.objective == Objective::minimise;
    const std::string scaling = word(values, "scaling");
    Shares shares;
    for (const double value : scores.values) {
        if (scaling == "proportional")
            shares.push_back(minimise ? lowest + highest - value : value);
        else if (scaling == "windowed")
            shares.push_back(minimise ? highest - value : value - lowest);
        else
            shares.push_back(sum > 0.0 ? 1.0 - value / sum : 1.0);
    }
    // Where nobody is better than anybody, everybody is alike.
    if (std::ranges::all_of(shares, [](double share) { return share == 0.0; }))
        std::ranges::fill(shares, 1.0);
    return shares;
}

template <class OfRank>
Shares shares_by_rank(const Scores& scores, OfRank of_rank) {
    Shares shares;
    for (const Standing& one : standings(scores)) shares.push_back(of_rank(static_cast<double>(one.rank)));
    return shares;
}

using SharesOf = std::function<Shares(const Values&, const Scores&)>;

const std::map<std::string, SharesOf>& selection_shares() {
    static const std::map<std::string, SharesOf> table{
        {"tournament", tournament_shares},
        {"roulette", wheel_shares},
        {"stochastic-universal", wheel_shares},
        {"linear-rank",
         [](const Values& values, const Scores& scores) {
             const double pressure = number(values, "pressure");
             const double last = std::max(1.0, static_cast<double>(scores.size()) - 1.0);
             return shares_by_rank(
                 scores, [=](double rank) { return pressure - 2.0 * (pressure - 1.0) * rank / last; });
         }},
        {"exponential-rank",
         [](const Values& values, const Scores& scores) {
             const double base = number(values, "base");
             return shares_by_rank(scores, [=](double rank) { return std::pow(base, rank); });
         }},
        {"truncation",
         [](const Values& values, const Scores& scores) {
             const double breeders = std::max(
                 1.0, std::floor(number(values, "fraction") * static_cast<double>(scores.size()) + 1.0e-9));
             return shares_by_rank(scores, [=](double rank) { return rank < breeders ? 1.0 : 0.0; });
         }},
        {"random", [](const Values&, const Scores& scores) { return Shares(scores.size(), 1.0); }},
        {"best",
         [](const Values&, const Scores& scores) {
             return shares_by_rank(scores, [](double rank) { return rank == 0.0 ? 1.0 : 0.0; });
         }},
    };
    return table;
}

// As test::expect_shares(), with the cells that expect fewer than ten judged together.
void expect_shares(std::span<const std::uint64_t> observed, const Shares& shares) {
    const auto draws =
        static_cast<double>(std::accumulate(observed.begin(), observed.end(), std::uint64_t{0}));
    const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
    std::vector<std::uint64_t> counts{0};
    Shares expected{0.0};
    for (std::size_t i = 0; i < shares.size(); ++i) {
        if (shares[i] == 0.0) {
            EXPECT_EQ(observed[i], 0U) << "individual " << i << " has no chance";
        }
        if (shares[i] / sum * draws < 10.0) {
            counts[0] += observed[i];
            expected[0] += shares[i];
        } else {
            counts.push_back(observed[i]);
            expected.push_back(shares[i]);
        }
    }
    // A rest that expects next to nothing has no distribution to speak of.
    if (expected[0] / sum * draws < 10.0) {
        EXPECT_LE(counts[0], 60U);
        counts.erase(counts.begin());
        expected.erase(expected.begin());
    }
    test::expect_shares(counts, expected);
}

class RegisteredSelection : public testing::TestWithParam<Entry<Selection>> {};

TEST_P(RegisteredSelection, StaysInsideThePopulationAndIsTheSameInAnyTiles) {
    for (const std::size_t population : sizes)
        for (const Values& values : variants_of(GetParam().info)) {
            const Selection selection = GetParam().make(values);
            if (!accepted([&] { selection.check(population); })) continue;
            const std::uint64_t rounds = population < 1000 ? test::seeds(40) : population < 100'000 ? 6 : 1;
            for (std::uint64_t round = 0; round < rounds; ++round) {
                SCOPED_TRACE(said(GetParam().info, values) + ", population of " + std::to_string(population) +
                             ", round " + std::to_string(round));
                Stream stream = stream_for(round, static_cast<std::uint32_t>(population));
                std::vector<double> fitness(population);
                for (double& value : fitness)
                    value = static_cast<double>(stream.below(round % 2 == 0 ? 5 : 1000));
                const Scores scores{fitness, directions[round % 2]};
                if (!accepted([&] { selection.check_objective(scores.objective); })) continue;
                const std::size_t draws = 1 + stream.below(static_cast<std::uint32_t>(2 * population));
                const std::vector<double> before = fitness;
                const auto chosen = draw(selection, scores, draws, round, draws + draws % 2);
                for (const std::uint32_t one : chosen) ASSERT_LT(one, population);
                ASSERT_EQ(draw(selection, scores, draws, round, 2), chosen);
                ASSERT_EQ(draw(selection, scores, draws, round, 14), chosen);
                ASSERT_EQ(fitness, before);
            }
        }
}

TEST_P(RegisteredSelection, ChoosesByTheDocumentedShares) {
    const SharesOf& shares_of = line_of(selection_shares(), GetParam().info.name);
    if (!shares_of) return;
    std::vector<std::vector<double>> populations{
        {30.0, 5.0, 21.0, 60.0, 1.0, 12.0, 44.0}, // in an order that no slot gives away
        std::vector<double>(6, 4.0),
        std::vector<double>(6, 0.0),
        {3.0, 8.0},
        {7.0},
        {},
    };
    Stream stream = stream_for(5);
    for (std::size_t i = 0; i < 40; ++i) populations.back().push_back(static_cast<double>(stream.below(9)));
    constexpr std::size_t draws = 40;
    for (const Values& values : variants_of(GetParam().info)) {
        const Selection selection = GetParam().make(values);
        for (const std::vector<double>& fitness : populations)
            for (const Objective objective : directions) {
                if (!accepted([&] {
                        selection.check(fitness.size());
                        selection.check_objective(objective);
                    }))
                    continue;
                SCOPED_TRACE(said(GetParam().info, values) + ", population of " +
                             std::to_string(fitness.size()) +
                             (objective == Objective::minimise ? ", minimised" : ", maximised"));
                std::vector<std::uint64_t> counts(fitness.size());
                for (std::uint64_t generation = 0; generation < 500 * test::seeds(1); ++generation)
                    for (const std::uint32_t one :
                         draw(selection, {fitness, objective}, draws, generation, draws))
                        ++counts.at(one);
                expect_shares(counts, shares_of(values, {fitness, objective}));
            }
    }
}

INSTANTIATE_TEST_SUITE_P(Registry, RegisteredSelection, testing::ValuesIn(Registry::built_in().selections()),
                         test_name<Selection>);

// --- replacement ---------------------------------------------------------------------------------------

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

// --- improvement ---------------------------------------------------------------------------------------

// Rugged and integral: each position has a worth for each gene.
std::int64_t worth(std::size_t position, std::uint32_t gene) {
    const std::uint64_t mixed = (position * 0x9E3779B97F4A7C15U + gene) * 0xD1342543DE82EF95U;
    return static_cast<std::int64_t>(mixed >> 40U) % 100;
}

template <class View>
std::int64_t total_worth(const View& genes) {
    std::int64_t total = 0;
    for (std::size_t i = 0; i < genes.size(); ++i) total += worth(i, static_cast<std::uint32_t>(genes[i]));
    return total;
}

template <Objective direction>
struct Plain {
    Space its_space;
    static constexpr Objective objective = direction;
    [[nodiscard]] Space space() const { return its_space; }
    template <class View>
    [[nodiscard]] double evaluate(View genome) const {
        return static_cast<double>(total_worth(genome));
    }
};

// Prices a move from a copy of its own, and so notices if it isn't told of every move.
template <Objective direction>
struct Tracked : Plain<direction> {
    struct Tracker {
        GeneList genes;

        template <class View>
        double start(View genome) {
            genes.resize(genome.size());
            for (std::size_t i = 0; i < genome.size(); ++i) genes[i] = static_cast<std::uint32_t>(genome[i]);
            return static_cast<double>(total_worth(genes));
        }
        [[nodiscard]] std::int64_t change(std::size_t position, std::uint32_t gene) const {
            return worth(position, gene) - worth(position, genes[position]);
        }
        [[nodiscard]] double delta(Flip move) const {
            return static_cast<double>(change(move.position, genes[move.position] ^ 1U));
        }
        [[nodiscard]] double delta(Assign move) const {
            return static_cast<double>(change(move.position, move.value));
        }
        [[nodiscard]] double delta(Swap move) const {
            return static_cast<double>(change(move.first, genes[move.second]) +
                                       change(move.second, genes[move.first]));
        }
        [[nodiscard]] double delta(Reverse move) const {
            std::int64_t total = 0;
            for (std::size_t i = move.first; i <= move.last; ++i)
                total += change(i, genes[move.first + move.last - i]);
            return static_cast<double>(total);
        }
        void apply(Flip move) { genes[move.position] ^= 1U; }
        void apply(Assign move) { genes[move.position] = move.value; }
        void apply(Swap move) { std::swap(genes[move.first], genes[move.second]); }
        void apply(Reverse move) {
            std::reverse(genes.begin() + static_cast<std::ptrdiff_t>(move.first),
                         genes.begin() + static_cast<std::ptrdiff_t>(move.last) + 1);
        }
    };
    [[nodiscard]] Tracker tracker() const { return {}; }
};

struct Climbed {
    Individual genome;
    Improved improved;
};

Climbed climbed(const Improvement& improvement, const Problem& problem, Individual genome,
                std::uint64_t seed) {
    Stream stream = stream_for(seed, 1);
    const auto deltas = problem.deltas();
    const Improved improved =
        improvement.improve(stream, *deltas, problem.space(), problem.objective(), genome.bytes());
    return {std::move(genome), improved};
}

template <Objective direction>
void expect_improvement(const Improvement& improvement, const Space& space, std::uint64_t seed) {
    const Problem tracked = Tracked<direction>{{space}};
    if (!accepted([&] { improvement.check(tracked); })) return;
    Stream stream = stream_for(seed);
    const Individual before{space, stream};
    const Climbed fast = climbed(improvement, tracked, before, seed);
    ASSERT_TRUE(fast.genome.valid());
    ASSERT_EQ(fast.improved.fitness, static_cast<double>(total_worth(fast.genome.genes())));
    ASSERT_FALSE(better(direction, static_cast<double>(total_worth(before.genes())), fast.improved.fitness));
    ASSERT_GE(fast.improved.evaluations, 1U);
    if (space.length > 33) return; // full evaluation takes the square of the length
    const Climbed slow = climbed(improvement, Plain<direction>{space}, before, seed);
    ASSERT_EQ(slow.genome, fast.genome);
    ASSERT_EQ(slow.improved.fitness, fast.improved.fitness);
    ASSERT_EQ(slow.improved.evaluations, fast.improved.evaluations);
}

class RegisteredImprovement : public testing::TestWithParam<Entry<Improvement>> {};

TEST_P(RegisteredImprovement, NeverMakesAGenomeWorseHoweverMovesArePriced) {
    for (const std::size_t length : sizes)
        for (const Space& space : spaces_of(length))
            for (Values values : variants_of(GetParam().info)) {
                // A million evaluations for each genome would take minutes.
                if (values.contains("limit"))
                    values["limit"] = std::min(std::get<std::int64_t>(values["limit"]), std::int64_t{3000});
                const Improvement improvement = GetParam().make(values);
                const bool reversing = values.contains("move") && word(values, "move") == "reverse";
                if (reversing && length > 129) continue; // each after takes the length of the stretch
                for (std::uint64_t seed = 0; seed < (length < 33 ? test::seeds(8) : 1); ++seed) {
                    SCOPED_TRACE(said(GetParam().info, values) + " on " + said(space) + ", seed " +
                                 std::to_string(seed));
                    if (seed % 2 == 0)
                        expect_improvement<Objective::minimise>(improvement, space, seed);
                    else
                        expect_improvement<Objective::maximise>(improvement, space, seed);
                    if (HasFatalFailure()) return;
                }
            }
}

INSTANTIATE_TEST_SUITE_P(Registry, RegisteredImprovement,
                         testing::ValuesIn(Registry::built_in().improvements()), test_name<Improvement>);

} // namespace
} // namespace operator_properties_test
} // namespace knossos
