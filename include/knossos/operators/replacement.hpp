#pragma once

#include <knossos/core/erased.hpp>
#include <knossos/core/fields.hpp>
#include <knossos/core/population.hpp>
#include <knossos/core/ranking.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace knossos {

/// One turn of generations: who was there, who was born, and of whom.
struct Succession {
    Population& current;   ///< becomes the next generation
    Population& offspring; ///< may be used up
    std::span<const std::uint32_t>
        parents; ///< for each child the individual that it was copied from before variation
    const Schema& schema;
    std::vector<std::uint32_t>& order; ///< working memory

    [[nodiscard]] Scores residents() const { return scores_of(schema, current); }
    [[nodiscard]] Scores children() const { return scores_of(schema, offspring); }
    /// Whether a child is better than an individual of the current generation, or the other way round.
    [[nodiscard]] bool child_better(std::size_t child, std::size_t resident) const {
        return children().better(child, residents(), resident);
    }
    [[nodiscard]] bool resident_better(std::size_t resident, std::size_t child) const {
        return residents().better(resident, children(), child);
    }
};

/// Generational: the children take the place of everybody, except that the `elites` best of the old
/// generation replace the worst children. Needs as many children as there are individuals.
struct GenerationalReplacement {
    std::uint32_t elites = 1;

    static constexpr std::string_view name = "generational";
    static constexpr auto fields() {
        return std::tuple{field("elites", &GenerationalReplacement::elites, 0, 4294967295.0,
                                "best individuals that live on")};
    }
    void check(std::size_t population, std::size_t offspring) const;
    void operator()(Stream& stream, Succession succession) const;
};

/// Plus, (μ + λ): parents and children compete together and the best stay; at equal fitness children go
/// first. H.-P. Schwefel: "Numerical Optimization of Computer Models", 1981.
struct PlusReplacement {
    static constexpr std::string_view name = "plus";
    static constexpr auto fields() { return std::tuple{}; }
    void operator()(Stream& stream, Succession succession) const;
};

/// Comma, (μ, λ): only the best children stay, and every parent dies. Needs at least as many children as
/// individuals.
struct CommaReplacement {
    static constexpr std::string_view name = "comma";
    static constexpr auto fields() { return std::tuple{}; }
    void check(std::size_t population, std::size_t offspring) const;
    void operator()(Stream& stream, Succession succession) const;
};

/// Replace worst: each child in turn takes the place of the worst individual; with `only_better` only if it
/// is at least as good. D. Whitley: "The GENITOR algorithm and selection pressure", ICGA 1989.
struct ReplaceWorst {
    bool only_better = true;

    static constexpr std::string_view name = "worst";
    static constexpr auto fields() {
        return std::tuple{field("only_better", &ReplaceWorst::only_better,
                                "whether a child must be at least as good to enter")};
    }
    void operator()(Stream& stream, Succession succession) const;
};

/// Replace in tournament: each child takes the place of the worst of `size` individuals drawn at random. (In
/// the steady-state algorithm with a mating tournament, the losers of that tournament are replaced instead.)
struct ReplaceInTournament {
    std::uint32_t size = 7;
    bool only_better = false;

    static constexpr std::string_view name = "tournament";
    static constexpr auto fields() {
        return std::tuple{
            field("size", &ReplaceInTournament::size, 1, 4294967295.0, "individuals drawn for each child"),
            field("only_better", &ReplaceInTournament::only_better,
                  "whether a child must be at least as good to enter")};
    }
    void check(std::size_t population, std::size_t offspring) const;
    void operator()(Stream& stream, Succession succession) const;
};

/// Crowding: each child competes with the more similar of the two parents of its mating and takes its place
/// if it is at least as good, which keeps different solutions side by side. S. W. Mahfoud: "Crowding and
/// preselection revisited", PPSN 1992.
struct Crowding {
    static constexpr std::string_view name = "crowding";
    static constexpr bool needs_couples = true;
    static constexpr auto fields() { return std::tuple{}; }
    void operator()(Stream& stream, Succession succession) const;
};

/// Any replacement behind one value.
class Replacement {
  public:
    template <class Operator>
        requires requires(const Operator& op, Stream& stream, Succession succession) {
            op(stream, succession);
        }
    Replacement(
        Operator op) // NOLINT(google-explicit-constructor): operators are meant to be passed as they are
        : model_{std::make_shared<const Wrapped<Operator>>(std::move(op))} {}

    void check(std::size_t population, std::size_t offspring) const { model_->check(population, offspring); }
    /// Whether children 2m and 2m + 1 must be siblings, with their parents at the same places.
    [[nodiscard]] bool needs_couples() const { return model_->needs_couples(); }
    void operator()(Stream& stream, Succession succession) const { model_->replace(stream, succession); }

  private:
    struct Model : Erased {
        virtual void check(std::size_t population, std::size_t offspring) const = 0;
        [[nodiscard]] virtual bool needs_couples() const = 0;
        virtual void replace(Stream& stream, Succession succession) const = 0;
    };

    template <class Operator>
    struct Wrapped final : Model {
        Operator op;
        explicit Wrapped(Operator its) : op{std::move(its)} { check_fields(op); }

        void check(std::size_t population, std::size_t offspring) const override {
            if constexpr (requires { op.check(population, offspring); }) op.check(population, offspring);
        }
        [[nodiscard]] bool needs_couples() const override {
            if constexpr (requires { Operator::needs_couples; }) return Operator::needs_couples;
            return false;
        }
        void replace(Stream& stream, Succession succession) const override { op(stream, succession); }
    };

    std::shared_ptr<const Model> model_;
};

} // namespace knossos
