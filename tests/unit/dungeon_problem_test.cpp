#include "dungeon/cuts.hpp"
#include "dungeon/digging.hpp"
#include "dungeon_reference.hpp"
#include "render_support.hpp"

#include <knossos/dungeon/setup.hpp>
#include <knossos/dungeon/view/level.hpp>
#include <knossos/recipe/domains.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace knossos::dungeon::problem_test {

using test::expect_mentions;
using test::message_of;

namespace {

constexpr const char* things = "keys 2, doors 2, red 1, treasure 2, monsters 1..3, one-ways 1, checkpoints 1";

std::string refusal_of(const std::vector<std::string>& overrides) {
    return message_of([&] { (void)Recipe::load("dungeon", overrides).problem(); });
}

ArtefactPtr artefact_of_file(std::string_view text) { return read_artefact(text, "level.txt"); }

// Of a genome that was made and changed as a run does.
template <class Check>
void for_each_genome(const Fields& fields, std::uint64_t seed, int changes, Check check_level) {
    const dungeon::Setup setup{fields};
    const Problem problem = setup.problem();
    std::vector<std::uint64_t> words(problem.space().genome_bytes() / 8);
    auto* const genome = reinterpret_cast<std::byte*>(words.data());
    Stream stream = test::stream_for(seed);
    problem.initialise(stream, genome);
    check_level(setup.level(genome));
    const auto moves = static_cast<std::uint32_t>(problem.moves().size());
    for (int i = 0; i < changes; ++i) {
        problem.propose(stream, genome, static_cast<std::uint32_t>(i) % moves);
        if (problem.repairs()) problem.repair(stream, genome);
        check_level(setup.level(genome));
    }
}

void expect_placed(const Level& level, const Placement& placement) {
    ASSERT_NO_THROW(check(level));
    auto counts = counts_of(level);
    for (std::size_t i = 18; i < tile_kinds; ++i) counts[17] += counts[i]; // one-ways, wherever they lead
    for (std::size_t i = 2; i < 18; ++i) {
        EXPECT_GE(counts[i], placement.counts[i].fewest) << tile_letters[i] << "\n" << to_text(level);
        EXPECT_LE(counts[i], placement.counts[i].most) << tile_letters[i] << "\n" << to_text(level);
    }
}

} // namespace

TEST(DungeonGenomes, HoldWhatIsToBePlaced) {
    for (std::uint64_t seed = 0; seed < test::seeds(100); ++seed) {
        Fields fields{.width = 4 + static_cast<std::uint32_t>(seed) % 20, .place = things};
        fields.height = 4 + static_cast<std::uint32_t>(seed * 7) % 17;
        fields.style = static_cast<Style>(seed % 4);
        fields.representation = static_cast<RepresentationName>(seed / 4 % 2);
        const Placement placement = parse_placement(things);
        for_each_genome(fields, seed, 12, [&](const Level& level) { expect_placed(level, placement); });
    }
}

TEST(DungeonGenomes, HangTogether) {
    Judge judge;
    for (std::uint64_t seed = 0; seed < test::seeds(60); ++seed) {
        Fields fields{.place = things};
        fields.style = static_cast<Style>(seed % 4);
        fields.representation = static_cast<RepresentationName>(seed / 4 % 2);
        for_each_genome(fields, seed, 12, [&](const Level& level) {
            const Measures measures = judge.judge(level).measures;
            EXPECT_EQ(measures[Measure::reachable_cells], measures[Measure::open_cells]) << to_text(level);
        });
    }
}

TEST(DungeonGenomes, OfTilesAreRepairedWhateverTheyHold) {
    const Fields fields{.place = things};
    const dungeon::Setup setup{fields};
    const Problem problem = setup.problem();
    std::vector<std::uint64_t> words(problem.space().genome_bytes() / 8);
    auto* const genome = reinterpret_cast<std::byte*>(words.data());
    for (std::uint64_t seed = 0; seed < test::seeds(100); ++seed) {
        Stream stream = test::stream_for(seed, 1);
        for (std::size_t i = 0; i < problem.space().length; ++i)
            genome[i] = static_cast<std::byte>(stream.below(seed % 3 == 0 ? 1 : tile_kinds));
        problem.repair(stream, genome);
        expect_placed(setup.level(genome), parse_placement(things));
    }
}

TEST(DungeonGenomes, TheSmallestAreFullOfThings) {
    for (const char* representation : {"tiles", "rooms"}) {
        Fields fields{.width = 2, .height = 3, .place = "keys 1, doors 1, treasure 2"};
        fields.representation = std::string_view{representation} == "rooms" ? RepresentationName::rooms
                                                                            : RepresentationName::tiles;
        for_each_genome(fields, 1, 30,
                        [&](const Level& level) { expect_placed(level, parse_placement(fields.place)); });
    }
}

TEST(DungeonPlacement, IsRead) {
    const Placement placement = parse_placement("keys 2, doors 1..3, red 2, monsters 4");
    EXPECT_EQ(placement.of(Tile::small_key), (Count{2, 2}));
    EXPECT_EQ(placement.of(Tile::small_door), (Count{1, 3}));
    EXPECT_EQ(placement.of(Tile::red_door), (Count{2, 2}));
    EXPECT_EQ(placement.of(Tile::red_key), (Count{1, 1}));
    EXPECT_EQ(placement.of(Tile::entrance), (Count{1, 1}));
    EXPECT_EQ(placement.total(), (Count{12, 14}));
    EXPECT_EQ(to_text(placement), "keys 2, doors 1..3, red 2, monsters 4");
    EXPECT_EQ(parse_placement(to_text(parse_placement(things))), parse_placement(things));
}

TEST(DungeonSettings, AreRefusedInTheirOwnWords) {
    expect_mentions(refusal_of({"problem.place='kyes 2'"}), {"place", "kyes", "did you mean keys?"});
    expect_mentions(refusal_of({"problem.place='keys'"}), {"place", "how many?"});
    expect_mentions(refusal_of({"problem.place='keys 3..2'"}), {"the range is empty"});
    expect_mentions(refusal_of({"problem.place='keys 1, keys 2'"}), {"twice"});
    expect_mentions(refusal_of({"problem.place='treasure 500'", "problem.goal=''"}),
                    {"502 things", "16 × 12 has 192 cells"});
    expect_mentions(refusal_of({"problem.place='keys 20, doors 20'", "problem.goal=''"}),
                    {"states", "16,777,216"});
    for (const char* place : {"doors 2", "keys 1, doors 2..3"})
        expect_mentions(refusal_of({fmt::format("problem.place='{}'", place), "problem.goal=''"}),
                        {"place", "asks for 2 doors and", "'keys 2, doors 2'"});
    expect_mentions(refusal_of({"problem.goal='key_dept 2'"}), {"key_dept", "did you mean key_depth?"});
    expect_mentions(refusal_of({"problem.goal='key_depth 3..'"}), {"key_depth 3..", "2 doors at most"});
    // Five legs at most, with two keys and two doors, of 191 steps.
    expect_mentions(refusal_of({"problem.goal='solution 956..'"}), {"solution 956..", "never more than 955"});
    EXPECT_NO_THROW((void)Recipe::load("dungeon", {"problem.goal='solution 955..'"}).problem());
    expect_mentions(refusal_of({"problem.goal='exit_path 192..'"}),
                    {"exit_path 192..", "never more than 191"});
    const std::string rock = "problem.locks='''\n" + [] {
        std::string rows;
        for (int row = 0; row < 12; ++row) rows += "################\n";
        return rows;
    }() + "'''";
    expect_mentions(refusal_of({rock, "problem.goal=''"}), {"locks", "leaves 0 cells for things", "12 more"});
    expect_mentions(refusal_of({"problem.goal='solution 10..40 near 20, maximise detour'"}), {"near"});
    expect_mentions(refusal_of({"problem.goal='backtracking 30'"}), {"share", "0..1"});
    expect_mentions(refusal_of({"problem.descriptors='solutoin'"}), {"descriptors", "solution"});
    expect_mentions(refusal_of({"problem.width=257"}), {"problem.width", "2..256"});
}

TEST(DungeonRuns, MeetTheirGoalsWhateverTheStyle) {
    for (const char* style : {"cave", "halls", "labyrinth", "keep"}) {
        const Recipe recipe = Recipe::load("dungeon", {fmt::format("problem.style={}", style), "seed=1"});
        const Result result = evolve(recipe.problem(), recipe.settings());
        EXPECT_EQ(result.violation, 0.0) << style;
        const ArtefactPtr dungeon = artefact_of(recipe, result.best);
        EXPECT_TRUE(dungeon->is_reached()) << style;
        const Level level = *parse_level_json(dungeon->json());
        const reference::Verdict plain = reference::check_plainly(level);
        EXPECT_TRUE(plain.solvable && plain.unlosable) << to_text(level);
        EXPECT_GE(plain.solution, 40);
        EXPECT_LE(plain.solution, 70);
    }
}

TEST(DungeonRuns, OfLargeDungeonsMeetTheirGoalsSoon) {
    const auto expect_soon = [](const std::string& recipe_name, const std::string& field) {
        const Recipe recipe = Recipe::load(
            recipe_name,
            {field, "problem.width=60", "problem.height=40", "seed=1", "stop.evaluations=20000",
             "problem.place='keys 3, doors 3, treasure 6, monsters 6'",
             "problem.goal='solution 100.., doors_opened 3, key_depth 2.., treasure_reachable 6'"});
        const Result result = evolve(recipe.problem(), recipe.settings());
        EXPECT_EQ(result.violation, 0.0) << recipe_name << " " << field;
    };
    for (const char* style : {"cave", "halls", "labyrinth", "keep"})
        expect_soon("dungeon", fmt::format("problem.style={}", style));
    expect_soon("dungeon-rooms", "problem.rooms=0");
}

// What is drawn of a level is often its rock and its things, far apart from each other.
TEST(DungeonRuns, LeadToWhatWasDrawnWhateverTheStyle) {
    const std::string drawing = "????#X?$??#?#???\n"
                                "???m#???#???#???\n"
                                "????##+####?#???\n"
                                "????#????#??????\n"
                                "#?###??#$?###???\n"
                                "????#???????????\n"
                                "?#??###???###?#?\n"
                                "????????????#???\n"
                                "???m#??#???m????\n"
                                "+#######??##$?##\n"
                                "?E??#???k???????\n"
                                "#?k##???????????\n";
    for (const char* style : {"cave", "halls", "labyrinth", "keep"})
        for (const char* as : {"locks", "start"}) {
            const Recipe recipe =
                Recipe::load("dungeon", {fmt::format("problem.style={}", style), "stop.evaluations=20000",
                                         fmt::format("problem.{}='''\n{}'''", as, drawing), "seed=1",
                                         "problem.goal='doors_opened 2, key_depth 2, solution 28..'"});
            const Result result = evolve(recipe.problem(), recipe.settings());
            EXPECT_EQ(result.violation, 0.0) << style << " " << as;
            EXPECT_TRUE(artefact_of(recipe, result.best)->is_reached()) << style << " " << as;
        }
}

// A pocket of rock that was drawn can't be led to; nothing else is refused for it.
TEST(DungeonRuns, LeaveDrawnPocketsAlone) {
    const std::string drawing = "????????\n"
                                "??####??\n"
                                "??#..#??\n"
                                "??#..#??\n"
                                "??####??\n"
                                "????????\n";
    for (const char* as : {"locks", "start"}) {
        const Recipe recipe = Recipe::load(
            "dungeon",
            {"problem.width=8", "problem.height=6", fmt::format("problem.{}='''\n{}'''", as, drawing),
             "problem.place='keys 1, doors 1'", "problem.goal='doors_opened 1, solution 12..'",
             "problem.style=cave", "stop.evaluations=20000", "seed=1"});
        const Result result = evolve(recipe.problem(), recipe.settings());
        EXPECT_EQ(result.violation, 0.0) << as;
    }
}

TEST(DungeonCuts, AreWhatFillingACellCutsOff) {
    Cuts cuts;
    for (std::uint64_t seed = 0; seed < test::seeds(50); ++seed) {
        Stream stream = test::stream_for(seed, 3);
        const Level level = reference::random_level(stream);
        const auto entrance =
            static_cast<std::size_t>(std::ranges::find(level.cells, Tile::entrance) - level.cells.begin());
        std::vector<std::uint8_t> marks(level.area());
        std::vector<std::uint32_t> queue;
        const std::size_t all = mark_connected(level, entrance, marks, queue);
        ASSERT_EQ(cuts.find(level, entrance), all);
        for (std::size_t i = 0; i < level.area(); ++i) {
            if (marks[i] == 0 || i == entrance) continue;
            Level filled = level;
            filled.cells[i] = Tile::rock;
            std::vector<std::uint8_t> left(level.area());
            EXPECT_EQ(cuts.cut_off_by(i), all - 1 - mark_connected(filled, entrance, left, queue))
                << i << "\n"
                << to_text(level);
        }
    }
}

TEST(DungeonRuns, WhatCanBeLostIsWithheld) {
    // In the second one nobody comes back who takes the one-way.
    const auto why = [](std::vector<std::string> overrides) {
        overrides.insert(overrides.end(), {"problem.place='one-ways 1'", "problem.goal=''",
                                           "stop.solved=false", "problem.width=4", "problem.height=2"});
        const Recipe recipe = Recipe::load("dungeon", overrides);
        std::string told;
        for (const char* drawing : {"E>..\nX...\n", "E>..\nX#..\n"}) {
            Genome genome{recipe.problem().space(), {}};
            genome.bytes.resize(genome.space.genome_bytes());
            const Level level = parse_level(drawing);
            for (std::size_t i = 0; i < level.area(); ++i)
                genome.bytes[i] = static_cast<std::byte>(level.cells[i]);
            told += artefact_of(recipe, genome)->why_withheld() + "|";
        }
        return told;
    };
    EXPECT_TRUE(why({}).starts_with("|can be lost, ")) << why({});
    EXPECT_EQ(why({"problem.unlosable=false"}), "||");
    EXPECT_EQ(artefact_of_file("E>..\nX#..\n")->why_withheld(), "");
}

TEST(DungeonRuns, RoomsMeetTheirGoals) {
    const Recipe recipe = Recipe::load("dungeon-rooms", {"seed=1"});
    const Result result = evolve(recipe.problem(), recipe.settings());
    EXPECT_TRUE(artefact_of(recipe, result.best)->is_reached());
}

TEST(DungeonJson, IsReadBackAndSaysEverything) {
    const Level level = parse_level("####.\n####+\nX+k.E\n");
    const std::string text = level_json(level);
    EXPECT_EQ(parse_level_json(text), level);
    EXPECT_EQ(parse_level_json(fmt::format("{{\"result\":{}}}", text)), level);
    const auto dungeon = nlohmann::json::parse(text).at("dungeon");
    EXPECT_EQ(dungeon.at("solvable"), true);
    EXPECT_EQ(dungeon.at("unlosable"), false);
    EXPECT_EQ(dungeon.at("walkthrough").at("moves"), "wwww");
    EXPECT_EQ(dungeon.at("walkthrough").at("events").at(0).at("what"), "small key");
    EXPECT_EQ(dungeon.at("losing_walk").at("steps"), 5);
    EXPECT_EQ(dungeon.at("measures").at("solution"), 4);
    expect_mentions(dungeon.at("remarks").at(0), {"2 locked doors for 1 small key"});
}

TEST(DungeonJson, SaysWhatIsWrong) {
    const auto refusal = [](std::string_view rows) {
        return message_of(
            [&] { (void)parse_level_json(fmt::format("{{\"dungeon\":{{\"rows\":{}}}}}", rows), "d.json"); });
    };
    expect_mentions(refusal("3"), {"d.json", "rows holds 3"});
    expect_mentions(refusal("[\"E.X\",7]"), {"row 2 is 7"});
    expect_mentions(refusal("[\"E.X\",\"..\"]"), {"d.json:2:3", "2 cells"});
    for (const std::string_view other : {"", "[1]", "{broken", R"({"board":{}})", R"({"dungeon":{}})"})
        EXPECT_FALSE(parse_level_json(other).has_value()) << other;
    const auto whole = [](const std::string& text) {
        return message_of([&] { (void)parse_level_file(text, "d.json"); });
    };
    expect_mentions(whole(R"({"dungeon":null})"), {"d.json: the JSON holds no dungeon", "\"rows\""});
    expect_mentions(whole("{broken"), {"d.json: ", "parse error"});
    std::string deep;
    for (int i = 0; i < 1000; ++i) deep += "{\"dungeon\":";
    expect_mentions(whole(deep), {"d.json: the JSON is nested too deeply"});
}

TEST(DungeonFiles, TextIsReadByTheDomain) {
    const std::string text = "Ek.\n##+\nX..\n";
    const ArtefactPtr dungeon = read_artefact(text, "level.txt");
    const auto files = dungeon->files("ascii", {}, "level");
    EXPECT_EQ(files.front().bytes, text);
    expect_mentions(dungeon->caption(), {"3 × 3", "can't be lost", "6 steps", "1 door"});
    const std::string shown = dungeon->text({.unicode = false});
    expect_mentions(shown,
                    {"take the small key at 1,0", "open the locked door at 2,1", "leave by the exit at 0,2"});
}

TEST(DungeonText, WalkthroughsFitIntoTheirColumns) {
    std::string drawing;
    for (int row = 0; row < 20; ++row)
        drawing += row % 2 == 0   ? "........................\n"
                   : row % 4 == 1 ? "#######################.\n"
                                  : ".#######################\n";
    drawing[0] = 'E';
    drawing[18 * 25] = 'X';
    const Level level = parse_level(drawing);
    for (const std::uint32_t columns : {40U, 60U, 80U}) {
        const std::string text = level_text(level, {.unicode = false, .columns = columns});
        std::size_t lines = 0;
        for (std::size_t at = 0; at < text.size(); ++lines) {
            const std::size_t end = text.find('\n', at);
            EXPECT_LE(end - at, columns) << text.substr(at, end - at);
            at = end + 1;
        }
        EXPECT_GT(lines, 23U) << text;
        // What goes on does so below what happens.
        EXPECT_NE(text.find("\n        ", text.find("walkthrough")), std::string::npos) << text;
    }
    EXPECT_EQ(walk_text(level, Judge{}.solution(level)).find("\n        "), std::string::npos);
}

namespace {

// What is drawn in each cell of a level, as far as it is not floor: shapes without their colours.
std::vector<std::string> shapes_in(const Level& level, std::uint32_t cell) {
    render::FormatOptions options;
    options.cell = cell;
    options.switches["solution"] = false;
    const auto pixels = render::decode_png(render::to_png(level_picture(level, options)), 1'000'000).pixels;
    const std::uint32_t around = (pixels.width - cell * level.width) / 2;
    std::vector<std::string> shapes;
    for (std::size_t i = 0; i < level.area(); ++i) {
        std::string& shape = shapes.emplace_back();
        for (std::uint32_t y = 0; y < cell; ++y)
            for (std::uint32_t x = 0; x < cell; ++x) {
                const std::size_t at = std::size_t{around + level.y_of(i) * cell + y} * pixels.width +
                                       around + level.x_of(i) * cell + x;
                const auto apart = [](int a, int b) { return a < b ? b - a : a - b; };
                const render::Colour floor = render::light.floor;
                const int differs = apart(pixels.rgb[3 * at], floor.red) +
                                    apart(pixels.rgb[3 * at + 1], floor.green) +
                                    apart(pixels.rgb[3 * at + 2], floor.blue);
                shape += differs > 90 ? '#' : '.';
            }
    }
    return shapes;
}

} // namespace

TEST(DungeonPicture, SmallMarksDifferInTheirShapes) {
    const Level level = parse_level("EkC$m+rg>X");
    for (const std::uint32_t cell : {6U, 8U, 10U, 13U, 16U}) {
        const auto shapes = shapes_in(level, cell);
        for (std::size_t a = 0; a < shapes.size(); ++a)
            for (std::size_t b = 0; b < a; ++b) {
                std::uint32_t apart = 0;
                for (std::size_t i = 0; i < shapes[a].size(); ++i)
                    apart += shapes[a][i] != shapes[b][i] ? 1U : 0U;
                // Of coloured keys the marks on them differ, as far as there is room for that.
                if (is_key(level.cells[a]) && is_key(level.cells[b])) continue;
                EXPECT_GE(apart, cell * cell / 10)
                    << letter(level.cells[a]) << " and " << letter(level.cells[b]) << " at " << cell << "\n"
                    << shapes[a] << "\n"
                    << shapes[b];
            }
    }
}

TEST(DungeonPicture, SvgIsSoundAtEverySize) {
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        Stream stream = test::stream_for(seed, 2);
        const Level level = reference::random_level(stream);
        for (const std::uint32_t cell : {0U, 1U, 5U, 30U})
            EXPECT_EQ(test::XmlCheck::problem(render::to_svg(level_picture(level, {.cell = cell}))), "");
    }
    expect_mentions(message_of([] { (void)level_picture(parse_level("E.X"), {.cell = 20'000}); }),
                    {"32,000"});
}

} // namespace knossos::dungeon::problem_test
