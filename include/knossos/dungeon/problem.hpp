#pragma once

#include <knossos/core/random.hpp>
#include <knossos/core/record.hpp>
#include <knossos/dungeon/goal.hpp>
#include <knossos/dungeon/representation.hpp>

#include <concepts>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace knossos::dungeon {

/// Writes the record of a level. Safe to call from several threads.
void evaluate_level(const Goal& goal, const Level& level, Record out);
/// A level to decode into, of the calling thread.
Level& decoding_level();

/// Dungeons of one representation.
template <class Representation>
class DungeonProblem {
  public:
    /// Throws InvalidInput if the goal is not sound.
    explicit DungeonProblem(Representation representation, Goal goal = {})
        : representation_{std::make_shared<const Representation>(std::move(representation))},
          goal_{std::move(goal)} {
        goal_.check();
    }

    [[nodiscard]] const Goal& goal() const { return goal_; }
    [[nodiscard]] Space space() const { return representation_->space(); }
    [[nodiscard]] std::vector<Column> record() const { return goal_.columns(representation_->plan.area()); }
    [[nodiscard]] std::optional<double> target() const { return goal_.target(); }

    void initialise(Stream& stream, Integers<std::uint8_t> genes) const {
        representation_->initialise(stream, genes);
    }
    void repair(Stream& stream, Integers<std::uint8_t> genes) const
        requires std::same_as<Representation, Tiles>
    {
        representation_->repair(stream, genes);
    }
    [[nodiscard]] static std::vector<std::string> moves() { return Representation::moves(); }
    bool propose(Stream& stream, Integers<std::uint8_t> genes) const {
        return representation_->propose(stream, genes);
    }
    bool propose(Stream& stream, Integers<std::uint8_t> genes, std::uint32_t move) const {
        return representation_->propose(stream, genes, move);
    }
    void evaluate(IntegerView<std::uint8_t> genes, Record out) const {
        Level& level = decoding_level();
        representation_->decode(genes, level);
        evaluate_level(goal_, level, out);
    }
    /// The dungeon that a genome stands for.
    [[nodiscard]] Level level(const std::byte* genome) const {
        Level level;
        representation_->decode(view_as<IntegerView<std::uint8_t>>(space(), genome), level);
        return level;
    }

  private:
    std::shared_ptr<const Representation> representation_;
    Goal goal_;
};

} // namespace knossos::dungeon
