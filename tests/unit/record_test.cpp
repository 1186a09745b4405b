// Records: what problems declare, how records are ranked, and runs on them.
#include "run_support.hpp"

#include <knossos/core/fronts.hpp>
#include <knossos/core/ranking.hpp>
#include <knossos/knossos.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <vector>

namespace knossos::record_test {
namespace {

using test::expect_mentions;
using test::message_of;
using test::stream_for;

// --- what a problem declares ----------------------------------------------------

std::string refusal(std::vector<Column> columns) {
    return message_of([&] { (void)Schema{columns}; });
}

TEST(Schema, SaysWhatIsComparedAndReported) {
    const Schema one{Objective::maximise};
    EXPECT_TRUE(one.plain());
    EXPECT_EQ(one.ranking(), Ranking::one_column);
    EXPECT_EQ(one.fitness_name(), "fitness");

    constexpr auto columns = record(must_hold("late", 10.0), maximise("profit"), descriptor("spread", 0, 1));
    const Schema schema{columns};
    EXPECT_EQ(schema.ranking(), Ranking::feasible_first);
    EXPECT_EQ(schema.objective(), Objective::maximise);
    EXPECT_EQ(schema.fitness_name(), "profit");
    const std::vector<double> values{5.0, 42.0, 0.5};
    EXPECT_EQ(schema.quality(values), (Quality{0.5, 42.0}));
    EXPECT_EQ(schema.preference(values), -42.0);
    EXPECT_EQ(schema.to_text(), "must hold late, maximise profit, descriptor spread");

    // Where nothing is optimised, what is missed is what is reported.
    const Schema conditions{record(must_hold("a"), must_hold("b", 2.0))};
    EXPECT_EQ(conditions.objective(), Objective::minimise);
    EXPECT_EQ(conditions.quality(std::vector{1.0, 3.0}), (Quality{0.0, 2.5}));

    const Schema guided{record(maximise("size"), guide(maximise("slope").scaled(4.0)))};
    EXPECT_EQ(guided.preference(std::vector{3.0, 7.0}), -7.0);
    EXPECT_EQ(guided.preference_scale(), 4.0);
    EXPECT_EQ(guided.quality(std::vector{3.0, 7.0}), (Quality{0.0, 3.0}));

    EXPECT_EQ(Schema{record(minimise("a"), minimise("b"))}.ranking(), Ranking::pareto);
}

TEST(Schema, RefusesWhatCanNotBeRanked) {
    expect_mentions(refusal({descriptor("spread", 0, 1)}), {"neither an objective nor a violation"});
    expect_mentions(refusal({}), {"neither an objective nor a violation"});
    expect_mentions(refusal({minimise("cost"), must_hold("cost")}), {"two columns", "'cost'"});
    expect_mentions(refusal({minimise("cost"), descriptor("spread", 1, 1)}), {"'spread'", "1..1"});
    expect_mentions(refusal({minimise("cost"), descriptor("spread", 0, test::infinity)}),
                    {"'spread'", "inf"});
    expect_mentions(refusal({minimise("cost"), must_hold("late", 0.0)}), {"'late'", "0", "above 0"});
    expect_mentions(refusal({minimise("cost"), guide(minimise("a")), guide(minimise("b"))}), {"guides"});
    expect_mentions(refusal({minimise("cost"), minimise("time"), guide(minimise("b"))}), {"guide"});
    EXPECT_THROW(ColumnName{std::string(48, 'x')}, std::invalid_argument);
    EXPECT_THROW(ColumnName{""}, std::invalid_argument);
}

// --- rankings -------------------------------------------------------------------

const Space number = Space::integers(1, 1'000'000);

Population random_records(std::uint64_t seed, const Schema& schema, std::size_t size, std::uint32_t values) {
    Population population{number, size, schema.size()};
    Stream stream = stream_for(seed, static_cast<std::uint32_t>(size));
    for (std::size_t i = 0; i < size; ++i) {
        for (std::size_t c = 0; c < schema.size(); ++c) {
            const bool holds = schema.columns()[c].role == Role::violation && stream.below(3) != 0;
            population.column(c)[i] = holds ? 0.0 : stream.below(values);
        }
        rate(schema, population, i);
    }
    return population;
}

TEST(FeasibleFirst, PutsLessViolationBeforeABetterObjective) {
    const Schema schema{record(maximise("profit"), must_hold("late", 2.0), must_hold("heavy"))};
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        const Population people = random_records(seed, schema, 40, 6);
        const Scores scores = scores_of(schema, people);
        for (std::uint32_t a = 0; a < 40; ++a)
            for (std::uint32_t b = 0; b < 40; ++b) {
                const auto missed = [&](std::size_t i) {
                    return people.column(1)[i] / 2.0 + people.column(2)[i];
                };
                const double profit_a = people.column(0)[a];
                const double profit_b = people.column(0)[b];
                const bool expected = missed(a) != missed(b) ? missed(a) < missed(b) : profit_a > profit_b;
                ASSERT_EQ(scores.better(a, b), expected);
                ASSERT_EQ(better(schema.objective(), quality_of(people, a), quality_of(people, b)), expected);
                // By how much it is worse has the same sign.
                ASSERT_EQ(loss(schema, people, a, b) > 0.0, expected);
            }
    }
}

// The definitions, by everybody with everybody.
struct Twin {
    const Schema& schema;
    std::vector<std::vector<double>> records;

    explicit Twin(const Schema& its) : schema{its} {}
    void add(const Population& population) {
        for (std::size_t i = 0; i < population.size(); ++i) {
            auto& one = records.emplace_back();
            for (std::size_t c = 0; c < population.columns(); ++c) one.push_back(population.column(c)[i]);
        }
    }
    [[nodiscard]] double violation(std::size_t i) const {
        double sum = 0.0;
        for (std::size_t c = 0; c < schema.size(); ++c)
            if (schema.columns()[c].role == Role::violation) sum += records[i][c];
        return sum;
    }
    [[nodiscard]] bool beats(std::size_t a, std::size_t b) const {
        if (violation(a) > 0.0 || violation(b) > 0.0) return violation(a) < violation(b);
        bool somewhere = false;
        for (std::size_t c = 0; c < schema.size(); ++c) {
            const Column& column = schema.columns()[c];
            if (column.role != Role::objective) continue;
            if (better(column.direction, records[b][c], records[a][c])) return false;
            somewhere = somewhere || better(column.direction, records[a][c], records[b][c]);
        }
        return somewhere;
    }
    [[nodiscard]] std::vector<double> ranks() const {
        std::vector<double> rank(records.size(), -1.0);
        for (double front = 0.0; std::ranges::count(rank, -1.0) > 0; ++front) {
            std::vector<std::size_t> members;
            for (std::size_t i = 0; i < records.size(); ++i) {
                bool is_beaten = false;
                for (std::size_t j = 0; j < records.size(); ++j)
                    is_beaten = is_beaten || (rank[j] == -1.0 && beats(j, i));
                if (rank[i] == -1.0 && !is_beaten) members.push_back(i);
            }
            for (const std::size_t i : members) rank[i] = front;
        }
        return rank;
    }
};

TEST(Pareto, RanksAreThoseOfTheDefinition) {
    const std::array schemas{
        Schema{record(minimise("a"), maximise("b"))},
        Schema{record(minimise("a"), maximise("b"), maximise("c"))},
        Schema{record(minimise("a"), maximise("b"), must_hold("x"), descriptor("d", 0, 100))}};
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const Schema& schema = schemas[seed % schemas.size()];
        Stream stream = stream_for(seed, 9);
        // Few values: equals are common.
        Population first = random_records(seed, schema, 1 + stream.below(30), 2 + stream.below(9));
        Population second = random_records(seed + 1000, schema, 1 + stream.below(30), 2 + stream.below(9));
        Twin twin{schema};
        twin.add(first);
        twin.add(second);
        rank_together(schema, first, &second);
        const auto ranks = twin.ranks();
        for (std::size_t i = 0; i < ranks.size(); ++i) {
            const bool is_first = i < first.size();
            ASSERT_EQ((is_first ? first.keys()[i] : second.keys()[i - first.size()]), ranks[i]) << seed;
            for (std::size_t j = 0; j < ranks.size(); ++j)
                ASSERT_EQ(dominates(schema, twin.records[i], twin.records[j]), twin.beats(i, j));
        }
    }
}

TEST(Pareto, CrowdingIsTheDistanceOfTheNeighbours) {
    const Schema schema{record(minimise("a"), minimise("b"))};
    Population front{number, 5, 2};
    const std::array<std::array<double, 2>, 5> points{{{0, 10}, {1, 8}, {4, 4}, {5, 3}, {10, 0}}};
    for (std::size_t i = 0; i < points.size(); ++i) {
        for (std::size_t c = 0; c < 2; ++c) front.column(c)[i] = points[i][c];
        rate(schema, front, i);
    }
    rank_together(schema, front);
    const std::array expected{-test::infinity, -(0.4 + 0.6), -(0.4 + 0.5), -(0.6 + 0.4), -test::infinity};
    for (std::size_t i = 0; i < points.size(); ++i) {
        EXPECT_EQ(front.keys()[i], 0.0);
        if (std::isinf(expected[i]))
            EXPECT_EQ(front.ties()[i], expected[i]);
        else
            EXPECT_DOUBLE_EQ(front.ties()[i], expected[i]);
    }
}

struct Entry {
    std::vector<double> record;
};

TEST(Pareto, AFrontKeepsWhoIsNotDominated) {
    const Schema schema{record(maximise("a"), maximise("b"))};
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        Stream stream = stream_for(seed, 3);
        const std::size_t most = 3 + stream.below(20);
        std::vector<Entry> front;
        std::vector<std::vector<double>> all;
        for (int i = 0; i < 60; ++i) {
            std::vector<double> values{static_cast<double>(stream.below(30)),
                                       static_cast<double>(stream.below(30))};
            all.push_back(values);
            enter_front(schema, front, Entry{std::move(values)}, most);
            ASSERT_LE(front.size(), most);
            ASSERT_TRUE(std::ranges::is_sorted(front, [&](const Entry& x, const Entry& y) {
                return better(schema.objective(), schema.quality(x.record), schema.quality(y.record));
            }));
        }
        for (const Entry& one : front)
            for (const auto& other : all)
                ASSERT_FALSE(front.size() < most && dominates(schema, other, one.record));
        for (const Entry& one : front)
            for (const Entry& other : front) ASSERT_FALSE(dominates(schema, other.record, one.record));
    }
}

TEST(Pareto, AFrontNeverLosesItsBestInTheFirstObjective) {
    const Schema schema{
        record(maximise("a"), minimise("b"), maximise("c"), must_hold("x"), descriptor("d", 0, 9))};
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        Stream stream = stream_for(seed, 11);
        const std::size_t most = 1 + seed % 6;
        std::vector<Entry> front;
        for (int i = 0; i < 40; ++i) {
            std::vector<double> values;
            for (int c = 0; c < 3; ++c) values.push_back(stream.below(6));
            values.push_back(stream.below(3) == 0 ? stream.below(3) : 0.0);
            values.push_back(stream.below(9));
            const bool was_empty = front.empty();
            const Quality before = was_empty ? Quality{} : schema.quality(front.front().record);
            const std::size_t size = front.size();
            const Entered entered = enter_front(schema, front, Entry{std::move(values)}, most);
            ASSERT_LE(front.size(), most);
            ASSERT_FALSE(!was_empty &&
                         better(schema.objective(), before, schema.quality(front.front().record)));
            ASSERT_TRUE(entered.is_progress || front.size() == size);
            for (const Entry& one : front)
                ASSERT_EQ(std::ranges::count_if(front,
                                                [&](const Entry& other) {
                                                    return same_objectives(schema, one.record, other.record);
                                                }),
                          1);
        }
    }
}

// --- runs -----------------------------------------------------------------------

// As many ones as possible, of which at most `most` may stand in the first half.
struct Rationed {
    std::size_t most = 3;

    static constexpr auto record =
        knossos::record(maximise("ones").in_whole_numbers(), must_hold("too many").in_whole_numbers(),
                        descriptor("share", 0.0, 1.0));
    [[nodiscard]] static Space space() { return Space::bits(40); }
    [[nodiscard]] double target() const { return static_cast<double>(20 + most); }
    void evaluate(BitView bits, Record out) const {
        std::size_t front = 0;
        for (std::size_t i = 0; i < 20; ++i) front += bits[i] ? 1U : 0U;
        out[0] = static_cast<double>(bits.count());
        out[1] = front > most ? static_cast<double>(front - most) : 0.0;
        out[2] = out[0] / 40.0;
    }
};

// Leading ones against trailing zeros, whose front is 1…10…0.
struct LeadingTrailing {
    static constexpr auto record = knossos::record(maximise("leading ones"), maximise("trailing zeros"));
    [[nodiscard]] static Space space() { return Space::bits(12); }
    void evaluate(BitView bits, Record out) const {
        std::size_t ones = 0;
        while (ones < bits.size() && bits[ones]) ++ones;
        std::size_t zeros = 0;
        while (zeros < bits.size() && !bits[bits.size() - 1 - zeros]) ++zeros;
        out[0] = static_cast<double>(ones);
        out[1] = static_cast<double>(zeros);
    }
};

std::vector<std::pair<std::string_view, Settings>> every_algorithm() {
    Settings plain{.population = 20, .stop = generations(30), .hall_of_fame = 5, .seed = 7};
    std::vector<std::pair<std::string_view, Settings>> all;
    const auto add = [&](std::string_view name, Algorithm algorithm, auto change) {
        Settings settings = plain;
        settings.algorithm = std::move(algorithm);
        change(settings);
        all.emplace_back(name, settings);
    };
    const auto unchanged = [](Settings&) {};
    add("generational", Generational{}, [](Settings& s) { s.recombine = UniformCrossover{}; });
    add("plus", Generational{}, [](Settings& s) { s.replace = PlusReplacement{}; });
    add("crowding", Generational{}, [](Settings& s) { s.replace = Crowding{}; });
    add("worst", Generational{}, [](Settings& s) { s.replace = ReplaceWorst{}; });
    add("tournament", Generational{}, [](Settings& s) { s.replace = ReplaceInTournament{.size = 5}; });
    add("mu-plus-lambda", MuPlusLambda{}, unchanged);
    add("steady-state", SteadyState{}, unchanged);
    add("steady-state by stages", SteadyState{.tournament = 0},
        [](Settings& s) { s.replace = ReplaceWorst{}; });
    add("knockout", Knockout{}, unchanged);
    add("duel", Duel{}, [](Settings& s) { s.population = 2; });
    add("annealing", Annealing{.start = 1.0, .end = 0.05, .steps = 20'000}, unchanged);
    return all;
}

TEST(RecordRuns, HoldWhatMustHoldWithEveryAlgorithm) {
    for (auto [name, settings] : every_algorithm()) {
        SCOPED_TRACE(name);
        settings.stop = solved() || evaluations(60'000);
        const Result result = evolve(Rationed{}, settings);
        EXPECT_TRUE(result.solved);
        EXPECT_EQ(result.fitness, 23.0);
        EXPECT_EQ(result.violation, 0.0);
        EXPECT_EQ(result.record, (std::vector{23.0, 0.0, 23.0 / 40.0}));
        for (const HallEntry& one : result.hall_of_fame) EXPECT_EQ(one.record.size(), 3U);
        EXPECT_TRUE(std::ranges::is_sorted(result.hall_of_fame, [](const HallEntry& a, const HallEntry& b) {
            return better(Objective::maximise, Quality{a.violation, a.fitness},
                          Quality{b.violation, b.fitness});
        }));
    }
}

TEST(RecordRuns, RepeatOnThreadsAndFromSnapshots) {
    const std::array problems{Problem{Rationed{}}, Problem{LeadingTrailing{}}};
    for (const Problem& problem : problems)
        for (auto [name, settings] : every_algorithm()) {
            if (problem.schema().ranking() == Ranking::pareto && name == "annealing") continue;
            SCOPED_TRACE(name);
            settings.islands = {.count = 3, .interval = 4, .migrants = 1};
            if (settings.population == 2) settings.islands.migrants = 0;
            settings.islands.immigrants = Immigrants::replace_if_better;
            const Result straight = evolve(problem, settings);
            Settings on_threads = settings;
            on_threads.threads = 4;
            EXPECT_EQ(evolve(problem, on_threads).digest, straight.digest);
            knossos::Run first{problem, settings};
            for (int i = 0; i < 11; ++i) first.step();
            knossos::Run second{problem, settings, first.snapshot()};
            second.finish();
            const Result resumed = second.result();
            EXPECT_EQ(resumed.digest, straight.digest);
            ASSERT_EQ(resumed.hall_of_fame.size(), straight.hall_of_fame.size());
            for (std::size_t i = 0; i < resumed.hall_of_fame.size(); ++i)
                EXPECT_EQ(resumed.hall_of_fame[i].record, straight.hall_of_fame[i].record);
        }
}

TEST(RecordRuns, SeveralObjectivesEndInAFront) {
    for (auto [name, settings] : every_algorithm()) {
        if (name == "annealing") continue;
        SCOPED_TRACE(name);
        settings.stop = evaluations(40'000);
        settings.population = settings.population == 2 ? 2 : 30;
        const Result result = evolve(LeadingTrailing{}, settings);
        for (const HallEntry& a : result.hall_of_fame)
            for (const HallEntry& b : result.hall_of_fame)
                EXPECT_FALSE(dominates(Schema{LeadingTrailing::record}, a.record, b.record));
        // Who ranks by fronts and keeps the best finds all of it.
        if (name != "plus" && name != "mu-plus-lambda") continue;
        std::set<std::pair<double, double>> points;
        for (const HallEntry& one : result.hall_of_fame) points.insert({one.record[0], one.record[1]});
        for (int ones = 0; ones <= 12; ++ones)
            EXPECT_TRUE(points.contains({static_cast<double>(ones), static_cast<double>(12 - ones)})) << ones;
    }
}

// A needle in a plateau: only the guide says where it goes.
struct Needle {
    static constexpr auto record = knossos::record(maximise("found"), guide(maximise("ones")));
    [[nodiscard]] static Space space() { return Space::bits(30); }
    [[nodiscard]] static double target() { return 1.0; }
    static void evaluate(BitView bits, Record out) {
        out[0] = bits.count() == 30 ? 1.0 : 0.0;
        out[1] = static_cast<double>(bits.count());
    }
};

TEST(RecordRuns, AGuideSteersAndIsNeverTheResult) {
    for (auto [name, settings] : every_algorithm()) {
        SCOPED_TRACE(name);
        settings.stop = solved() || evaluations(30'000);
        settings.on_generation = [](const Status& status) {
            EXPECT_LE(status.statistics.best_ever, 1.0);
            EXPECT_LE(status.statistics.mean, 1.0);
        };
        const Result result = evolve(Needle{}, settings);
        EXPECT_TRUE(result.solved);
        EXPECT_EQ(result.fitness, 1.0);
    }
}

TEST(RecordRuns, ATargetCountsOnlyWhereEverythingHolds) {
    // Ten ones are easy to have, but not where at most none may stand in front and all behind are wanted.
    Settings settings{.population = 10, .stop = target(20) || generations(400), .seed = 3};
    const Result result = evolve(Rationed{.most = 0}, settings);
    EXPECT_EQ(result.stopped_by, "target(20)");
    EXPECT_EQ(result.violation, 0.0);
    EXPECT_GE(result.fitness, 20.0);
    std::vector<double> feasible;
    for (const Statistics& one : result.history) feasible.push_back(one.feasible);
    EXPECT_LT(feasible.front(), 1.0);
}

struct Conditions {
    static constexpr auto record = knossos::record(must_hold("zeros", 2.0));
    [[nodiscard]] static Space space() { return Space::bits(16); }
    static void evaluate(BitView bits, Record out) { out[0] = static_cast<double>(16 - bits.count()); }
};

TEST(RecordRuns, ConditionsAloneAreSolvedWhereAllHold) {
    Problem problem{Conditions{}};
    EXPECT_EQ(problem.target(), 0.0);
    const Result result = evolve(problem, {.stop = solved() || evaluations(10'000)});
    EXPECT_TRUE(result.solved);
    EXPECT_EQ(result.fitness, 0.0);
}

struct Two {
    static constexpr auto record = knossos::record(must_hold("zeros"), must_hold("ones"));
    [[nodiscard]] static Space space() { return Space::bits(16); }
    static void evaluate(BitView bits, Record out) {
        out[0] = static_cast<double>(16 - bits.count());
        out[1] = bits.count() > 12 ? static_cast<double>(bits.count() - 12) : 0.0;
    }
};

TEST(RecordRuns, ConditionsAloneSayWhatTheyMiss) {
    Settings settings{.population = 10, .stop = generations(0)};
    const Result result = evolve(Conditions{}, settings);
    EXPECT_FALSE(result.solved);
    EXPECT_GT(result.violation, 0.0);
    EXPECT_EQ(result.violation, result.fitness);
    struct Negative : Conditions {
        static void evaluate(BitView /*bits*/, Record out) { out[0] = -3.0; }
    };
    expect_mentions(message_of<EvaluationError>([&] { (void)evolve(Negative{}, settings); }),
                    {"'zeros'", "-3", "0 or more"});
    const Result missed = evolve(Two{}, settings);
    EXPECT_EQ(missed.history.back().feasible, 0.0);
    EXPECT_GT(missed.violation, 0.0);
}

struct Flat {
    static constexpr auto record = knossos::record(maximise("flat"), must_hold("zeros"));
    [[nodiscard]] static Space space() { return Space::bits(10); }
    static void evaluate(BitView bits, Record out) {
        out[0] = 5.0;
        out[1] = static_cast<double>(10 - bits.count());
    }
};

TEST(RecordRuns, ConvergeWhereAllHoldWhatTheyMust) {
    // Everybody has the same objective; they differ in what they miss.
    const Result result = evolve(
        Flat{}, {.algorithm = MuPlusLambda{}, .population = 10, .stop = convergence() || generations(500)});
    EXPECT_EQ(result.stopped_by, "convergence(0)");
    EXPECT_GT(result.generations, 0U);
    EXPECT_EQ(result.violation, 0.0);
}

TEST(RecordRuns, ScalesOfOneColumnWeighForAnnealingToo) {
    struct Scaled {
        double scale = 1.0;
        [[nodiscard]] std::vector<Column> record() const { return {maximise("ones").scaled(scale)}; }
        [[nodiscard]] static Space space() { return Space::bits(40); }
        [[nodiscard]] static double evaluate(BitView bits) { return static_cast<double>(bits.count()); }
    };
    const auto digest = [](double scale, double temperature) {
        const Annealing annealing{.start = temperature, .end = temperature};
        return evolve(Scaled{scale}, {.algorithm = annealing, .population = 4, .stop = generations(5)})
            .digest;
    };
    EXPECT_EQ(digest(8.0, 0.25), digest(1.0, 2.0));
    EXPECT_NE(digest(8.0, 0.25), digest(1.0, 0.25));
}

struct Faulty {
    double first = 0.0;
    double condition = 0.0;
    double described = 0.5;

    static constexpr auto record =
        knossos::record(minimise("cost"), must_hold("late"), descriptor("spread", 0.0, 1.0));
    [[nodiscard]] static Space space() { return Space::bits(8); }
    void evaluate(BitView bits, Record out) const {
        out[0] = first;
        out[1] = condition;
        out[2] = bits.count() > 4 ? described : 0.5;
    }
};

TEST(RecordRuns, NameTheColumnThatIsWrong) {
    const Settings settings{.population = 4, .stop = generations(3)};
    const auto message = [&](const Faulty& problem) {
        return message_of<EvaluationError>([&] { (void)evolve(problem, settings); });
    };
    expect_mentions(message({.first = std::nan("")}), {"cost", "individual 0", "not a number"});
    expect_mentions(message({.condition = std::nan("")}), {"late", "individual 0", "not a number"});
    expect_mentions(message({.condition = -1.0}), {"'late'", "individual 0", "-1", "0 or more"});
    const Result result = evolve(Faulty{.described = 7.0}, settings);
    EXPECT_GT(result.clamped, 0U);
    for (const HallEntry& one : result.hall_of_fame) EXPECT_LE(one.record[2], 1.0);
}

TEST(RecordRuns, SayWhoCanRankWhatTheProblemReturns) {
    const auto refused = [](const Problem& problem, Settings settings) {
        settings.stop = generations(1);
        return message_of([&] { (void)evolve(problem, settings); });
    };
    expect_mentions(refused(Rationed{}, {.select = Roulette{}}),
                    {"roulette", "one number", "maximise ones", "tournament"});
    expect_mentions(refused(Rationed{}, {.improve = HillClimb{}}), {"improve", "one", "maximise ones"});
    expect_mentions(refused(LeadingTrailing{}, {.algorithm = Annealing{}}),
                    {"annealing", "several objectives", "generational"});
    expect_mentions(refused(LeadingTrailing{}, {.restart = {.stagnation = 5}}),
                    {"stagnation is 5", "several objectives", "0"});
}

TEST(RecordRuns, WholeBatchesAndAskTellGiveColumnAfterColumn) {
    const Problem problem{Rationed{}};
    const Settings settings{.population = 12, .stop = generations(20), .seed = 5};
    const Result straight = evolve(problem, settings);
    const Problem by_function = evaluated_by(problem, [&](const Batch& batch, std::span<double> values) {
        ASSERT_EQ(values.size(), 3 * batch.count);
        problem.evaluate(batch, values);
    });
    EXPECT_EQ(evolve(by_function, settings).digest, straight.digest);
    AskTell asking{problem, settings};
    while (const auto batch = asking.ask()) {
        std::vector<double> values(3 * batch->count);
        problem.evaluate(*batch, values);
        if (batch->count > 1)
            expect_mentions(message_of([&] { asking.tell(std::span{values}.first(batch->count)); }),
                            {"values", "individuals", "maximise ones"});
        asking.tell(values);
    }
    EXPECT_EQ(asking.result().digest, straight.digest);
}

TEST(RecordRuns, AFailedEvaluationCanBeTheWorst) {
    struct Sometimes : Rationed {
        static void evaluate(BitView bits, Record out) {
            if (bits.count() % 5 == 0) throw std::runtime_error{"no"};
            Rationed{}.evaluate(bits, out);
        }
    };
    const Settings settings{.stop = generations(40), .on_failure = OnFailure::worst};
    const Result result = evolve(Sometimes{}, settings);
    EXPECT_GT(result.failures, 0U);
    EXPECT_EQ(result.violation, 0.0);
    EXPECT_GE(result.fitness, 21.0);
}

} // namespace
} // namespace knossos::record_test
