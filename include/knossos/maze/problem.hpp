#pragma once

#include <knossos/core/population.hpp>
#include <knossos/core/random.hpp>
#include <knossos/core/record.hpp>
#include <knossos/maze/checkpoints.hpp>
#include <knossos/maze/distance_batch.hpp>
#include <knossos/maze/fitness.hpp>
#include <knossos/maze/possible.hpp>
#include <knossos/maze/representation.hpp>

#include <memory>
#include <optional>
#include <span>
#include <string>
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

/// The kinds of changes to direct mazes that can be asked for one by one.
enum class Move : unsigned char {
    flips,
    ways,
    longer_ways,
    shorter_ways,
    fillings,
    clearings,
    blocks,
    copies, // only where it is named
};

/// Flips up to four cells; leads a stretch of the shortest path along a new way, as long as before, longer or
/// shorter; fills open cells beside the path; opens rock that does not touch it; makes a rectangle rock or
/// open; or copies a rectangle to another place, as it is or mirrored.
/// Returns whether anything changed. The maze has to be repaired afterwards. Safe to call from several
/// threads.
bool propose_move(const Blueprint& blueprint, Move move, Stream& stream, Bits genome);

/// Writes the record of a decoded grid. Safe to call from several threads.
void evaluate_grid(const Blueprint& blueprint, std::span<const Cell> checkpoints, const Fitness& fitness,
                   Grid& grid, Record out);

/// A grid to decode into, and everything to measure it with, of the calling thread.
Grid& decoding_grid();
/// Checkpoints that were read from a genome, likewise.
std::vector<Cell>& decoding_checkpoints();

/// Mazes of one representation. Whatever genome is evaluated, what counts
/// is the maze that it decodes to, in which the constraints hold; genomes of the direct representation are
/// also repaired, so that they agree with their mazes. Where checkpoints evolve, their genes follow those of
/// the maze, and at the start they lie where the layout has them.
template <class Representation>
class MazeProblem {
  public:
    /// Throws InvalidInput if the fitness does not fit the layout: see Fitness::check(),
    /// Fitness::require_checkpoints() and require_possible().
    explicit MazeProblem(Representation representation, Fitness fitness = {}, bool evolve_checkpoints = false)
        : representation_{std::make_shared<const Representation>(std::move(representation))},
          fitness_{std::move(fitness)} {
        fitness_.check(blueprint().layout().checkpoints.size());
        fitness_.require_checkpoints(blueprint().layout().checkpoints.size());
        require_possible(fitness_, blueprint(), std::same_as<Representation, Chromatic>);
        if (evolve_checkpoints) checkpoint_genes_ = {blueprint(), representation_->space()};
    }

    [[nodiscard]] const Representation& representation() const { return *representation_; }
    [[nodiscard]] const Blueprint& blueprint() const { return representation_->blueprint; }
    [[nodiscard]] const Fitness& fitness() const { return fitness_; }

    [[nodiscard]] Space space() const {
        Space its = representation_->space();
        its.length += checkpoint_genes_.size();
        return its;
    }
    [[nodiscard]] std::vector<Column> record() const { return fitness_.columns(blueprint().area()); }
    [[nodiscard]] std::optional<double> target() const { return fitness_.target(); }

    template <class View>
        requires requires(const Representation& representation, View genome, Stream& stream) {
            representation.initialise(stream, genome);
        }
    void initialise(Stream& stream, View genome) const {
        representation_->initialise(stream, of_the_maze(genome));
        if (checkpoint_genes_.empty()) return;
        const auto& checkpoints = blueprint().layout().checkpoints;
        for (std::size_t i = 0; i < checkpoints.size(); ++i)
            checkpoint_genes_.write(genome, i, checkpoints[i]);
    }

    template <class View>
        requires requires(const Representation& representation, View genome) {
            representation.repair(genome);
        }
    void repair(Stream& stream, View genome) const {
        representation_->repair(of_the_maze(genome));
        representation_->put_back(stream, of_the_maze(genome));
    }

    bool propose(Stream& stream, Bits genome) const
        requires std::same_as<Representation, Direct>
    {
        constexpr double moved_checkpoints = 0.2; // share of the changes
        if (!checkpoint_genes_.empty() && stream.chance(moved_checkpoints)) {
            checkpoint_genes_.propose(stream, genome);
            return true;
        }
        return propose_direct(blueprint(), default_proposals(fitness_), stream, of_the_maze(genome));
    }

    /// The kinds of changes to a direct maze; see Move.
    [[nodiscard]] static std::vector<std::string> moves() {
        if constexpr (!std::same_as<Representation, Direct>) return {};
        return {"flips", "ways", "longer-ways", "shorter-ways", "fillings", "clearings", "blocks"};
    }
    [[nodiscard]] static std::vector<std::string> further_moves() {
        if constexpr (!std::same_as<Representation, Direct>) return {};
        return {"copies"};
    }
    bool propose(Stream& stream, Bits genome, std::uint32_t move) const
        requires std::same_as<Representation, Direct>
    {
        constexpr double moved_checkpoints = 0.2; // share of the changes
        if (!checkpoint_genes_.empty() && stream.chance(moved_checkpoints)) {
            checkpoint_genes_.propose(stream, genome);
            return true;
        }
        return propose_move(blueprint(), static_cast<Move>(move), stream, of_the_maze(genome));
    }

    void evaluate_batch(Batch batch, std::span<double> out) const {
        if constexpr (std::same_as<Representation, Direct>)
            if (checkpoint_genes_.empty()) return evaluate_direct(blueprint(), fitness_, batch, out);
        const Space its = space();
        for (std::size_t i = 0; i < batch.count; ++i) {
            Grid& grid = decoding_grid();
            decode_bytes(its, batch[i], grid);
            evaluate_grid(blueprint(), checkpoints_of(its, batch[i], decoding_checkpoints()), fitness_, grid,
                          Record{&out[i], batch.count});
        }
    }

    /// The maze that a genome stands for.
    [[nodiscard]] Level level(const std::byte* genome) const {
        Grid grid;
        decode_bytes(space(), genome, grid);
        Level level = blueprint().level(std::move(grid));
        if (!checkpoint_genes_.empty()) (void)checkpoints_of(space(), genome, level.checkpoints);
        return level;
    }

  private:
    // The genes of the representation, which come first.
    template <class View>
    [[nodiscard]] View of_the_maze(View genome) const {
        const std::size_t length = genome.size() - checkpoint_genes_.size();
        if constexpr (requires { genome.alphabet(); })
            return {genome.data(), length, genome.alphabet()};
        else
            return {genome.words().data(), length};
    }

    // Where the checkpoints of a genome lie; `memory` is for those that have to be read.
    [[nodiscard]] std::span<const Cell> checkpoints_of(const Space& its, const std::byte* genome,
                                                       std::vector<Cell>& memory) const {
        if (checkpoint_genes_.empty()) return blueprint().layout().checkpoints;
        visit_genome(its, genome, [&]<class View>(View view) {
            if constexpr (requires(Grid grid) { representation_->decode(view, grid); })
                checkpoint_genes_.read_all(blueprint(), view, memory);
        });
        return memory;
    }

    void decode_bytes(const Space& its, const std::byte* genome, Grid& grid) const {
        visit_genome(its, genome, [&]<class View>(View view) {
            if constexpr (requires { representation_->decode(view, grid); })
                representation_->decode(of_the_maze(view), grid);
        });
    }

    std::shared_ptr<const Representation> representation_;
    Fitness fitness_;
    CheckpointGenes checkpoint_genes_{};
};

using DirectMaze = MazeProblem<Direct>;
using ChromaticMaze = MazeProblem<Chromatic>;
using PositiveMaze = MazeProblem<Positive>;
using NegativeMaze = MazeProblem<Negative>;
using AutomatonMaze = MazeProblem<Automaton>;

} // namespace knossos::maze
