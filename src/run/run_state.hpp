#pragma once

#include <knossos/core/bytes.hpp>
#include <knossos/core/device_lost.hpp>

#include <knossos/run/asynchronous.hpp>
#include <knossos/run/run.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <set>

namespace knossos {

/// What an island says of itself after a generation, and all that the run's statistics are made of.
struct Report {
    Moments moments;
    std::uint64_t evaluations = 0;
    std::uint64_t steps = 0;
    double selection_intensity = 0.0;
    std::uint64_t spent = 0;     ///< those of this generation
    std::uint64_t uncounted = 0; ///< made beyond its share of the budget
    std::uint64_t improved_at = 0;
    Quality best_ever{};
    Quality merit{};
    double coverage = 0.0;
    double qd_score = 0.0;
    std::uint64_t is_cut = 0; ///< 1 if the share was spent before the generation was complete
};

/// What an exception says.
std::string message_of(const std::exception_ptr& thrown);

/// Reports taken together, in the order of the islands.
class Tally {
  public:
    explicit Tally(const Schema& schema)
        : objective_{schema.objective()}, merit_objective_{schema.merit_objective()},
          best_ever_{worst_quality(objective_)}, merit_{worst_quality(merit_objective_)} {}

    void add(const Report& report) {
        if (total_.whole != 0 && report.moments.whole == 0) follow_from_sums(total_);
        total_ = merge_sums(total_, report.moments, objective_);
        evaluations_ += report.evaluations;
        steps_ += report.steps;
        intensity_ += report.selection_intensity;
        coverage_ += report.coverage;
        qd_score_ += report.qd_score;
        ++islands_;
        improved_at_ = std::max(improved_at_, report.improved_at);
        if (better(objective_, report.best_ever, best_ever_)) best_ever_ = report.best_ever;
        if (better(merit_objective_, report.merit, merit_)) merit_ = report.merit;
        most_spent_ = std::max(most_spent_, report.spent);
        uncounted_ += report.uncounted;
        is_cut_ = is_cut_ || report.is_cut != 0;
    }

    /// The most evaluations that an island has made in this generation.
    [[nodiscard]] std::uint64_t most_spent() const { return most_spent_; }
    [[nodiscard]] std::uint64_t uncounted() const { return uncounted_; }
    [[nodiscard]] bool is_cut() const { return is_cut_; }

    [[nodiscard]] Status status(std::uint64_t generation, double seconds, const Problem& problem) const {
        Moments total = total_;
        if (total.whole != 0) follow_from_sums(total);
        Statistics now;
        now.generation = generation;
        now.evaluations = evaluations_;
        now.steps = steps_;
        now.selection_intensity = intensity_ / static_cast<double>(islands_);
        now.coverage = coverage_ / static_cast<double>(islands_);
        now.qd_score = qd_score_ / static_cast<double>(islands_);
        now.best = total.best.fitness;
        now.mean = total.mean;
        now.worst = total.worst.fitness;
        now.worst_violation = total.worst.violation;
        now.deviation = std::sqrt(total.squares / static_cast<double>(total.count));
        now.diversity = total.pairs == 0 ? 0.0 : total.distance / static_cast<double>(total.pairs);
        now.best_ever = best_ever_.fitness;
        now.violation = best_ever_.violation;
        now.merit = merit_.fitness;
        now.feasible = static_cast<double>(total.feasible) / static_cast<double>(total.count);
        now.seconds = seconds;
        return {
            .statistics = now, .stagnation = generation - improved_at_, .solved = problem.reached(merit_)};
    }

  private:
    Objective objective_;
    Objective merit_objective_;
    Moments total_;
    std::uint64_t evaluations_ = 0;
    std::uint64_t steps_ = 0;
    double intensity_ = 0.0;
    double coverage_ = 0.0;
    double qd_score_ = 0.0;
    std::uint64_t islands_ = 0;
    std::uint64_t improved_at_ = 0;
    Quality best_ever_;
    Quality merit_;
    std::uint64_t most_spent_ = 0;
    std::uint64_t uncounted_ = 0;
    bool is_cut_ = false;
};

/// A run in progress. run_loop.cpp takes its islands, or one member's share of them, from epoch to epoch: the
/// generations in which islands need not hear from each other; run_asynchronous.cpp does so without waiting
/// for the other members. run_snapshot.cpp writes it down and takes it up again.
class Run::State {
  public:
    State(const Problem& problem, Settings settings, Exchange* exchange);

    void start();
    void step();
    /// Up to the next migration, or less if somebody watches and it takes long.
    void advance(bool is_watched);
    [[nodiscard]] bool finished() const { return !stopped_by_.empty(); }
    [[nodiscard]] const Status& status() const { return status_; }
    /// As they are, fetched from wherever the algorithm keeps them.
    [[nodiscard]] std::span<const Island> islands() const {
        for (Island& island : islands_) settings_.algorithm.fetch(island);
        return islands_;
    }
    [[nodiscard]] const Problem& problem() const { return problem_; }
    [[nodiscard]] const Settings& settings() const { return settings_; }
    [[nodiscard]] Result result() const;
    [[nodiscard]] std::string remark() const;
    [[nodiscard]] std::optional<Gallery> gallery() const;
    [[nodiscard]] std::vector<Contestant> contestants() const;
    [[nodiscard]] std::vector<std::byte> snapshot() const;
    [[nodiscard]] SnapshotParts snapshot_parts() const;
    [[nodiscard]] Exchange* exchange() const { return exchange_; }
    void restore(std::span<const std::byte> snapshot);
    void restore(const SnapshotParts& parts);

  private:
    using Clock = std::chrono::steady_clock;

    // What can't be repeated for a generation that failed.
    struct Failure {
        std::uint64_t generation = ~std::uint64_t{0};
        std::uint32_t island = 0;
        std::exception_ptr thrown{};
        std::string text{}; ///< where it was thrown by another member
    };
    struct Epoch {
        std::uint64_t first = 0;
        std::uint64_t last = 0;
    };
    // What is known of the run beside its islands.
    struct Whole {
        Status status{};
        std::uint64_t idle = 0;
        std::uint64_t digest = 0;
        std::vector<Statistics> history{};
        std::uint64_t history_interval = 1;
    };

    // From epoch to epoch (run_loop.cpp).
    [[nodiscard]] std::uint64_t end_of_epoch(std::uint64_t generation, bool is_heard) const;
    void plan_epoch(double generation_seconds);
    void run_epoch(std::uint64_t first, std::uint64_t last);
    void begin_epoch(std::uint64_t first, std::uint64_t last);
    void give_share(Island& island) const;
    void breed_epoch();
    [[nodiscard]] bool breed_together();
    void prepare_generation(Island& island, std::uint64_t generation) const;
    void back_up(Island& island);
    void breed_island(const Context& context, Island& island, bool is_bred = false) const;
    [[nodiscard]] std::vector<const std::byte*> start_of(const Island& island) const;
    void breed_or_restart(const Context& context, Island& island, bool is_bred) const;
    [[nodiscard]] bool ends_run(const Quality& merit) const;
    void end_epoch_at(std::uint64_t generation);
    void fail(Island& island, std::uint64_t generation);
    void go_back_to(std::uint64_t generation);
    void repeat_up_to(std::uint64_t generation);
    [[nodiscard]] std::uint64_t left_of_budget() const;
    [[nodiscard]] std::uint64_t share_of_budget(std::uint32_t island, std::uint64_t left) const;
    // Reports are those of all islands, each of all generations of the epoch; a row is a generation.
    [[nodiscard]] Tally tally_of(std::span<const Report> reports, std::size_t row) const;
    [[nodiscard]] bool exceeds_budget(const Tally& tally, std::span<const Report> reports,
                                      std::size_t row) const;
    [[nodiscard]] bool migrates_at(std::uint64_t generation) const;
    [[nodiscard]] Population blank_population(std::size_t size) const {
        return {problem_.space(), size, problem_.schema().size()};
    }
    void migrate_if_sound();
    void migrate_or_fail();
    [[nodiscard]] std::map<std::uint32_t, Population> exchange_emigrants();
    // Lets every island admit those that come to it: `group_of` knows the emigrants of an island, or nothing.
    void admit_from(std::uint64_t generation, const std::function<const Population*(std::uint32_t)>& group_of,
                    bool is_noted);
    [[nodiscard]] Report report_of(const Island& island) const;
    void note(const Island& island);
    void tally_some(std::size_t own_island);
    [[nodiscard]] std::vector<Report> gather_reports();
    void conclude(const Tally& tally, std::uint64_t generation);
    void judge_sharing(double epoch_seconds, std::uint64_t generations);

    // What comes of it (run.cpp).
    void conclude(const Status& now, bool is_cut = false);
    void end_by_rules();
    void count_idle(const Statistics& now);
    [[nodiscard]] std::uint64_t most_idle() const;
    void record(const Statistics& now);
    [[nodiscard]] std::size_t most_history() const { return std::max<std::size_t>(settings_.history, 2); }
    [[nodiscard]] std::vector<HallEntry> all_halls(std::uint64_t& restarts, std::uint64_t& failures,
                                                   std::uint64_t& clamped) const;
    [[nodiscard]] double seconds() const {
        return seconds_before_ + std::chrono::duration<double>(Clock::now() - started_).count();
    }

    // Without waiting for the other members (run_asynchronous.cpp).
    void end_epoch_apart();
    void conclude_apart(std::uint64_t generation);
    void migrate_apart(std::uint64_t generation);
    void post(std::uint32_t member, ByteWriter message);
    void read_post();
    void tell_to_stop();
    void settle(const std::string& failure);

    // Written down and taken up again (run_snapshot.cpp).
    [[nodiscard]] std::vector<std::byte> head() const;
    void restore_head(ByteReader& in);
    void restore_island(ByteReader& in, Island& island) const;
    void go_on();

    // An evaluation that throws something of its own reaches the user as an EvaluationError with that
    // message.
    template <class Work>
    void guarded(Work work) {
        try {
            work();
        } catch (const EvaluationError&) {
            throw;
        } catch (const InputOutputError& error) {
            throw EvaluationError{error.what()};
        } catch (...) {
            throw EvaluationError{evaluation_fault()};
        }
    }

    // With at least as many islands as threads, each thread takes whole islands; else the threads share each
    // island.
    template <class Work>
    void each_island(Work work) {
        const bool parallel = is_shared();
        const bool whole_islands = parallel && islands_.size() >= pool_.size();
        if (whole_islands) {
            pool_.for_each(islands_.size(), [&](std::size_t index, std::size_t worker) {
                work(context_for(nullptr, std::span{workers_}.subspan(worker, 1)), islands_[index]);
            });
        } else {
            const Context shared = context_for(parallel ? &pool_ : nullptr, workers_);
            for (Island& island : islands_) work(shared, island);
        }
    }
    [[nodiscard]] bool is_shared() const {
        return pool_.size() > 1 && (settings_.threads != 0 || worth_sharing_);
    }
    [[nodiscard]] Context context_for(ThreadPool* pool, std::span<Worker> workers) const {
        return {problem_, stages_, settings_.hall_of_fame, pool, workers, pool != nullptr && slow_};
    }

    std::shared_ptr<FailureCount> failures_ = std::make_shared<FailureCount>();
    Problem problem_;
    Settings settings_;
    Stages stages_;
    bool keeps_archive_ = settings_.algorithm.keeps_archive();
    Exchange* exchange_; ///< to the processes that have the other islands, if there are any
    AsynchronousExchange* asynchronous_ = exchange_ == nullptr ? nullptr : exchange_->asynchronous();
    IslandRange own_;
    /// The islands go from generation to generation together: on a device, which wants much to do at once.
    bool is_together_ = exchange_ == nullptr && settings_.islands.count > 1 &&
                        settings_.algorithm.steps_together();
    std::map<std::uint32_t, Population> arrived_;         // the newest emigrants of an island elsewhere
    std::map<std::uint32_t, std::vector<Report>> newest_; // what a member last said of its islands
    std::vector<std::uint64_t> posted_;                   // messages to each member
    std::uint64_t received_ = 0;
    ThreadPool pool_;
    std::vector<Worker> workers_;
    mutable std::vector<Island>
        islands_; ///< mutable: who looks at them may have to wait until they are fetched
    std::vector<IslandState> backup_;
    std::optional<std::uint64_t> budget_; ///< evaluations after which the run ends

    // The epoch that is being bred.
    Epoch epoch_;
    std::atomic<std::uint64_t> epoch_end_{0}; ///< the generation at which somebody says that the run ends
    double epoch_began_ = 0.0;
    bool keeps_backup_ = false;
    Whole before_epoch_;                           ///< if it has several generations
    std::size_t history_before_ = 0;               ///< how long the history was then
    std::vector<std::vector<IslandState>> copies_; ///< of each island after each generation that took long
    bool has_shares_ = false;                      ///< islands know how much of the budget they may spend
    std::vector<std::uint64_t> counted_before_;    ///< evaluations of each of our islands
    std::vector<Population> emigrants_;            ///< of each of our islands, before a migration
    std::vector<Report> reports_;                  ///< of our islands, each of all generations
    std::vector<Tally> tallies_;                   ///< of generations whose reports have been read already
    std::vector<double> clock_;                    ///< when each generation ended
    Failure failure_;
    std::mutex failure_mutex_;

    Status status_;
    std::uint64_t idle_ = 0;        ///< generations in a row in which nothing was evaluated: no child was new
    std::set<std::uint32_t> heard_; ///< members that have said how far they are since that was last counted
    std::string stopped_by_;
    bool stopped_by_time_ = false;
    std::vector<Statistics> history_;
    std::uint64_t history_interval_ = 1;
    std::uint64_t digest_ = 0;
    std::optional<Whole> before_cut_;     ///< set once the budget has cut a generation
    std::uint64_t uncounted_ = 0;         ///< evaluations made beyond the budget
    std::uint64_t newest_cost_ = 1;       ///< evaluations of the newest generation
    std::uint64_t generations_heard_ = 1; ///< until it should be heard how far the run is
    bool worth_sharing_ = false;
    bool slow_ = false;                    ///< evaluations are worth being dealt one by one
    std::uint64_t judged_evaluations_ = 0; ///< of our islands, when that was last judged
    double seconds_before_ = 0.0;
    Clock::time_point started_ = Clock::now();
};

} // namespace knossos
