#include <knossos/algorithms/algorithm.hpp>
#include <knossos/core/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <vector>

namespace knossos {

namespace {

// The genomes of a generation lie in the island's offspring buffer, one row per walker in each of three
// blocks, and replace the current population at its end: if an evaluation throws, nothing has happened.
enum Block : std::uint32_t { proposals, walkers, bests, blocks };

struct Progress {
    std::uint64_t evaluations = 0;
    std::uint64_t best_at =
        0;               ///< the evaluation that found the walker's best of this generation, from 1; 0: none
    bool is_cut = false; ///< it wanted more evaluations than it may make
};

class Walk {
  public:
    Walk(const Annealing& annealing, const Context& context, Island& island)
        : moves_{annealing.moves}, context_{context}, island_{island},
          size_{static_cast<std::uint32_t>(island.current.size())},
          temperature_{annealing.temperature(island)}, progress_(size_),
          resting_(size_, context.problem.solved_by(island.hall.front().quality) ? never : awake) {}

    void go() {
        for (std::uint32_t walker = 0; walker < size_; ++walker)
            island_.offspring.copy_from(island_.current, walker, row(walkers, walker));
        const std::size_t width = tile_width();
        const std::size_t tiles = (size_ + width - 1) / width;
        const auto one = [&](std::size_t tile, std::size_t worker) {
            const auto begin = static_cast<std::uint32_t>(tile * width);
            walk(begin, static_cast<std::uint32_t>(std::min<std::size_t>(size_, begin + width)),
                 context_.workers[worker]);
        };
        if (context_.pool != nullptr)
            context_.pool->for_each(tiles, one);
        else
            for (std::size_t tile = 0; tile < tiles; ++tile) one(tile, 0);
        settle();
    }

  private:
    enum Rest : std::uint8_t { awake, resting, never }; // never: the target was reached before

    // Walkers that take their steps side by side, so that they are evaluated in one batch.
    [[nodiscard]] std::size_t tile_width() const {
        if (context_.problem.in_whole_batches()) return size_;
        const std::size_t workers = context_.pool != nullptr ? context_.workers.size() : 1;
        return std::clamp<std::size_t>((size_ + workers - 1) / workers, 1, 64);
    }

    [[nodiscard]] std::uint32_t row(Block block, std::uint32_t walker) const {
        return block * size_ + walker;
    }

    // The evaluations that a walker may make: of the island's share, those that walkers before it can't need.
    [[nodiscard]] std::uint64_t allowed(std::uint32_t walker) const {
        const std::uint64_t before = std::uint64_t{walker} * moves_;
        const std::uint64_t left = island_.left();
        return left > before ? std::min<std::uint64_t>(left - before, moves_) : 0;
    }

    void walk(std::uint32_t begin, std::uint32_t end, Worker& worker) {
        for (std::uint32_t move = 0; move < moves_; ++move) {
            propose(begin, end, move, worker);
            evaluate_rows(context_, island_, island_.offspring, worker);
            for (const std::uint32_t walker : worker.rows) decide(walker, move);
        }
    }

    void propose(std::uint32_t begin, std::uint32_t end, std::uint32_t move, Worker& worker) {
        worker.mutants.clear();
        worker.rows.clear();
        for (std::uint32_t walker = begin; walker < end; ++walker) {
            if (resting_[walker] == resting || progress_[walker].is_cut) continue;
            island_.offspring.copy_from(island_.offspring, row(walkers, walker), row(proposals, walker));
            worker.mutants.push_back({island_.offspring.genome(row(proposals, walker)), slot(walker, move)});
        }
        const StageStreams streams = island_.streams(Purpose::mutate);
        context_.stages.mutate.mutate(streams, context_.problem.space(), worker.mutants, worker.scratch,
                                      false);
        for (const Mutant& mutant : worker.mutants) {
            if (!mutant.changed) continue;
            if (context_.problem.repairs()) {
                Stream stream = island_.streams(Purpose::repair)(mutant.slot);
                context_.problem.repair(stream, mutant.genome);
            }
            const std::uint32_t walker = mutant.slot / moves_;
            Progress& progress = progress_[walker];
            progress.is_cut = progress.evaluations == allowed(walker);
            if (!progress.is_cut) worker.rows.push_back(walker);
        }
    }

    void decide(std::uint32_t walker, std::uint32_t move) {
        const Schema& schema = context_.problem.schema();
        const Quality proposed = quality_of(island_.offspring, row(proposals, walker));
        Progress& progress = progress_[walker];
        ++progress.evaluations;
        if (progress.best_at == 0 ||
            better(schema.objective(), proposed, quality_of(island_.offspring, row(bests, walker)))) {
            island_.offspring.copy_from(island_.offspring, row(proposals, walker), row(bests, walker));
            progress.best_at = progress.evaluations;
        }
        const double lost = loss(schema, island_.offspring, row(walkers, walker), row(proposals, walker));
        if (lost > 0.0) {
            Stream stream = island_.streams(Purpose::replace)(slot(walker, move));
            if (!Annealing::takes(lost, temperature_, 1.0 - stream.real())) return;
        }
        island_.offspring.copy_from(island_.offspring, row(proposals, walker), row(walkers, walker));
        if (resting_[walker] == awake && context_.problem.solved_by(proposed)) resting_[walker] = resting;
    }

    void settle() {
        const bool is_cut = std::ranges::any_of(progress_, &Progress::is_cut);
        Finds before = is_cut ? Finds{island_} : Finds{};
        for (std::uint32_t walker = 0; walker < size_; ++walker) {
            const Progress& progress = progress_[walker];
            if (progress.best_at != 0)
                remember(context_, island_, island_.offspring, row(bests, walker),
                         island_.evaluations + progress.best_at);
            island_.evaluations += progress.evaluations;
        }
        for (std::uint32_t walker = 0; walker < size_; ++walker)
            if (progress_[walker].evaluations != 0)
                island_.needed = std::uint64_t{walker} * moves_ + progress_[walker].evaluations;
        if (is_cut) spend(island_, std::move(before));
        for (std::uint32_t walker = 0; walker < size_; ++walker)
            island_.current.copy_from(island_.offspring, row(walkers, walker), walker);
    }

    [[nodiscard]] std::uint32_t slot(std::uint32_t walker, std::uint32_t move) const {
        return walker * moves_ + move;
    }

    std::uint32_t moves_;
    const Context& context_;
    Island& island_;
    std::uint32_t size_;
    double temperature_;
    std::vector<Progress> progress_;
    std::vector<Rest> resting_;
};

} // namespace

void Annealing::check(const Problem& problem, const Stages& stages, std::size_t population,
                      std::size_t /*offspring*/) const {
    if (!(start > 0.0))
        throw InvalidSetting{"algorithm", name, "start", fmt::format("is {}; it must be above 0", start)};
    if (!(end > 0.0))
        throw InvalidSetting{"algorithm", name, "end", fmt::format("is {}; it must be above 0", end)};
    constexpr std::uint64_t most = 0x7FFFFFFF;
    if (std::uint64_t{moves} * population > most)
        throw InvalidSetting{"algorithm", name, "moves",
                             fmt::format("is {}; with a population of {} it must be in 1..{}", moves,
                                         population, most / population)};
    if (problem.schema().ranking() == Ranking::pareto)
        throw InvalidSetting{"algorithm", "", "",
                             fmt::format("annealing needs to know by how much one individual is worse, "
                                         "and this problem has several objectives ({}); nsga2 is for "
                                         "these, and generational, mu-plus-lambda, steady-state, knockout "
                                         "and duel can rank them, too",
                                         problem.schema().to_text())};
    if (stages.improve) throw InvalidInput{"improve: annealing has no improvement stage"};
    if (stages.operations) throw InvalidInput{"operations: annealing only mutates; it has no operation mix"};
    if (!stages.recombine.only_copies())
        throw InvalidInput{"recombine: annealing only mutates; crossover needs steady-state or generational"};
    stages.mutate.check(problem.space());
}

std::size_t Annealing::offspring_buffer(std::size_t population, std::size_t /*offspring*/) {
    return blocks * population;
}

double Annealing::temperature(const Island& island) const {
    const double done = std::min(1.0, static_cast<double>(island.evaluations) / static_cast<double>(steps));
    return 1.0 / ((1.0 - done) / start + done / end);
}

void Annealing::step(const Context& context, Island& island) const { Walk{*this, context, island}.go(); }

} // namespace knossos
