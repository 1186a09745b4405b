#include "run_support.hpp"

#include <knossos/run/run.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace knossos::run_failure_test {
namespace {

using test::crossover_for;
using test::expect_mentions;
using test::infinity;
using test::Landscape;
using test::message_of;
using test::small;
using test::small_settings;

// Inside a test, Run is a member of GoogleTest's.
using Evolution = Run;

TEST(Run, AnEvaluationThatThrowsAtOnceStopsTheRunWithItsMessage) {
    const Landscape broken{small};
    broken.gauge->breaks_at = infinity;
    for (const unsigned threads : {1U, 4U}) {
        Settings settings = small_settings();
        settings.threads = threads;
        EXPECT_EQ(message_of<EvaluationError>([&] { evolve(broken, settings); }),
                  "individual 0 in generation 0 of island 0: the sensor broke");
    }
}

// The individuals that have failed, if there are any.
std::string who_failed(const std::string& message) { return message.substr(0, message.find(':')); }

TEST(Run, NamesTheOneIndividualThatFailsWhateverTheThreads) {
    const Space space = Space::integers(21, 1000);
    Settings settings{.population = 20, .stop = generations(3)};
    const Evolution run{Landscape{space}, settings};
    const auto fitness = run.islands()[0].current.fitness();
    const auto best = std::ranges::min_element(fitness);
    ASSERT_EQ(std::ranges::count(fitness, *best), 1);
    const Landscape broken{space};
    broken.gauge->breaks_at = *best;
    const auto each = [&](const Batch& batch, std::span<double> values) {
        for (std::size_t i = 0; i < batch.count; ++i) {
            const Batch one{batch.space, batch[i], batch.stride, 1};
            try {
                Problem{broken}.evaluate(one, values.subspan(i, 1));
            } catch (const EvaluationError& error) {
                throw IndividualFailed{error.what(), i};
            }
        }
    };
    for (const unsigned threads : {1U, 3U}) {
        settings.threads = threads;
        for (const OnFailure policy : {OnFailure::end, OnFailure::retry}) {
            settings.on_failure = policy;
            for (const Problem& problem : {Problem{broken}, evaluated_by(broken, each),
                                           evaluated_by(broken, each, Calls::from_threads)})
                EXPECT_EQ(message_of<EvaluationError>([&] { evolve(problem, settings); }),
                          "individual " + std::to_string(best - fitness.begin()) +
                              " in generation 0 of island 0: the sensor broke");
        }
    }
}

TEST(Run, WhoFailsLaterIsNamedByEveryAlgorithm) {
    for (const Algorithm& algorithm :
         {Algorithm{Generational{}}, Algorithm{SteadyState{}}, Algorithm{Knockout{}},
          Algorithm{MuPlusLambda{}}, Algorithm{Duel{}}, Algorithm{Annealing{}}})
        for (const bool improves : {false, true}) {
            if (improves && (algorithm.name() == "duel" || algorithm.name() == "annealing")) continue;
            const Landscape landscape{small};
            Settings settings = small_settings();
            settings.algorithm = algorithm;
            settings.population = algorithm.name() == "duel" ? 2 : settings.population;
            settings.recombine = crossover_for(algorithm);
            if (improves) settings.improve = HillClimb{};
            Evolution run{landscape, settings};
            landscape.gauge->breaks_at = infinity;
            const std::string message = message_of<EvaluationError>([&] { run.step(); });
            expect_mentions(message, {"individual ", " in generation 1 of island 0: the sensor broke"});
            EXPECT_EQ(message, message_of<EvaluationError>([&] { run.step(); })) << "again";
        }
}

// Two children at a time: their slots are those of all mating events, not 0 and 1.
TEST(Run, ASteadyStateNamesTheSlotOfWhoFails) {
    const Landscape landscape{small};
    Settings settings = small_settings();
    settings.algorithm = SteadyState{.events = 5'000};
    settings.recombine = crossover_for(settings.algorithm);
    settings.stop = generations(2);
    Evolution run{landscape, settings};
    landscape.gauge->breaks_at = run.islands()[0].hall.front().quality.fitness - 1e-9;
    const std::string who = who_failed(message_of<EvaluationError>([&] { run.step(); }));
    EXPECT_GT(std::stoi(who.substr(std::string{"individual "}.size())), 1) << who;
}

TEST(Run, AFitnessThatIsNotANumberAtOnceIsNamed) {
    const Landscape undefined{small};
    undefined.gauge->nan_at = infinity;
    expect_mentions(message_of<EvaluationError>([&] { evolve(undefined, small_settings()); }),
                    {"individual 0", "generation 0", "not a number", "its genome is"});
}

TEST(Run, AnImprovedChildWhoseFitnessIsNotANumberIsNamed) {
    for (const Algorithm& algorithm : {Algorithm{Generational{}}, Algorithm{SteadyState{}},
                                       Algorithm{Knockout{}}, Algorithm{MuPlusLambda{}}})
        for (const Improvement& improvement : {Improvement{HillClimb{}}, Improvement{Descent{}}}) {
            const Landscape landscape{small};
            Settings settings = small_settings();
            settings.algorithm = algorithm;
            settings.recombine = crossover_for(algorithm);
            settings.improve = improvement;
            Evolution run{landscape, settings};
            landscape.gauge->nan_at = infinity;
            expect_mentions(message_of<EvaluationError>([&] { run.step(); }),
                            {"individual", "generation 1", "not a number"});
            EXPECT_EQ(run.status().statistics.generation, 0U);
        }
}

TEST(Run, NamesTheOneIndividualThatIsNotANumber) {
    const Space space = Space::integers(21, 1000);
    const Settings settings{.population = 20, .stop = generations(3)};
    const Evolution run{Landscape{space}, settings};
    const auto fitness = run.islands()[0].current.fitness();
    const auto best = std::ranges::min_element(fitness);
    ASSERT_EQ(std::ranges::count(fitness, *best), 1);
    const auto slot = static_cast<std::size_t>(best - fitness.begin());
    const Landscape undefined{space};
    undefined.gauge->nan_at = *best;
    const std::string named = "individual " + std::to_string(slot) + " in";
    const std::string genome = to_text(space, run.islands()[0].current.genome(slot));
    for (const unsigned threads : {1U, 3U}) {
        Settings with_threads = settings;
        with_threads.threads = threads;
        expect_mentions(message_of<EvaluationError>([&] { evolve(undefined, with_threads); }),
                        {named, genome});
    }
}

struct ThrowsWhatever {
    static constexpr Objective objective = Objective::minimise;
    std::shared_ptr<std::atomic<int>> calls = std::make_shared<std::atomic<int>>(0);
    [[nodiscard]] static Space space() { return Space::bits(10); }
    [[nodiscard]] double evaluate(BitView genome) const {
        if (++*calls > 50) throw 42; // NOLINT(hicpp-exception-baseclass): that's the point
        return static_cast<double>(genome.count());
    }
};

TEST(Run, AnEvaluationMayThrowAnything) {
    EXPECT_THROW(evolve(ThrowsWhatever{}, {.population = 20, .stop = generations(50)}), RunFailed);
}

struct ThrowsOurOwn {
    static constexpr Objective objective = Objective::minimise;
    std::shared_ptr<std::atomic<int>> calls = std::make_shared<std::atomic<int>>(0);
    [[nodiscard]] static Space space() { return Space::bits(10); }
    [[nodiscard]] double evaluate(BitView genome) const {
        if (++*calls > 50) throw InvalidInput{"cities.csv, line 7: not a number"};
        return static_cast<double>(genome.count());
    }
};

TEST(Run, AnEvaluationThatThrowsAnErrorOfOursKeepsTheLastCompleteGenerationToo) {
    EXPECT_EQ(
        message_of<RunFailed>([] { evolve(ThrowsOurOwn{}, {.population = 20, .stop = generations(50)}); }),
        "cities.csv, line 7: not a number");
}

} // namespace
} // namespace knossos::run_failure_test
