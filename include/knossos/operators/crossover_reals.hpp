#pragma once

#include <knossos/operators/variation.hpp>

namespace knossos {

/// Simulated binary: every gene of the couple is recombined with probability `per_gene`. Its two children lie
/// as far from the parents' mean as these do, times a random spread that is near 1 the more often the larger
/// the distribution index `eta`, and change places half the time. The spread is drawn from what the bounds
/// leave, so that nothing has to be cut off. K. Deb, R. B. Agrawal: "Simulated binary crossover for
/// continuous search space", Complex Systems 9, 1995.
struct SimulatedBinary {
    double probability = 0.9;
    double per_gene = 0.5;
    double eta = 15.0;

    static constexpr std::string_view name = "simulated-binary";
    static constexpr auto fields() {
        return std::tuple{
            probability_field("probability", &SimulatedBinary::probability,
                              "how often a couple is recombined"),
            probability_field("per_gene", &SimulatedBinary::per_gene, "how often a gene of it is"),
            field("eta", &SimulatedBinary::eta, 0, 1000,
                  "distribution index: the larger, the nearer to the parents")};
    }
    bool operator()(Stream& stream, Reals a, Reals b) const;
    /// The same for each couple, with the probability or for all of them: many genes side by side.
    void cross_batch(const StageStreams& streams, const Space& space, std::span<Couple> couples,
                     bool always) const;
};

/// Blend, BLX-α: every gene of both children is drawn evenly from the stretch between the parents' genes,
/// made longer on both sides by `alpha` times its length, as far as the bounds allow. L. J. Eshelman, J. D.
/// Schaffer: "Real-coded genetic algorithms and interval-schemata", FOGA 2, 1993.
struct Blend {
    double probability = 0.9;
    double alpha = 0.5;

    static constexpr std::string_view name = "blend";
    static constexpr std::size_t random_blocks() { return 8; }
    static constexpr auto fields() {
        return std::tuple{
            probability_field("probability", &Blend::probability, "how often a couple is recombined"),
            field("alpha", &Blend::alpha, 0, 10, "how far children may lie outside, in parents' distances")};
    }
    bool operator()(Stream& stream, Reals a, Reals b) const;
};

} // namespace knossos
