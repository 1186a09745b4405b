#pragma once

#include <knossos/core/population.hpp>
#include <knossos/core/random.hpp>
#include <knossos/core/record.hpp>
#include <knossos/maze/distance_batch.hpp>
#include <knossos/maze/fitness.hpp>
#include <knossos/maze/representation.hpp>

#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace knossos::maze {

/// Writes the record of each direct maze of a batch, constraints applied, with the batch kernels; column
/// after column. Safe to call from several threads.
void evaluate_direct(const Blueprint& blueprint, const Fitness& fitness, const Batch& batch,
                     std::span<double> out);

/// What kinds of changes propose_direct() makes.
struct ProposalMix {
    double rerouted = 0.8; ///< share of new ways for a stretch of the shortest path; the rest are flips
    bool shortens = true;  ///< whether a new way may be shorter than the old one
    std::uint32_t most_flips = 3; ///< cells flipped at once, 1 up to this
};

/// The mix that suits a fitness best, by our own studies: see docs/mazes.md.
ProposalMix default_proposals(const Fitness& fitness);

/// Makes a small change to a direct maze that keeps to its constraints once it is repaired: leads a stretch
/// of its shortest path along a new way, or flips cells. Returns whether anything changed. Safe to call from
/// several threads.
bool propose_direct(const Blueprint& blueprint, const ProposalMix& mix, Stream& stream, Bits genome);

/// Writes the record of a decoded grid. Safe to call from several threads.
void evaluate_grid(const Blueprint& blueprint, const Fitness& fitness, Grid& grid, Record out);

/// A grid to decode into, and everything to measure it with, of the calling thread.
Grid& decoding_grid();

/// Mazes of one representation. Whatever genome is evaluated, what counts
/// is the maze that it decodes to, in which the constraints hold; genomes of the direct representation are
/// also repaired, so that they agree with their mazes.
template <class Representation>
class MazeProblem {
  public:
    /// Throws InvalidInput if the fitness does not fit the layout: see Fitness::check().
    explicit MazeProblem(Representation representation, Fitness fitness = {})
        : representation_{std::make_shared<const Representation>(std::move(representation))},
          fitness_{std::move(fitness)} {
        fitness_.check(blueprint().layout().checkpoints.size());
    }

    [[nodiscard]] const Representation& representation() const { return *representation_; }
    [[nodiscard]] const Blueprint& blueprint() const { return representation_->blueprint; }
    [[nodiscard]] const Fitness& fitness() const { return fitness_; }

    [[nodiscard]] Space space() const { return representation_->space(); }
    [[nodiscard]] std::vector<Column> record() const { return fitness_.columns(); }
    [[nodiscard]] std::optional<double> target() const { return fitness_.target(); }

    template <class View>
        requires requires(const Representation& representation, View genome, Stream& stream) {
            representation.initialise(stream, genome);
        }
    void initialise(Stream& stream, View genome) const {
        representation_->initialise(stream, genome);
    }

    template <class View>
        requires requires(const Representation& representation, View genome) {
            representation.repair(genome);
        }
    void repair(Stream& /*stream*/, View genome) const {
        representation_->repair(genome);
    }

    bool propose(Stream& stream, Bits genome) const
        requires std::same_as<Representation, Direct>
    {
        return propose_direct(blueprint(), default_proposals(fitness_), stream, genome);
    }

    void evaluate_batch(Batch batch, std::span<double> out) const {
        if constexpr (std::same_as<Representation, Direct>) {
            evaluate_direct(blueprint(), fitness_, batch, out);
        } else {
            const Space its = space();
            for (std::size_t i = 0; i < batch.count; ++i) {
                Grid& grid = decoding_grid();
                decode_bytes(its, batch[i], grid);
                evaluate_grid(blueprint(), fitness_, grid, Record{&out[i], batch.count});
            }
        }
    }

    /// The maze that a genome stands for.
    [[nodiscard]] Level level(const std::byte* genome) const {
        Grid grid;
        decode_bytes(space(), genome, grid);
        return blueprint().level(std::move(grid));
    }

  private:
    void decode_bytes(const Space& its, const std::byte* genome, Grid& grid) const {
        visit_genome(its, genome, [&]<class View>(View view) {
            if constexpr (requires { representation_->decode(view, grid); })
                representation_->decode(view, grid);
        });
    }

    std::shared_ptr<const Representation> representation_;
    Fitness fitness_;
};

using DirectMaze = MazeProblem<Direct>;
using ChromaticMaze = MazeProblem<Chromatic>;
using PositiveMaze = MazeProblem<Positive>;
using NegativeMaze = MazeProblem<Negative>;
using AutomatonMaze = MazeProblem<Automaton>;

} // namespace knossos::maze
