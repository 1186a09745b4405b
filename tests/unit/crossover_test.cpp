#include "support.hpp"

#include <knossos/operators/crossover_permutation.hpp>
#include <knossos/operators/crossover_sites.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace knossos::crossover_test {
namespace {

using test::expect_mentions;
using test::expect_rate;
using test::expect_uniform;
using test::GeneList;
using test::Individual;
using test::message_of;
using test::stage_for;
using test::stream_for;

struct Children {
    Individual first;
    Individual second;
    bool changed;
};

Children cross(const Recombination& recombination, Individual a, Individual b, std::uint64_t seed,
               bool always = true) {
    Scratch scratch;
    Couple couple{a.bytes(), b.bytes(), 5};
    recombination.cross(stage_for(seed), a.space(), {&couple, 1}, scratch, always);
    return {std::move(a), std::move(b), couple.changed};
}

Individual random_one(const Space& space, std::uint64_t seed, std::uint32_t slot) {
    Stream stream = stream_for(seed, slot);
    return {space, stream};
}

// Word by word against gene by gene, for every stretch.
TEST(SwapSites, ExchangesTheStretchAndNothingElse) {
    for (const Space& space : {Space::bits(130), Space::packed(43, 5), Space::integers(43, 300)}) {
        const Individual a = random_one(space, 1, 0);
        const Individual b = random_one(space, 1, 1);
        for (std::size_t from = 0; from <= space.length; ++from)
            for (std::size_t to = from; to <= space.length; ++to) {
                Individual first = a;
                Individual second = b;
                visit_genome(space, first.bytes(), [&]<class View>(View view) {
                    if constexpr (Exchangeable<View>)
                        swap_sites(view, view_as<View>(space, second.bytes()), from, to);
                });
                GeneList of_a = a.genes();
                GeneList of_b = b.genes();
                std::swap_ranges(of_a.begin() + static_cast<std::ptrdiff_t>(from),
                                 of_a.begin() + static_cast<std::ptrdiff_t>(to),
                                 of_b.begin() + static_cast<std::ptrdiff_t>(from));
                ASSERT_EQ(first, (Individual{space, of_a})) << from << ".." << to;
                ASSERT_EQ(second, (Individual{space, of_b})) << from << ".." << to;
            }
    }
}

// Parents that differ at every locus show from which of them a gene came.
struct Origins {
    std::vector<bool> exchanged;
    std::size_t changes = 0; ///< how often neighbours come from different parents
};

Origins origins_of(const Recombination& op, std::size_t length, std::uint64_t seed) {
    const Space space = Space::integers(length, 2);
    const Children children = cross(op, Individual{space}, Individual{space, GeneList(length, 1)}, seed);
    const GeneList genes = children.first.genes();
    Origins origins;
    for (std::size_t i = 0; i < length; ++i) {
        origins.exchanged.push_back(genes[i] == 1);
        if (i > 0 && genes[i] != genes[i - 1]) ++origins.changes;
    }
    return origins;
}

TEST(OnePoint, CutsOnceAtEveryPlaceEquallyOften) {
    constexpr std::size_t length = 9;
    std::vector<std::uint64_t> cuts(length - 1);
    for (std::uint64_t seed = 0; seed < 8000; ++seed) {
        const Origins origins = origins_of(OnePoint{}, length, seed);
        ASSERT_EQ(origins.changes, 1U);
        ASSERT_FALSE(origins.exchanged[0]);
        const auto first = std::ranges::find(origins.exchanged, true) - origins.exchanged.begin();
        ++cuts[static_cast<std::size_t>(first - 1)];
    }
    expect_uniform(cuts);
}

TEST(OnePoint, AnywhereMayCutBeforeTheFirstGeneAndThenCopies) {
    constexpr std::size_t length = 5;
    std::vector<std::uint64_t> cuts(length);
    for (std::uint64_t seed = 0; seed < 8000; ++seed) {
        const Origins origins = origins_of(OnePoint{.anywhere = true}, length, seed);
        const auto first = std::ranges::find(origins.exchanged, true) - origins.exchanged.begin();
        ++cuts[static_cast<std::size_t>(first) % length];
    }
    expect_uniform(cuts);
}

TEST(TwoPoint, ExchangesOneStretchAndEveryPairOfCutsIsEquallyLikely) {
    constexpr std::size_t length = 6;
    // As a ring, since exchanging a stretch or all the rest gives the same two children.
    std::map<std::vector<bool>, std::uint64_t> seen;
    for (std::uint64_t seed = 0; seed < 15'000; ++seed) {
        Origins origins = origins_of(TwoPoint{}, length, seed);
        std::size_t changes = origins.changes;
        if (origins.exchanged.front() != origins.exchanged.back()) ++changes;
        ASSERT_EQ(changes, 2U);
        if (origins.exchanged.back()) origins.exchanged.flip();
        ++seen[origins.exchanged];
    }
    std::vector<std::uint64_t> counts;
    for (const auto& [stretch, count] : seen) counts.push_back(count);
    EXPECT_EQ(counts.size(), length * (length - 1) / 2);
    expect_uniform(counts);
}

TEST(KPoint, CutsAsOftenAsAskedAndEverySetOfCutsIsEquallyLikely) {
    constexpr std::size_t length = 7;
    for (const std::uint32_t points : {1U, 2U, 3U, 5U, 6U}) {
        SCOPED_TRACE(points);
        std::map<std::vector<bool>, std::uint64_t> seen;
        for (std::uint64_t seed = 0; seed < 6000; ++seed) {
            const Origins origins = origins_of(KPoint{.points = points}, length, seed);
            ASSERT_EQ(origins.changes, points);
            ASSERT_FALSE(origins.exchanged[0]);
            ++seen[origins.exchanged];
        }
        std::vector<std::uint64_t> counts;
        for (const auto& [cuts, count] : seen) counts.push_back(count);
        const std::map<std::uint32_t, std::size_t> ways{{1, 6}, {2, 15}, {3, 20}, {5, 6}, {6, 1}};
        EXPECT_EQ(counts.size(), ways.at(points));
        expect_uniform(counts);
    }
}

TEST(KPoint, RefusesMoreCutsThanFit) {
    expect_mentions(message_of([] { Recombination{KPoint{.points = 0}}; }), {"k-point.points is 0", "1.."});
    const Recombination three = KPoint{.points = 3};
    expect_mentions(message_of([&] { three.check(Space::bits(3)); }),
                    {"k-point.points is 3", "3 genes", "1..2"});
    EXPECT_NO_THROW(three.check(Space::bits(4)));
}

TEST(Recombination, HappensWithTheOperatorsProbabilityUnlessAlways) {
    const Space bits = Space::bits(64);
    const Space permutation = Space::permutation(64);
    const auto rate = [](const Recombination& op, const Space& space, bool always) {
        std::uint64_t changed = 0;
        for (std::uint64_t seed = 0; seed < 2000; ++seed)
            changed += cross(op, random_one(space, seed, 0), random_one(space, seed, 1), seed, always).changed
                           ? 1U
                           : 0U;
        return changed;
    };
    for (const double probability : {0.0, 0.25, 0.9, 1.0}) {
        SCOPED_TRACE(probability);
        expect_rate(rate(OnePoint{.probability = probability}, bits, false), 2000, probability);
        expect_rate(rate(TwoPoint{.probability = probability}, bits, false), 2000, probability);
        expect_rate(rate(KPoint{.probability = probability}, bits, false), 2000, probability);
        expect_rate(rate(UniformCrossover{.probability = probability}, bits, false), 2000, probability);
        expect_rate(rate(PartiallyMatched{.probability = probability}, permutation, false), 2000,
                    probability);
        expect_rate(rate(OrderCrossover{.probability = probability}, permutation, false), 2000, probability);
        expect_rate(rate(EdgeRecombination{.probability = probability}, permutation, false), 2000,
                    probability);
        expect_rate(rate(PositionBased{.probability = probability}, permutation, false), 2000, probability);
        EXPECT_EQ(rate(TwoPoint{.probability = probability}, bits, true), 2000U);
        EXPECT_EQ(rate(PartiallyMatched{.probability = probability}, permutation, true), 2000U);
    }
}

// --- permutations --------------------------------------------------------------------------------------

using Pair = std::pair<GeneList, GeneList>;

void exchange_values(GeneList& genes, std::uint32_t x, std::uint32_t y) {
    for (std::uint32_t& gene : genes) gene = gene == x ? y : gene == y ? x : gene;
}

// The definition: position by position, the two genes that stand there change places within each child.
Pair plain_partially_matched(Pair parents, std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
        const std::uint32_t x = parents.first[i];
        const std::uint32_t y = parents.second[i];
        exchange_values(parents.first, x, y);
        exchange_values(parents.second, x, y);
    }
    return parents;
}

GeneList plain_order_child(const GeneList& keeper, const GeneList& donor, std::size_t from, std::size_t to) {
    const std::size_t length = keeper.size();
    const std::set<std::uint32_t> kept(keeper.begin() + static_cast<std::ptrdiff_t>(from),
                                       keeper.begin() + static_cast<std::ptrdiff_t>(to));
    GeneList child = keeper;
    std::size_t target = to;
    for (std::size_t step = 0; step < length; ++step) {
        const std::uint32_t gene = donor[(to + step) % length];
        if (!kept.contains(gene)) child[target++ % length] = gene;
    }
    return child;
}

Pair plain_order(const Pair& parents, std::size_t from, std::size_t to) {
    return {plain_order_child(parents.first, parents.second, from, to),
            plain_order_child(parents.second, parents.first, from, to)};
}

// Whether the children are what the plain version makes of some stretch.
template <class Plain>
bool made_from_a_stretch(const Pair& parents, const Pair& children, Plain plain) {
    for (std::size_t from = 0; from < parents.first.size(); ++from)
        for (std::size_t to = from + 1; to <= parents.first.size(); ++to)
            if (plain(parents, from, to) == children) return true;
    return false;
}

template <class Plain>
void expect_made_from_stretches(const Recombination& op, Plain plain) {
    for (const std::size_t length : {2U, 3U, 5U, 8U, 20U, 40U}) {
        const Space space = Space::permutation(length);
        for (std::uint64_t seed = 0; seed < 60; ++seed) {
            const Individual a = random_one(space, seed, 0);
            const Individual b = random_one(space, seed, 1);
            const Children children = cross(op, a, b, seed);
            ASSERT_TRUE(made_from_a_stretch({a.genes(), b.genes()},
                                            {children.first.genes(), children.second.genes()}, plain))
                << "length " << length << ", seed " << seed;
        }
    }
}

TEST(PartiallyMatched, ExchangesAStretchPositionByPosition) {
    expect_made_from_stretches(PartiallyMatched{}, plain_partially_matched);
}

// Swaps as many random pairs of genes.
Individual varied(const Individual& one, std::size_t swaps, std::uint64_t seed) {
    GeneList genes = one.genes();
    Stream stream = stream_for(seed, 2);
    for (std::size_t i = 0; i < swaps; ++i)
        std::swap(genes[stream.below64(genes.size())], genes[stream.below64(genes.size())]);
    return {one.space(), genes};
}

// The fast version looks only where the parents differ, so parents of every likeness are tried.
TEST(PartiallyMatched, IsThePlainOneHoweverAlikeTheParents) {
    for (const std::size_t length : {2U, 3U, 7U, 8U, 9U, 16U, 31U, 32U, 33U, 100U, 255U, 256U, 300U})
        for (const Space& space : test::permutation_spaces(length))
            for (std::uint64_t seed = 0; seed < test::seeds(60); ++seed) {
                const Individual a = random_one(space, seed, 0);
                const Individual b = seed % 6 == 5 ? random_one(space, seed, 1) : varied(a, seed % 6, seed);
                const Children children = cross(PartiallyMatched{}, a, b, seed);
                Stream stream = stage_for(seed)(5);
                const auto [from, to] = detail::draw_stretch(stream, length);
                const Pair expected = plain_partially_matched({a.genes(), b.genes()}, from, to);
                ASSERT_EQ((Pair{children.first.genes(), children.second.genes()}), expected)
                    << "length " << length << ", seed " << seed;
                ASSERT_TRUE(children.changed); // counted as a crossover, whatever came of it
            }
}

TEST(OrderCrossover, KeepsAStretchAndFillsUpInTheOrderOfTheOtherParent) {
    expect_made_from_stretches(OrderCrossover{}, plain_order);
}

// Whether each position alone is the stretch at some time, seen in what comes of it.
template <class Plain>
void expect_every_position_is_drawn(const Recombination& op, Plain plain) {
    const Pair parents{{0, 1, 2, 3, 4}, {3, 2, 0, 4, 1}};
    const Space space = Space::permutation(parents.first.size());
    std::set<Pair> seen;
    for (std::uint64_t seed = 0; seed < 1000; ++seed) {
        const Children children =
            cross(op, Individual{space, parents.first}, Individual{space, parents.second}, seed);
        seen.insert({children.first.genes(), children.second.genes()});
    }
    for (std::size_t position = 0; position < parents.first.size(); ++position)
        EXPECT_TRUE(seen.contains(plain(parents, position, position + 1)))
            << "position " << position << " is never the stretch";
}

TEST(PartiallyMatched, MayExchangeAnyPosition) {
    expect_every_position_is_drawn(PartiallyMatched{}, plain_partially_matched);
}

TEST(OrderCrossover, MayKeepAnyPosition) { expect_every_position_is_drawn(OrderCrossover{}, plain_order); }

TEST(PartiallyMatched, KeepsMostPositions) {
    const Space space = Space::permutation(100);
    std::uint64_t from_a_parent = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const Individual a = random_one(space, seed, 0);
        const Individual b = random_one(space, seed, 1);
        const GeneList child = cross(PartiallyMatched{}, a, b, seed).first.genes();
        for (std::size_t i = 0; i < 100; ++i)
            from_a_parent += child[i] == a.genes()[i] || child[i] == b.genes()[i] ? 1U : 0U;
    }
    EXPECT_GT(from_a_parent, 200 * 100 * 6 / 10U);
}

TEST(CycleCrossover, ExchangesExactlyOneCycle) {
    const Space space = Space::permutation(6);
    const Individual a{space, {0, 1, 2, 3, 4, 5}};
    const Individual b{space, {1, 0, 3, 4, 2, 5}}; // cycles {0, 1}, {2, 3, 4} and {5}
    std::map<GeneList, std::uint64_t> seen;
    for (std::uint64_t seed = 0; seed < 6000; ++seed)
        ++seen[cross(CycleCrossover{}, a, b, seed).first.genes()];
    ASSERT_EQ(seen.size(), 3U);
    expect_rate(seen[(GeneList{1, 0, 2, 3, 4, 5})], 6000, 2.0 / 6.0);
    expect_rate(seen[(GeneList{0, 1, 3, 4, 2, 5})], 6000, 3.0 / 6.0);
    expect_rate(seen[(GeneList{0, 1, 2, 3, 4, 5})], 6000, 1.0 / 6.0);
}

std::set<std::pair<std::uint32_t, std::uint32_t>> edges_of(const GeneList& tour) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
    for (std::size_t i = 0; i < tour.size(); ++i) {
        const std::uint32_t next = tour[(i + 1) % tour.size()];
        edges.insert({std::min(tour[i], next), std::max(tour[i], next)});
    }
    return edges;
}

TEST(EdgeRecombination, NearlyAllEdgesComeFromTheParents) {
    const Space space = Space::permutation(100);
    std::uint64_t foreign = 0;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        const Individual a = random_one(space, seed, 0);
        const Individual b = random_one(space, seed, 1);
        auto known = edges_of(a.genes());
        known.merge(edges_of(b.genes()));
        const Children children = cross(EdgeRecombination{}, a, b, seed);
        for (const Individual* child : {&children.first, &children.second})
            for (const auto& edge : edges_of(child->genes())) foreign += known.contains(edge) ? 0U : 1U;
        ASSERT_EQ(children.first.genes()[0], a.genes()[0]);
        ASSERT_EQ(children.second.genes()[0], b.genes()[0]);
    }
    EXPECT_LT(foreign, 200 * 100 * 4 / 100U) << "more than four in a hundred edges are new";
}

// The rule, with sets: to a neighbour in either parent that is left, one of those with the fewest left
// themselves.
void expect_a_walk_over_edges(const GeneList& a, const GeneList& b, const GeneList& child) {
    std::vector<std::set<std::uint32_t>> left(child.size());
    auto edges = edges_of(a);
    edges.merge(edges_of(b));
    for (const auto& [one, other] : edges) {
        left[one].insert(other);
        left[other].insert(one);
    }
    for (std::size_t i = 0; i + 1 < child.size(); ++i) {
        for (std::set<std::uint32_t>& neighbours : left) neighbours.erase(child[i]);
        const std::set<std::uint32_t>& candidates = left[child[i]];
        if (candidates.empty()) continue;
        ASSERT_TRUE(candidates.contains(child[i + 1])) << "step " << i;
        for (const std::uint32_t candidate : candidates)
            ASSERT_LE(left[child[i + 1]].size(), left[candidate].size()) << "step " << i;
    }
}

TEST(EdgeRecombination, EveryStepGoesToANeighbourWithTheFewestWaysLeft) {
    for (const std::size_t length : {3U, 4U, 5U, 8U, 30U, 100U}) {
        const Space space = Space::permutation(length);
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            const Individual a = random_one(space, seed, 0);
            const Individual b = random_one(space, seed, 1);
            const Children children = cross(EdgeRecombination{}, a, b, seed);
            for (const Individual* child : {&children.first, &children.second}) {
                expect_a_walk_over_edges(a.genes(), b.genes(), child->genes());
                if (HasFatalFailure()) return;
            }
        }
    }
}

TEST(EdgeRecombination, ParentsOfTheSameTourHaveChildrenOfThatTour) {
    for (const std::size_t length : {3U, 4U, 7U, 50U}) {
        const Space space = Space::permutation(length);
        for (std::uint64_t seed = 0; seed < 40; ++seed) {
            const Individual a = random_one(space, seed, 0);
            GeneList turned = a.genes();
            std::ranges::rotate(turned, turned.begin() + static_cast<std::ptrdiff_t>(seed % length));
            if (seed % 2 == 0) std::ranges::reverse(turned);
            const Children children = cross(EdgeRecombination{}, a, Individual{space, turned}, seed);
            ASSERT_EQ(edges_of(children.first.genes()), edges_of(a.genes()));
            ASSERT_EQ(edges_of(children.second.genes()), edges_of(a.genes()));
        }
    }
}

GeneList plain_position_child(const GeneList& keeper, const GeneList& donor, unsigned kept_positions) {
    std::set<std::uint32_t> kept;
    for (std::size_t i = 0; i < keeper.size(); ++i)
        if ((kept_positions >> i & 1U) != 0) kept.insert(keeper[i]);
    GeneList child = keeper;
    std::size_t source = 0;
    for (std::size_t i = 0; i < keeper.size(); ++i) {
        if ((kept_positions >> i & 1U) != 0) continue;
        while (kept.contains(donor[source])) ++source;
        child[i] = donor[source++];
    }
    return child;
}

TEST(PositionBased, KeepsSomePositionsAndTakesTheRestInTheOrderOfTheOtherParent) {
    for (const std::size_t length : {1U, 2U, 5U, 9U}) {
        const Space space = Space::permutation(length);
        for (std::uint64_t seed = 0; seed < 60; ++seed) {
            const GeneList a = random_one(space, seed, 0).genes();
            const GeneList b = random_one(space, seed, 1).genes();
            const Children children =
                cross(PositionBased{}, Individual{space, a}, Individual{space, b}, seed);
            bool explained = false;
            for (unsigned kept = 0; kept < 1U << length && !explained; ++kept)
                explained = plain_position_child(a, b, kept) == children.first.genes() &&
                            plain_position_child(b, a, kept) == children.second.genes();
            ASSERT_TRUE(explained) << "length " << length << ", seed " << seed;
        }
    }
}

TEST(PositionBased, KeepingEverythingClonesAndKeepingNothingExchanges) {
    const Space space = Space::permutation(50);
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const Individual a = random_one(space, seed, 0);
        const Individual b = random_one(space, seed, 1);
        EXPECT_EQ(cross(PositionBased{.keep = 1.0}, a, b, seed).first, a);
        EXPECT_EQ(cross(PositionBased{.keep = 0.0}, a, b, seed).first, b);
        EXPECT_EQ(cross(PositionBased{.keep = 0.0}, a, b, seed).second, a);
    }
}

// --- refusals ------------------------------------------------------------------------------------------

TEST(Recombination, RefusesProbabilitiesOutsideTheUnitInterval) {
    for (const double bad : {-0.1, 1.5, std::nan("")}) {
        const auto refused = [](auto op, std::string_view field) {
            expect_mentions(message_of([&] { Recombination{op}; }), {field, "0..1"});
        };
        refused(OnePoint{.probability = bad}, "one-point.probability");
        refused(TwoPoint{.probability = bad}, "two-point.probability");
        refused(KPoint{.probability = bad}, "k-point.probability");
        refused(UniformCrossover{.probability = bad}, "uniform.probability");
        refused(UniformCrossover{.exchange = bad}, "uniform.exchange");
        refused(PartiallyMatched{.probability = bad}, "partially-matched.probability");
        refused(OrderCrossover{.probability = bad}, "order.probability");
        refused(CycleCrossover{.probability = bad}, "cycle.probability");
        refused(EdgeRecombination{.probability = bad}, "edge-recombination.probability");
        refused(PositionBased{.probability = bad}, "position-based.probability");
        refused(PositionBased{.keep = bad}, "position-based.keep");
    }
}

TEST(Recombination, RefusesGenomesOfAnotherKind) {
    for (const Recombination& op : {Recombination{OnePoint{}}, Recombination{TwoPoint{}},
                                    Recombination{KPoint{}}, Recombination{UniformCrossover{}}}) {
        expect_mentions(message_of([&] { op.check(Space::permutation(20)); }),
                        {"bits", "packed", "integers", "permutations of 20"});
        expect_mentions(message_of([&] { op.check(Space::bits_with_ones(20, 5)); }),
                        {"number of ones", "20 bits with 5 ones", "move-ones"});
    }
    for (const Recombination& op :
         {Recombination{PartiallyMatched{}}, Recombination{OrderCrossover{}}, Recombination{CycleCrossover{}},
          Recombination{EdgeRecombination{}}, Recombination{PositionBased{}}})
        for (const Space& space : test::site_spaces(20))
            expect_mentions(message_of([&] { op.check(space); }), {"permutation", describe(space)});
}

} // namespace
} // namespace knossos::crossover_test
