#pragma once

#include <knossos/core/erased.hpp>
#include <knossos/core/error.hpp>
#include <knossos/core/fields.hpp>
#include <knossos/core/genome.hpp>
#include <knossos/core/problem.hpp>
#include <knossos/core/random.hpp>
#include <knossos/core/scratch.hpp>

#include <concepts>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace knossos {

/// Two genomes about to be recombined in place: on entry copies of the parents, on return the children.
struct Couple {
    std::byte* first;
    std::byte* second;
    std::uint32_t slot;   ///< whose stream the operator draws from
    bool changed = false; ///< set unless the operator left both as they were
};

/// What a mutation that knows several kinds of change is free to choose.
constexpr std::uint32_t any_kind = ~std::uint32_t{0};

/// One genome about to be mutated in place.
struct Mutant {
    std::byte* genome;
    std::uint32_t slot;
    bool changed = false;
    std::uint32_t kind = any_kind; ///< which of the mutation's kinds of change is wanted
};

namespace detail {

template <class Operator, class View>
concept Crosses = requires(const Operator& op, Stream& stream, View view, Scratch& scratch) {
    op(stream, view, view, scratch);
} || requires(const Operator& op, Stream& stream, View view) { op(stream, view, view); };

template <class Operator, class View>
concept Mutates = requires(const Operator& op, Stream& stream, View view, Scratch& scratch) {
    op(stream, view, scratch);
} || requires(const Operator& op, Stream& stream, View view) { op(stream, view); };

/// One that recombines many couples at once, with the same outcome as one by one.
template <class Operator>
concept CrossesBatches =
    requires(const Operator& op, const StageStreams& streams, const Space& space, std::span<Couple> couples) {
        op.cross_batch(streams, space, couples, true);
    };

/// The same for mutations; called where all are to be mutated.
template <class Operator>
concept MutatesTogether =
    requires(const Operator& op, const StageStreams& streams, const Space& space, std::span<Mutant> mutants) {
        op.mutate_together(streams, space, mutants);
    };

/// One that mutates whole batches itself, and knows the genomes it works on.
template <class Operator>
concept MutatesBatches = requires(const Operator& op, const StageStreams& streams, const Space& space,
                                  std::span<Mutant> mutants, Scratch& scratch) {
    op.mutate_batch(streams, space, mutants, scratch, true);
    op.check(space);
};

/// Names of the genome kinds an operator works on, for messages.
template <class Predicate>
std::string kinds_accepted(Predicate accepts) {
    std::string kinds;
    const auto add = [&](bool accepted, std::string_view kind) {
        if (accepted) kinds.append(kinds.empty() ? "" : ", ").append(kind);
    };
    add(accepts.template operator()<Bits>(), "bits");
    add(accepts.template operator()<Packed>(), "packed");
    add(accepts.template operator()<Integers<std::uint8_t>>(), "integers");
    add(accepts.template operator()<Permutation<std::uint8_t>>(), "permutation");
    add(accepts.template operator()<Reals>(), "reals");
    return kinds;
}

[[noreturn]] void refuse_space(std::string_view op, const Space& space, const std::string& kinds);

/// Draws whether an operator acts: with its probability if it has one and the caller leaves it the choice. No
/// number is drawn for a probability of 1.
template <class Operator>
bool acts(const Operator& op, Stream& stream, bool always) {
    if constexpr (requires { op.probability; }) {
        if (!always && op.probability < 1.0) return stream.chance(op.probability);
    }
    return true;
}

/// Calls op and tells whether it changed anything; operators that return nothing are taken to have.
template <class Call>
bool changes(Call call) {
    if constexpr (std::same_as<decltype(call()), bool>)
        return call();
    else {
        call();
        return true;
    }
}

} // namespace detail

/// Any recombination behind one value. An operator is a type that can be called with (stream, a, b[,
/// scratch]) for the genome views it supports, turning copies of two parents into two children in place.
class Recombination {
  public:
    template <class Operator>
        requires(!std::same_as<Operator, Recombination> &&
                 (detail::Crosses<Operator, Bits> || detail::Crosses<Operator, Packed> ||
                  detail::Crosses<Operator, Integers<std::uint32_t>> ||
                  detail::Crosses<Operator, Permutation<std::uint32_t>> || detail::Crosses<Operator, Reals>))
    Recombination(
        Operator op) // NOLINT(google-explicit-constructor): operators are meant to be passed as they are
        : model_{std::make_shared<const Wrapped<Operator>>(std::move(op))} {}

    /// Throws InvalidInput if the operator does not work on genomes of this space.
    void check(const Space& space) const { model_->check(space); }
    /// Whether children are always copies of their parents.
    [[nodiscard]] bool only_copies() const { return model_->only_copies(); }

    /// Recombines each couple with the operator's probability, or all of them if `always`.
    void cross(const StageStreams& streams, const Space& space, std::span<Couple> couples, Scratch& scratch,
               bool always) const {
        model_->cross(streams, space, couples, scratch, always);
    }

  private:
    struct Model : Erased {
        virtual void check(const Space& space) const = 0;
        [[nodiscard]] virtual bool only_copies() const = 0;
        virtual void cross(const StageStreams& streams, const Space& space, std::span<Couple> couples,
                           Scratch& scratch, bool always) const = 0;
    };

    template <class Operator>
    struct Wrapped final : Model {
        Operator op;
        explicit Wrapped(Operator its) : op{std::move(its)} { check_fields(op); }

        void check(const Space& space) const override {
            const auto accepts = []<class View>() { return detail::Crosses<Operator, View>; };
            if (!space_fits(space, accepts) || (space.ones && !preserves_ones()))
                detail::refuse_space(part_name<Operator>(), space, detail::kinds_accepted(accepts));
            if constexpr (requires { op.check(space); }) op.check(space);
        }

        [[nodiscard]] bool only_copies() const override {
            if constexpr (requires { Operator::only_copies; }) return Operator::only_copies;
            return false;
        }

        static constexpr bool preserves_ones() {
            if constexpr (requires { Operator::preserves_ones; }) return Operator::preserves_ones;
            return false;
        }

        void cross(const StageStreams& streams, const Space& space, std::span<Couple> couples,
                   Scratch& scratch, bool always) const override {
            if (couples.empty()) return;
            if constexpr (detail::CrossesBatches<Operator>)
                return op.cross_batch(streams, space, couples, always);
            visit_genome(space, couples[0].first, [&]<class View>(View) {
                if constexpr (detail::Crosses<Operator, View>) {
                    const auto slot_of = [&](std::size_t i) { return couples[i].slot; };
                    for_each_stream(streams, couples.size(), default_blocks(op), slot_of,
                                    [&](std::size_t i, Stream& stream) {
                                        if (!detail::acts(op, stream, always)) return;
                                        const auto a = view_as<View>(space, couples[i].first);
                                        const auto b = view_as<View>(space, couples[i].second);
                                        couples[i].changed = detail::changes([&] {
                                            if constexpr (requires { op(stream, a, b, scratch); })
                                                return op(stream, a, b, scratch);
                                            else
                                                return op(stream, a, b);
                                        });
                                    });
                }
            });
        }
    };

    std::shared_ptr<const Model> model_;
};

/// Any mutation behind one value. An operator is a type that can be called with (stream, genome[, scratch])
/// for the genome views it supports and changes the genome in place. One that knows several kinds of change
/// lists their names in kinds(), and makes one of them in change(stream, genome, kind).
class Mutation {
  public:
    template <class Operator>
        requires(!std::same_as<Operator, Mutation> &&
                 (detail::MutatesBatches<Operator> || detail::Mutates<Operator, Bits> ||
                  detail::Mutates<Operator, Packed> || detail::Mutates<Operator, Integers<std::uint32_t>> ||
                  detail::Mutates<Operator, Permutation<std::uint32_t>> || detail::Mutates<Operator, Reals>))
    Mutation(Operator op) // NOLINT(google-explicit-constructor): operators are meant to be passed as they are
        : model_{std::make_shared<const Wrapped<Operator>>(std::move(op))} {}

    /// The same operator, told what problem it works for if it wants to know: its bind(problem) says what
    /// then takes its place.
    [[nodiscard]] Mutation bound(const Problem& problem) const { return model_->bound(*this, problem); }

    /// How many blocks of random numbers a genome usually takes: what to compute ahead.
    [[nodiscard]] std::size_t random_blocks() const { return model_->random_blocks(); }

    /// What recipes call it; empty if it does not say.
    [[nodiscard]] std::string_view name() const { return model_->name(); }

    /// The names of the kinds of change it can be asked for one by one; empty if there is but one.
    [[nodiscard]] std::vector<std::string> kinds() const { return model_->kinds(); }

    /// Throws InvalidInput if the operator does not work on genomes of this space.
    void check(const Space& space) const { model_->check(space); }

    /// Mutates each genome with the operator's probability, or all of them if `always`.
    void mutate(const StageStreams& streams, const Space& space, std::span<Mutant> mutants, Scratch& scratch,
                bool always) const {
        model_->mutate(streams, space, mutants, scratch, always);
    }

  private:
    struct Model : Erased {
        [[nodiscard]] virtual Mutation bound(const Mutation& self, const Problem& problem) const = 0;
        [[nodiscard]] virtual std::size_t random_blocks() const = 0;
        [[nodiscard]] virtual std::string_view name() const = 0;
        [[nodiscard]] virtual std::vector<std::string> kinds() const = 0;
        virtual void check(const Space& space) const = 0;
        virtual void mutate(const StageStreams& streams, const Space& space, std::span<Mutant> mutants,
                            Scratch& scratch, bool always) const = 0;
    };

    template <class Operator>
    struct Wrapped final : Model {
        Operator op;
        explicit Wrapped(Operator its) : op{std::move(its)} { check_fields(op); }

        [[nodiscard]] Mutation bound([[maybe_unused]] const Mutation& self,
                                     [[maybe_unused]] const Problem& problem) const override {
            if constexpr (requires { op.bind(problem); })
                return op.bind(problem);
            else
                return self;
        }

        [[nodiscard]] std::size_t random_blocks() const override { return default_blocks(op); }

        [[nodiscard]] std::string_view name() const override { return part_name<Operator>(); }

        [[nodiscard]] std::vector<std::string> kinds() const override {
            if constexpr (requires { op.kinds(); }) return op.kinds();
            return {};
        }

        void check(const Space& space) const override {
            if constexpr (detail::MutatesBatches<Operator>) return op.check(space);
            const auto accepts = []<class View>() { return detail::Mutates<Operator, View>; };
            if (!space_fits(space, accepts) || (space.ones && !preserves_ones()))
                detail::refuse_space(part_name<Operator>(), space, detail::kinds_accepted(accepts));
            if constexpr (requires { op.check(space); }) op.check(space);
        }

        static constexpr bool preserves_ones() {
            if constexpr (requires { Operator::preserves_ones; }) return Operator::preserves_ones;
            return false;
        }

        void mutate(const StageStreams& streams, const Space& space, std::span<Mutant> mutants,
                    Scratch& scratch, bool always) const override {
            if (mutants.empty()) return;
            if constexpr (detail::MutatesBatches<Operator>)
                return op.mutate_batch(streams, space, mutants, scratch, always);
            if constexpr (detail::MutatesTogether<Operator>)
                if (always || op.probability >= 1.0) return op.mutate_together(streams, space, mutants);
            visit_genome(space, mutants[0].genome, [&]<class View>(View) {
                if constexpr (detail::Mutates<Operator, View>)
                    apply<View>(streams, space, mutants, scratch, always);
            });
        }

        template <class View>
        void apply(const StageStreams& streams, const Space& space, std::span<Mutant> mutants,
                   Scratch& scratch, bool always) const {
            // Operators whose set-up is worth sharing (a table, a logarithm) offer it once per batch.
            const auto prepared = [&] {
                if constexpr (requires { op.prepared(space); })
                    return op.prepared(space);
                else
                    return std::cref(op);
            }();
            const auto slot_of = [&](std::size_t i) { return mutants[i].slot; };
            const auto change = [&](std::size_t i, Stream& stream) {
                const auto genome = view_as<View>(space, mutants[i].genome);
                if constexpr (requires { op.change(stream, genome, any_kind); })
                    if (mutants[i].kind != any_kind) {
                        mutants[i].changed = op.change(stream, genome, mutants[i].kind);
                        return;
                    }
                mutants[i].changed = detail::changes([&] {
                    if constexpr (requires { prepared(stream, genome, scratch); })
                        return prepared(stream, genome, scratch);
                    else
                        return prepared(stream, genome);
                });
            };
            if constexpr (requires { op.probability; }) {
                constexpr double seldom = 0.5;
                std::size_t blocks = default_blocks(op);
                if constexpr (requires { prepared.random_blocks(); }) blocks = default_blocks(prepared);
                if (!always && op.probability <= seldom)
                    return for_each_chosen(streams, mutants.size(), op.probability, blocks, slot_of, change);
            }
            for_each_stream(streams, mutants.size(), default_blocks(op), slot_of,
                            [&](std::size_t i, Stream& stream) {
                                if (detail::acts(op, stream, always)) change(i, stream);
                            });
        }
    };

    std::shared_ptr<const Model> model_;
};

} // namespace knossos
