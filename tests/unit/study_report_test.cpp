#include <knossos/study/report.hpp>
#include <knossos/study/runner.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <unistd.h>

namespace knossos::study::report_test {
namespace {

// One small study for all tests, with names that want escaping everywhere.
class StudyReport : public testing::Test {
  protected:
    static void SetUpTestSuite() {
        folder_ = std::filesystem::temp_directory_path() / ("knossos-report-" + std::to_string(getpid()));
        std::filesystem::create_directories(folder_);
        const Study study = Study::parse(R"(
name = "<all> & \"more\""
runs = 9
budget = 3000
[[configuration]]
name = "a<b, \"c\" n=4"
recipe = "pbo-one-plus-one"
set = { problem.n = 4 }
[[configuration]]
name = "a<b, \"c\" n=5"
recipe = "pbo-one-plus-one"
set = { problem.n = 5 }
[[configuration]]
name = "descent n=5"
recipe = "pbo-queens"
set = { problem.n = 5 }
[[configuration]]
name = "islands"
recipe = "pmx-queens"
set = { islands.count = 3, algorithm.population = 40 }
)",
                                         "study.toml");
        Store store = Store::open_for(folder_ / "study.db", study);
        ASSERT_TRUE(carry_out(study, store, {.threads = 1}));
    }
    static void TearDownTestSuite() { std::filesystem::remove_all(folder_); }
    static Store store() { return Store::open(folder_ / "study.db"); }

    static inline std::filesystem::path folder_;
};

std::size_t count(std::string_view text, std::string_view what) {
    std::size_t found = 0;
    for (std::size_t at = text.find(what); at != std::string_view::npos; at = text.find(what, at + 1))
        ++found;
    return found;
}

TEST_F(StudyReport, ThePageIsSelfContainedAndEscaped) {
    const std::string page = html_report(analyse(store()));
    EXPECT_EQ(page.find("a<b"), std::string::npos);
    EXPECT_NE(page.find("a&lt;b, &quot;c&quot;"), std::string::npos);
    EXPECT_NE(page.find("&lt;all&gt; &amp; &quot;more&quot;"), std::string::npos);
    EXPECT_EQ(page.find("src="), std::string::npos);
    EXPECT_EQ(page.find("<script"), std::string::npos);
    EXPECT_EQ(count(page, "<svg "), count(page, "</svg>"));
    // Two charts and a box plot for each of three groups, and running times against the size.
    EXPECT_GE(count(page, "<svg "), 10U);
    EXPECT_EQ(count(page, "<table>"), count(page, "</table>"));
}

TEST_F(StudyReport, TheSameDataGiveTheSameReport) {
    EXPECT_EQ(html_report(analyse(store())), html_report(analyse(store())));
    EXPECT_EQ(markdown_report(analyse(store())), markdown_report(analyse(store())));
}

TEST_F(StudyReport, CsvHoldsEveryRun) {
    for (const TextFile& file : csv_report(analyse(store()))) {
        if (file.name == "runs.csv") {
            EXPECT_EQ(count(file.text, "\n"), 37U);
            EXPECT_TRUE(file.text.starts_with("configuration,recipe,problem.n,algorithm.population,"
                                              "islands.count,number,seed,outcome,"));
            EXPECT_NE(file.text.find("\n\"a<b, \"\"c\"\" n=4\",pbo-one-plus-one,4,,,0,"), std::string::npos)
                << file.text.substr(0, 300);
        }
    }
}

TEST_F(StudyReport, IohFilesStartEachRunOnceAndEndItWithItsLastEvaluation) {
    const auto files = ioh_report(store());
    std::size_t functions = 0;
    for (const TextFile& file : files) {
        if (!file.name.ends_with(".json")) continue;
        ++functions;
        const auto json = nlohmann::json::parse(file.text);
        EXPECT_EQ(json["version"], "0.3.3");
        for (const auto& scenario : json["scenarios"]) {
            const std::string folder = file.name.substr(0, file.name.find('/') + 1);
            const auto data =
                std::ranges::find(files, folder + scenario["path"].get<std::string>(), &TextFile::name);
            ASSERT_NE(data, files.end());
            std::istringstream lines{data->text};
            std::size_t run = 0;
            std::uint64_t last = 0;
            const auto ended = [&] {
                if (run > 0) {
                    EXPECT_EQ(last, scenario["runs"][run - 1]["evals"].get<std::uint64_t>());
                }
            };
            for (std::string line; std::getline(lines, line);) {
                if (line == "evaluations raw_y") {
                    ended();
                    ++run;
                    last = 0;
                    continue;
                }
                const std::uint64_t evaluations = std::stoull(line);
                EXPECT_EQ(evaluations == 1, last == 0) << data->name << ", run " << run;
                EXPECT_GT(evaluations, last);
                last = evaluations;
            }
            ended();
            EXPECT_EQ(run, scenario["runs"].size());
            const auto& best = scenario["runs"][0]["best"];
            EXPECT_EQ(best["x"].size(), scenario["dimension"].get<std::size_t>());
        }
    }
    EXPECT_EQ(functions, 4U); // two sizes of one algorithm and one of another on F23, one on queens
}

// Of islands the first that is known is what all of them have found in their first generation.
TEST_F(StudyReport, IohFilesHoldNoValueBeforeItWasFound) {
    std::map<std::size_t, std::vector<RunRecord>> recorded;
    store().for_each_run(true, true,
                         [&](const RunRecord& run) { recorded[run.configuration].push_back(run); });
    constexpr std::size_t on_islands = 3;
    const auto files = ioh_report(store());
    const auto file = std::ranges::find_if(
        files, [](const TextFile& one) { return one.name.starts_with("islands/data_"); });
    ASSERT_NE(file, files.end());
    std::string expected;
    for (const RunRecord& run : recorded[on_islands]) {
        ASSERT_GT(run.trace.front().evaluations, 1U);
        expected += "evaluations raw_y\n1 1e+300\n";
        for (const TracePoint& point : run.trace)
            expected += fmt::format("{} {:.10f}\n", point.evaluations, point.best);
        if (run.trace.back().evaluations < run.evaluations)
            expected += fmt::format("{} {:.10f}\n", run.evaluations, run.trace.back().best);
    }
    EXPECT_EQ(file->text, expected);
}

TEST_F(StudyReport, IohLogsHaveParametersAsAttributesThatAreValues) {
    std::vector<std::string> logs;
    for (const TextFile& file : ioh_report(store()))
        if (file.name.ends_with(".json")) {
            const auto json = nlohmann::json::parse(file.text);
            EXPECT_EQ(json["scenarios"].size(), 1U);
            logs.push_back(json["algorithm"]["name"].get<std::string>() + ": " +
                           json["experiment_attributes"].dump());
        }
    ASSERT_EQ(logs.size(), 4U);
    EXPECT_EQ(logs[0], R"(a<b, "c": [{"recipe":"\"pbo-one-plus-one\""},{"problem.n":"4"}])");
    EXPECT_EQ(logs[1], R"(a<b, "c": [{"recipe":"\"pbo-one-plus-one\""},{"problem.n":"5"}])");
    EXPECT_EQ(logs[3], R"(islands: [{"recipe":"\"pmx-queens\""},{"algorithm.population":"40"},)"
                       R"({"islands.count":"3"}])");
}

// A number means nothing without what it is of.
TEST(StudyReportOfFronts, SaysWhatTheBestValueIs) {
    const auto folder =
        std::filesystem::temp_directory_path() / ("knossos-fronts-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder);
    const Study study = Study::parse("name = \"fronts\"\nruns = 2\nbudget = 2000\n"
                                     "recipes = [\"zdt1\", \"rastrigin\"]\n",
                                     "study.toml");
    {
        Store store = Store::open_for(folder / "study.db", study);
        ASSERT_TRUE(carry_out(study, store, {.threads = 1}));
    }
    const Analysis analysis = analyse(Store::open(folder / "study.db"));
    std::filesystem::remove_all(folder);
    ASSERT_EQ(analysis.groups.size(), 2U);
    EXPECT_TRUE(analysis.groups[0].name.ends_with(" (hypervolume)")) << analysis.groups[0].name;
    EXPECT_EQ(analysis.groups[1].name.find('('), std::string::npos) << analysis.groups[1].name;
    EXPECT_NE(markdown_report(analysis).find("(hypervolume)\n"), std::string::npos);
    EXPECT_NE(html_report(analysis).find("(hypervolume)</h2>"), std::string::npos);
}

// Names that make the same folder, and sizes that make the same dimension.
TEST(IohReport, ConfigurationsAreAlgorithmsOfTheirOwn) {
    const auto folder = std::filesystem::temp_directory_path() / ("knossos-ioh-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder);
    const Study study = Study::parse(R"(
name = "names"
runs = 1
budget = 300
[[configuration]]
name = "a b"
recipe = "pmx-queens"
[[configuration]]
name = "a_b"
recipe = "pmx-queens"
set = { problem.n = 9 }
[[configuration]]
recipe = "maze-direct"
set = { problem.width = 4, problem.height = 6 }
[[configuration]]
recipe = "maze-direct"
set = { problem.width = 6, problem.height = 4 }
)",
                                     "names.toml");
    {
        Store store = Store::open_for(folder / "names.db", study);
        ASSERT_TRUE(carry_out(study, store, {.threads = 1}));
    }
    std::set<std::string> names;
    std::set<std::string> files;
    for (const TextFile& file : ioh_report(Store::open(folder / "names.db"))) {
        EXPECT_TRUE(files.insert(file.name).second) << file.name;
        if (file.name.ends_with(".json"))
            names.insert(nlohmann::json::parse(file.text)["algorithm"]["name"].get<std::string>());
    }
    EXPECT_EQ(files.size(), 8U);
    EXPECT_EQ(names, (std::set<std::string>{"a b", "a_b", "maze-direct height=4 width=6",
                                            "maze-direct height=6 width=4"}));
    std::filesystem::remove_all(folder);
}

} // namespace
} // namespace knossos::study::report_test
