#include "dungeon_reference.hpp"
#include "support.hpp"

#include <knossos/dungeon/judge.hpp>
#include <knossos/dungeon/setup.hpp>
#include <knossos/maze/measures.hpp>
#include <knossos/recipe/domains.hpp>

#include <algorithm>
#include <functional>
#include <set>

namespace knossos::dungeon::judge_test {

using reference::check_plainly;
using reference::random_level;
using reference::Verdict;

namespace {

Judgement judged(std::string_view drawing) { return Judge{}.judge(parse_level(drawing)); }

// One dungeon after the other as a search comes by them: of 10 × 8 with four locks, mostly solvable.
class Evolving {
  public:
    Level next(Stream& stream) {
        std::vector<std::uint64_t> before = words_;
        if (made_++ % 100 == 0)
            problem_.initialise(stream, genome());
        else
            problem_.propose(stream, genome());
        problem_.repair(stream, genome());
        Level level = setup_.level(genome());
        // Of those that can't be solved no more come.
        if (!judge_.is_solvable(level) && made_ % 100 != 1) words_ = std::move(before);
        return level;
    }

  private:
    std::byte* genome() { return reinterpret_cast<std::byte*>(words_.data()); }

    Setup setup_{
        Fields{.width = 10, .height = 8, .place = "keys 2, doors 2, red 1, blue 1, one-ways 1, monsters 2"}};
    Problem problem_ = setup_.problem();
    std::vector<std::uint64_t> words_ = std::vector<std::uint64_t>(problem_.space().genome_bytes() / 8);
    Judge judge_{};
    std::uint64_t made_ = 0;
};

double measured(std::string_view drawing, Measure measure) { return judged(drawing).measures[measure]; }

} // namespace

TEST(DungeonJudge, AgreesWithThePlainChecker) {
    Judge judge;
    Evolving evolving;
    int solvable = 0;
    int losable = 0;
    // 5,000, and 100,000 where there is time.
    const std::uint64_t seeds = test::seeds(5000) > 5000 ? 2 * test::seeds(5000) : test::seeds(5000);
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        Stream stream = test::stream_for(seed);
        const Level level = seed % 4 == 0 ? evolving.next(stream) : random_level(stream);
        const Verdict plain = check_plainly(level);
        const Judgement quick = judge.judge(level);
        ASSERT_EQ(quick.solvable, plain.solvable) << to_text(level);
        ASSERT_EQ(quick.unlosable, plain.unlosable) << to_text(level);
        ASSERT_EQ(quick.measures[Measure::solution], plain.solution) << to_text(level);
        ASSERT_EQ(quick.measures[Measure::fewest_encounters], plain.fewest_monsters) << to_text(level);
        ASSERT_EQ(judge.is_solvable(level), plain.solvable) << to_text(level);
        ASSERT_EQ(quick.short_of_exit == 0, plain.solvable) << to_text(level);
        const Walk losing = judge.losing_walk(level);
        ASSERT_EQ(static_cast<int>(losing.size()) - 1, plain.losing) << to_text(level);
        solvable += plain.solvable ? 1 : 0;
        losable += plain.solvable && !plain.unlosable ? 1 : 0;
    }
    // Enough of each kind, or nothing would have been compared.
    EXPECT_GT(solvable * 10, static_cast<int>(seeds));
    EXPECT_GT(losable * 100, static_cast<int>(seeds));
}

TEST(DungeonJudge, WalksCanBeWalked) {
    Judge judge;
    for (std::uint64_t seed = 0; seed < test::seeds(1000); ++seed) {
        Stream stream = test::stream_for(seed, 1);
        const Level level = random_level(stream);
        const Walk solution = judge.solution(level);
        const auto events = events_of(level, solution); // throws if somebody can't walk so
        if (!solution.empty()) {
            EXPECT_EQ(level.cells[solution.back()], Tile::exit);
            EXPECT_EQ(events.back().tile, Tile::exit);
        }
        const Walk losing = judge.losing_walk(level);
        EXPECT_NO_THROW((void)events_of(level, losing));
        EXPECT_EQ(losing.empty(), judge.judge(level).unlosable);
    }
}

TEST(DungeonJudge, WhatComesBeforeDoesNotMatter) {
    Judge kept;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        Stream stream = test::stream_for(seed, 2);
        const Level level = random_level(stream);
        EXPECT_EQ(kept.judge(level), Judge{}.judge(level));
    }
}

// A level in the upper left of a larger one, behind a margin of rock; beyond that, one-ways that nobody comes
// to.
Level set_in_rock(const Level& level, std::uint32_t side, bool with_one_ways) {
    Level larger{
        .width = side, .height = side, .cells = std::vector<Tile>(std::size_t{side} * side, Tile::rock)};
    for (std::uint32_t y = 0; y < side; ++y)
        for (std::uint32_t x = 0; x < side; ++x) {
            Tile& tile = larger.cells[std::size_t{y} * side + x];
            if (x < level.width && y < level.height)
                tile = level.cells[std::size_t{y} * level.width + x];
            else if (with_one_ways && (x > level.width || y > level.height) && (x + y) % 2 == 0)
                tile = Tile::one_way_north;
        }
    return larger;
}

// Boards of every width and cells one by one, few pieces and many: each is worked out in its own way.
TEST(DungeonJudge, WhatNobodyComesToChangesNothing) {
    Judge judge;
    const auto walk_in = [](Walk walk, const Level& from, const Level& to) {
        for (std::uint32_t& cell : walk) cell = from.y_of(cell) * to.width + from.x_of(cell);
        return walk;
    };
    int with_walks = 0;
    for (std::uint64_t seed = 0; seed < test::seeds(150); ++seed) {
        Stream stream = test::stream_for(seed);
        const Level level = random_level(stream);
        const Judgement alone = judge.judge(level);
        const Walk solution = judge.solution(level);
        const Walk losing = judge.losing_walk(level);
        with_walks += solution.size() > 5 ? 1 : 0;
        for (const std::uint32_t side : {16U, 24U, 32U, 64U, 65U})
            for (const bool with_one_ways : {false, true}) {
                const Level larger = set_in_rock(level, side, with_one_ways);
                const Judgement now = judge.judge(larger);
                ASSERT_EQ(judge.is_solvable(larger), alone.solvable) << to_text(larger);
                ASSERT_EQ(now.solvable, alone.solvable) << to_text(larger);
                ASSERT_EQ(now.unlosable, alone.unlosable) << to_text(larger);
                for (const Measure measure : {Measure::solution, Measure::exit_path, Measure::backtracking,
                                              Measure::key_depth, Measure::fewest_encounters, Measure::lost})
                    ASSERT_EQ(now.measures[measure], alone.measures[measure]) << to_text(larger);
                ASSERT_EQ(judge.solution(larger), walk_in(solution, level, larger)) << to_text(larger);
                ASSERT_EQ(judge.losing_walk(larger), walk_in(losing, level, larger)) << to_text(larger);
            }
    }
    EXPECT_GT(with_walks * 20, static_cast<int>(test::seeds(150)));
}

TEST(DungeonJudge, OfSeveralShortestSolutionsTheFirstIsTaken) {
    const Level level = parse_level("E..\n...\n..X\n");
    EXPECT_EQ(Judge{}.solution(level), (Walk{0, 1, 2, 5, 8})); // east comes before south
    const Level up = parse_level("X..\n...\n..E\n");
    EXPECT_EQ(Judge{}.solution(up), (Walk{8, 5, 2, 1, 0})); // north before west
}

TEST(DungeonJudge, SmallKeysAreSpent) {
    EXPECT_TRUE(judged("Ek+X").solvable);
    EXPECT_FALSE(judged("Ek++X").solvable);
    EXPECT_TRUE(judged("Ekk++X").solvable);
    // The key may be spent on the wrong door.
    const Judgement wrong = judged("###.#\n"
                                   "###+#\n"
                                   "Ek.+X\n");
    EXPECT_TRUE(wrong.solvable);
    const Judgement losable = judged("####.\n"
                                     "####+\n"
                                     "X+k.E\n");
    EXPECT_TRUE(losable.solvable);
    EXPECT_FALSE(losable.unlosable);
}

TEST(DungeonJudge, ColouredKeysAreKept) {
    EXPECT_TRUE(judged("ErRRX").solvable);
    EXPECT_FALSE(judged("ErGX").solvable);
    EXPECT_FALSE(judged("ErR+X").solvable);
}

TEST(DungeonJudge, OneWaysAreLeftInTheirDirection) {
    EXPECT_TRUE(judged("E>X").solvable);
    EXPECT_FALSE(judged("E<X").solvable);
    EXPECT_TRUE(judged("E#\nv#\n.X").solvable);
    EXPECT_FALSE(judged("E#\n^#\n.X").solvable);
    // From the side one may enter, and then only goes where it leads.
    EXPECT_TRUE(judged("E^\n#X").solvable == false);
    const Judgement trap = judged("X.E>.");
    EXPECT_TRUE(trap.solvable);
    EXPECT_FALSE(trap.unlosable);
    EXPECT_EQ(Judge{}.losing_walk(parse_level("X.E>.")), (Walk{2, 3}));
}

TEST(DungeonJudge, TheExitEndsTheWalk) {
    const Judgement behind = judged("EXk");
    EXPECT_TRUE(behind.solvable);
    EXPECT_TRUE(behind.unlosable);
    EXPECT_FALSE(judged("k.X.E.+$").measures[Measure::treasure_reachable] > 0);
}

TEST(DungeonJudge, TooManyStatesAreRefusedByName) {
    std::string drawing;
    for (int row = 0; row < 20; ++row) drawing += std::string(20, 'k') + "\n";
    drawing[0] = 'E';
    drawing[1] = 'X';
    const Level level = parse_level(drawing);
    test::expect_mentions(test::message_of([&] { (void)Judge{}.judge(level); }),
                          {"16,777,216 states", "fewer"});
    // Whoever shows a file says which one it is.
    const ArtefactPtr artefact = read_artefact(drawing, "attic.txt");
    for (const auto& show : {std::function<void()>{[&] { (void)artefact->text({}); }},
                             std::function<void()>{[&] { (void)artefact->json(); }},
                             std::function<void()>{[&] { (void)artefact->files("svg", {}, "attic"); }}})
        test::expect_mentions(test::message_of(show), {"attic.txt: ", "16,777,216 states"});
}

TEST(DungeonJudge, ManyKeysInARowAreNoTrouble) {
    // As many conditions as keys, and doors that nobody counts on.
    std::string drawing = "E" + std::string(120, 'k') + std::string(120, '+') + "X\n";
    const Judgement judgement = judged(drawing);
    EXPECT_TRUE(judgement.solvable);
    EXPECT_TRUE(judgement.unlosable);
    EXPECT_EQ(judgement.measures[Measure::solution], 241);
    EXPECT_EQ(judgement.measures[Measure::doors_opened], 120);
}

TEST(DungeonJudge, TheLargestLevelsAreJudged) {
    Level level{.width = 256, .height = 256, .cells = std::vector<Tile>(65536, Tile::floor)};
    level.cells.front() = Tile::entrance;
    level.cells.back() = Tile::exit;
    for (std::size_t i = 1; i <= 6; ++i) level.cells[i * 9000] = Tile::small_key;
    const Judgement judgement = Judge{}.judge(level);
    EXPECT_EQ(judgement.measures[Measure::solution], 510);
    EXPECT_TRUE(judgement.unlosable);
}

TEST(DungeonMeasures, AreWhatTheirDefinitionsSay) {
    // The red door lies before the small key, which opens the last door.
    const std::string_view chain = "E.r#k\n"
                                   "...R.\n"
                                   "##+##\n"
                                   "m.X$#\n";
    EXPECT_EQ(measured(chain, Measure::key_depth), 2);
    EXPECT_EQ(measured(chain, Measure::doors_opened), 2);
    EXPECT_EQ(measured(chain, Measure::keys_used), 2);
    EXPECT_EQ(measured(chain, Measure::exit_path), 5);
    EXPECT_EQ(measured(chain, Measure::solution), 11);
    EXPECT_DOUBLE_EQ(measured(chain, Measure::detour), 11.0 / 5);
    EXPECT_EQ(measured(chain, Measure::treasure_reachable), 0); // it lies behind the exit
    EXPECT_EQ(measured(chain, Measure::treasures), 1);
    // Two keys on this side of both doors are no chain.
    EXPECT_EQ(measured("E.rg.RGX", Measure::key_depth), 1);
    EXPECT_EQ(measured("E.rRgGX", Measure::key_depth), 2);
    EXPECT_EQ(measured("EX", Measure::key_depth), 0);
    // There and back again: three of nine steps.
    EXPECT_EQ(measured("k..E..+X", Measure::solution), 10);
    EXPECT_DOUBLE_EQ(measured("k..E..+X", Measure::backtracking), 0.3);
    EXPECT_DOUBLE_EQ(measured("E.+..X", Measure::behind_doors), 4.0 / 6);
    EXPECT_EQ(measured("E.mX\n....", Measure::encounters), 1);
    EXPECT_EQ(measured("E.mX\n....", Measure::fewest_encounters), 0);
    EXPECT_EQ(measured("EmX", Measure::fewest_encounters), 1);
    EXPECT_EQ(measured("C.E.X.C", Measure::tour), -1); // the last checkpoint lies behind the exit
    EXPECT_EQ(measured("C.E.X", Measure::tour), 6);
    EXPECT_EQ(measured("E.X", Measure::tour), 2);
    EXPECT_EQ(measured("E#X", Measure::solution), -1);
    EXPECT_EQ(measured("E#X", Measure::fewest_encounters), -1);
}

TEST(DungeonMeasures, OfTheGroundAreThoseOfMazes) {
    Judge judge;
    for (std::uint64_t seed = 0; seed < test::seeds(1000); ++seed) {
        Stream stream = test::stream_for(seed, 3);
        const Level level = random_level(stream);
        maze::Level ground{.grid = maze::Grid{level.width, level.height}};
        for (std::size_t i = 0; i < level.area(); ++i) {
            const maze::Cell cell = ground.grid.cell(i);
            ground.grid.set_rock(cell, level.cells[i] == Tile::rock);
            if (level.cells[i] == Tile::entrance) ground.entrance = cell;
            if (level.cells[i] == Tile::exit) ground.exit = cell;
            if (level.cells[i] == Tile::checkpoint) ground.checkpoints.push_back(cell);
        }
        const Measures ours = judge.judge(level).measures;
        const maze::Measures theirs = maze::measure(ground);
        for (const auto& row : measure_table()) {
            const auto same = maze::find_measure(row.name);
            if (!same || row.measure == Measure::exit_path || row.measure == Measure::tour) continue;
            EXPECT_EQ(ours[row.measure], maze::value_of(theirs, *same)) << row.name << "\n" << to_text(level);
        }
        if (std::ranges::none_of(level.cells, is_one_way)) {
            EXPECT_EQ(ours[Measure::exit_path], theirs.exit_path);
        }
    }
}

TEST(DungeonMeasures, AreAllThatMazesHave) {
    for (const auto& row : maze::measure_table()) {
        const auto found = find_measure(wishables(), row.name);
        ASSERT_TRUE(found) << row.name;
        EXPECT_EQ(measure_table()[*found].name, row.name);
    }
    // A corridor with a bend, and a pocket.
    const std::string_view drawing = "E.C>X\n"
                                     "#+###\n"
                                     "#..#.\n";
    EXPECT_EQ(measured(drawing, Measure::exit_members), 1);
    EXPECT_EQ(measured(drawing, Measure::on_one_way), 1);
    EXPECT_EQ(measured(drawing, Measure::straights), 3);
    EXPECT_EQ(measured(drawing, Measure::turns), 0);
    EXPECT_EQ(measured(drawing, Measure::shortest_paths), 1);
    EXPECT_EQ(measured(drawing, Measure::farthest), 4); // the door is open
    EXPECT_EQ(measured(drawing, Measure::culs_de_sac), 2);
    EXPECT_EQ(measured(drawing, Measure::cul_de_sac_length), 8);
    EXPECT_EQ(measured(drawing, Measure::pockets), 1);
    EXPECT_EQ(measured(drawing, Measure::pocket_cells), 1);
    EXPECT_EQ(measured(drawing, Measure::rock_cells), 6);
    EXPECT_EQ(measured(drawing, Measure::diameter), 6);
    // A one-way is floor here, from whichever side one comes.
    EXPECT_EQ(measured("E<X", Measure::farthest), 2);
    // Mazes have 64 checkpoints at most.
    const std::string many = "E" + std::string(65, 'C') + "X\n";
    for (const Measure one : {Measure::exit_members, Measure::on_one_way, Measure::reconvergence})
        EXPECT_EQ(measured(many, one), -1);
    EXPECT_EQ(measured(many, Measure::straights), 65);
}

TEST(DungeonMeasures, AskedForOneByOneAreTheSame) {
    Judge judge;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        Stream stream = test::stream_for(seed, 4);
        const Level level = random_level(stream);
        const Measures all = judge.judge(level).measures;
        for (const auto& row : measure_table())
            EXPECT_EQ(judge.judge(level, {row.measure}).measures[row.measure], all[row.measure]) << row.name;
    }
}

TEST(DungeonRemarks, DoorsWithoutKeysAreTold) {
    const auto remarks = remarks_on(parse_level("EkX++R$g"));
    ASSERT_EQ(remarks.size(), 3U);
    test::expect_mentions(remarks[0], {"2 locked doors for 1 small key"});
    test::expect_mentions(remarks[1], {"no red key opens the red door at 5,0: nobody gets through it"});
    test::expect_mentions(remarks[2], {"green key without any green door"});
    EXPECT_TRUE(remarks_on(parse_level("Ek+rRX")).empty());
    EXPECT_EQ(remarks_on(parse_level("E.+X")).front(),
              "no small key opens the locked door at 2,0: nobody gets through it");
    EXPECT_EQ(remarks_on(parse_level("E++X\n+++.")).front(),
              "no small key opens the 5 locked doors at 1,0, 2,0, 0,1, 1,1 and 1 more places: nobody gets "
              "through them");
}

} // namespace knossos::dungeon::judge_test
