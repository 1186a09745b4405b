#include "run_support.hpp"

#include <knossos/run/run.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

namespace knossos::map_elites_test {
namespace {

using test::expect_mentions;
using test::expect_same;
using test::settings_for;

// Inside a test, Run is a member of GoogleTest's.
using Evolution = Run;

struct Log {
    std::mutex mutex;
    std::vector<std::vector<double>> records;
    std::atomic<std::uint64_t> evaluations{0};
    std::atomic<std::uint64_t> breaks_at{~std::uint64_t{0}};
};

/// Genes near a pattern are good; what a genome is like is how large its genes are on each side, and those
/// whose first gene is large miss a condition.
struct Described {
    Space its_space;
    bool has_condition = true;
    std::shared_ptr<Log> log = std::make_shared<Log>();

    [[nodiscard]] Space space() const { return its_space; }
    [[nodiscard]] std::vector<Column> record() const {
        return {minimise("distance").between(0.0, 1.0), must_hold("first"), descriptor("left", 0.0, 1.0),
                descriptor("right", 0.0, 1.0)};
    }

    template <class View>
    void evaluate(View genome, Record out) const {
        if (log->evaluations.fetch_add(1) >= log->breaks_at) throw std::runtime_error{"the sensor broke"};
        measure(genome, out);
        const std::scoped_lock lock{log->mutex};
        log->records.push_back({out[0], out[1], out[2], out[3]});
    }

    template <class View>
    [[nodiscard]] double share(View genome, std::size_t i) const {
        if constexpr (requires { genome.bounds(i); }) {
            const double width = genome.bounds(i).width();
            return width > 0.0 ? (genome[i] - genome.bounds(i).low) / width : 0.0;
        }
        return static_cast<double>(static_cast<std::uint32_t>(genome[i])) /
               static_cast<double>(its_space.alphabet - 1);
    }

    template <class View>
    void measure(View genome, Record out) const {
        const std::size_t half = (genome.size() + 1) / 2;
        double distance = 0.0;
        double left = 0.0;
        double right = 0.0;
        for (std::size_t i = 0; i < genome.size(); ++i) {
            const double gene = share(genome, i);
            distance += std::abs(gene - static_cast<double>(i * 7 % 5) / 4.0);
            (i < half ? left : right) += gene;
        }
        const auto size = static_cast<double>(genome.size());
        out[0] = distance / size;
        const double first = share(genome, 0);
        out[1] = has_condition && first > 0.6 ? first - 0.6 : 0.0;
        out[2] = left / static_cast<double>(half);
        out[3] = right / static_cast<double>(genome.size() - half);
    }
};

const std::vector<Space>& spaces() {
    static const std::vector<Space> all{
        Space::bits(70),         Space::bits_with_ones(70, 20), Space::packed(30, 5),
        Space::integers(21, 10), Space::integers(21, 1000),     Space::integers(21, 100'000),
        Space::permutation(20),  Space::permutation(260),       test::wide_permutation(20)};
    return all;
}

constexpr const char* grid = "left 0..1 by 0.02, right 0..1 by 0.05";

Settings elites_on(const Space& space) {
    Settings settings = settings_for(space);
    settings.algorithm = MapElites{.axes = grid};
    settings.population = 50;
    settings.offspring = 141;
    settings.stop = generations(8);
    return settings;
}

Settings islands_of(Settings settings) {
    settings.islands = {.count = 5, .topology = Topology::ring, .interval = 3, .migrants = 60};
    settings.islands.emigrants = Emigrants::random;
    return settings;
}

Settings around_centroids(Settings settings) {
    settings.algorithm = MapElites{.axes = "left, right, distance", .centroids = 200};
    settings.recombine = Clone{};
    return settings;
}

template <class Check>
void for_each_space(Check check) {
    // Every kind with one of the three, and another kind with each of them in the next test.
    static std::size_t turn = 0;
    for (const Space& space : spaces()) {
        SCOPED_TRACE(describe(space));
        const Settings plain = elites_on(space);
        check(space, turn % 3 == 0 ? plain : turn % 3 == 1 ? islands_of(plain) : around_centroids(plain));
        ++turn;
        if (testing::Test::HasFailure()) return;
    }
}

void expect_same_gallery(const Gallery& a, const Gallery& b) {
    EXPECT_EQ(a.cell, b.cell);
    EXPECT_EQ(a.island, b.island);
    EXPECT_EQ(a.coverage, b.coverage);
    EXPECT_EQ(a.qd_score, b.qd_score);
    ASSERT_EQ(a.elites.size(), b.elites.size());
    EXPECT_TRUE(std::ranges::equal(a.elites.bytes(), b.elites.bytes()));
}

TEST(MapElites, HasTheSameGalleryWithAnyNumberOfThreads) {
    for_each_space([](const Space& space, Settings settings) {
        const Result alone = evolve(Described{space}, settings);
        EXPECT_GT(alone.gallery->cell.size(), 1U);
        for (const unsigned threads : {2U, 3U, 8U}) {
            settings.threads = threads;
            const Result shared = evolve(Described{space}, settings);
            expect_same(shared, alone);
            expect_same_gallery(*shared.gallery, *alone.gallery);
        }
    });
}

TEST(MapElites, HasTheSameGalleryStoppedAndContinuedAtAnyGeneration) {
    for_each_space([](const Space& space, Settings settings) {
        const Result straight = evolve(Described{space}, settings);
        std::vector<std::byte> snapshot = Evolution{Described{space}, settings}.snapshot();
        for (std::uint64_t generation = 0; generation < 8; ++generation) {
            settings.threads = generation % 3 == 0 ? 2 : 1;
            Evolution continued{Described{space}, settings, snapshot};
            EXPECT_EQ(continued.snapshot(), snapshot) << "what was read is written again";
            continued.finish();
            expect_same(continued.result(), straight);
            Evolution next{Described{space}, settings, snapshot};
            next.step();
            snapshot = next.snapshot();
        }
        expect_same(Evolution(Described{space}, settings, snapshot).result(), straight);
    });
}

TEST(MapElites, StepsToWhereItFinishes) {
    for_each_space([](const Space& space, const Settings& settings) {
        Evolution run{Described{space}, settings};
        while (!run.finished()) run.step();
        expect_same(run.result(), evolve(Described{space}, settings));
    });
}

TEST(MapElites, KeepsTheLastCompleteGenerationWhenAnEvaluationThrows) {
    for_each_space([](const Space& space, Settings settings) {
        const Result healthy = evolve(Described{space}, settings);
        for (const unsigned threads : {1U, 3U}) {
            settings.threads = threads;
            const Described problem{space};
            problem.log->breaks_at = healthy.evaluations * 2 / 3;
            Evolution run{problem, settings};
            EXPECT_THROW(run.finish(), EvaluationError);
            problem.log->breaks_at = ~std::uint64_t{0};
            Settings shorter = settings;
            shorter.stop = generations(run.status().statistics.generation);
            expect_same_gallery(*run.gallery(), *evolve(Described{space}, shorter).gallery);
            run.finish();
            expect_same(run.result(), healthy);
        }
    });
}

TEST(MapElites, SpendsItsBudgetExactlyAndGoesOnWithALargerOne) {
    for_each_space([](const Space& space, Settings settings) {
        settings.stop = evaluations(1000);
        const Described problem{space};
        Evolution run{problem, settings};
        run.finish();
        EXPECT_LE(run.result().evaluations, 1000U);
        EXPECT_GT(run.result().evaluations, 850U);
        const auto snapshot = run.snapshot();
        settings.stop = evaluations(1500);
        Evolution continued{Described{space}, settings, snapshot};
        continued.finish();
        expect_same(continued.result(), evolve(Described{space}, settings));
    });
}

using Cell = std::pair<int, int>;

// The cell by plain arithmetic, apart from the library's.
Cell cell_of(double left, double right) {
    return {std::min(49, static_cast<int>(left / 0.02)), std::min(19, static_cast<int>(right / 0.05))};
}

TEST(MapElites, HoldsTheBestOfAllThatWereEvaluatedInEachCell) {
    for (std::uint64_t seed = 0; seed < test::seeds(2); ++seed) {
        for (const Space& space : spaces()) {
            SCOPED_TRACE(describe(space));
            const Described problem{space};
            Settings settings = elites_on(space);
            settings.seed = seed;
            Evolution run{problem, settings};
            run.finish();
            std::map<Cell, std::pair<double, double>> best;
            for (const auto& one : problem.log->records) {
                const std::pair worth{one[1], one[0]};
                const auto [place, is_new] = best.emplace(cell_of(one[2], one[3]), worth);
                if (!is_new) place->second = std::min(place->second, worth);
            }
            const Population& elites = run.islands().front().current;
            std::set<Cell> seen;
            std::size_t feasible = 0;
            double score = 0.0;
            for (std::size_t i = 0; i < elites.size(); ++i) {
                const Cell cell = cell_of(elites.column(2)[i], elites.column(3)[i]);
                EXPECT_TRUE(seen.insert(cell).second) << "two elites in one cell";
                EXPECT_EQ(std::pair(elites.column(1)[i], elites.column(0)[i]), best.at(cell));
                EXPECT_TRUE(is_valid(space, elites.genome(i)));
                double record[4];
                visit_genome(space, elites.genome(i), [&](auto view) { problem.measure(view, {record, 1}); });
                for (std::size_t c = 0; c < 4; ++c) EXPECT_EQ(record[c], elites.column(c)[i]);
                if (elites.column(1)[i] > 0.0) continue;
                ++feasible;
                score += 1.0 - elites.column(0)[i];
            }
            EXPECT_EQ(seen.size(), best.size()) << "no cell is lost";
            const Gallery gallery = *run.gallery();
            EXPECT_EQ(gallery.elites.size(), feasible) << "only those for which everything holds are shown";
            EXPECT_NEAR(gallery.qd_score, score, 1e-6);
            EXPECT_EQ(gallery.cells, 1000U);
            EXPECT_DOUBLE_EQ(gallery.coverage, static_cast<double>(feasible) / 1000.0);
            EXPECT_EQ(run.status().statistics.coverage, gallery.coverage);
            EXPECT_EQ(run.status().statistics.qd_score, gallery.qd_score);
            EXPECT_EQ(run.status().statistics.merit, gallery.qd_score);
        }
    }
}

// One-sided: everybody is as good as everybody else.
struct Alike {
    [[nodiscard]] static Space space() { return Space::bits(12); }
    [[nodiscard]] static std::vector<Column> record() {
        return {maximise("worth").between(0.0, 2.0), descriptor("ones", 0.0, 12.0).in_whole_numbers()};
    }
    static void evaluate(BitView genome, Record out) {
        out[0] = 1.0;
        out[1] = static_cast<double>(genome.count());
    }
};

TEST(MapElites, GivesACellToTheFirstOfEqualsInABatchAndLetsNeutralOnesDrift) {
    Settings settings{.algorithm = MapElites{.axes = "ones by 3"}, .population = 40, .stop = generations(30)};
    std::size_t drifted = 0;
    for (settings.seed = 0; settings.seed < 20; ++settings.seed) {
        Evolution run{Alike{}, settings};
        const Gallery first = *run.gallery();
        // The same individuals as they were made, before they were an archive.
        Settings plain = settings;
        plain.algorithm = MuPlusLambda{};
        const Evolution unsorted{Alike{}, plain};
        const Population& all = unsorted.islands().front().current;
        for (std::size_t i = 0; i < first.cell.size(); ++i) {
            std::size_t earliest = 0;
            while (std::min(3U, static_cast<std::uint32_t>(all.column(1)[earliest]) / 3) != first.cell[i])
                ++earliest;
            EXPECT_EQ(std::memcmp(all.genome(earliest), first.elites.genome(i), all.stride()), 0);
        }
        run.finish();
        const Gallery last = *run.gallery();
        EXPECT_GE(last.cell.size(), first.cell.size());
        for (std::size_t i = 0; i < std::min(first.cell.size(), last.cell.size()); ++i)
            drifted +=
                std::memcmp(first.elites.genome(i), last.elites.genome(i), all.stride()) != 0 ? 1U : 0U;
        EXPECT_DOUBLE_EQ(last.qd_score, 0.5 * static_cast<double>(last.cell.size()));
    }
    EXPECT_GT(drifted, 40U);
}

TEST(MapElites, UnitesTheArchivesOfItsIslands) {
    const Space space = Space::integers(21, 10);
    Evolution run{Described{space}, islands_of(elites_on(space))};
    run.finish();
    const Gallery gallery = *run.gallery();
    std::map<Cell, double> best;
    double coverage = 0.0;
    for (const Island& island : run.islands()) {
        std::size_t filled = 0;
        for (std::size_t i = 0; i < island.current.size(); ++i) {
            if (island.current.column(1)[i] > 0.0) continue;
            ++filled;
            const Cell cell = cell_of(island.current.column(2)[i], island.current.column(3)[i]);
            const auto [place, is_new] = best.emplace(cell, island.current.column(0)[i]);
            if (!is_new) place->second = std::min(place->second, island.current.column(0)[i]);
        }
        coverage += static_cast<double>(filled) / 1000.0;
        EXPECT_LE(filled, gallery.cell.size());
    }
    EXPECT_EQ(gallery.cell.size(), best.size());
    EXPECT_TRUE(std::ranges::is_sorted(gallery.cell));
    for (std::size_t i = 0; i < gallery.cell.size(); ++i) {
        const auto along = gallery.coordinates(gallery.cell[i]);
        EXPECT_EQ(gallery.elites.column(0)[i],
                  best.at({static_cast<int>(along[0]), static_cast<int>(along[1])}));
    }
    EXPECT_NEAR(run.status().statistics.coverage, coverage / 5.0, 1e-12) << "in between, the islands' mean";
}

TEST(MapElites, ExchangesElitesBetweenIslands) {
    const Space space = Space::bits(70);
    Settings settings = islands_of(elites_on(space));
    settings.stop = generations(3);
    const Result before = [&] {
        Settings apart = settings;
        apart.islands.migrants = 0;
        return evolve(Described{space}, apart);
    }();
    Evolution run{Described{space}, settings};
    run.finish();
    double mean = 0.0;
    for (const Island& island : run.islands())
        mean += island.kept.as<MapElites::State>().archive.coverage() / 5.0;
    EXPECT_GT(mean, before.history.back().coverage);
    const Gallery gallery = *run.gallery();
    EXPECT_EQ(gallery.cell, before.gallery->cell) << "nobody new has been made";
    EXPECT_EQ(run.status().statistics.coverage, gallery.coverage) << "at a migration, that of all together";
    EXPECT_EQ(run.status().statistics.qd_score, gallery.qd_score);
    EXPECT_GT(gallery.coverage, mean);
}

TEST(MapElites, EndsAtAScore) {
    const Space space = Space::bits(70);
    Settings settings = elites_on(space);
    settings.stop = target(60.0) || generations(500);
    const Result result = evolve(Described{space}, settings);
    EXPECT_EQ(result.merit_name, "qd_score");
    EXPECT_GE(result.merit, 60.0);
    EXPECT_LT(result.generations, 500U);
    EXPECT_LT(result.history[result.history.size() - 2].merit, 60.0);
}

TEST(MapElites, SaysWhichAxisNobodyReaches) {
    const Space space = Space::permutation(20);
    Settings settings = elites_on(space);
    settings.algorithm = MapElites{.axes = "left 0.9..1 by 0.01, right 0..1 by 0.05"};
    Evolution run{Described{space}, settings};
    run.finish();
    EXPECT_EQ(run.gallery()->cell.size(), 0U);
    EXPECT_EQ(run.status().statistics.coverage, 0.0);
    expect_mentions(run.remark(), {"left 0.9..1", "nothing"});
}

TEST(MapElites, SaysSoOnIslandsToo) {
    const Space space = Space::permutation(20);
    Settings settings = islands_of(elites_on(space));
    settings.algorithm = MapElites{.axes = "left 0.9..1 by 0.01, right 0..1 by 0.05"};
    Evolution nothing{Described{space}, settings};
    nothing.finish();
    expect_mentions(nothing.remark(), {"left 0.9..1", "nothing"});
    settings.algorithm = MapElites{.axes = grid};
    Evolution something{Described{space}, settings};
    something.finish();
    EXPECT_EQ(something.remark(), "");
}

// Elites as genomes to begin with.
std::vector<Genome> genomes_of(const Gallery& gallery) {
    std::vector<Genome> all;
    for (std::size_t i = 0; i < gallery.elites.size(); ++i) {
        const std::byte* const genome = gallery.elites.genome(i);
        all.push_back({gallery.elites.space(), {genome, genome + gallery.elites.space().genome_bytes()}});
    }
    return all;
}

TEST(MapElites, BeginsWithElitesAndKeepsOrBettersThem) {
    for_each_space([](const Space& space, const Settings& settings) {
        const Result first = evolve(Described{space}, settings);
        Settings again = settings;
        again.start = genomes_of(*first.gallery);
        again.seed = 99;
        again.stop = generations(2);
        Evolution run{Described{space}, again};
        run.finish();
        const Gallery found = *run.gallery();
        EXPECT_GE(found.qd_score, first.gallery->qd_score);
        for (std::size_t i = 0; i < first.gallery->cell.size(); ++i) {
            const auto place = std::ranges::find(found.cell, first.gallery->cell[i]);
            ASSERT_NE(place, found.cell.end());
            const auto index = static_cast<std::size_t>(place - found.cell.begin());
            EXPECT_LE(found.elites.fitness()[index], first.gallery->elites.fitness()[i]);
        }
        // The same with other threads, and from a snapshot.
        Settings elsewhere = again;
        elsewhere.threads = 3;
        expect_same_gallery(*evolve(Described{space}, elsewhere).gallery, found);
        Evolution stopped{Described{space}, again};
        stopped.step();
        Evolution continued{Described{space}, again, stopped.snapshot()};
        continued.finish();
        expect_same_gallery(*continued.gallery(), found);
    });
}

std::string fault_of(const Space& space, const std::string& axes) {
    Settings settings = elites_on(space);
    settings.algorithm = MapElites{.axes = axes};
    try {
        check(Described{space}, settings);
    } catch (const InvalidInput& error) {
        return error.what();
    }
    return "";
}

TEST(MapElites, RefusesAxesThatThereAreNot) {
    const Space space = Space::bits(30);
    EXPECT_EQ(fault_of(space, grid), "");
    EXPECT_EQ(fault_of(space, "left by 0.1,right 0..1 by 0.5 "), "");
    expect_mentions(fault_of(space, ""), {"axes", "empty", "path 0..262 by 2"});
    expect_mentions(fault_of(space, "lfet 0..1 by 0.1"), {"axes", "'lfet'", "did you mean left?"});
    expect_mentions(fault_of(space, "speed 0..1 by 0.1"), {"'speed'", "left, right"});
    expect_mentions(fault_of(space, "left 1..0 by 0.1"), {"1..0", "lower end"});
    expect_mentions(fault_of(space, "left 0..1 by -2"), {"-2", "above 0"});
    expect_mentions(fault_of(space, "left 0..1"), {"no step", "left"});
    expect_mentions(fault_of(space, "left 0..x by 1"), {"'x'", "no number"});
    expect_mentions(fault_of(space, "left 0..1 in 5"), {"'in'"});
    expect_mentions(fault_of(space, "left by 0.1, left by 0.2"), {"left twice"});
    expect_mentions(fault_of(space, "left by 0.1,, right by 0.2"), {"without a name"});
    expect_mentions(fault_of(space, "left by 1e-9"), {"10,000,000", "left"});
    expect_mentions(fault_of(space, "left by 0.0001, right by 0.0001"), {"10,000,000", "larger steps"});
}

TEST(MapElites, RefusesWhatItCanNotKeepAnArchiveOf) {
    Settings settings = elites_on(test::small);
    const auto fault = [&](const Problem& problem) -> std::string {
        try {
            check(problem, settings);
        } catch (const InvalidInput& error) {
            return error.what();
        }
        return "";
    };
    expect_mentions(fault(test::Landscape{test::small}), {"descriptors", "one number"});
    settings.restart = {.stagnation = 5};
    expect_mentions(fault(Described{Space::bits(30)}), {"stagnation", "map-elites", "must be 0"});
}

TEST(MapElites, RefusesASnapshotWithTwoElitesInACell) {
    const Space space = Space::integers(21, 10);
    const Settings settings = elites_on(space);
    Evolution run{Described{space}, settings};
    auto parts = run.snapshot_parts();
    ASSERT_NO_THROW(Evolution(Described{space}, settings, parts));
    const Population& elites = run.islands().front().current;
    // The genomes stay as they are; the descriptors of the second become those of the first.
    std::vector<std::byte>& bytes = parts.islands.front();
    for (const std::size_t column : {2U, 3U}) {
        const auto values = std::as_bytes(elites.column(column));
        const auto found = std::ranges::search(bytes, values);
        ASSERT_FALSE(found.empty());
        std::ranges::copy(values.first(sizeof(double)), found.begin() + sizeof(double));
    }
    EXPECT_THROW(Evolution(Described{space}, settings, parts), InvalidInput);
}

TEST(MapElites, TakesAtMostAFifthMoreMemoryThanItsElites) {
    const Space space = Space::bits(400);
    Settings settings = elites_on(space);
    settings.algorithm = MapElites{.axes = "left 0..1 by 0.01, right 0..1 by 0.01"};
    settings.offspring = 2000;
    settings.stop = evaluations(40'000);
    Evolution run{Described{space, false}, settings};
    run.finish();
    const Island& island = run.islands().front();
    const auto& state = island.kept.as<MapElites::State>();
    const Population& elites = island.current;
    ASSERT_GT(elites.size(), 500U);
    const std::size_t exact = Population{elites}.memory();
    EXPECT_LE(static_cast<double>(elites.memory() + state.archive.memory() +
                                  state.curiosity.capacity() * sizeof(std::uint16_t)),
              1.2 * static_cast<double>(exact));
}

// Two kinds of change; the second one never gives anything.
struct Choosy : Described {
    [[nodiscard]] static std::vector<std::string> moves() { return {"set", "nothing"}; }
    static bool propose(Stream& stream, Bits genome) { return propose(stream, genome, 0); }
    static bool propose(Stream& stream, Bits genome, std::uint32_t move) {
        if (move == 0) genome.flip(stream.below(static_cast<std::uint32_t>(genome.size())));
        return true;
    }
};

TEST(MapElites, PrefersTheKindsOfChangeThatLatelyGaveSomething) {
    Settings settings = elites_on(Space::bits(70));
    settings.mutate = ProblemMove{};
    settings.recombine = Clone{};
    settings.stop = generations(40);
    Evolution run{Choosy{{Space::bits(70)}}, settings};
    run.finish();
    const auto& kinds = run.islands().front().kept.as<MapElites::State>().kinds;
    ASSERT_EQ(kinds.size(), 2U);
    EXPECT_GT(kinds[0].tried, 2.0 * kinds[1].tried);
}

TEST(MapElites, HasACellForEachCentroid) {
    const Space space = Space::bits(70);
    Evolution run{Described{space, false}, around_centroids(elites_on(space))};
    run.finish();
    const Gallery gallery = *run.gallery();
    EXPECT_EQ(gallery.cells, 200U);
    ASSERT_EQ(gallery.centroids.size(), 200U);
    EXPECT_GT(gallery.cell.size(), 5U);
    for (std::size_t i = 0; i < gallery.cell.size(); ++i) {
        const auto distance_to = [&](std::size_t cell) {
            double distance = 0.0;
            for (const auto& [axis, column] : {std::pair{std::size_t{0}, std::size_t{2}}, {1, 3}, {2, 0}}) {
                const double apart = gallery.centroids[cell][axis] - gallery.elites.column(column)[i];
                distance += apart * apart;
            }
            return distance;
        };
        for (std::size_t other = 0; other < 200; ++other)
            EXPECT_LE(distance_to(gallery.cell[i]), distance_to(other) + 1e-12);
    }
    expect_mentions(
        [&]() -> std::string {
            Settings settings = elites_on(space);
            settings.algorithm = MapElites{.axes = grid, .centroids = 10};
            try {
                check(Described{space}, settings);
            } catch (const InvalidInput& error) {
                return error.what();
            }
            return "";
        }(),
        {"step", "left", "centroids"});
}

} // namespace
} // namespace knossos::map_elites_test
