#include "support.hpp"

#include <knossos/algorithms/algorithm.hpp>
#include <knossos/algorithms/migration.hpp>
#include <knossos/core/fields.hpp>
#include <knossos/operators/crossover_permutation.hpp>
#include <knossos/operators/crossover_sites.hpp>
#include <knossos/operators/mutation_genes.hpp>
#include <knossos/operators/mutation_permutation.hpp>
#include <knossos/operators/operation_mix.hpp>

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <set>
#include <string>
#include <tuple>

namespace knossos::fields_test {
namespace {

using test::expect_mentions;
using test::message_of;

enum class Colour : unsigned char { red, green };

} // namespace
} // namespace knossos::fields_test

template <>
struct knossos::EnumNames<knossos::fields_test::Colour> {
    static constexpr std::array<std::string_view, 2> names{"red", "green"};
};

namespace knossos::fields_test {
namespace {

struct Example {
    double rate = 0.5;
    std::uint32_t count = 3;
    double open_ended = 1.0;
    bool loud = false;
    Colour colour = Colour::red;

    static constexpr std::string_view name = "example";
    static constexpr auto fields() {
        return std::tuple{probability_field("rate", &Example::rate, "how often"),
                          field("count", &Example::count, 2, 9, "how many"),
                          field("open_ended", &Example::open_ended, 0.5, unbounded, "how far"),
                          field("loud", &Example::loud, "whether it shouts"),
                          field("colour", &Example::colour, "what it looks like")};
    }
};

struct Undescribed {
    double rate = 17.0;
};

static_assert(Described<Example>);
static_assert(!Described<Undescribed>);

TEST(CheckFields, TakesWhatIsInRangeEndsIncluded) {
    EXPECT_NO_THROW(check_fields(Example{}));
    EXPECT_NO_THROW(check_fields(Example{.rate = 0.0, .count = 2, .open_ended = 0.5}));
    EXPECT_NO_THROW(check_fields(Example{.rate = 1.0, .count = 9, .open_ended = 1e300}));
    EXPECT_NO_THROW(check_fields(Example{.open_ended = std::numeric_limits<double>::infinity()}));
    EXPECT_NO_THROW(check_fields(Undescribed{}));
}

TEST(CheckFields, NamesTheFieldItsValueAndTheRange) {
    EXPECT_EQ(message_of([] { check_fields(Example{.rate = 1.5}); }),
              "example.rate is 1.5; it must be in 0..1");
    EXPECT_EQ(message_of([] { check_fields(Example{.rate = -0.25}); }),
              "example.rate is -0.25; it must be in 0..1");
    EXPECT_EQ(message_of([] { check_fields(Example{.count = 1}); }),
              "example.count is 1; it must be in 2..9");
    EXPECT_EQ(message_of([] { check_fields(Example{.count = 10}); }),
              "example.count is 10; it must be in 2..9");
    EXPECT_EQ(message_of([] { check_fields(Example{.open_ended = 0.4}); }),
              "example.open_ended is 0.4; it must be at least 0.5");
}

TEST(CheckFields, RefusesWhatIsNotANumber) {
    const double not_a_number = std::numeric_limits<double>::quiet_NaN();
    expect_mentions(message_of([&] { check_fields(Example{.rate = not_a_number}); }),
                    {"example.rate", "nan", "0..1"});
    expect_mentions(message_of([&] { check_fields(Example{.open_ended = not_a_number}); }),
                    {"example.open_ended", "nan"});
    EXPECT_THROW(check_fields(Example{.rate = std::numeric_limits<double>::infinity()}), InvalidInput);
}

// Somebody's own operators, which don't describe themselves; stages obey their probability all the same.
struct OwnMutation {
    double probability = 1.0;
    void operator()(Stream& /*stream*/, Bits genome) const { genome.flip(0); }
};
struct OwnCrossover {
    float probability = 1.0F;
    void operator()(Stream& /*stream*/, Bits a, Bits b) const { std::swap(a.words()[0], b.words()[0]); }
};
struct OwnImprovement {
    double probability = 1.0;
    Improved operator()(Stream& /*stream*/, DeltaEvaluator& deltas, const Space& /*space*/,
                        Objective /*objective*/, std::byte* genome) const {
        return {.fitness = deltas.start(genome), .evaluations = 1};
    }
};

TEST(CheckFields, RefusesAProbabilityThatIsNoneOfOperatorsWithoutADescriptionToo) {
    for (const double right : {0.0, 0.5, 1.0}) {
        EXPECT_NO_THROW(Mutation{OwnMutation{right}});
        EXPECT_NO_THROW(Recombination{OwnCrossover{static_cast<float>(right)}});
        EXPECT_NO_THROW(Improvement{OwnImprovement{right}});
    }
    EXPECT_EQ(message_of([] { Mutation{OwnMutation{1.5}}; }), "probability is 1.5; it must be in 0..1");
    const double not_a_number = std::numeric_limits<double>::quiet_NaN();
    for (const double wrong : {-0.25, 1.5, -unbounded, unbounded, not_a_number}) {
        expect_mentions(message_of([&] { Mutation{OwnMutation{wrong}}; }), {"probability", "0..1"});
        expect_mentions(message_of([&] { Recombination{OwnCrossover{static_cast<float>(wrong)}}; }),
                        {"probability", "0..1"});
        expect_mentions(message_of([&] { Improvement{OwnImprovement{wrong}}; }), {"probability", "0..1"});
    }
}

// Every operator and algorithm describes itself so that recipes, schema and studio can be made from it.
template <class T>
void expect_described(std::set<std::string>& names) {
    static_assert(Described<T>);
    EXPECT_NO_THROW(check_fields(T{})) << T::name << " refuses its own defaults";
    EXPECT_TRUE(names.insert(std::string{T::name}).second) << T::name << " is taken";
    std::apply(
        [](const auto&... fields) {
            std::set<std::string_view> own;
            [[maybe_unused]] const auto look_at = [&](const auto& one) {
                EXPECT_TRUE(own.insert(one.name).second) << T::name << "." << one.name << " is there twice";
                EXPECT_FALSE(one.meaning.empty()) << T::name << "." << one.name << " has no meaning";
                EXPECT_LE(one.minimum, one.maximum);
            };
            (look_at(fields), ...);
        },
        T::fields());
}

template <class... T>
void expect_family() {
    std::set<std::string> names;
    (expect_described<T>(names), ...);
}

TEST(Fields, EveryFamilyIsDescribedWithNamesOfItsOwn) {
    expect_family<Roulette, StochasticUniversal, Tournament, LinearRank, ExponentialRank, Truncation,
                  RandomSelection, BestSelection>();
    expect_family<OnePoint, TwoPoint, KPoint, UniformCrossover, PartiallyMatched, OrderCrossover,
                  CycleCrossover, EdgeRecombination, PositionBased, Clone>();
    expect_family<PointMutation, UniformMutation, BitFlip, Rotate, MoveOnes, SwapMutation, Insertion,
                  Inversion, Scramble, ShuffleIndexes>();
    expect_family<HillClimb, Descent>();
    expect_family<GenerationalReplacement, PlusReplacement, CommaReplacement, ReplaceWorst,
                  ReplaceInTournament, Crowding>();
    expect_family<Generational, MuPlusLambda, Nsga2, SteadyState, Duel, Knockout, Annealing>();
    expect_family<OperationMix, Islands>();
}

TEST(EnumNames, HaveOneForEveryValue) {
    EXPECT_EQ(EnumNames<RouletteScaling>::names[static_cast<std::size_t>(RouletteScaling::share)], "share");
    EXPECT_EQ(EnumNames<MoveChoice>::names[static_cast<std::size_t>(MoveChoice::reverse)], "reverse");
    EXPECT_EQ(EnumNames<Topology>::names[static_cast<std::size_t>(Topology::random)], "random");
    EXPECT_EQ(EnumNames<Emigrants>::names[static_cast<std::size_t>(Emigrants::random)], "random");
    EXPECT_EQ(EnumNames<Immigrants>::names[static_cast<std::size_t>(Immigrants::replace_if_better)],
              "if-better");
}

} // namespace
} // namespace knossos::fields_test
