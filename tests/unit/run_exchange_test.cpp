#include <knossos/recipe/recipe.hpp>
#include <knossos/recipe/run_folder.hpp>
#include <knossos/run/asynchronous.hpp>
#include <knossos/run/epochs.hpp>

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <barrier>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <thread>

namespace knossos::run_exchange_test {
namespace {

namespace fs = std::filesystem;

// Members as threads of this process, with a table to put things on instead of a network.
class Table {
  public:
    explicit Table(std::uint32_t members) : blocks_(members), gate_{members} {}

    class Seat : public Exchange {
      public:
        Seat(Table& table, std::uint32_t member) : table_{table}, member_{member} {}
        [[nodiscard]] std::uint32_t member() const override { return member_; }
        [[nodiscard]] std::uint32_t members() const override {
            return static_cast<std::uint32_t>(table_.blocks_.size());
        }
        [[nodiscard]] std::vector<std::vector<std::byte>> gather(std::span<const std::byte> own) override {
            table_.blocks_[member_].assign(own.begin(), own.end());
            table_.gate_.arrive_and_wait();
            auto all = table_.blocks_;
            table_.gate_.arrive_and_wait();
            return all;
        }
        void deliver(std::span<const MemberMessage> outgoing, std::span<MemberMessage> incoming) override {
            for (const MemberMessage& message : outgoing) {
                const std::lock_guard lock{table_.mutex_};
                table_.messages_[{member_, message.member}] = message.bytes;
            }
            table_.gate_.arrive_and_wait();
            for (MemberMessage& message : incoming) {
                const std::lock_guard lock{table_.mutex_};
                const auto& found = table_.messages_.at({message.member, member_});
                EXPECT_EQ(found.size(), message.bytes.size());
                message.bytes = found;
            }
            table_.gate_.arrive_and_wait();
        }

      private:
        Table& table_;
        std::uint32_t member_;
    };

    // The same seat for a run without waiting, with a box in front of it for the post.
    class SeatWithBox : public AsynchronousExchange {
      public:
        SeatWithBox(Table& table, std::uint32_t member) : table_{table}, seat_{table, member} {}
        [[nodiscard]] std::uint32_t member() const override { return seat_.member(); }
        [[nodiscard]] std::uint32_t members() const override { return seat_.members(); }
        [[nodiscard]] std::vector<std::vector<std::byte>> gather(std::span<const std::byte> own) override {
            return seat_.gather(own);
        }
        void deliver(std::span<const MemberMessage> outgoing, std::span<MemberMessage> incoming) override {
            seat_.deliver(outgoing, incoming);
        }
        void post(std::uint32_t member, std::vector<std::byte> message) override {
            const std::lock_guard lock{table_.mutex_};
            table_.boxes_[member].push_back({seat_.member(), std::move(message)});
        }
        [[nodiscard]] std::optional<MemberMessage> poll() override {
            const std::lock_guard lock{table_.mutex_};
            auto& box = table_.boxes_[seat_.member()];
            if (box.empty()) return std::nullopt;
            MemberMessage next = std::move(box.front());
            box.pop_front();
            return next;
        }

      private:
        Table& table_;
        Seat seat_;
    };

  private:
    std::vector<std::vector<std::byte>> blocks_;
    std::map<std::uint32_t, std::deque<MemberMessage>> boxes_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::byte>> messages_;
    std::mutex mutex_;
    std::barrier<> gate_;
};

// Calls work(exchange) for each member at once and returns what each of them came to.
template <class Chair = Table::Seat, class Work>
auto for_members(std::uint32_t members, Work work) {
    Table table{members};
    std::vector<decltype(work(std::declval<Exchange&>()))> outcomes(members);
    std::vector<std::jthread> threads;
    for (std::uint32_t member = 0; member < members; ++member)
        threads.emplace_back([&, member] {
            Chair seat{table, member};
            outcomes[member] = work(seat);
        });
    threads.clear();
    return outcomes;
}

void expect_same(const Result& a, const Result& b) {
    EXPECT_EQ(a.digest, b.digest);
    EXPECT_EQ(a.generations, b.generations);
    EXPECT_EQ(a.evaluations, b.evaluations);
    EXPECT_EQ(a.restarts, b.restarts);
    EXPECT_EQ(a.stopped_by, b.stopped_by);
    EXPECT_EQ(a.history.size(), b.history.size());
    ASSERT_EQ(a.hall_of_fame.size(), b.hall_of_fame.size());
    for (std::size_t i = 0; i < a.hall_of_fame.size(); ++i) {
        EXPECT_EQ(a.hall_of_fame[i].genome, b.hall_of_fame[i].genome);
        EXPECT_EQ(a.hall_of_fame[i].island, b.hall_of_fame[i].island);
    }
}

Recipe recipe_of(std::string_view topology, std::string_view stop, std::string_view more = "") {
    return Recipe::parse(fmt::format("[problem]\nkind = \"queens\"\nn = 12\n[algorithm]\npopulation = 14\n"
                                     "hall_of_fame = 5\n[islands]\ncount = 7\ninterval = 5\ntopology = "
                                     "\"{}\"\n{}\n[stop]\n{}\n",
                                     topology, more, stop),
                         "r.toml");
}

TEST(Share, DealsEveryIslandOnceAndInOrder) {
    for (std::uint32_t islands = 1; islands < 40; ++islands)
        for (std::uint32_t members = 1; members < 12; ++members) {
            std::uint32_t next = 0;
            for (std::uint32_t member = 0; member < members; ++member) {
                const IslandRange share = share_of(islands, members, member);
                EXPECT_EQ(share.first, next);
                EXPECT_LE(share.count, islands / members + 1);
                for (; next < share.first + share.count; ++next)
                    EXPECT_EQ(owner_of(islands, members, next), member);
            }
            EXPECT_EQ(next, islands);
        }
}

TEST(Exchange, ResultDoesNotDependOnTheNumberOfMembers) {
    for (const auto* topology : {"ring", "torus", "complete", "random"})
        for (const auto* stop :
             {"generations = 43", "evaluations = 2000", "solved = true\ngenerations = 200"}) {
            const Recipe recipe = recipe_of(topology, stop, "[restart]\nstagnation = 9");
            const Result alone = evolve(recipe.problem(), recipe.settings());
            for (const std::uint32_t members : {1U, 2U, 3U, 7U})
                for (const Result& result : for_members(members, [&](Exchange& exchange) {
                         return evolve(recipe.problem(), recipe.settings(), &exchange);
                     }))
                    expect_same(alone, result);
        }
}

TEST(Exchange, MembersWithoutIslandsTakePart) {
    const Recipe recipe = recipe_of("ring", "generations = 20");
    const Result alone = evolve(recipe.problem(), recipe.settings());
    for (const Result& result : for_members(
             9, [&](Exchange& exchange) { return evolve(recipe.problem(), recipe.settings(), &exchange); }))
        expect_same(alone, result);
}

std::vector<std::vector<std::byte>> final_islands(const Recipe& recipe, Exchange* exchange) {
    Run run{recipe.problem(), recipe.settings(), exchange};
    run.finish();
    return run.snapshot_parts().islands;
}

TEST(Exchange, IslandsAreThoseOfARunAlone) {
    const Recipe recipe = recipe_of("torus", "generations = 30");
    std::vector<std::vector<std::byte>> together;
    for (const auto& islands :
         for_members(3, [&](Exchange& exchange) { return final_islands(recipe, &exchange); }))
        together.insert(together.end(), islands.begin(), islands.end());
    EXPECT_EQ(final_islands(recipe, nullptr), together);
}

struct Fragile {
    static constexpr auto objective = Objective::maximise;
    double breaks_at = 0.0;
    [[nodiscard]] Space space() const { return Space::bits(60); }
    [[nodiscard]] double evaluate(BitView bits) const {
        double ones = 0.0;
        for (std::size_t i = 0; i < bits.size(); ++i) ones += bits[i] ? 1.0 : 0.0;
        if (ones >= breaks_at) throw std::runtime_error{"it broke"};
        return ones;
    }
};

TEST(Exchange, FailureOfOneIsToldToAllAtTheSameGeneration) {
    Settings settings{.population = 10, .stop = generations(2000), .seed = 5};
    settings.islands.count = 5;
    settings.islands.interval = 7;
    const auto outcome = [&](const Fragile& problem, Exchange* exchange) -> std::string {
        try {
            (void)evolve(problem, settings, exchange);
            return "no failure";
        } catch (const RunFailed& error) {
            return fmt::format("{} {} {:x}", error.what(), error.last_complete().generations,
                               error.last_complete().digest);
        } catch (const EvaluationError& error) {
            return error.what();
        }
    };
    for (const double breaks_at : {30.0, 48.0, 55.0}) {
        const std::string alone = outcome({breaks_at}, nullptr);
        for (const std::uint32_t members : {2U, 5U})
            for (const auto& together :
                 for_members(members, [&](Exchange& exchange) { return outcome({breaks_at}, &exchange); }))
                EXPECT_EQ(alone, together);
    }
}

// How such a run goes depends on who is when where; how it ends is the same for everybody.
TEST(Asynchronous, EveryMemberHearsTheSameEnd) {
    for (const auto* topology : {"ring", "complete"})
        for (const auto* stop :
             {"generations = 40", "evaluations = 4000", "solved = true\ngenerations = 300"})
            for (const std::uint32_t members : {1U, 2U, 3U, 9U}) {
                SCOPED_TRACE(fmt::format("{}, {}, {} members", topology, stop, members));
                const Recipe recipe = recipe_of(topology, stop);
                const Problem problem = recipe.problem();
                const auto results = for_members<Table::SeatWithBox>(members, [&](Exchange& exchange) {
                    return evolve(problem, recipe.settings(), &exchange);
                });
                for (const Result& result : results) {
                    EXPECT_EQ(result.stopped_by, results[0].stopped_by);
                    EXPECT_EQ(result.evaluations, results[0].evaluations);
                    EXPECT_EQ(result.solved, results[0].solved);
                    EXPECT_EQ(result.fitness, results[0].fitness);
                    EXPECT_EQ(result.best, results[0].best);
                    double fitness = -1.0;
                    problem.evaluate({&problem.space(), result.best.bytes.data(),
                                      problem.space().genome_bytes(), std::size_t{1}},
                                     {&fitness, 1});
                    EXPECT_EQ(fitness, result.fitness);
                }
                EXPECT_FALSE(results[0].stopped_by.empty());
            }
}

TEST(Asynchronous, FailureOfOneEndsAll) {
    Settings settings{.population = 10, .stop = generations(1'000'000'000), .seed = 5};
    settings.islands.count = 5;
    settings.islands.interval = 7;
    for (const std::uint32_t failing : {0U, 1U, 2U})
        for (const auto& message : for_members<Table::SeatWithBox>(3, [&](Exchange& exchange) -> std::string {
                 const Fragile problem{exchange.member() == failing ? 45.0 : 100.0};
                 try {
                     (void)evolve(problem, settings, &exchange);
                     return "no failure";
                 } catch (const RunFailed& error) {
                     return error.what();
                 }
             }))
            EXPECT_TRUE(message.starts_with("individual ") && message.ends_with(": it broke")) << message;
}

class Epochs : public testing::Test {
  protected:
    void SetUp() override {
        std::string pattern = (fs::temp_directory_path() / "knossos-epochs-XXXXXX").string();
        ASSERT_NE(mkdtemp(pattern.data()), nullptr);
        path_ = pattern;
    }
    void TearDown() override { fs::remove_all(path_); }
    [[nodiscard]] fs::path folder() const { return path_ / "run"; }

    // Some steps by some members, then a checkpoint; the result if the run has ended.
    static std::optional<Result> go_on(const fs::path& path, std::uint32_t members, int steps) {
        using knossos::Run; // not the fixture's
        return for_members(members,
                           [&](Exchange& exchange) -> std::optional<Result> {
                               const RunFolder folder = RunFolder::open(path);
                               std::string remark;
                               Run run = folder.resume(folder.recipe().settings(), remark, &exchange);
                               for (int i = 0; i < steps && !run.finished(); ++i) run.step();
                               if (!run.finished()) {
                                   folder.save(run);
                                   return std::nullopt;
                               }
                               folder.finish(run);
                               return run.result();
                           })
            .back();
    }

    // What members say who take the run up.
    static std::vector<std::string> remarks_of(const fs::path& path, std::uint32_t members) {
        return for_members(members, [&](Exchange& exchange) {
            const RunFolder folder = RunFolder::open(path);
            std::string remark;
            try {
                (void)folder.resume(folder.recipe().settings(), remark, &exchange);
            } catch (const InvalidInput& error) {
                return fmt::format("refused: {}", error.what());
            }
            return remark;
        });
    }

  private:
    fs::path path_;
};

TEST_F(Epochs, GoOnWithAnyNumberOfMembers) {
    const Recipe recipe = recipe_of("random", "generations = 90");
    const Result alone = evolve(recipe.problem(), recipe.settings());
    (void)RunFolder::create(folder(), recipe);
    std::optional<Result> result;
    for (const std::uint32_t members : {2U, 3U, 1U, 7U, 4U}) {
        ASSERT_FALSE(result);
        result = go_on(folder(), members, members == 4 ? 1000 : 3);
        EXPECT_LE(complete_epochs(folder(), 7).size(), 2U);
    }
    ASSERT_TRUE(result);
    expect_same(alone, *result);
    EXPECT_FALSE(verify(RunFolder::open(folder()), 1));
}

TEST_F(Epochs, AreReadByARunAlone) {
    const Recipe recipe = recipe_of("ring", "generations = 60");
    const Result alone = evolve(recipe.problem(), recipe.settings());
    const RunFolder run_folder = RunFolder::create(folder(), recipe);
    (void)go_on(folder(), 3, 4);
    std::string remark;
    knossos::Run run = run_folder.resume(recipe.settings(), remark);
    EXPECT_GT(run.status().statistics.generation, 0U);
    run.finish();
    expect_same(alone, run.result());
}

TEST_F(Epochs, DamagedOrIncompleteOnesArePassedOver) {
    const Recipe recipe = recipe_of("ring", "generations = 60");
    const Result alone = evolve(recipe.problem(), recipe.settings());
    (void)RunFolder::create(folder(), recipe);
    (void)go_on(folder(), 2, 2);
    (void)go_on(folder(), 2, 2);
    const auto complete = complete_epochs(folder(), 7);
    ASSERT_EQ(complete.size(), 2U);
    const fs::path newest = folder() / "epochs" / fmt::format("{}.4-6.bin", complete.front());
    fs::resize_file(newest, fs::file_size(newest) / 2);
    write_epoch(folder(), SnapshotParts{.head = {}, .first = 0, .islands = {{}, {}}}, 1000, recipe.hash());
    for (const auto& remark : remarks_of(folder(), 3))
        EXPECT_NE(remark.find(newest.string()), std::string::npos) << remark;
    const auto result = go_on(folder(), 3, 1000);
    ASSERT_TRUE(result);
    expect_same(alone, *result);
}

// An epoch whose checksums fit and whose last island is of no use, as a faulty memory could leave it.
void spoil_last_island(const fs::path& folder, const Recipe& recipe, std::uint64_t generation) {
    SnapshotParts parts = load_epoch(folder, generation, {4, 3}, recipe.hash());
    parts.islands.back()[100] ^= std::byte{0xFF};
    write_epoch(folder, parts, generation, recipe.hash());
}

TEST_F(Epochs, ThatOneMemberCannotUseArePassedOverByAll) {
    const Recipe recipe = recipe_of("ring", "generations = 60");
    const Result alone = evolve(recipe.problem(), recipe.settings());
    (void)RunFolder::create(folder(), recipe);
    (void)go_on(folder(), 2, 2);
    const auto older = complete_epochs(folder(), 7).front();
    (void)go_on(folder(), 2, 2);
    const auto newest = complete_epochs(folder(), 7).front();
    spoil_last_island(folder(), recipe, newest);
    for (const auto& remark : remarks_of(folder(), 2)) {
        EXPECT_NE(remark.find(fmt::format("generation {}: ", newest)), std::string::npos) << remark;
        EXPECT_NE(remark.find("is no genome"), std::string::npos) << remark;
    }
    const auto result = go_on(folder(), 2, 1000);
    ASSERT_TRUE(result);
    expect_same(alone, *result);
    fs::remove_all(folder() / "epochs");
    (void)go_on(folder(), 2, 2);
    spoil_last_island(folder(), recipe, older);
    for (const auto& remark : remarks_of(folder(), 2)) EXPECT_TRUE(remark.starts_with("refused: ")) << remark;
}

// Two kinds of checkpoints lie side by side once a run went on alone and together: damage to one kind leaves
// the other.
TEST_F(Epochs, AndCheckpointsStandInForEachOther) {
    const Recipe recipe = recipe_of("ring", "generations = 60");
    const Result alone = evolve(recipe.problem(), recipe.settings());
    const RunFolder run_folder = RunFolder::create(folder(), recipe);
    std::string remark;
    knossos::Run run = run_folder.resume(recipe.settings(), remark);
    run.step();
    run_folder.save(run);
    (void)go_on(folder(), 2, 2);
    const fs::path checkpoint = folder() / "checkpoint.bin";
    const fs::path epoch =
        folder() / "epochs" / fmt::format("{}.0-3.bin", complete_epochs(folder(), 7).front());
    for (const fs::path& damaged : {checkpoint, epoch}) {
        SCOPED_TRACE(damaged.string());
        const fs::path copy = folder().parent_path() / "copy";
        fs::copy(folder(), copy, fs::copy_options::recursive);
        const fs::path file = copy / fs::relative(damaged, folder());
        fs::resize_file(file, fs::file_size(file) / 2);
        std::string said;
        const auto generation = RunFolder::open(copy).resume(recipe.settings(), said).status();
        EXPECT_EQ(generation.statistics.generation > 1, damaged == checkpoint);
        EXPECT_NE(said.find(file.string()), std::string::npos) << said;
        const auto result = go_on(copy, 3, 1000);
        ASSERT_TRUE(result);
        expect_same(alone, *result);
        fs::remove_all(copy);
    }
}

} // namespace
} // namespace knossos::run_exchange_test
