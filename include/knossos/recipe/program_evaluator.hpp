#pragma once

#include <knossos/core/fields.hpp>
#include <knossos/run/run.hpp>

#include <array>
#include <functional>
#include <string>
#include <string_view>

namespace knossos {

enum class FitnessOf : unsigned char { maximise, minimise };

template <>
struct EnumNames<FitnessOf> {
    static constexpr std::array<std::string_view, 2> names{"maximise", "minimise"};
};
template <>
struct EnumNames<OnFailure> {
    static constexpr std::array<std::string_view, 3> names{"end", "worst", "retry"};
};

/// The [evaluator] of a recipe: another program that says what individuals are worth.
struct ProgramEvaluator {
    std::string program{};
    FitnessOf objective = FitnessOf::maximise;
    std::string record{};
    double evaluation_seconds = 0.0;
    OnFailure on_failure = OnFailure::end;

    static constexpr std::string_view name = "evaluator";
    static constexpr auto fields() {
        return std::tuple{
            field(
                "program", &ProgramEvaluator::program,
                "the program and its arguments; it reads an individual a line and answers each with a line"),
            field("objective", &ProgramEvaluator::objective,
                  "which way its answers are better, if they are one number"),
            field("record", &ProgramEvaluator::record,
                  "the columns of its answers, if they are more: 'maximise value, must-hold weight'")
                .added_later(),
            field("evaluation_seconds", &ProgramEvaluator::evaluation_seconds, 0, 1e9,
                  "how long an answer may take; 0 is for ever"),
            field(
                "on_failure", &ProgramEvaluator::on_failure,
                "what becomes of an evaluation that fails: it ends the run, counts as the worst, or is tried "
                "once more")};
    }
};

/// The words of a command line: apart by spaces, held together by single or double quotes. Throws
/// InvalidInput if a quote is not closed or there is no word.
std::vector<std::string> command_words(std::string_view line);

/// A genome as the program is to be told of it: a JSON object as text, in one line.
using Description = std::function<std::string(const Space& space, const std::byte* genome)>;

/// The columns of its answers. Throws InvalidInput that names the setting.
Schema schema_of(const ProgramEvaluator& evaluator);

/// Throws InvalidInput if there is no such program, or it can't be run.
void require_program(const ProgramEvaluator& evaluator);

/// Ends every evaluator's process at once, and whatever it has started: for who ends then, without waiting
/// for evaluations. Who waits for one goes on waiting: that it was ended is no failure. May be called by a
/// signal's handler.
void end_evaluator_programs() noexcept;

/// The problem, evaluated by as many processes of the program as there are threads that ask. Nothing is
/// started or looked for before it is needed.
Problem evaluated_by_program(const Problem& problem, const ProgramEvaluator& evaluator,
                             Description description);

} // namespace knossos
