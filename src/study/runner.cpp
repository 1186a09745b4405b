#include <knossos/recipe/result_json.hpp>
#include <knossos/study/runner.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace knossos::study {

namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// Whether runs are measured by a hypervolume or a QD-score, which begin with 0.
bool is_volume_of(const Result& result) { return result.merit_name != Schema{result.columns}.fitness_name(); }

void describe_end(RunRecord& record, const Result& result, const std::optional<double>& target) {
    record.evaluations = result.evaluations;
    record.generations = result.generations;
    record.seconds = result.seconds;
    const Schema schema{result.columns};
    const bool holds = result.violation == 0.0 || !schema.has_objective();
    const bool is_volume = is_volume_of(result);
    const Objective objective = is_volume ? Objective::maximise : schema.objective();
    record.best = holds ? result.merit : is_volume ? 0.0 : worst_value(objective);
    const bool is_solved = target && holds && !better(objective, *target, result.merit);
    record.outcome = is_solved ? Outcome::solved : Outcome::unsolved;
    for (std::size_t i = 0; i < result.record.size(); ++i)
        record.values.push_back({std::string{result.columns[i].name.text()},
                                 std::string{to_string(result.columns[i].role)}, result.record[i]});
    // No column can have these names.
    if (result.gallery) {
        record.values.push_back({std::string{archive_coverage}, "archive", result.gallery->coverage});
        record.values.push_back({std::string{archive_qd_score}, "archive", result.gallery->qd_score});
    }
    record.stopped_by = result.stopped_by;
    record.genome = result.best.to_text();
    record.digest = digest_text(result.digest);
    const HallEntry& best = result.hall_of_fame.front();
    record.found_at = best.evaluations;
    record.found_generation = best.generation;
}

unsigned workers_for(unsigned threads) {
    return threads != 0 ? threads : std::max(1U, std::thread::hardware_concurrency());
}

// A configuration made ready once for all its runs.
struct Prepared {
    Problem problem;
    Settings settings;
};

// Workers take tasks and leave records; the thread that owns the store does everything else.
class Crew {
  public:
    Crew(const Study& study, unsigned threads, std::span<const Settings> settings) : study_{study} {
        for (const Configuration& one : study.configurations) {
            const std::size_t i = prepared_.size();
            prepared_.push_back(
                {one.recipe.problem(), settings.empty() ? one.recipe.settings() : settings[i]});
            prepared_.back().settings.threads = 1;
            prepared_.back().settings.history = 0;
        }
        for (unsigned worker = 0; worker < workers_for(threads); ++worker)
            workers_.emplace_back([this] { work(); });
    }
    Crew(const Crew&) = delete;
    Crew& operator=(const Crew&) = delete;
    ~Crew() { stop(); }

    [[nodiscard]] std::size_t size() const { return workers_.size(); }

    void add(std::span<const Task> tasks) {
        {
            const std::lock_guard lock{mutex_};
            tasks_.insert(tasks_.end(), tasks.begin(), tasks.end());
            open_ += tasks.size();
        }
        wake_.notify_all();
    }

    struct Delivery {
        std::vector<RunRecord> records;
        std::size_t waiting = 0; ///< tasks that nobody has started
        std::size_t open = 0;    ///< tasks that are not delivered yet
    };
    // What is finished, as soon as there is anything or too little work is left, but no later than after the
    // given time.
    Delivery collect(std::size_t low, std::chrono::milliseconds patience) {
        std::unique_lock lock{mutex_};
        low_ = low;
        delivered_.wait_for(lock, patience,
                            [&] { return failure_ || (tasks_.size() < low && !records_.empty()); });
        if (failure_) std::rethrow_exception(failure_);
        open_ -= records_.size();
        return {std::exchange(records_, {}), tasks_.size(), open_};
    }

    void stop() {
        stopping_ = true;
        {
            const std::lock_guard lock{mutex_};
            tasks_.clear();
        }
        wake_.notify_all();
        workers_.clear(); // joins
    }

    // After stop(): what was finished and not collected.
    std::vector<RunRecord> leftovers() { return std::exchange(records_, {}); }

  private:
    void work() {
        while (true) {
            Task task;
            {
                std::unique_lock lock{mutex_};
                wake_.wait(lock, [&] { return stopping_ || !tasks_.empty(); });
                if (stopping_) return;
                task = tasks_.front();
                tasks_.pop_front();
            }
            try {
                const Prepared& one = prepared_[task.configuration];
                Settings settings = one.settings;
                settings.seed = study_.seed_of(task.configuration, task.number);
                auto record = run_once(one.problem, std::move(settings), task.number,
                                       [this] { return stopping_.load(std::memory_order_relaxed); });
                if (!record) return;
                record->configuration = task.configuration;
                const std::lock_guard lock{mutex_};
                records_.push_back(std::move(*record));
                if (tasks_.size() < low_) delivered_.notify_one();
            } catch (...) {
                const std::lock_guard lock{mutex_};
                failure_ = std::current_exception();
                delivered_.notify_one();
                return;
            }
        }
    }

    const Study& study_;
    std::vector<Prepared> prepared_;
    std::mutex mutex_;
    std::condition_variable wake_;
    std::condition_variable delivered_;
    std::deque<Task> tasks_;
    std::vector<RunRecord> records_;
    std::size_t open_ = 0;
    std::size_t low_ = 1;
    std::exception_ptr failure_;
    std::atomic<bool> stopping_{false};
    std::vector<std::jthread> workers_; // last: ends before what it uses
};

} // namespace

std::optional<RunRecord> run_once(const Problem& problem, Settings settings, std::uint64_t number,
                                  const std::function<bool()>& should_stop) {
    RunRecord record{.number = number, .seed = settings.seed};
    const bool alone = settings.islands.count == 1;
    bool given_up = false;
    settings.on_generation = [&](const Status& status) {
        // Islands count their own evaluations, so the trace of several follows the generations.
        const Statistics& now = status.statistics;
        if (!alone && now.violation == 0.0 &&
            (record.trace.empty() ||
             better(problem.schema().merit_objective(), now.merit, record.trace.back().best)))
            record.trace.push_back({now.evaluations, now.merit});
        given_up = should_stop && should_stop();
        return given_up ? Proceed::no : Proceed::yes;
    };
    const std::optional<double> target = target_of(problem, settings.stop);
    std::optional<Run> run; // empty if not even the first generation could be evaluated
    std::string failure;
    try {
        run.emplace(problem, std::move(settings));
        run->finish();
    } catch (const EvaluationError& error) {
        failure = error.what();
    }
    if (given_up) return std::nullopt;
    record.best = std::nan("");
    if (run) {
        const Result result = run->result();
        describe_end(record, result, target);
        if (alone)
            for (const Milestone& one : run->islands().front().finds().milestones) {
                if (one.quality.violation == 0.0)
                    record.trace.push_back({one.evaluations, one.quality.fitness});
            }
        else if (!record.trace.empty())
            record.found_at = record.trace.back().evaluations;
        if (is_volume_of(result) && (record.trace.empty() || record.trace.front().evaluations > 1))
            record.trace.insert(record.trace.begin(), {1, 0.0});
    }
    if (!failure.empty()) {
        record.outcome = Outcome::failed;
        record.stopped_by = failure;
    }
    return record;
}

std::size_t enough_for_a_while(std::size_t threads, std::uint64_t done, double seconds) {
    const double rate = static_cast<double>(done) / std::max(seconds, 0.01);
    return std::clamp<std::size_t>(static_cast<std::size_t>(rate * 0.3), threads * 2, 20'000);
}

std::size_t runs_at_once(const Study& study, unsigned threads) {
    return std::min<std::size_t>(workers_for(threads), study.runs * study.configurations.size());
}

bool carry_out(const Study& study, Store& store, const RunnerOptions& options) {
    constexpr double write_every = 0.2;
    constexpr double renew_every = 10.0;
    const auto started = Clock::now();
    auto written = started;
    auto renewed = started;
    const Store::Progress before = store.progress();
    StudyProgress progress{
        .runs = study.runs * study.configurations.size(), .done = before.done, .solved = before.solved};
    Helpers* const helpers = options.helpers;
    if (progress.done == progress.runs) {
        if (helpers != nullptr) (void)helpers->stop();
        return true;
    }
    const auto stopped = [&] { return options.should_stop && options.should_stop(); };
    Crew crew{study, options.threads, options.settings};
    std::vector<RunRecord> finished;
    const auto note = [&](std::vector<RunRecord> records) {
        for (RunRecord& one : records) {
            ++progress.done;
            ++progress.here;
            progress.solved += one.outcome == Outcome::solved ? 1U : 0U;
            finished.push_back(std::move(one));
        }
    };
    const auto write = [&] {
        store.record(finished);
        if (options.on_run)
            for (const RunRecord& one : finished) options.on_run(one);
        finished.clear();
        written = Clock::now();
    };
    // Helpers are looked after by this thread, and should not have to wait for long.
    const std::chrono::milliseconds patience{helpers != nullptr ? 5 : 50};
    std::size_t waiting = 0;
    std::size_t open = 0;
    std::uint64_t done_here = 0; // by the crew
    bool complete = false;
    try {
        while (!complete && !stopped()) {
            const std::size_t enough = enough_for_a_while(crew.size(), done_here, since(started));
            if (waiting < (enough + 1) / 2) {
                const auto tasks = store.claim(enough - waiting);
                crew.add(tasks);
                open += tasks.size();
            }
            if (helpers != nullptr) helpers->feed([&](std::size_t number) { return store.claim(number); });
            progress.is_waiting = open == 0 && (helpers == nullptr || helpers->open() == 0);
            auto delivery = crew.collect(std::max<std::size_t>(enough / 2, 1), patience);
            done_here += delivery.records.size();
            note(std::move(delivery.records));
            if (helpers != nullptr) note(helpers->collect());
            waiting = delivery.waiting;
            open = delivery.open + (helpers != nullptr ? helpers->open() : 0);
            if (since(written) >= write_every || open == 0) write();
            if (open == 0) complete = store.is_complete();
            if (since(renewed) >= renew_every) {
                store.renew_claims();
                renewed = Clock::now();
            }
            progress.seconds = since(started);
            if (options.on_progress) options.on_progress(progress);
        }
    } catch (const Interrupted&) { // NOLINT(bugprone-empty-catch): a wait that ends like any other work
    } catch (...) {
        // Whatever went wrong, what is finished may still find its place.
        crew.stop();
        store.insist();
        try {
            store.record(finished);
        } catch (const Error&) { // NOLINT(bugprone-empty-catch): the first failure is the one to report
        }
        throw;
    }
    crew.stop();
    note(crew.leftovers());
    if (helpers != nullptr) note(helpers->stop());
    store.insist();
    write();
    store.release_claims();
    return complete;
}

void help(const Study& study, unsigned threads, std::span<const Settings> settings,
          const std::function<std::optional<std::vector<Task>>()>& receive,
          const std::function<void(std::vector<RunRecord>)>& deliver) {
    Crew crew{study, threads, settings};
    while (const auto tasks = receive()) {
        crew.add(*tasks);
        auto delivery = crew.collect(~std::size_t{0}, std::chrono::milliseconds{5});
        if (!delivery.records.empty()) deliver(std::move(delivery.records));
    }
    crew.stop();
    deliver(crew.leftovers());
}

} // namespace knossos::study
