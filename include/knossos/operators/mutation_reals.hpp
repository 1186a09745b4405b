#pragma once

#include <knossos/operators/variation.hpp>

namespace knossos {

/// Polynomial: every gene changes independently with probability `per_gene` (0 stands for the usual
/// 1/length), by a share s of its bounds' distance whose density falls with (1 − s)^eta on both sides of the
/// old value and ends at the bounds, so that nothing has to be cut off. K. Deb, M. Goyal: "A combined genetic
/// adaptive search (GeneAS) for engineering design", Computer Science and Informatics 26, 1996.
struct PolynomialMutation {
    double probability = 1.0;
    double per_gene = 0.0;
    double eta = 20.0;

    static constexpr std::string_view name = "polynomial";
    static constexpr std::size_t random_blocks() { return 2; }
    static constexpr auto fields() {
        return std::tuple{probability_field("probability", &PolynomialMutation::probability,
                                            "how often a genome is mutated"),
                          probability_field("per_gene", &PolynomialMutation::per_gene,
                                            "how often a gene of it changes; 0 means 1/length"),
                          field("eta", &PolynomialMutation::eta, 0, 1000,
                                "distribution index: the larger, the smaller the changes")};
    }

    struct Prepared {
        Skips skips;
        double eta;
        bool operator()(Stream& stream, Reals genome) const;
    };
    [[nodiscard]] Prepared prepared(const Space& space) const;
    bool operator()(Stream& stream, Reals genome) const;
    /// The same for each of them, whatever the probability: many genes side by side.
    void mutate_together(const StageStreams& streams, const Space& space, std::span<Mutant> mutants) const;
};

/// Gaussian: every gene changes independently with probability `per_gene` (0 stands for the usual 1/length),
/// by a normally distributed amount whose standard deviation is `sigma` times the distance of its bounds.
/// What leaves them is thrown back: past an end by d comes to lie d before it. I. Rechenberg:
/// "Evolutionsstrategie", 1973; H.-P. Schwefel: "Numerical Optimization of Computer Models", 1981.
struct GaussianMutation {
    double probability = 1.0;
    double per_gene = 0.0;
    double sigma = 0.1;

    static constexpr std::string_view name = "gaussian";
    static constexpr std::size_t random_blocks() { return 2; }
    static constexpr auto fields() {
        return std::tuple{
            probability_field("probability", &GaussianMutation::probability, "how often a genome is mutated"),
            probability_field("per_gene", &GaussianMutation::per_gene,
                              "how often a gene of it changes; 0 means 1/length"),
            field("sigma", &GaussianMutation::sigma, 0, 10,
                  "standard deviation, as a share of the bounds' distance")};
    }

    struct Prepared {
        Skips skips;
        double sigma;
        bool operator()(Stream& stream, Reals genome) const;
    };
    [[nodiscard]] Prepared prepared(const Space& space) const;
    bool operator()(Stream& stream, Reals genome) const;
};

} // namespace knossos
