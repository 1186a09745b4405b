#pragma once

#include <knossos/operators/variation.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace knossos {

/// Mixture: several mutations side by side, of which each child gets one. All are equally likely, unless the
/// algorithm chooses: map-elites adapts their shares to what they lately gave.
struct Mixture {
    std::vector<Mutation> of{};

    static constexpr std::string_view name = "mixture";

    [[nodiscard]] Mixture bind(const Problem& problem) const;
    void check(const Space& space) const;
    /// Those of its parts one after the other; a part that does not tell kinds apart counts as one.
    [[nodiscard]] std::vector<std::string> kinds() const;
    void mutate_batch(const StageStreams& streams, const Space& space, std::span<Mutant> mutants,
                      Scratch& scratch, bool always) const;
};

} // namespace knossos
