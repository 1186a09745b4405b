#include "support.hpp"

#include <knossos/study/analysis.hpp>
#include <knossos/study/report.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <unistd.h>
#include <vector>

// Comparisons of runs that are made up, so that what must come out is known.

namespace knossos::study::comparison_test {
namespace {

class StudyComparison : public testing::Test {
  protected:
    StudyComparison() {
        folder_ = std::filesystem::temp_directory_path() /
                  ("knossos-comparison-" +
                   std::string{testing::UnitTest::GetInstance()->current_test_info()->name()} + "-" +
                   std::to_string(getpid()));
        std::filesystem::create_directories(folder_);
    }
    ~StudyComparison() override { std::filesystem::remove_all(folder_); }

    // A run that ends with `best`, found after `found_at` evaluations of 1,000; 0 conflicts are a success.
    static RunRecord made_up(const Study& study, std::size_t configuration, std::uint64_t number, double best,
                             std::uint64_t found_at) {
        return {.configuration = configuration,
                .number = number,
                .seed = study.seed_of(configuration, number),
                .outcome = best == 0.0 ? Outcome::solved : Outcome::unsolved,
                .evaluations = best == 0.0 ? found_at : 1000,
                .best = best,
                .found_at = found_at,
                .trace = {{1, 9.0}, {found_at, best}}};
    }
    [[nodiscard]] Analysis analysed(const Study& study, const std::vector<RunRecord>& runs) const {
        const auto file = folder_ / "study.db";
        std::filesystem::remove(file);
        Store store = Store::open_for(file, study);
        store.record(runs);
        return analyse(store);
    }
    static Study queens(const std::string& more = "") {
        return Study::parse("name = \"made up\"\nruns = 10\nrecipes = [\"pmx-queens\"]\n" + more +
                                "[grid]\nstages.mutate.probability = [0.1, 0.2, 0.3]\n",
                            "made-up.toml");
    }

    std::filesystem::path folder_;
};

std::string comparisons_csv(const Analysis& analysis) {
    for (const TextFile& file : csv_report(analysis))
        if (file.name == "comparisons.csv") return file.text;
    return "";
}

TEST_F(StudyComparison, TheChanceThatTheFirstIsBetterIsTheSameEverywhere) {
    const Study study = queens();
    std::vector<RunRecord> runs;
    for (std::uint64_t i = 0; i < 10; ++i) {
        runs.push_back(made_up(study, 0, i, 0.0, 10 + i));
        runs.push_back(made_up(study, 1, i, 0.0, 100 + i)); // always later than the first
        runs.push_back(made_up(study, 2, i, 0.0, 19 + i));  // later but for one tie
    }
    const Analysis analysis = analysed(study, runs);
    ASSERT_EQ(analysis.groups.size(), 1U);
    ASSERT_EQ(analysis.groups[0].comparisons.size(), 3U);
    const Versus& clear = analysis.groups[0].comparisons[0];
    EXPECT_EQ(clear.first, 0U);
    EXPECT_EQ(clear.comparison.a12, 1.0);
    EXPECT_EQ(clear.statement, "probability=0.1 needs fewer evaluations than probability=0.2");
    EXPECT_EQ(clear.verdict, clear.statement + ": p < 0.001 raw and by Holm, A12 = 1.00");
    EXPECT_GT(clear.p_holm, clear.comparison.p);
    const Versus& tied = analysis.groups[0].comparisons[1];
    EXPECT_DOUBLE_EQ(tied.comparison.a12, 0.995);
    const std::string csv = comparisons_csv(analysis);
    test::expect_mentions(
        csv, {"first,second,compared,test,statistic,p_raw,p_holm,a12,won_pairs,unequal_pairs,verdict",
              "evaluations,mann-whitney,100,", ",0.995,"});
    test::expect_mentions(markdown_report(analysis), {"| 1.00 | < 0.001 | < 0.001 |", "p raw", "p by Holm"});
}

TEST_F(StudyComparison, WhereNobodySucceedsBestValuesAreCompared) {
    const Study study = queens();
    std::vector<RunRecord> runs;
    for (std::uint64_t i = 0; i < 10; ++i) {
        runs.push_back(made_up(study, 0, i, 4.0, 10 + i));
        runs.push_back(made_up(study, 1, i, 2.0, 10 + i));
        runs.push_back(made_up(study, 2, i, 2.0, 10 + i));
    }
    const Analysis analysis = analysed(study, runs);
    const Group& group = analysis.groups.at(0);
    EXPECT_TRUE(group.is_solvable);
    EXPECT_FALSE(group.is_solved);
    const Versus& one = group.comparisons.at(0);
    EXPECT_TRUE(one.by_values);
    EXPECT_EQ(one.comparison.a12, 1.0);
    EXPECT_EQ(one.statement,
              "probability=0.2 ends with lower values than probability=0.1, as neither succeeds");
    EXPECT_EQ(group.comparisons.at(2).statement, "no difference shown between probability=0.2 and "
                                                 "probability=0.3 in best values, as neither succeeds");
    test::expect_mentions(markdown_report(analysis),
                          {"Best value of each run", "Where neither succeeds, best values are compared"});
    EXPECT_NE(comparisons_csv(analysis).find(",best values,"), std::string::npos);
}

TEST_F(StudyComparison, OnlyPairsInWhichNobodySucceedsAreComparedByValues) {
    const Study study = queens();
    std::vector<RunRecord> runs;
    for (std::uint64_t i = 0; i < 10; ++i) {
        runs.push_back(made_up(study, 0, i, 0.0, 10 + i));
        runs.push_back(made_up(study, 1, i, 1.0, 10 + i));
        runs.push_back(made_up(study, 2, i, 3.0, 10 + i));
    }
    const Analysis analysis = analysed(study, runs);
    const auto& comparisons = analysis.groups.at(0).comparisons;
    EXPECT_FALSE(comparisons.at(0).by_values);
    EXPECT_FALSE(comparisons.at(1).by_values);
    EXPECT_TRUE(comparisons.at(2).by_values);
    EXPECT_EQ(comparisons.at(2).statement,
              "probability=0.2 ends with lower values than probability=0.3, as neither succeeds");
}

// Each run of the first is a little better than its partner, while runs of one configuration differ a lot:
// only in pairs that can be seen.
TEST_F(StudyComparison, PairedRunsAreComparedInPairs) {
    for (const bool paired : {false, true}) {
        const Study study = queens(paired ? "paired = true\n" : "");
        std::vector<RunRecord> runs;
        for (std::uint64_t i = 0; i < 10; ++i)
            for (std::size_t configuration = 0; configuration < 3; ++configuration)
                runs.push_back(made_up(study, configuration, i, 0.0, 50 * (i + 1) + (i + 2) * configuration));
        runs.pop_back(); // the last has no partners
        const Analysis analysis = analysed(study, runs);
        const Versus& one = analysis.groups.at(0).comparisons.at(0);
        if (!paired) {
            EXPECT_GT(one.comparison.p, 0.5);
            EXPECT_EQ(test_name(analysis), "mann-whitney");
            test::expect_mentions(comparisons_csv(analysis), {",,,"});
            continue;
        }
        EXPECT_DOUBLE_EQ(one.comparison.p, 2.0 / 512.0); // nine pairs, all one way
        EXPECT_DOUBLE_EQ(one.comparison.statistic, 45.0);
        test::expect_mentions(one.verdict, {"by Holm (paired: better in 9 of 9 unequal pairs), A12 = 0.5"});
        test::expect_mentions(comparisons_csv(analysis), {",wilcoxon,45,", ",9,9,"});
        test::expect_mentions(markdown_report(analysis),
                              {"Wilcoxon's signed ranks", "pairs won", "9 of 9", "Paired: runs"});
    }
}

TEST_F(StudyComparison, RefusesPairsWhoseSeedsDontMatch) {
    const Study study = queens("paired = true\n");
    std::vector<RunRecord> runs{made_up(study, 0, 0, 0.0, 5), made_up(study, 1, 0, 0.0, 6)};
    runs[1].seed = 77;
    test::expect_mentions(test::message_of([&] { (void)analysed(study, runs); }),
                          {"study.db", "the study is paired",
                           "run 0 of 'pmx-queens probability=0.2' has seed 77", "has 1;", "another file"});
}

// Conflicts and captures can't be compared; running times could, if there were any.
TEST_F(StudyComparison, SaysWhereNothingCanBeCompared) {
    const Study study = Study::parse(
        "name = \"made up\"\nruns = 5\nrecipes = [\"pmx-queens\", \"duel-queens\"]", "made-up.toml");
    std::vector<RunRecord> runs;
    for (std::uint64_t i = 0; i < 5; ++i) {
        runs.push_back(made_up(study, 0, i, 1.0, 5));
        runs.push_back(made_up(study, 1, i, 4.0, 5));
    }
    const Analysis analysis = analysed(study, runs);
    EXPECT_EQ(analysis.groups.at(0).comparisons.at(0).statement,
              "no difference shown between pmx-queens and duel-queens, as neither succeeds and their values "
              "don't mean the same");
}

// Three methods on four problems; the first always leads, the second is second but for once.
TEST_F(StudyComparison, MazesThatOnlyStartDifferentlyAreComparedAndThoseOfAnotherKAreNot) {
    const Study study =
        Study::parse("runs = 1\nrecipes = [\"maze-direct\"]\n[set]\nproblem.checkpoints = \"auto:2\"\n"
                     "[grid]\nproblem.fill = [0.05, 0.5]\nproblem.k = [0, 2]\n",
                     "mazes.toml");
    std::vector<RunRecord> runs;
    for (std::size_t i = 0; i < 4; ++i)
        runs.push_back(made_up(study, i, 0, 40.0 + static_cast<double>(i), 100));
    const Analysis analysis = analysed(study, runs);
    ASSERT_EQ(analysis.groups.size(), 2U);
    EXPECT_EQ(analysis.groups[0].name, "maze, exit-path, 20 × 20");
    EXPECT_EQ(analysis.groups[1].name, "maze, exit-path, k = 2, 20 × 20");
    for (const Group& group : analysis.groups) EXPECT_EQ(group.members.size(), 2U);
}

TEST_F(StudyComparison, MethodsAreRankedOverAllProblems) {
    const Study study = Study::parse("name = \"many\"\nruns = 5\nrecipes = [\"pmx-queens\"]\n[grid]\n"
                                     "stages.mutate.probability = [0.1, 0.2, 0.3]\n"
                                     "problem.n = [6, 8, 10, 12]\n",
                                     "many.toml");
    std::vector<RunRecord> runs;
    for (std::size_t configuration = 0; configuration < 12; ++configuration) {
        const std::size_t method = configuration / 4;
        const std::size_t problem = configuration % 4;
        const std::size_t place = problem == 3 && method > 0 ? 3 - method : method;
        for (std::uint64_t i = 0; i < 5; ++i)
            runs.push_back(made_up(study, configuration, i, 0.0, 10 + i + 100 * place));
    }
    const Analysis analysis = analysed(study, runs);
    ASSERT_EQ(analysis.groups.size(), 4U);
    ASSERT_TRUE(analysis.across);
    const Across& across = *analysis.across;
    EXPECT_EQ(across.methods,
              (std::vector<std::string>{"pmx-queens probability=0.1", "pmx-queens probability=0.2",
                                        "pmx-queens probability=0.3"}));
    EXPECT_EQ(across.problems.size(), 4U);
    EXPECT_EQ(across.friedman.mean_ranks, (std::vector<double>{1.0, 2.25, 2.75}));
    EXPECT_DOUBLE_EQ(across.friedman.chi_square, 6.5); // 12·4/(3·4)·(1² + 0.25² + 0.75²)
    test::expect_mentions(finding_across(across),
                          {"over 4 problems", "pmx-queens probability=0.1 has the best mean rank, 1.00",
                           "better than pmx-queens probability=0.3"});
    test::expect_mentions(markdown_report(analysis), {"## Over all problems", "chi square = 6.50", "Demšar"});
    test::expect_mentions(html_report(analysis), {"id=\"across\""});
    for (const TextFile& file : csv_report(analysis)) {
        if (file.name == "across.csv") {
            test::expect_mentions(file.text,
                                  {"pmx-queens probability=0.1,pmx-queens probability=0.2,1,2.25,"});
        }
    }
    // Two problems are too few to rank anything over them.
    EXPECT_FALSE(analysed(queens(), {made_up(queens(), 0, 0, 0.0, 5)}).across);
}

TEST_F(StudyComparison, TheAreaUnderTheDistributionIsOverTargetsAndBudgets) {
    const Study study = queens("targets = [9, 0]\n");
    std::vector<RunRecord> runs;
    for (std::uint64_t i = 0; i < 10; ++i) {
        runs.push_back(made_up(study, 0, i, 0.0, 10)); // 9 at once, 0 after a third of the axis up to 1,000
        runs.push_back(made_up(study, 1, i, 5.0, 10)); // 9 at once, 0 never
    }
    const Analysis analysis = analysed(study, runs);
    EXPECT_NEAR(analysis.configurations[0].area.value, (1.0 + 2.0 / 3.0) / 2.0, 1e-12);
    EXPECT_NEAR(analysis.configurations[0].area.interval.low, (1.0 + 2.0 / 3.0) / 2.0,
                1e-12); // all are alike
    EXPECT_NEAR(analysis.configurations[1].area.value, 0.5, 1e-12);
    EXPECT_TRUE(std::isnan(analysis.configurations[2].area.value)); // has no run
    test::expect_mentions(markdown_report(analysis), {"area under the distribution (AUC)", "| 0.833 |"});
    test::expect_mentions(csv_report(analysis).front().text, {",auc,auc_low,auc_high,"});
}

TEST_F(StudyComparison, SaysHowManyRunsFailedOrFoundNothing) {
    const Study study = Study::parse("name = \"wishes\"\nruns = 4\nrecipes = [\"maze-direct\"]\n[set]\n"
                                     "problem.goal = \"path 40..44, maximise pockets\"\n",
                                     "wishes.toml");
    std::vector<RunRecord> runs;
    for (std::uint64_t i = 0; i < 4; ++i) {
        runs.push_back({.number = i,
                        .seed = study.seed_of(0, i),
                        .evaluations = 50,
                        .best = 3.0 + static_cast<double>(i)});
        runs.back().values = {{"pockets", "objective", 3.0}};
    }
    runs[1].best = worst_value(Objective::maximise);
    runs[2].best = std::nan("");
    runs[2].outcome = Outcome::failed;
    const Analysis analysis = analysed(study, runs);
    const Row& row = analysis.configurations.at(0).row;
    EXPECT_EQ(row.failed, 1U);
    EXPECT_EQ(row.without_value, 2U);
    const auto said = remarks(analysis, analysis.groups.at(0));
    ASSERT_EQ(said.size(), 2U);
    test::expect_mentions(said[0], {"1 of 4 runs failed in an evaluation"});
    test::expect_mentions(said[1], {"2 of 4 runs found nothing that holds all it must"});
    test::expect_mentions(markdown_report(analysis), {"none", "2 of 4 runs found nothing"});
}

} // namespace
} // namespace knossos::study::comparison_test
