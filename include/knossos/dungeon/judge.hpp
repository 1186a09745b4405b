#pragma once

#include <knossos/core/error.hpp>
#include <knossos/dungeon/level.hpp>
#include <knossos/dungeon/measures.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace knossos::dungeon {

/// A level with more states than are judged. The message names no file, which the judge does not know.
class TooManyStates : public InvalidInput {
  public:
    using InvalidInput::InvalidInput;
};

/// The most states of a level that is judged: its open cells, times the ways in which keys can have been
/// taken and doors opened. Others are refused.
inline constexpr std::size_t most_states = std::size_t{1} << 24U;

/// What is true of a dungeon, whoever walks in it.
struct Judgement {
    bool solvable = false;  ///< some walk ends on the exit
    bool unlosable = false; ///< wherever any walk has led, the exit can still be reached
    /// Steps from what can be reached to the exit as if there were no rock; 0 if it is solvable.
    std::uint32_t short_of_exit = 0;
    Measures measures{};

    friend bool operator==(const Judgement&, const Judgement&) = default;
};

/// A walk from the entrance: the cells in their order, as numbers in reading order.
using Walk = std::vector<std::uint32_t>;

/// Something that happens on a walk.
struct Event {
    std::size_t step = 0; ///< after so many steps
    std::uint32_t cell = 0;
    Tile tile = Tile::floor; ///< a key that is taken, a door that is opened, what else is met, or the exit
    friend bool operator==(const Event&, const Event&) = default;
};

/// What is taken, opened and met on a walk; treasures and monsters the first time only. Throws InvalidInput
/// if somebody can't walk so, and says why.
std::vector<Event> events_of(const Level& level, const Walk& walk);

/// Judges levels, one after the other, in memory that it keeps between them. One per thread. All throw
/// InvalidInput for a level that check() refuses, or that has more than most_states.
class Judge {
  public:
    Judge();
    Judge(Judge&&) noexcept;
    Judge& operator=(Judge&&) noexcept;
    ~Judge();

    /// Whether some walk ends on the exit.
    bool is_solvable(const Level& level);
    /// Both verdicts, and what is wanted of the measures.
    Judgement judge(const Level& level, MeasureSet wanted = MeasureSet::all());

    /// A shortest walk to the exit, of several the first: they are compared step by step, north before west
    /// before east before south. Empty if there is none.
    Walk solution(const Level& level);
    /// A shortest walk to where the exit can't be reached any more, of several the first. Empty if there is
    /// none.
    Walk losing_walk(const Level& level);
    /// After how many steps of a walk the exit can't be reached any more; nothing if it still can. Throws
    /// InvalidInput if somebody can't walk so, as events_of() does.
    std::optional<std::size_t> lost_after(const Level& level, const Walk& walk);

  private:
    class Memory;
    std::unique_ptr<Memory> memory_;
};

/// What is odd about a level, for whoever drew it: doors without a key that opens them, keys without a door.
std::vector<std::string> remarks_on(const Level& level);

} // namespace knossos::dungeon
