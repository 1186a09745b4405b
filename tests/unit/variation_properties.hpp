#pragma once

#include "operator_properties.hpp"

#include <numeric>
#include <thread>

/// One way to run both kinds of variation, and what holds for every operator of them.
namespace knossos::operator_properties {

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
        if constexpr (std::same_as<View, Reals>) {
            if (!genome.bounds(first).contains(genome[second]) || !genome.bounds(second).contains(gene))
                return false;
            std::swap(genome[first], genome[second]);
        } else if constexpr (requires { genome.set(first, gene); }) {
            genome.set(first, genome[second]);
            genome.set(second, gene);
        } else {
            std::swap(genome[first], genome[second]);
        }
        return true;
    }
};

inline Mutation adapted(const Mutation& mutation, const Space& space) {
    return mutation.bound(Proposing{space});
}
inline Recombination adapted(const Recombination& recombination, const Space&) { return recombination; }

// The slots of a round in batches: all of them together, or a few at a time from the last to the first.
inline std::vector<std::vector<std::uint32_t>> together(std::size_t slots) {
    std::vector<std::uint32_t> all(slots);
    std::iota(all.begin(), all.end(), 0U);
    return {all};
}

inline std::vector<std::vector<std::uint32_t>> a_few_backwards(std::size_t slots) {
    std::vector<std::vector<std::uint32_t>> batches;
    for (std::size_t end = slots, size = 1; end > 0; size = size % 5 + 1) {
        batches.emplace_back();
        for (std::size_t i = 0; i < size && end > 0; ++i)
            batches.back().push_back(static_cast<std::uint32_t>(--end));
    }
    return batches;
}

// Rows 2s and 2s + 1 are the couple of slot s.
inline void vary(const Recombination& op, StageStreams streams, Population& genomes, bool always,
                 std::span<const std::uint32_t> slots, std::vector<std::uint8_t>& changed) {
    Scratch scratch;
    std::vector<Couple> couples;
    for (const std::uint32_t slot : slots)
        couples.push_back({genomes.genome(2 * slot), genomes.genome(2 * slot + 1), slot});
    op.cross(streams, genomes.space(), couples, scratch, always);
    for (const Couple& couple : couples) changed[couple.slot] = couple.changed ? 1 : 0;
}

inline void vary(const Mutation& op, StageStreams streams, Population& genomes, bool always,
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

} // namespace knossos::operator_properties
