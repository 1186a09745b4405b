#include "operators/reals_each.hpp"

#include <knossos/core/portable_math.hpp>
#include <knossos/operators/mutation_reals.hpp>
#include <knossos/operators/reflection.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace knossos {

namespace {

double rate(double per_gene, std::size_t length) {
    return per_gene > 0.0 ? per_gene : 1.0 / static_cast<double>(length);
}

// By the polar angle and radius of a pair. G. E. P. Box, M. E. Muller: "A note on the generation of random
// normal deviates", 1958.
double normal(Stream& stream) {
    const double radius = std::sqrt(-2.0 * portable_log(1.0 - stream.real()));
    return radius * portable_cospi(2.0 * stream.real());
}

} // namespace

bool PolynomialMutation::Prepared::operator()(Stream& stream, Reals genome) const {
    bool changed = false;
    for_each_hit(stream, skips, genome.size(), [&](std::size_t i) {
        const double u = stream.real();
        const Bounds& bounds = genome.bounds(i);
        if (!(bounds.width() > 0.0)) return; // a fixed gene
        genome[i] = polynomial_one(eta, u, genome[i], bounds.low, bounds.high);
        changed = true;
    });
    return changed;
}

PolynomialMutation::Prepared PolynomialMutation::prepared(const Space& space) const {
    return {Skips{rate(per_gene, space.length)}, eta};
}

bool PolynomialMutation::operator()(Stream& stream, Reals genome) const {
    return Prepared{Skips{rate(per_gene, genome.size())}, eta}(stream, genome);
}

namespace {

// Genomes that are mutated side by side. A gene takes a block of its genome's stream: two numbers for the
// skip to it and two for its value. So everybody who goes on has one more block computed, and all go on
// together.
class MutatingTogether {
  public:
    MutatingTogether(const StageStreams& streams, const Space& space, const Skips& skips, double eta)
        : streams_{streams}, space_{space}, skips_{skips}, eta_{eta} {}

    void operator()(std::span<Mutant> mutants) {
        for (std::size_t i = 0; i < mutants.size(); ++i) {
            mutants[i].changed = false;
            going_on_[i] = {&mutants[i], 0};
        }
        count_ = mutants.size();
        for (std::uint32_t block = 0; count_ > 0; ++block) one_gene_each(block);
        finish();
    }

    static constexpr std::size_t most = GeneBatch::most;

  private:
    struct GoingOn {
        Mutant* mutant;
        std::size_t gene;
    };

    static double real(std::uint32_t high, std::uint32_t low) {
        const std::uint64_t words = std::uint64_t{high} << 32U | low;
        return static_cast<double>(static_cast<std::int64_t>(words >> 11U)) * 0x1.0p-53;
    }

    void one_gene_each(std::uint32_t block) {
        for (std::size_t i = 0; i < count_; ++i)
            blocks_[i] = streams_.counter(going_on_[i].mutant->slot, block);
        philox4x32_each(streams_.key, std::span{blocks_}.first(count_));
        for (std::size_t i = 0; i < count_; ++i) skip_[i] = 1.0 - real(blocks_[i][3], blocks_[i][2]);
        scaled_log_each(skips_.inverse_log_failure(), skip_.data(), count_);
        std::size_t kept = 0;
        for (std::size_t i = 0; i < count_; ++i) {
            auto [mutant, gene] = going_on_[i];
            if (!(skip_[i] < static_cast<double>(space_.length - gene))) continue;
            gene += static_cast<std::size_t>(skip_[i]);
            going_on_[kept++] = {mutant, gene + 1};
            const Reals genome = view_as<Reals>(space_, mutant->genome);
            if (!(genome.bounds(gene).width() > 0.0)) continue; // a fixed gene
            mutant->changed = true;
            add(real(blocks_[i][1], blocks_[i][0]), genome[gene], genome.bounds(gene));
        }
        count_ = kept;
    }

    void add(double u, double& gene, const Bounds& bounds) {
        if (genes_.count == GeneBatch::most) finish();
        const std::size_t i = genes_.count++;
        genes_.drawn[i] = u;
        genes_.first[i] = gene;
        genes_.low[i] = bounds.low;
        genes_.high[i] = bounds.high;
        genes_.to_first[i] = &gene;
    }

    void finish() {
        polynomial_each(eta_, genes_);
        for (std::size_t i = 0; i < genes_.count; ++i) *genes_.to_first[i] = genes_.first[i];
        genes_.count = 0;
    }

    const StageStreams& streams_;
    const Space& space_;
    const Skips& skips_;
    double eta_;
    std::size_t count_ = 0;
    std::array<GoingOn, most> going_on_; // left unset, these: only what has been set is read
    std::array<PhiloxBlock, most> blocks_;
    std::array<double, GeneBatch::room> skip_;
    GeneBatch genes_;
};

} // namespace

void PolynomialMutation::mutate_together(const StageStreams& streams, const Space& space,
                                         std::span<Mutant> mutants) const {
    const Prepared one = prepared(space);
    if (one.skips.always()) {
        for (Mutant& mutant : mutants) {
            Stream stream = streams(mutant.slot);
            mutant.changed = one(stream, view_as<Reals>(space, mutant.genome));
        }
        return;
    }
    MutatingTogether together{streams, space, one.skips, eta};
    for (std::size_t begin = 0; begin < mutants.size(); begin += MutatingTogether::most)
        together(mutants.subspan(begin, std::min(mutants.size() - begin, MutatingTogether::most)));
}

bool GaussianMutation::Prepared::operator()(Stream& stream, Reals genome) const {
    bool changed = false;
    for_each_hit(stream, skips, genome.size(), [&](std::size_t i) {
        const Bounds& bounds = genome.bounds(i);
        genome[i] = reflected(genome[i] + normal(stream) * (sigma * bounds.width()), bounds);
        changed = true;
    });
    return changed;
}

GaussianMutation::Prepared GaussianMutation::prepared(const Space& space) const {
    return {Skips{rate(per_gene, space.length)}, sigma};
}

bool GaussianMutation::operator()(Stream& stream, Reals genome) const {
    return Prepared{Skips{rate(per_gene, genome.size())}, sigma}(stream, genome);
}

} // namespace knossos
