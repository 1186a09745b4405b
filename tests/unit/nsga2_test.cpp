// NSGA-II: who has children, who stays, and every promise on every kind of genome.
#include "run_support.hpp"

#include <knossos/core/ranking.hpp>
#include <knossos/knossos.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace knossos::nsga2_test {
namespace {

using test::expect_mentions;
using test::expect_same;
using test::Gauge;
using test::infinity;
using test::message_of;
using test::settings_for;
using test::wide_permutation;

// Inside a test, Run is a member of GoogleTest's.
using Evolution = Run;

// Genes want to be near two patterns at once; where `least` is above 0, the sum of both distances must be at
// least that, so that the best of either is forbidden.
struct TwoPatterns {
    Space its_space;
    double least = 0.0;
    std::shared_ptr<Gauge> gauge = std::make_shared<Gauge>();

    [[nodiscard]] std::vector<Column> record() const {
        return {minimise("near"), minimise("far").between(0.0, 1e6), must_hold("apart")};
    }
    [[nodiscard]] Space space() const { return its_space; }

    template <class View>
    void evaluate(View genome, Record out) const {
        gauge->evaluations.fetch_add(1, std::memory_order_relaxed);
        double near = 0.0;
        double far = 0.0;
        for (std::size_t i = 0; i < genome.size(); ++i) {
            double gene = 0.0;
            if constexpr (std::same_as<View, RealView>)
                gene = genome[i];
            else
                gene = static_cast<double>(static_cast<std::uint32_t>(genome[i]));
            const std::size_t values = its_space.kind == GenomeKind::reals ? 5 : its_space.alphabet;
            near += std::abs(gene - static_cast<double>(i * 7 % values)) / 7.0;
            far += std::abs(gene - static_cast<double>((i * 3 + 1) % values)) / 3.0;
        }
        if (near <= gauge->breaks_at.load(std::memory_order_relaxed))
            throw std::runtime_error{"the sensor broke"};
        out[0] = near;
        out[1] = far;
        out[2] = std::max(0.0, least - near - far);
    }
};

std::vector<Space> kinds() {
    return {Space::bits(70),           Space::bits_with_ones(70, 20),
            Space::packed(30, 5),      Space::integers(21, 10),
            Space::integers(21, 1000), Space::integers(21, 100'000),
            Space::permutation(20),    Space::permutation(260),
            wide_permutation(20),      Space::reals(12, {-1.0, 6.0})};
}

Settings nsga2_for(const Space& space) {
    Settings settings = settings_for(space);
    settings.algorithm = Nsga2{};
    settings.population = 60;
    return settings;
}

TEST(Nsga2, HasTheSameResultOnThreadsAndIslandsAndFromSnapshots) {
    for (const Space& space : kinds())
        for (const bool has_islands : {false, true}) {
            SCOPED_TRACE(describe(space) + (has_islands ? ", islands" : ""));
            Settings settings = nsga2_for(space);
            if (has_islands) settings.islands = {.count = 3, .interval = 2, .migrants = 3};
            const Result straight = evolve(TwoPatterns{space, 5.0}, settings);
            for (const unsigned threads : {2U, 5U}) {
                settings.threads = threads;
                expect_same(evolve(TwoPatterns{space, 5.0}, settings), straight);
            }
            Evolution first{TwoPatterns{space, 5.0}, settings};
            for (int i = 0; i < 3; ++i) first.step();
            Evolution second{TwoPatterns{space, 5.0}, settings, first.snapshot()};
            second.finish();
            expect_same(second.result(), straight);
            for (std::size_t i = 0; i < straight.hall_of_fame.size(); ++i)
                EXPECT_EQ(second.result().hall_of_fame[i].record, straight.hall_of_fame[i].record);
        }
}

TEST(Nsga2, NeverExceedsABudgetAndGoesOnAsIfThereHadBeenNone) {
    const Space space = Space::bits(30);
    Settings settings = nsga2_for(space);
    settings.population = 12;
    for (std::uint64_t budget = 12; budget < 80; ++budget) {
        settings.stop = evaluations(budget);
        const TwoPatterns problem{space};
        Evolution run{problem, settings};
        run.finish();
        const Result result = run.result();
        EXPECT_LE(result.evaluations, budget);
        EXPECT_EQ(problem.gauge->evaluations.load(), result.evaluations);
        settings.stop = evaluations(200);
        Evolution longer{problem, settings, run.snapshot()};
        longer.finish();
        expect_same(longer.result(), evolve(TwoPatterns{space}, settings));
    }
}

TEST(Nsga2, KeepsTheLastCompleteGenerationWhenAnEvaluationThrows) {
    const Space space = Space::bits(40);
    Settings settings = nsga2_for(space);
    settings.stop = generations(20);
    const Result healthy = evolve(TwoPatterns{space}, settings);
    const TwoPatterns broken{space};
    broken.gauge->breaks_at = healthy.fitness;
    Evolution run{broken, settings};
    EXPECT_THROW(run.finish(), EvaluationError);
    broken.gauge->breaks_at = -infinity;
    run.finish();
    expect_same(run.result(), healthy);
}

// Remembers every genome that it was asked about, in that order.
struct Watched {
    std::shared_ptr<std::vector<std::string>> asked = std::make_shared<std::vector<std::string>>();
    bool has_condition = false;

    static constexpr std::size_t length = 14;
    [[nodiscard]] std::vector<Column> record() const {
        return {maximise("ones in front"), minimise("ones behind"), must_hold("not too many")};
    }
    [[nodiscard]] static Space space() { return Space::bits(length); }
    void measure(const std::string& text, std::array<double, 3>& values) const {
        const auto half = text.begin() + length / 2;
        values[0] = static_cast<double>(std::count(text.begin(), half, '1') * (text[13] == '1' ? 2 : 1));
        values[1] = static_cast<double>(std::count(half, text.end(), '1')) + (text[0] == '1' ? 0.5 : 0.0);
        values[2] = has_condition ? std::max(0.0, values[0] - 4.0) : 0.0;
    }
    void evaluate(BitView bits, Record out) const {
        std::string text;
        for (std::size_t i = 0; i < length; ++i) text += bits[i] ? '1' : '0';
        std::array<double, 3> values{};
        measure(text, values);
        for (std::size_t c = 0; c < 3; ++c) out[c] = values[c];
        asked->push_back(text);
    }
};

struct Somebody {
    std::string genome;
    std::array<double, 3> values{};
    std::uint32_t rank = 0;
    double distance = 0.0;
};

bool beats(const Somebody& a, const Somebody& b) {
    if (a.values[2] != b.values[2]) return a.values[2] < b.values[2];
    if (a.values[2] > 0.0) return false;
    return a.values[0] >= b.values[0] && a.values[1] <= b.values[1] &&
           (a.values[0] > b.values[0] || a.values[1] < b.values[1]);
}

// Fronts one after the other, and distances by sorting each front by each objective.
void rank_plainly(std::vector<Somebody>& all) {
    std::vector<bool> is_ranked(all.size());
    for (std::uint32_t rank = 0; std::ranges::count(is_ranked, false) > 0; ++rank) {
        std::vector<std::size_t> front;
        for (std::size_t i = 0; i < all.size(); ++i) {
            bool is_beaten = is_ranked[i];
            for (std::size_t j = 0; j < all.size(); ++j)
                is_beaten = is_beaten || (!is_ranked[j] && beats(all[j], all[i]));
            if (!is_beaten) front.push_back(i);
        }
        for (const std::size_t i : front) {
            is_ranked[i] = true;
            all[i].rank = rank;
            all[i].distance = 0.0;
        }
        for (const double sign : {-1.0, 1.0}) { // the first is maximised, the second minimised
            const std::size_t column = sign < 0.0 ? 0 : 1;
            std::ranges::sort(front);
            std::ranges::stable_sort(front, {}, [&](std::size_t i) { return sign * all[i].values[column]; });
            const double range = std::abs(all[front.back()].values[column] - all[front[0]].values[column]);
            all[front.front()].distance = all[front.back()].distance = infinity;
            for (std::size_t i = 1; i + 1 < front.size() && range > 0.0; ++i)
                all[front[i]].distance +=
                    std::abs(all[front[i + 1]].values[column] - all[front[i - 1]].values[column]) / range;
        }
    }
}

bool is_better(const Somebody& a, const Somebody& b) {
    return a.rank != b.rank ? a.rank < b.rank : a.distance > b.distance;
}

Somebody somebody(const Watched& problem, const std::string& genome) {
    Somebody one{.genome = genome};
    problem.measure(genome, one.values);
    return one;
}

std::string genome_of(const Population& population, std::size_t i) {
    return Genome{population.space(), {population.genome(i), population.genome(i) + population.stride()}}
        .to_text();
}

TEST(Nsga2, LetsTheBestOfParentsAndChildrenStay) {
    for (std::uint64_t seed = 0; seed < test::seeds(20); ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        Watched problem;
        problem.has_condition = seed % 2 == 1;
        const std::size_t size = 6 + seed % 9;
        // Every child differs from its parent, so that all of them are asked about.
        Evolution run{problem, Settings{.algorithm = Nsga2{},
                                        .population = static_cast<std::uint32_t>(size),
                                        .recombine = Clone{},
                                        .mutate = PointMutation{},
                                        .stop = generations(25),
                                        .seed = seed}};
        while (!run.finished()) {
            std::vector<Somebody> all;
            for (std::size_t i = 0; i < size; ++i)
                all.push_back(somebody(problem, genome_of(run.islands()[0].current, i)));
            problem.asked->clear();
            run.step();
            ASSERT_EQ(problem.asked->size(), size);
            for (const std::string& genome : *problem.asked) all.push_back(somebody(problem, genome));
            rank_plainly(all);
            // Of equals children come first, in their order.
            std::vector<std::size_t> order(2 * size);
            for (std::size_t i = 0; i < order.size(); ++i) order[i] = (i + size) % (2 * size);
            std::ranges::stable_sort(order,
                                     [&](std::size_t a, std::size_t b) { return is_better(all[a], all[b]); });
            std::multiset<std::string> expected;
            for (std::size_t i = 0; i < size; ++i) expected.insert(all[order[i]].genome);
            std::multiset<std::string> stayed;
            for (std::size_t i = 0; i < size; ++i) stayed.insert(genome_of(run.islands()[0].current, i));
            ASSERT_EQ(stayed, expected);
        }
    }
}

TEST(Nsga2, DrawsParentsByTournamentsOfTwoInWhichEverybodyTakesPartTwice) {
    for (std::uint64_t seed = 0; seed < test::seeds(20); ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const Watched problem;
        constexpr std::size_t size = 20;
        Evolution run{problem, Settings{.algorithm = Nsga2{},
                                        .population = size,
                                        .recombine = Clone{},
                                        .stop = generations(10),
                                        .seed = seed}};
        while (!run.finished()) {
            std::vector<Somebody> all;
            for (std::size_t i = 0; i < size; ++i)
                all.push_back(somebody(problem, genome_of(run.islands()[0].current, i)));
            rank_plainly(all);
            run.step();
            std::array<int, size> chosen{};
            for (std::size_t i = 0; i < size; ++i) ++chosen[run.islands()[0].parents[i]];
            for (std::size_t i = 0; i < size; ++i) {
                ASSERT_LE(chosen[i], 2);
                const auto better =
                    std::ranges::count_if(all, [&](const Somebody& one) { return is_better(one, all[i]); });
                const auto worse =
                    std::ranges::count_if(all, [&](const Somebody& one) { return is_better(all[i], one); });
                if (worse == size - 1) {
                    ASSERT_EQ(chosen[i], 2) << "it beats everybody";
                }
                if (better == size - 1) {
                    ASSERT_EQ(chosen[i], 0) << "everybody beats it";
                }
            }
        }
    }
}

// Leading ones against trailing zeros, whose front is 1…10…0.
struct LeadingTrailing {
    static constexpr auto record = knossos::record(maximise("leading ones"), maximise("trailing zeros"));
    [[nodiscard]] static Space space() { return Space::bits(12); }
    static void evaluate(BitView bits, Record out) {
        std::size_t ones = 0;
        while (ones < bits.size() && bits[ones]) ++ones;
        std::size_t zeros = 0;
        while (zeros < bits.size() && !bits[bits.size() - 1 - zeros]) ++zeros;
        out[0] = static_cast<double>(ones);
        out[1] = static_cast<double>(zeros);
    }
};

TEST(Nsga2, FindsAWholeFront) {
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
        const Result result = evolve(LeadingTrailing{}, {.algorithm = Nsga2{},
                                                         .population = 30,
                                                         .recombine = UniformCrossover{},
                                                         .stop = evaluations(20'000),
                                                         .seed = seed});
        ASSERT_EQ(result.hall_of_fame.size(), 13U);
        for (const HallEntry& one : result.hall_of_fame) EXPECT_EQ(one.record[0] + one.record[1], 12.0);
    }
}

// Its ranges are far from where anything begins.
struct FarAway {
    static constexpr auto record =
        knossos::record(maximise("leading").between(8, 12), maximise("trailing").between(8, 12));
    [[nodiscard]] static Space space() { return Space::bits(24); }
    static void evaluate(BitView bits, Record out) {
        std::size_t leading = 0;
        while (leading < 12 && bits[leading]) ++leading;
        std::size_t trailing = 0;
        while (trailing < 12 && bits[23 - trailing]) ++trailing;
        out[0] = static_cast<double>(leading);
        out[1] = static_cast<double>(trailing);
    }
};

TEST(Nsga2, DoesNotStagnateWhileItsFrontIsOnTheWayToTheRanges) {
    const Result result = evolve(FarAway{}, {.algorithm = Nsga2{},
                                             .population = 30,
                                             .recombine = UniformCrossover{},
                                             .stop = stagnation(40) || evaluations(200'000),
                                             .seed = 3});
    EXPECT_EQ(result.merit_name, "hypervolume");
    EXPECT_GT(result.merit, 0.0);
}

struct One {
    static constexpr auto objective = Objective::maximise;
    [[nodiscard]] static Space space() { return Space::bits(12); }
    [[nodiscard]] static double evaluate(BitView bits) { return static_cast<double>(bits.count()); }
};

TEST(Nsga2, RefusesOneObjective) {
    expect_mentions(message_of([] { (void)evolve(One{}, {.algorithm = Nsga2{}, .stop = generations(1)}); }),
                    {"nsga2", "two objectives", "has one", "maximise fitness"});
    expect_mentions(message_of([] {
                        (void)evolve(LeadingTrailing{},
                                     {.algorithm = Nsga2{}, .population = 1, .stop = generations(1)});
                    }),
                    {"population is 1", "at least 2"});
}

} // namespace
} // namespace knossos::nsga2_test
