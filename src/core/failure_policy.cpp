#include <knossos/core/failure_policy.hpp>

#include <cmath>

namespace knossos {

namespace {

class Tolerant {
  public:
    Tolerant(Problem problem, OnFailure policy, std::shared_ptr<FailureCount> count)
        : problem_{std::move(problem)}, policy_{policy}, count_{std::move(count)} {}

    // One by one, unless the problem wants them all at once: what becomes of one must not depend on who else
    // is in its batch.
    void operator()(const Batch& batch, std::span<double> fitness) const {
        if (problem_.in_whole_batches()) return evaluate(batch, fitness);
        for (std::size_t i = 0; i < batch.count; ++i)
            evaluate({batch.space, batch[i], batch.stride, 1}, fitness.subspan(i, 1));
    }

  private:
    void evaluate(const Batch& batch, std::span<double> fitness) const {
        const bool succeeded = attempt(batch, fitness);
        for (std::size_t i = 0; i < batch.count; ++i) {
            if (succeeded && !std::isnan(fitness[i])) continue;
            // Of several that failed together, nobody knows which it was.
            const Batch single{batch.space, batch[i], batch.stride, 1};
            const std::span<double> one{&fitness[i], 1};
            const bool is_known = succeeded || batch.count == 1;
            if (!is_known && attempt(single, one) && !std::isnan(fitness[i])) continue;
            give_in(single, one);
        }
    }

    [[nodiscard]] bool attempt(const Batch& batch, std::span<double> fitness) const {
        try {
            problem_.evaluate(batch, fitness);
            return true;
        } catch (const InvalidInput&) { // it can't be done for any
            throw;
        } catch (const InputOutputError&) {
            throw;
        } catch (const std::bad_alloc&) {
            throw;
        } catch (...) {
            return false;
        }
    }

    void give_in(const Batch& single, std::span<double> fitness) const {
        if (policy_ == OnFailure::worst) {
            ++count_->worst;
            fitness[0] = worst_value(problem_.objective());
        } else {
            ++count_->retried;
            problem_.evaluate(single, fitness);
        }
    }

    Problem problem_;
    OnFailure policy_;
    std::shared_ptr<FailureCount> count_;
};

} // namespace

Problem tolerating(const Problem& problem, OnFailure policy, std::shared_ptr<FailureCount> count) {
    if (policy == OnFailure::end) return problem;
    const Calls calls = problem.in_whole_batches() ? Calls::whole_batches : Calls::from_threads;
    return evaluated_by(problem, Tolerant{problem, policy, std::move(count)}, calls);
}

} // namespace knossos
