#pragma once

#include <knossos/run/run.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <span>

namespace knossos {

/// A run whose evaluations are made by whoever holds it, at their own time:
///
///     AskTell run{problem, settings};
///     while (const auto batch = run.ask()) run.tell(values_of(*batch));
///     run.result();
///
/// Works with every algorithm, and gives what evolve() gives. The problem's own evaluate() is not called.
class AskTell {
  public:
    /// Throws InvalidInput as evolve() does.
    AskTell(const Problem& problem, Settings settings);
    AskTell(const AskTell&) = delete;
    AskTell& operator=(const AskTell&) = delete;
    ~AskTell(); ///< a run that has not ended is given up, after the generation that it is at

    /// The individuals to be evaluated next, the same until they are told; nothing once the run has ended.
    /// Throws what ended the run, if that was no stop rule.
    [[nodiscard]] std::optional<Batch> ask();
    /// The same, for who does not want to wait for long: a run that breeds nothing new asks nothing until it
    /// ends for that. Calls a function several times a second as long as it waits; what that throws ends the
    /// waiting, not the run.
    [[nodiscard]] std::optional<Batch> ask(const std::function<void()>& meanwhile);
    /// The fitness of each of them. Throws InvalidInput if there is another number of values, or if nothing
    /// was asked.
    void tell(std::span<const double> fitness);

    /// Of the run that has ended; after a failure, as of its last complete generation. Throws InvalidInput
    /// while there is none.
    [[nodiscard]] Result result() const;

  private:
    class State;
    std::unique_ptr<State> state_;
};

} // namespace knossos
