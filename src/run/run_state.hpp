#pragma once

#include <knossos/core/bytes.hpp>

#include <knossos/run/asynchronous.hpp>
#include <knossos/run/run.hpp>

#include <chrono>
#include <cmath>
#include <functional>
#include <map>

namespace knossos {

/// What an island says of itself after a generation, and all that the run's statistics are made of.
struct Report {
    Moments moments;
    std::uint64_t evaluations = 0;
    std::uint64_t improved_at = 0;
    double best_ever = 0.0;
};

/// Reports taken together, in the order of the islands.
class Tally {
  public:
    explicit Tally(Objective objective) : objective_{objective}, best_ever_{worst_value(objective)} {}

    void add(const Report& report) {
        total_ = merge(total_, report.moments, objective_);
        evaluations_ += report.evaluations;
        improved_at_ = std::max(improved_at_, report.improved_at);
        if (better(objective_, report.best_ever, best_ever_)) best_ever_ = report.best_ever;
    }

    [[nodiscard]] Status status(std::uint64_t generation, double seconds, const Problem& problem) const {
        Statistics now;
        now.generation = generation;
        now.evaluations = evaluations_;
        now.best = total_.best;
        now.mean = total_.mean;
        now.worst = total_.worst;
        now.deviation = std::sqrt(total_.squares / static_cast<double>(total_.count));
        now.diversity = total_.pairs == 0 ? 0.0 : total_.distance / static_cast<double>(total_.pairs);
        now.best_ever = best_ever_;
        now.seconds = seconds;
        return {.statistics = now,
                .stagnation = generation - improved_at_,
                .solved = problem.reached(best_ever_)};
    }

  private:
    Objective objective_;
    Moments total_;
    std::uint64_t evaluations_ = 0;
    std::uint64_t improved_at_ = 0;
    double best_ever_;
};

/// A run in progress. Alone (run.cpp) it breeds all islands; one of several members breeds its share of them,
/// in step with the others or without waiting for them (run_together.cpp). run_snapshot.cpp writes it down
/// and takes it up again.
class Run::State {
  public:
    State(Problem problem, Settings settings);

    void start();
    void step();
    [[nodiscard]] bool finished() const { return !stopped_by_.empty(); }
    [[nodiscard]] const Status& status() const { return status_; }
    [[nodiscard]] std::span<const Island> islands() const { return islands_; }
    [[nodiscard]] const Problem& problem() const { return problem_; }
    [[nodiscard]] const Settings& settings() const { return settings_; }
    [[nodiscard]] Result result() const;
    [[nodiscard]] std::vector<std::byte> snapshot() const;
    [[nodiscard]] SnapshotParts snapshot_parts() const;
    [[nodiscard]] Exchange* exchange() const { return exchange_; }
    void restore(std::span<const std::byte> snapshot);
    void restore(const SnapshotParts& parts);

  private:
    using Clock = std::chrono::steady_clock;

    // Alone, and what all ways share (run.cpp).
    void advance(std::uint64_t generation, bool keep);
    void breed_islands(std::uint64_t generation, bool keep = false);
    void breed_island(const Workshop& workshop, Island& island) const;
    [[nodiscard]] bool migrates_at(std::uint64_t generation) const;
    void migrate(std::uint64_t generation);
    // Lets every island admit those that come to it: `group_of` knows the emigrants of an island, or nothing.
    void admit_from(std::uint64_t generation,
                    const std::function<const Population*(std::uint32_t)>& group_of);
    void note(const Island& island);
    void observe();
    void judge_sharing(double generation_seconds);
    void conclude(const Status& now);
    void record(const Statistics& now);
    [[nodiscard]] std::vector<HallEntry> all_halls(std::uint64_t& restarts) const;
    [[nodiscard]] double seconds() const {
        return seconds_before_ + std::chrono::duration<double>(Clock::now() - started_).count();
    }

    // One of several members (run_together.cpp).
    [[nodiscard]] std::uint64_t end_of_epoch(std::uint64_t generation) const;
    void plan_epoch(double generation_seconds);
    void advance_together(std::uint64_t first, std::uint64_t last);
    void migrate_together(std::uint64_t generation, bool is_sound);
    void advance_apart(std::uint64_t first, std::uint64_t last);
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
        } catch (const InvalidInput&) {
            throw;
        } catch (const std::bad_alloc&) {
            throw;
        } catch (const std::exception& error) {
            throw EvaluationError{*error.what() != '\0' ? error.what()
                                                        : "the evaluation threw an exception without words"};
        } catch (...) {
            throw EvaluationError{"the evaluation threw something that is no std::exception"};
        }
    }

    // With at least as many islands as threads, each thread takes whole islands; else the threads share each
    // island.
    template <class Work>
    void each_island(Work work) {
        const bool parallel = pool_.size() > 1 && (settings_.threads != 0 || worth_sharing_);
        const bool whole_islands = parallel && islands_.size() >= pool_.size();
        const auto workshop = [&](ThreadPool* pool, std::span<Worker> workers) {
            return Workshop{problem_, stages_, settings_.hall_of_fame,
                            pool,     workers, pool != nullptr && slow_};
        };
        if (whole_islands) {
            pool_.for_each(islands_.size(), [&](std::size_t index, std::size_t worker) {
                work(workshop(nullptr, std::span{workers_}.subspan(worker, 1)), islands_[index]);
            });
        } else {
            const Workshop shared = workshop(parallel ? &pool_ : nullptr, workers_);
            for (Island& island : islands_) work(shared, island);
        }
    }

    Problem problem_;
    Settings settings_;
    Stages stages_;
    Exchange* exchange_ = settings_.exchange;
    AsynchronousExchange* asynchronous_ = dynamic_cast<AsynchronousExchange*>(exchange_);
    IslandRange own_;
    std::map<std::uint32_t, Population> arrived_;         // the newest emigrants of an island elsewhere
    std::map<std::uint32_t, std::vector<Report>> newest_; // what a member last said of its islands
    std::vector<std::uint64_t> posted_;                   // messages to each member
    std::uint64_t received_ = 0;
    ThreadPool pool_;
    std::vector<Worker> workers_;
    std::vector<Island> islands_;
    std::vector<IslandState> backup_;
    std::vector<Report> reports_; ///< of the newest generation, in the order of the islands
    Status status_;
    std::string stopped_by_;
    std::vector<Statistics> history_;
    std::uint64_t history_interval_ = 1;
    std::uint64_t digest_ = 0;
    std::uint64_t epoch_ = 1; ///< generations until the members should hear from each other
    bool worth_sharing_ = false;
    bool slow_ = false;                    ///< evaluations are worth being dealt one by one
    std::uint64_t judged_evaluations_ = 0; ///< of our islands, when that was last judged
    double seconds_before_ = 0.0;
    Clock::time_point started_ = Clock::now();
};

} // namespace knossos
