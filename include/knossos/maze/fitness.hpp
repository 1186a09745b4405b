#pragma once

#include <knossos/core/random.hpp>
#include <knossos/core/record.hpp>
#include <knossos/domain/wishes.hpp>
#include <knossos/maze/measures.hpp>

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace knossos::maze {

/// The five checkpoint fitness functions of Ashlock, Lee and McGuinness (2011), all maximised.
enum class FitnessFunction : unsigned char {
    exit_path,
    reconvergence,
    isolated_reconvergence,
    culs_de_sac,
    cul_de_sac_length,
};

inline constexpr std::array<std::string_view, 5> fitness_function_names{
    "exit-path", "reconvergence", "isolated-reconvergence", "culs-de-sac", "cul-de-sac-length"};

std::string_view to_string(FitnessFunction function);
/// Throws InvalidInput that lists the names if it is none of them.
FitnessFunction parse_fitness_function(std::string_view name);

/// The value of one of the five, 0 if the exit can't be reached or fewer than `mandatory` checkpoints (k, the
/// mandatory exit checkpoint membership level) lie on shortest ways to it.
double fitness_value(FitnessFunction function, std::uint32_t mandatory, const FitnessValues& values);

using knossos::Aim;

/// One wish of a designer.
using Term = BasicWish<Measure>;

/// "path 60..70", "minimise pockets weight 2": parse_terms() reads it back.
std::string to_text(const Term& term);
/// The same of several, separated by commas.
std::string to_text(const std::vector<Term>& terms);

/// The terms, each range that has two ends with a place to aim at, drawn evenly. Searches stop as soon as all
/// ranges hold, which is at their edges; mazes made for one goal are spread over its ranges by this.
std::vector<Term> aimed_inside(std::vector<Term> terms, Stream& stream);

/// What can be wished for of a maze.
WishList wish_list();
/// Reads wishes: see parse_wishes().
std::vector<Term> parse_terms(std::string_view text, std::string_view source = "goal");

/// What one term has to do with how good a maze is: see contribution().
struct TermScore {
    Term term;
    double value = 0.0;
    double contribution = 0.0;
    bool met = true; ///< of a range; always true for the others
};

/// How good a maze is, and why.
struct Score {
    std::optional<double> total; ///< what is maximised; nothing if all terms are ranges
    double violation = 0.0;      ///< by how much it misses what must hold
    bool usable = true;          ///< exit reachable, with enough checkpoints on the way
    std::vector<TermScore> terms;

    [[nodiscard]] bool met() const;
};

/// How several measures that are maximised or minimised are taken: added up with their weights, or each for
/// itself, so that a front of trade-offs is looked for.
enum class Several : unsigned char { weighted_sum, pareto };

inline constexpr std::array<std::string_view, 2> several_names{"weighted-sum", "pareto"};

struct KeptCells;

/// What makes a maze good: one of the five functions, or, if there are any, a designer's terms. Then ranges
/// must hold, as must that there is a way to the exit with enough checkpoints on it; the others are
/// objectives.
struct Fitness {
    FitnessFunction function = FitnessFunction::exit_path;
    std::vector<Term> terms{};
    std::uint32_t mandatory = 0; ///< k
    Several several = Several::weighted_sum;
    std::vector<NamedMeasure> descriptors{};  ///< measured beside, whatever is good
    std::shared_ptr<const KeptCells> start{}; ///< what `changes` are to; null if it began as nothing

    /// Throws InvalidInput if k exceeds the number of checkpoints, a weight is not a positive number, or a
    /// range is empty.
    void check(std::size_t checkpoints) const;
    /// Throws InvalidSetting if so few checkpoints leave nothing to search for: a reconvergence is 0 without
    /// a pair of them. A level may be scored so all the same.
    void require_checkpoints(std::size_t checkpoints) const;
    /// What an evaluation gives: the objectives, or how far a maze is from the aims of the ranges if they
    /// have any; then, if there are terms, the way to the exit and the
    /// ranges; then the descriptors, under the names they were given unless another column has that. Of a
    /// maze of so many cells.
    [[nodiscard]] std::vector<Column> columns(std::size_t cells) const;
    /// What must be known of a maze to write them.
    [[nodiscard]] MeasureSet needs() const;
    /// Writes those columns.
    void evaluate(const Measures& measures, Record out) const;
    /// The same with its breakdown; one of the five functions is shown as a single term.
    [[nodiscard]] Score score(const Measures& measures) const;
    /// The fitness at which nothing is left to wish for: 0, nothing missed, if all terms are ranges.
    [[nodiscard]] std::optional<double> target() const;

    /// The columns of the terms alone, and what writes them and says how many there are.
    [[nodiscard]] std::vector<Column> columns_of_terms(std::size_t cells) const;
    std::size_t evaluate_terms(const Measures& measures, Record out) const;
};

/// The measures of a level, with what has changed since the fitness's start.
Measures measured(const Level& level, const Fitness& fitness, MeasureSet wanted = MeasureSet::all());

} // namespace knossos::maze
