#pragma once

#include <knossos/core/random.hpp>
#include <knossos/core/record.hpp>
#include <knossos/domain/wishes.hpp>
#include <knossos/dungeon/judge.hpp>
#include <knossos/dungeon/measures.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace knossos::dungeon {

using Term = BasicWish<Measure>;

/// What can be wished for of a dungeon.
WishList wish_list();
/// Reads wishes about dungeons: see parse_wishes().
std::vector<Term> parse_terms(std::string_view text, std::string_view source = "goal");
std::string to_text(const Term& term);
std::string to_text(const std::vector<Term>& terms);
/// The terms, each range that has two ends with a place to aim at: see drawn_aim().
std::vector<Term> aimed_inside(std::vector<Term> terms, Stream& stream);

/// How a dungeon does by one wish.
struct TermScore {
    Term term;
    double value = 0.0;
    double missed = 0.0; ///< by how much a range is missed, by its scale
};

/// What makes a dungeon good. Verdicts and ranges must hold; the other wishes are objectives. Without wishes
/// the solution is to be long.
struct Goal {
    std::vector<Term> terms{};
    bool solvable = true;
    bool unlosable = true;
    bool framed = true;  ///< doors and one-ways stand in frames
    bool pareto = false; ///< objectives each for itself, else added up with their weights
    std::vector<std::pair<Measure, std::string>> descriptors{}; ///< and the names that they were given
    std::string start{}; ///< what `changes` are to: cells as letters, see levels::Drawing, or nothing

    /// Throws InvalidInput if a weight is out of proportion, or 'near' stands beside objectives.
    void check() const;
    [[nodiscard]] std::vector<Column> columns(std::size_t cells) const;
    /// What must be known of a dungeon to write them.
    [[nodiscard]] MeasureSet needs() const;
    void evaluate(const Judgement& judgement, Record out) const;
    [[nodiscard]] std::vector<TermScore> scores(const Judgement& judgement) const;
    /// Whether everything holds that must.
    [[nodiscard]] bool holds(const Judgement& judgement) const;
    /// 0 if all wishes are ranges: then nothing is left to wish for.
    [[nodiscard]] std::optional<double> target() const;
};

/// All that there is to know of a level, with what has changed since the goal's start.
Judgement judged(const Level& level, const Goal& goal);

} // namespace knossos::dungeon
