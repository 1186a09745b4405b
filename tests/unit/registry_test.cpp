#include <knossos/recipe/difference.hpp>
#include <knossos/recipe/domains.hpp>
#include <knossos/recipe/result_json.hpp>
#include <knossos/recipe/run_folder.hpp>
#include <knossos/study/analysis.hpp>
#include <knossos/study/report.hpp>
#include <knossos/study/runner.hpp>

#include "render_support.hpp"

#include <gtest/gtest.h>

namespace knossos::registry_test {

using test::expect_mentions;
using test::message_of;

namespace {

// As many changes between neighbours as possible.
struct Stripes {
    static constexpr auto objective = Objective::maximise;
    std::uint32_t length;
    [[nodiscard]] Space space() const { return Space::bits(length); }
    [[nodiscard]] std::optional<double> target() const { return length - 1.0; }
    [[nodiscard]] double evaluate(BitView bits) const {
        double changes = 0.0;
        for (std::size_t i = 1; i < bits.size(); ++i) changes += bits[i] != bits[i - 1] ? 1.0 : 0.0;
        return changes;
    }
};

struct StripeFields {
    std::uint32_t length = 16;

    static constexpr std::string_view name = "stripes";
    static constexpr auto fields() {
        return std::tuple{field("length", &StripeFields::length, 2, 64, "number of cells")};
    }
    [[nodiscard]] Problem make() const { return Stripes{length}; }
};

class Stripe final : public Artefact {
  public:
    explicit Stripe(std::string cells) : cells_{std::move(cells)} {}
    [[nodiscard]] std::string json() const override { return "{\"stripe\":\"" + cells_ + "\"}"; }
    [[nodiscard]] std::string text(const render::TerminalOptions& /*options*/) const override {
        return cells_ + "\n";
    }
    [[nodiscard]] render::Picture picture(const render::FormatOptions& /*options*/) const override {
        return {.width = 16, .height = 1};
    }

  private:
    std::string cells_;
};

Domain stripes() {
    Domain domain = domain_of_fields<StripeFields>("cells that differ from their neighbours");
    domain.decoder = [](const Values&) -> Decoder {
        return [](const Space& space, const std::byte* genome) -> ArtefactPtr {
            return std::make_unique<Stripe>(to_text(space, genome));
        };
    };
    domain.formats = {{.name = "stripe",
                       .extensions = {"stripe"},
                       .meaning = "cells in a line",
                       .media_type = "text/plain"}};
    return domain;
}

struct FlipAny {
    static constexpr std::string_view name = "flip-any";
    static constexpr auto fields() { return std::tuple<>{}; }
    void operator()(Stream& stream, Bits bits) const { bits.flip(stream.below64(bits.size())); }
};

constexpr std::string_view recipe_text = R"(
problem = { kind = "stripes", length = 12 }
algorithm = { population = 20 }
stages.mutate.kind = "flip-any"
stages.replace.kind = "plus"
stop = { solved = true, generations = 500 }
)";

Registry ours() { return Registry{}.add(stripes()).add(entry<Mutation, FlipAny>("flips one bit")); }

} // namespace

TEST(Registry, RecipesOfOnesOwnPartsRunAndAreShown) {
    const Recipe recipe = Recipe::parse(recipe_text, "stripes.toml", {}, ours());
    const Result result = evolve(recipe.problem(), recipe.settings());
    EXPECT_TRUE(result.solved);
    const std::string cells = artefact_of(recipe, result.best)->text({});
    EXPECT_TRUE(cells == "010101010101\n" || cells == "101010101010\n") << cells;
    EXPECT_EQ(domain_of(recipe).description_of(recipe.choice("problem")->values), "stripes");
    const Recipe again = Recipe::parse(recipe.to_toml(), "again.toml", {}, recipe.registry());
    EXPECT_EQ(again.hash(), recipe.hash());
}

TEST(Registry, ANameTwiceIsRefused) {
    Registry registry = ours();
    expect_mentions(message_of([&] { registry.add(stripes()); }), {"domain", "'stripes'", "already"});
    expect_mentions(message_of([&] { registry.add(entry<Mutation, FlipAny>("again")); }),
                    {"mutation", "'flip-any'", "already"});
    expect_mentions(message_of([&] { registry.add(entry<Mutation, BitFlip>("ours")); }),
                    {"mutation", "'bit-flip'", "already"});
    expect_mentions(message_of([&] { registry.add(entry<Algorithm, Duel>("ours")); }),
                    {"algorithm", "'duel'"});
    registry.add(BuiltInRecipe{"stripes", std::string{recipe_text}});
    expect_mentions(message_of([&] { registry.add(BuiltInRecipe{"stripes", ""}); }), {"recipe", "'stripes'"});
    expect_mentions(message_of([&] { registry.add(BuiltInRecipe{"one-max", ""}); }), {"recipe", "'one-max'"});
    expect_mentions(message_of([&] { registry.add(BuiltInRecipe{"", ""}); }), {"recipe", "without a name"});
    for (const char* file : {"ours/stripes", "stripes.toml"})
        expect_mentions(message_of([&] { registry.add(BuiltInRecipe{file, ""}); }), {file, "file"});
    Domain nameless = stripes();
    nameless.info.name.clear();
    expect_mentions(message_of([&] { registry.add(nameless); }), {"domain", "without a name"});
    EXPECT_EQ(registry.domains().size(), Registry{}.domains().size() + 1);
}

TEST(Registry, ADomainThatDoesNotHoldTogetherIsRefused) {
    Registry registry;
    Domain domain = stripes();
    domain.size_fields = {"length", "width"};
    expect_mentions(message_of([&] { registry.add(domain); }), {"'stripes'", "'width'"});
    domain = stripes();
    domain.make = {};
    expect_mentions(message_of([&] { registry.add(domain); }), {"'stripes'", "problem"});
}

TEST(Registry, WhatIsAddedToOneIsInNoOther) {
    const Registry before;
    const Registry registry = ours();
    EXPECT_EQ(registry.domains().size(), before.domains().size() + 1);
    EXPECT_EQ(registry.mutations().size(), before.mutations().size() + 1);
    EXPECT_EQ(Registry::built_in().mutations().size(), before.mutations().size());
    EXPECT_THROW((void)Recipe::parse(recipe_text, "stripes.toml"), RecipeError);
}

TEST(Registry, MessagesSchemaAndFormatsKnowWhatWasAdded) {
    const Registry registry = ours();
    expect_mentions(
        message_of([&] { (void)Recipe::parse("problem.kind = 'stripe'", "s.toml", {}, registry); }),
        {"s.toml", "stripes"});
    expect_mentions(recipe_schema(registry), {"flip-any", "cells that differ from their neighbours"});
    EXPECT_EQ(recipe_schema().find("flip-any"), std::string::npos);
    EXPECT_EQ(format_of("a.stripe", registry).name, "stripe");
    EXPECT_THROW((void)format_of("a.stripe"), InvalidInput);
}

TEST(Registry, RecipesThatAProgramBringsAlongAreKnownByName) {
    const Registry registry = ours().add(BuiltInRecipe{"stripes", std::string{recipe_text}});
    EXPECT_EQ(Recipe::load("stripes", {}, registry).hash(),
              Recipe::parse(recipe_text, "stripes.toml", {}, registry).hash());
    expect_mentions(message_of([&] { (void)Recipe::load("strips", {}, registry); }), {"stripes?"});
    EXPECT_EQ(registry.recipes().size(), built_in_recipes().size() + 1);
    EXPECT_EQ(Registry::built_in().recipes().size(), built_in_recipes().size());
}

TEST(Registry, MessagesNameTheProgram) {
    const test::Folder folder;
    const Registry registry = ours().call_program("striper");
    EXPECT_EQ(Registry::built_in().program(), "knossos");
    EXPECT_EQ(ours().program(), "knossos");
    const auto path = folder / "run";
    expect_mentions(message_of([&] { (void)RunFolder::open(path, registry); }), {"'striper run RECIPE -d"});
    const Recipe recipe = Recipe::parse(recipe_text, "stripes.toml", {}, registry);
    const RunFolder run = RunFolder::create(path, recipe);
    expect_mentions(message_of([&] { (void)verify(run, 1); }), {"'striper resume "});
    expect_mentions(message_of([&] { (void)RunFolder::create(path, recipe); }), {"'striper resume "});
    expect_mentions(message_of([&] { (void)Recipe::load(path.string() + "/", {}, registry); }),
                    {"'striper resume "});
}

TEST(Registry, RunFoldersOfOnesOwnPartsAreResumedAndVerified) {
    const test::Folder folder;
    const Recipe recipe =
        Recipe::parse(recipe_text, "stripes.toml", {"stop.solved=false", "stop.generations=40"}, ours());
    const Result straight = evolve(recipe.problem(), recipe.settings());
    {
        const RunFolder half = RunFolder::create(folder / "run", recipe);
        knossos::Run run{recipe.problem(), recipe.settings()};
        for (int i = 0; i < 15; ++i) run.step();
        half.save(run);
    }
    EXPECT_THROW((void)RunFolder::open(folder / "run"), RecipeError);
    const RunFolder again = RunFolder::open(folder / "run", ours());
    std::string remark;
    knossos::Run run = again.resume(again.recipe().settings(), remark);
    EXPECT_EQ(run.status().statistics.generation, 15U);
    run.finish();
    again.finish(run);
    EXPECT_EQ(run.result().digest, straight.digest);
    EXPECT_EQ(verify(again, 2), std::nullopt);
}

TEST(Registry, StudiesOfOnesOwnPartsAreCarriedOutAndReported) {
    const test::Folder folder;
    const Registry registry =
        ours().add(BuiltInRecipe{"stripes", std::string{recipe_text}}).call_program("striper");
    const study::Study planned =
        study::Study::parse("runs = 3\nrecipes = ['stripes']\n", "s.toml", {}, {}, registry);
    study::Store store = study::Store::open_for(folder / "s.db", planned);
    EXPECT_TRUE(study::carry_out(planned, store, {.threads = 2}));
    const study::Analysis analysis = study::analyse(store, registry);
    EXPECT_EQ(analysis.runs, 3U);
    expect_mentions(study::html_report(analysis), {"striper run FILE", "stripes"});
    EXPECT_FALSE(study::ioh_report(store, registry).empty());
    EXPECT_THROW((void)study::ioh_report(store), RecipeError);
}

OwnTopology own_ring() {
    return {.name = "our-ring",
            .senders = [](Stream&, std::uint32_t count, std::uint32_t island) -> std::vector<std::uint32_t> {
                return {(island + count - 1) % count};
            },
            .most_senders = [](std::uint32_t) { return 1U; }};
}

TEST(Registry, ATopologyOfOnesOwnIsLikeOneThatIsBuiltIn) {
    const Registry registry = ours().add(own_ring());
    const auto digest = [&](const std::string& topology, unsigned threads) {
        const Recipe recipe =
            Recipe::parse(recipe_text, "stripes.toml",
                          {"islands.topology=" + topology, "islands.count=5", "islands.interval=2",
                           "problem.length=40", "stop.solved=false", "stop.generations=30"},
                          registry);
        Settings settings = recipe.settings();
        settings.threads = threads;
        EXPECT_EQ(Recipe::parse(recipe.to_toml(), "again.toml", {}, registry).hash(), recipe.hash());
        return evolve(recipe.problem(), settings).digest;
    };
    EXPECT_EQ(digest("our-ring", 1), digest("ring", 1));
    EXPECT_EQ(digest("our-ring", 3), digest("ring", 2));
    EXPECT_NE(digest("our-ring", 1), digest("complete", 1));
    expect_mentions(recipe_schema(registry), {"our-ring"});
    expect_mentions(message_of([&] {
                        (void)Recipe::parse(recipe_text, "s.toml", {"islands.topology=our-rng"}, registry);
                    }),
                    {"islands.topology", "our-ring?"});
}

TEST(Registry, ATopologyThatNamesOthersThanItMayIsRefused) {
    const auto message = [](OwnTopology topology) {
        return message_of([&] {
            const Registry registry = ours().add(std::move(topology));
            (void)Recipe::parse(recipe_text, "s.toml", {"islands.topology=wrong", "islands.count=4"},
                                registry);
        });
    };
    OwnTopology wrong = own_ring();
    wrong.name = "wrong";
    wrong.senders = [](Stream&, std::uint32_t, std::uint32_t island) { return std::vector{island}; };
    expect_mentions(message(wrong), {"[islands]", "'wrong'", "hear from 0", "another of 0..3"});
    wrong.senders = [](Stream&, std::uint32_t count, std::uint32_t) { return std::vector{count}; };
    expect_mentions(message(wrong), {"hear from 4", "another of 0..3"});
    wrong.senders = [](Stream&, std::uint32_t count, std::uint32_t island) {
        return std::vector{(island + 1) % count, (island + 2) % count};
    };
    expect_mentions(message(wrong), {"hear from 2 others", "at most 1"});
    Registry registry = ours().add(own_ring());
    expect_mentions(message_of([&] { registry.add(own_ring()); }), {"topology", "'our-ring'", "already"});
    OwnTopology torus = own_ring();
    torus.name = "torus";
    expect_mentions(message_of([&] { registry.add(torus); }), {"topology", "'torus'", "already"});
    torus.name = "";
    expect_mentions(message_of([&] { registry.add(torus); }), {"topology", "without a name"});
    torus.name = "silent";
    torus.senders = {};
    expect_mentions(message_of([&] { registry.add(torus); }), {"'silent'", "who sends to whom"});
}

OwnEmigrants own_best() {
    return {.name = "our-best", .choose = [](Stream&, const Scores& residents, std::size_t count) {
                std::vector<std::uint32_t> order;
                rank_best_first(residents, order);
                order.resize(count);
                return order;
            }};
}

// As "worst", for arrivals from one island.
OwnImmigrants own_worst() {
    return {.name = "our-worst", .replace = [](Stream&, const Scores& residents, const Scores& arrivals) {
                std::vector<std::uint32_t> order;
                rank_best_first(residents, order);
                std::ranges::reverse(order);
                order.resize(arrivals.size());
                return order;
            }};
}

TEST(Registry, PoliciesOfMigrationOfOnesOwnAreLikeThoseThatAreBuiltIn) {
    OwnImmigrants closed = own_worst();
    closed.name = "closed";
    closed.replace = [](Stream&, const Scores&, const Scores& arrivals) {
        return std::vector(arrivals.size(), OwnImmigrants::nobody);
    };
    const Registry registry = ours().add(own_best()).add(own_worst()).add(closed);
    const auto digest = [&](const std::string& emigrants, const std::string& immigrants, unsigned threads) {
        const Recipe recipe =
            Recipe::parse(recipe_text, "stripes.toml",
                          {"islands.emigrants=" + emigrants, "islands.immigrants=" + immigrants,
                           "islands.count=5", "islands.interval=2", "islands.migrants=3", "problem.length=40",
                           "stop.solved=false", "stop.generations=30"},
                          registry);
        Settings settings = recipe.settings();
        settings.threads = threads;
        EXPECT_EQ(Recipe::parse(recipe.to_toml(), "again.toml", {}, registry).hash(), recipe.hash());
        return evolve(recipe.problem(), settings).digest;
    };
    const auto expected = digest("best", "worst", 1);
    EXPECT_EQ(digest("our-best", "worst", 3), expected);
    EXPECT_EQ(digest("best", "our-worst", 2), expected);
    EXPECT_EQ(digest("our-best", "our-worst", 1), expected);
    EXPECT_NE(digest("random", "worst", 1), expected);
    EXPECT_NE(digest("our-best", "closed", 1), expected);
    expect_mentions(recipe_schema(registry), {"our-best", "our-worst"});
    Registry again = registry;
    expect_mentions(message_of([&] { again.add(own_best()); }), {"emigrants", "'our-best'", "already"});
    OwnImmigrants wrong = own_worst();
    wrong.name = "if-better";
    expect_mentions(message_of([&] { again.add(wrong); }), {"immigrants", "'if-better'", "already"});
    wrong.name = "";
    expect_mentions(message_of([&] { again.add(wrong); }), {"immigrants", "without a name"});
    wrong.name = "silent";
    wrong.replace = {};
    expect_mentions(message_of([&] { again.add(wrong); }), {"'silent'", "whom the arrivals replace"});
}

// A problem whose data come from outside: as here the field does not say what is in the file.
struct Weighted {
    static constexpr auto objective = Objective::maximise;
    std::uint64_t data;
    [[nodiscard]] static Space space() { return Space::bits(8); }
    [[nodiscard]] std::uint64_t fingerprint() const { return data; }
    [[nodiscard]] double evaluate(BitView bits) const { return static_cast<double>(bits.count() * data); }
};

Registry weighted(const std::uint64_t& data) {
    Domain domain{.info = {.name = "weighted", .summary = "weights", .fields = {}},
                  .make = [&data](const Values&) -> Problem { return Weighted{data}; }};
    return Registry{}.add(std::move(domain));
}

TEST(Registry, DataFromOutsideArePartOfTheIdentity) {
    const test::Folder folder;
    std::uint64_t data = 5;
    const Registry registry = weighted(data);
    constexpr std::string_view text = "problem.kind = 'weighted'\nstop.generations = 9";
    const Recipe before = Recipe::parse(text, "w.toml", {}, registry);
    EXPECT_EQ(before.fingerprint(), 5U);
    EXPECT_TRUE(before.identity().contains("problem.fingerprint()"));
    EXPECT_EQ(Recipe::load("one-max").fingerprint(), 0U);
    EXPECT_FALSE(Recipe::load("one-max").identity().contains("problem.fingerprint()"));
    {
        const RunFolder run_folder = RunFolder::create(folder / "run", before);
        knossos::Run run{before.problem(), before.settings()};
        run.step();
        run_folder.save(run);
    }
    data = 6;
    const Recipe after = Recipe::parse(text, "w.toml", {}, registry);
    EXPECT_NE(after.hash(), before.hash());
    EXPECT_EQ(before.problem().fingerprint(), 5U) << "a recipe keeps what it has read";
    const auto difference = first_difference(before, after);
    ASSERT_TRUE(difference.has_value());
    EXPECT_EQ(difference->name, "problem.fingerprint()");
    const RunFolder changed = RunFolder::open(folder / "run", registry);
    std::string remark;
    expect_mentions(message_of([&] { (void)changed.resume(changed.recipe().settings(), remark); }),
                    {"other data"});
}

} // namespace knossos::registry_test
