#pragma once

#include <knossos/core/fields.hpp>

#include <string_view>
#include <tuple>

namespace knossos {

/// Operation mix: instead of 'recombine with p, then mutate with p', each operation is drawn to be one of
/// three: clone a selected parent, recombine two of them into two children, or mutate a copy of one. The
/// shares are relative weights; the stages' own probabilities are not consulted. In the roulette-queens
/// system 0.30, 0.69 and 0.01.
struct OperationMix {
    double clone = 0.30;
    double crossover = 0.69;
    double mutation = 0.01;

    static constexpr std::string_view name = "operations";
    static constexpr auto fields() {
        return std::tuple{
            probability_field("clone", &OperationMix::clone, "share of operations that copy a parent"),
            probability_field("crossover", &OperationMix::crossover,
                              "share of operations that recombine two parents"),
            probability_field("mutation", &OperationMix::mutation,
                              "share of operations that mutate a copy of a parent")};
    }
};

} // namespace knossos
