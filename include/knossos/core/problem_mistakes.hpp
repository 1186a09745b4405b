#pragma once

#include <knossos/core/genome.hpp>
#include <knossos/core/objective.hpp>
#include <knossos/core/population.hpp>
#include <knossos/core/record.hpp>

#include <concepts>
#include <cstdint>
#include <optional>
#include <span>

/// Mistakes in a problem type, found by the compiler and told in words, where they would otherwise end in a
/// page of templates, or in nothing: a member that is not quite right is not found by its name and so not
/// used.
namespace knossos::detail {

/// Whether Test<View> holds for the view of any kind of genome.
template <template <class> class Test>
constexpr bool for_any_view() {
    return Test<BitView>::value || Test<PackedView>::value || Test<IntegerView<std::uint8_t>>::value ||
           Test<IntegerView<std::uint16_t>>::value || Test<IntegerView<std::uint32_t>>::value ||
           Test<PermutationView<std::uint8_t>>::value || Test<PermutationView<std::uint16_t>>::value ||
           Test<PermutationView<std::uint32_t>>::value || Test<RealView>::value;
}

template <class P>
struct Evaluation {
    template <class View>
    struct IsConst {
        static constexpr bool value = requires(const P& problem, View view) { problem.evaluate(view); };
    };
    template <class View>
    struct IsThere {
        static constexpr bool value = requires(P& problem, View view) { problem.evaluate(view); };
    };
    template <class View>
    struct IsNumber {
        static constexpr bool value = requires(const P& problem, View view) {
            { problem.evaluate(view) } -> std::convertible_to<double>;
        };
    };
    template <class View>
    struct TakesRecord {
        static constexpr bool value =
            requires(P& problem, View view, Record out) { problem.evaluate(view, out); };
    };
    template <class View>
    struct WritesRecord {
        static constexpr bool value =
            requires(const P& problem, View view, Record out) { problem.evaluate(view, out); };
    };
};

template <class P>
concept DeclaresRecord = requires(const P& problem) { std::span<const Column>{problem.record}; } ||
                         requires(const P& problem) { std::span<const Column>{problem.record()}; };

/// Whether a type is meant as a problem: then what is missing is told.
template <class P>
concept MeantAsProblem =
    requires(P& problem) { problem.space(); } || requires { &P::evaluate; } || requires { P::objective; } ||
    requires { P::record; } || for_any_view<Evaluation<P>::template IsThere>() ||
    for_any_view<Evaluation<P>::template TakesRecord>();

template <class P>
constexpr void tell_mistakes() {
    static_assert(
        requires(const P& problem) {
            { problem.space() } -> std::convertible_to<Space>;
        }, "a problem says what its genomes are: it needs a member 'Space space() const'");
    static_assert(
        DeclaresRecord<P> || !requires(const P& problem) { problem.record; },
        "record is what knossos::record(...) gives, or a const member function that returns columns");
    static_assert(
        DeclaresRecord<P> ||
            requires(const P& problem) {
                { problem.objective } -> std::convertible_to<Objective>;
            },
        "a problem says which way is better: it needs 'static constexpr Objective objective = "
        "Objective::maximise;' (or minimise), or a record");
    constexpr bool has_batch = requires(const P& problem, const Batch& batch, std::span<double> fitness) {
        problem.evaluate_batch(batch, fitness);
    };
    static_assert(
        has_batch || !requires { &P::evaluate_batch; },
        "evaluate_batch() must be const and take (const Batch&, std::span<double>)");
    if constexpr (!has_batch) {
        using Its = Evaluation<P>;
        constexpr bool takes_record = for_any_view<Its::template TakesRecord>();
        static_assert(
            takes_record || for_any_view<Its::template IsThere>(),
            "a problem says what a genome is worth: it needs a member 'double evaluate(View) const' "
            "whose View is BitView, PackedView, IntegerView<Gene>, PermutationView<Gene> or RealView");
        static_assert(!takes_record || for_any_view<Its::template WritesRecord>(),
                      "evaluate() must be const: it is called from several threads at once");
        static_assert(
            !takes_record || DeclaresRecord<P>,
            "evaluate(View, Record) writes the columns of a record, which the problem must declare: "
            "it needs 'static constexpr auto record = knossos::record(...)'");
        static_assert(takes_record || !for_any_view<Its::template IsThere>() ||
                          for_any_view<Its::template IsConst>(),
                      "evaluate() must be const: it is called from several threads at once");
        static_assert(takes_record || !for_any_view<Its::template IsConst>() ||
                          for_any_view<Its::template IsNumber>(),
                      "evaluate() must return one number, the fitness");
    }
    static_assert(
        !requires(P& problem) { problem.target(); } ||
            requires(const P& problem) {
                { problem.target() } -> std::convertible_to<std::optional<double>>;
            },
        "target() must be const and return a number, or a std::optional<double>");
    static_assert(
        !requires(P& problem) { problem.fingerprint(); } ||
            requires(const P& problem) {
                { problem.fingerprint() } -> std::convertible_to<std::uint64_t>;
            },
        "fingerprint() must be const and return a std::uint64_t");
    static_assert(
        !requires(P& problem) { problem.tracker(); } || requires(const P& problem) { problem.tracker(); },
        "tracker() must be const");
    static_assert(!requires { &P::initialize; }, "the member is called initialise(), with an s");
}

} // namespace knossos::detail
