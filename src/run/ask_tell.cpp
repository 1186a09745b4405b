#include <knossos/run/ask_tell.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace knossos {

namespace {

// Thrown through the run when nobody wants its result any more.
class GivenUp : public InvalidInput {
  public:
    GivenUp() : InvalidInput{"the run was given up"} {}
};

} // namespace

// The run has a thread of its own, and one of the two always waits for the other: what is done does not
// depend on either's pace.
class AskTell::State {
  public:
    State(const Problem& problem, Settings settings)
        : problem_{evaluated_by(problem, [this](const Batch& batch, std::span<double> fitness) {
              hand_over(batch, fitness);
          })} {
        check(problem_, settings);
        if (settings.stop.kind() == StopKind::never)
            throw InvalidInput{"stop: no rule is given, so the run would never end"};
        settings.on_generation = [this, its = settings.on_generation](const Status& status) {
            return is_given_up() ? Proceed::no : its(status);
        };
        thread_ = std::jthread{[this, its = std::move(settings)] { run(its); }};
    }
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State() {
        {
            const std::scoped_lock lock{mutex_};
            is_given_up_ = true;
        }
        changed_.notify_all();
    }

    std::optional<Batch> ask(const std::function<void()>& meanwhile) {
        constexpr std::chrono::milliseconds glance{100};
        std::unique_lock lock{mutex_};
        const auto is_answered = [&] { return asked_ != nullptr || has_ended_; };
        while (!changed_.wait_for(lock, glance, is_answered)) {
            if (!meanwhile) continue;
            lock.unlock();
            meanwhile();
            lock.lock();
        }
        if (asked_ != nullptr) return *asked_;
        if (failure_) std::rethrow_exception(failure_);
        return std::nullopt;
    }

    void tell(std::span<const double> fitness) {
        {
            const std::scoped_lock lock{mutex_};
            if (asked_ == nullptr) throw InvalidInput{"tell: nothing was asked; call ask() first"};
            if (fitness.size() != answer_.size())
                throw InvalidInput{fmt::format("tell: {} values for {} individuals; there must be {} ({})",
                                               fitness.size(), asked_->count, answer_.size(),
                                               problem_.schema().to_text())};
            std::ranges::copy(fitness, answer_.begin());
            asked_ = nullptr;
        }
        changed_.notify_all();
    }

    Result result() {
        const std::scoped_lock lock{mutex_};
        if (!result_) throw InvalidInput{"result: the run has not ended"};
        return *result_;
    }

  private:
    // A run that evaluates nothing new hands nothing over: it hears of this between generations.
    bool is_given_up() {
        const std::scoped_lock lock{mutex_};
        return is_given_up_;
    }

    void run(const Settings& settings) {
        std::optional<Result> result;
        std::exception_ptr failure;
        try {
            result = evolve(problem_, settings);
        } catch (const RunFailed& error) {
            result = error.last_complete();
            failure = std::current_exception();
        } catch (...) {
            failure = std::current_exception();
        }
        {
            const std::scoped_lock lock{mutex_};
            result_ = std::move(result);
            failure_ = failure;
            has_ended_ = true;
        }
        changed_.notify_all();
    }

    // Called by the run, for one batch at a time.
    void hand_over(const Batch& batch, std::span<double> fitness) {
        std::unique_lock lock{mutex_};
        asked_ = &batch;
        answer_ = fitness;
        changed_.notify_all();
        changed_.wait(lock, [&] { return asked_ == nullptr || is_given_up_; });
        if (asked_ == nullptr) return;
        asked_ = nullptr;
        throw GivenUp{};
    }

    Problem problem_;
    std::mutex mutex_;
    std::condition_variable changed_;
    const Batch* asked_ = nullptr;
    std::span<double> answer_;
    bool is_given_up_ = false;
    bool has_ended_ = false;
    std::optional<Result> result_;
    std::exception_ptr failure_;
    std::jthread thread_; // last: it uses all of the above
};

AskTell::AskTell(const Problem& problem, Settings settings)
    : state_{std::make_unique<State>(problem, std::move(settings))} {}
AskTell::~AskTell() = default;
std::optional<Batch> AskTell::ask() { return state_->ask({}); }
std::optional<Batch> AskTell::ask(const std::function<void()>& meanwhile) { return state_->ask(meanwhile); }
void AskTell::tell(std::span<const double> fitness) { state_->tell(fitness); }
Result AskTell::result() const { return state_->result(); }

} // namespace knossos
