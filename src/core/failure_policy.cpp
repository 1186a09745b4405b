#include <knossos/core/failure_policy.hpp>

#include <cmath>
#include <vector>

namespace knossos {

namespace {

class Tolerant {
  public:
    Tolerant(Problem problem, OnFailure policy, std::shared_ptr<FailureCount> count)
        : problem_{std::move(problem)}, policy_{policy}, count_{std::move(count)} {}

    // One by one, unless the problem wants them all at once: what becomes of one must not depend on who else
    // is in its batch.
    void operator()(const Batch& batch, std::span<double> values) const {
        const bool succeeded = problem_.in_whole_batches() && attempt(batch, values);
        std::vector<double> one(problem_.schema().size());
        for (std::size_t i = 0; i < batch.count; ++i) {
            const Record out{&values[i], batch.count};
            if (succeeded && is_number(out)) continue;
            const Batch single{batch.space, batch[i], batch.stride, 1};
            // Of several that failed together, nobody knows which it was.
            const bool is_known = succeeded || (problem_.in_whole_batches() && batch.count == 1);
            if (is_known || !attempt(single, one) || !is_number(Record{one.data(), 1})) {
                try {
                    give_in(single, one);
                } catch (...) {
                    throw IndividualFailed{evaluation_fault(), i};
                }
            }
            for (std::size_t column = 0; column < one.size(); ++column) out[column] = one[column];
        }
    }

  private:
    [[nodiscard]] bool is_number(const Record& record) const {
        for (std::size_t column = 0; column < problem_.schema().size(); ++column)
            if (std::isnan(record[column])) return false;
        return true;
    }

    [[nodiscard]] bool attempt(const Batch& batch, std::span<double> values) const {
        try {
            problem_.evaluate(batch, values);
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

    void give_in(const Batch& single, std::span<double> values) const {
        if (policy_ == OnFailure::worst) {
            ++count_->worst;
            problem_.schema().write_worst(Record{values.data(), 1});
        } else {
            ++count_->retried;
            problem_.evaluate(single, values);
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
