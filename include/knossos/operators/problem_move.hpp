#pragma once

#include <knossos/core/error.hpp>
#include <knossos/core/fields.hpp>
#include <knossos/core/problem.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace knossos {

/// Problem move: the change that the problem itself proposes for a genome, by its propose(). A direct maze
/// leads a stretch of its shortest path along a new way, or flips a cell. Refused for problems that propose
/// nothing. Its kinds are the problem's moves(), or those of them that are named, which are equally likely
/// where nobody chooses among kinds.
struct ProblemMove {
    double probability = 1.0;
    std::string moves{};
    std::optional<Problem> problem{};  ///< set when a run starts
    std::vector<std::uint32_t> only{}; ///< likewise: those named, by their places in the problem's list

    static constexpr std::string_view name = "problem-move";
    static constexpr bool preserves_ones = true; // what the problem proposes keeps to the problem's space
    static constexpr auto fields() {
        return std::tuple{
            field("probability", &ProblemMove::probability, 0, 1, "chance that a child gets one"),
            field("moves", &ProblemMove::moves,
                  "which of the problem's moves, such as flips, blocks; empty: all")
                .added_later()};
    }

    /// Throws InvalidSetting that names a move which the problem does not have.
    [[nodiscard]] ProblemMove bind(const Problem& its) const;

    void check(const Space& /*space*/) const {
        if (!problem || !problem->proposes())
            throw InvalidInput{
                "problem-move: the problem proposes no changes of its own (it has no propose() for these "
                "genomes); take one of the other mutations"};
    }

    template <class View>
    bool operator()(Stream& stream, View genome) const {
        if (only.empty()) return problem->propose(stream, bytes_of(genome));
        return change(stream, genome, stream.below(static_cast<std::uint32_t>(only.size())));
    }

    [[nodiscard]] std::vector<std::string> kinds() const;
    template <class View>
    bool change(Stream& stream, View genome, std::uint32_t kind) const {
        return problem->propose(stream, bytes_of(genome), only.empty() ? kind : only[kind]);
    }

  private:
    template <class View>
    static std::byte* bytes_of(View genome) {
        if constexpr (requires { genome.words(); })
            return reinterpret_cast<std::byte*>(genome.words().data());
        else if constexpr (requires { genome.bits(); })
            return reinterpret_cast<std::byte*>(genome.bits().words().data());
        else
            return reinterpret_cast<std::byte*>(genome.data());
    }
};

} // namespace knossos
