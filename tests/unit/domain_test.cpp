#include <knossos/recipe/domains.hpp>

#include "support.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace knossos::domain_test {

using render::Format;
using test::expect_mentions;
using test::message_of;

namespace {

// The first individual that a recipe's problem makes.
Genome first_genome(const Recipe& recipe) {
    Settings settings = recipe.settings();
    settings.stop = generations(1);
    settings.threads = 1;
    return evolve(recipe.problem(), settings).best;
}

constexpr std::string_view evaluator =
    "[evaluator]\nprogram = \"\"\"perl -ne '$| = 1; print tr/1//, qq(\\n)'\"\"\"\n";

// A recipe of each domain.
std::vector<Recipe> recipes() {
    std::vector<Recipe> all;
    for (const Domain& domain : Registry::built_in().domains())
        all.push_back(Recipe::parse(fmt::format("[problem]\nkind = \"{}\"\n{}[stop]\ngenerations = 1\n",
                                                domain.info.name, domain.needs_evaluator ? evaluator : ""),
                                    "recipe"));
    return all;
}

} // namespace

TEST(Domains, NamesAreUnique) {
    std::set<std::string> names;
    for (const Domain& domain : Registry::built_in().domains())
        EXPECT_TRUE(names.insert(domain.info.name).second);
    EXPECT_EQ(names,
              (std::set<std::string>{"armies", "dtlz2", "dungeon", "genomes", "maze", "one-max", "pbo-queens",
                                     "queens", "rastrigin", "rosenbrock", "sphere", "zdt1", "zdt2", "zdt3"}));
}

TEST(Domains, SizesAreFieldsAndTheirProductIsTheSize) {
    for (const Recipe& recipe : recipes()) {
        const Domain& domain = domain_of(recipe);
        const Values& values = recipe.choice("problem")->values;
        for (const auto* fields : {&domain.size_fields, &domain.notation_fields})
            for (const std::string& field : *fields)
                EXPECT_NE(std::ranges::find(domain.info.fields, field, &FieldInfo::name),
                          domain.info.fields.end())
                    << domain.info.name << " has no field " << field;
        EXPECT_GT(domain.size_of(values).value_or(0.0), 0.0) << domain.info.name;
    }
}

TEST(Domains, DescriptionsSayWhatGroupsOfRunsShare) {
    std::vector<std::string> said;
    for (const Recipe& recipe : recipes())
        said.push_back(domain_of(recipe).description_of(recipe.choice("problem")->values));
    EXPECT_EQ(said, (std::vector<std::string>{
                        "queens, n = 8", "armies, 3 on 12 × 12",
                        "dungeon, keys 2, doors 2, treasure 3, monsters 3, long solution, 16 × 12",
                        "maze, exit-path, 20 × 20", "pbo-queens, n = 8", "one-max, length = 100",
                        "genomes, length = 64", "sphere, length = 30", "rosenbrock, length = 10",
                        "rastrigin, length = 10", "zdt1, length = 30", "zdt2, length = 30",
                        "zdt3, length = 30", "dtlz2, length = 12"}));
}

TEST(Domains, LogsKnowThemByNumbersOfTheirOwn) {
    std::vector<std::string> logged;
    for (const Recipe& recipe : recipes()) {
        const auto function = domain_of(recipe).logged_function(recipe.choice("problem")->values);
        logged.push_back(fmt::format("{} {} {}", function.id, function.name, function.suite));
    }
    EXPECT_EQ(logged,
              (std::vector<std::string>{
                  "1001 queens-conflicts knossos", "1303 armies-3 knossos", "1501 dungeon-solution knossos",
                  "1101 maze-exit-path knossos", "23 NQueens PBO", "1 OneMax PBO", "1201 genomes knossos",
                  "1401 Sphere knossos", "1402 Rosenbrock knossos", "1403 Rastrigin knossos",
                  "1404 ZDT1 knossos", "1405 ZDT2 knossos", "1406 ZDT3 knossos", "1407 DTLZ2 knossos"}));
}

TEST(Domains, ArtefactsComeInEveryFormatThatIsPromised) {
    for (const Recipe& recipe : recipes()) {
        const Domain& domain = domain_of(recipe);
        const ArtefactPtr artefact = artefact_of(recipe, first_genome(recipe));
        ASSERT_EQ(artefact != nullptr, static_cast<bool>(domain.decoder));
        if (!artefact) continue;
        for (const Format& format : domain.formats) {
            if (format.name == "rows" && domain.info.name != "queens") continue; // not every board has any
            const auto files = artefact->files(format.name, {.cell = 4}, "best");
            ASSERT_FALSE(files.empty()) << format.name;
            EXPECT_TRUE(files.front().name.empty()) << format.name;
            EXPECT_FALSE(files.front().bytes.empty()) << format.name;
        }
        EXPECT_THROW((void)artefact->files("abacus", {}, "best"), InvalidInput);
    }
}

TEST(Domains, ArtefactsSayWhatTheyAreInOneLineOfJson) {
    for (const Recipe& recipe : recipes()) {
        const ArtefactPtr artefact = artefact_of(recipe, first_genome(recipe));
        if (!artefact) continue;
        for (const std::string& text : {artefact->json(), artefact->view(true), artefact->view(false)}) {
            EXPECT_TRUE(nlohmann::json::parse(text).is_object()) << text;
            EXPECT_EQ(text.find('\n'), std::string::npos) << text;
        }
        EXPECT_FALSE(artefact->caption().empty());
        EXPECT_FALSE(artefact->measures().empty());
        for (const Measured& one : artefact->measures())
            EXPECT_FALSE(one.name.empty() || one.meaning.empty());
        EXPECT_EQ(nlohmann::json::parse(artefact->view(false)).at("caption"), artefact->caption());
    }
}

TEST(Domains, WhatIsWrittenAsJsonIsReadBack) {
    for (const Recipe& recipe : recipes()) {
        const Domain& domain = domain_of(recipe);
        if (!domain.read) continue;
        const ArtefactPtr artefact = artefact_of(recipe, first_genome(recipe));
        const auto files = artefact->files("json", {.switches = {{"keep_pockets", true}}}, "best");
        const ArtefactPtr again = read_artefact(files.front().bytes, "best.json");
        EXPECT_EQ(again->view(true), artefact->view(true)) << domain.info.name;
    }
}

TEST(Domains, AFileThatNobodyCanReadSaysWhy) {
    expect_mentions(message_of([] { (void)read_artefact("row,column\n0,x\n", "b.csv"); }), {"b.csv"});
    expect_mentions(message_of([] { (void)read_artefact("{\"cells\": 3}", "l.json"); }), {"l.json", "cells"});
}

TEST(Formats, NamesAndExtensionsAreUnique) {
    std::vector<std::string_view> names;
    for (const Format& format : Registry::built_in().formats()) {
        ASSERT_FALSE(format.extensions.empty());
        EXPECT_FALSE(format.meaning.empty());
        names.insert(names.end(), format.extensions.begin(), format.extensions.end());
        if (std::ranges::find(format.extensions, format.name) == format.extensions.end())
            names.push_back(format.name);
        EXPECT_EQ(&format_named(format.name), &format);
    }
    std::ranges::sort(names);
    EXPECT_EQ(std::ranges::adjacent_find(names), names.end());
}

TEST(Formats, UnknownExtensionsNameTheNearest) {
    expect_mentions(message_of([] { format_of("board.pgn"); }), {"board.pgn", "did you mean png?"});
    expect_mentions(message_of([] { format_of("board"); }), {"no extension", "svg"});
    expect_mentions(message_of([] { format_named("jsno"); }), {"jsno", "did you mean json?"});
    EXPECT_EQ(format_of("B.SVG").name, "svg");
}

// Somebody's own kind of thing, with nothing but what must be there.
class Dot final : public Artefact {
  public:
    [[nodiscard]] std::string json() const override { return "{\"dot\":1}"; }
    [[nodiscard]] std::string text(const render::TerminalOptions& options) const override {
        return options.unicode ? "•\n" : ".\n";
    }
    [[nodiscard]] render::Picture picture(const render::FormatOptions& /*options*/) const override {
        return {.width = 8, .height = 8};
    }
    [[nodiscard]] std::vector<Measured> measures() const override { return {{"size", 8.0, "a \"side\""}}; }
};

TEST(Artefacts, CommonFormatsFollowFromJsonTextAndPicture) {
    const Dot dot;
    EXPECT_EQ(dot.files("json", {}, "dot").front().bytes, "{\"dot\":1}\n");
    EXPECT_EQ(dot.files("ascii", {}, "dot").front().bytes, ".\n");
    EXPECT_EQ(dot.files("unicode", {}, "dot").front().bytes, "•\n");
    expect_mentions(dot.files("svg", {}, "dot").front().bytes, {"<svg"});
    expect_mentions(dot.files("png", {}, "dot").front().bytes, {"PNG"});
    expect_mentions(message_of([&] { (void)dot.files("fen", {}, "dot"); }), {"fen"});
    EXPECT_EQ(dot.view(true), "{}");
    EXPECT_EQ(
        dot.view(false),
        "{\"caption\":\"\",\"measures\":[{\"name\":\"size\",\"value\":8,\"meaning\":\"a \\\"side\\\"\"}]}");
}

TEST(Artefacts, ObjectsAreJoinedInOrder) {
    EXPECT_EQ(joined_objects({"{}", "{\"a\":1}", "{}", "{\"b\":2,\"c\":3}"}), "{\"a\":1,\"b\":2,\"c\":3}");
    EXPECT_EQ(joined_objects({"{}", "{}"}), "{}");
}

} // namespace knossos::domain_test
