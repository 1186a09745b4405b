#include <knossos/recipe/domains.hpp>

#include "support.hpp"

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

} // namespace knossos::registry_test
