#include "algorithms/accounting.hpp"
#include "core/whole_sums.hpp"

#include <algorithm>
#include <cstring>

namespace knossos {

namespace {

// Children that one worker breeds at a time: few enough to stay in the first-level cache through all stages
// and to give every worker several turns, but at least `fewest`, so that a stage's indirect call is nothing.
// No result depends on it.
std::size_t tile_size(const Context& context, const Population& population, std::size_t children,
                      std::size_t fewest) {
    constexpr std::size_t cache_bytes = 16384;
    constexpr std::size_t turns = 4;
    const std::size_t workers = context.pool != nullptr ? context.workers.size() : 1;
    const std::size_t fits = cache_bytes / std::max<std::size_t>(population.stride(), 1);
    const std::size_t share = workers == 1 ? children : children / (workers * turns) + 1;
    return std::clamp<std::size_t>(std::min(fits, share), fewest, 128);
}

// Even: both children of a couple are bred together.
std::size_t breeding_tile(const Context& context, const Island& island, std::size_t children) {
    return tile_size(context, island.current, children, 8) / 2 * 2;
}

template <class Task>
void for_each_tile(const Context& context, std::size_t count, std::size_t tile, Task task) {
    const std::size_t tiles = (count + tile - 1) / tile;
    const auto one = [&](std::size_t index, std::size_t worker) {
        task(index * tile, std::min(count, (index + 1) * tile), context.workers[worker]);
    };
    if (context.pool != nullptr)
        context.pool->for_each(tiles, one);
    else
        for (std::size_t index = 0; index < tiles; ++index) one(index, 0);
}

// Breeds the children of one tile through all stages, and then finishes them: improves and evaluates.
class Tile {
  public:
    Tile(const Context& context, Island& island, std::size_t begin, std::size_t end, Worker& worker)
        : context_{context}, island_{island}, begin_{begin}, end_{end}, worker_{worker} {}

    // Children 2m and 2m + 1 are copies of those parents and siblings; or, one of each couple, child m of
    // parents 2m and 2m + 1.
    void breed_all(std::size_t siblings) {
        copy_parents(2 / siblings);
        const std::size_t stride = island_.current.stride();
        std::byte* spare = worker_.spares.genome((end_ - begin_) * stride);
        worker_.couples.resize((end_ - begin_ + siblings - 1) / siblings);
        Couple* couple = worker_.couples.data();
        for (std::size_t slot = begin_; slot < end_; slot += siblings) {
            const bool single = siblings == 1 || slot + 1 == end_;
            if (single) {
                const std::size_t partner = siblings == 1 ? 2 * slot + 1 : slot + 1;
                std::memcpy(spare, island_.current.genome(island_.parents[partner]), stride);
            }
            *couple++ = {child(slot), single ? spare : child(slot + 1), static_cast<std::uint32_t>(slot)};
            spare += stride;
        }
        worker_.mutants.resize(end_ - begin_);
        Mutant* mutant = worker_.mutants.data();
        for (std::size_t slot = begin_; slot < end_; ++slot)
            *mutant++ = {child(slot), static_cast<std::uint32_t>(slot)};
        if (!island_.kinds.empty())
            for (Mutant& one : worker_.mutants) one.kind = island_.kinds[one.slot];
        vary(false, siblings);
    }

    void breed_planned() {
        copy_parents(1);
        gather_planned();
        vary(true, 2);
    }

    // Children that somebody else has made.
    void take_made() {
        if (context_.problem.repairs()) repair();
    }

    void finish(const Parentage* parentage) {
        if (context_.stages.improve) improve();
        evaluate(parentage);
    }

  private:
    void vary(bool always, std::size_t siblings) {
        const Space& space = island_.current.space();
        context_.stages.recombine.cross(island_.streams(Purpose::recombine), space, worker_.couples,
                                        worker_.scratch, always);
        for (const Couple& couple : worker_.couples) {
            if (!couple.changed) continue;
            island_.evaluated[couple.slot] = 1;
            if (siblings == 2 && couple.slot + 1 < end_) island_.evaluated[couple.slot + 1] = 1;
        }
        context_.stages.mutate.mutate(island_.streams(Purpose::mutate), space, worker_.mutants,
                                      worker_.scratch, always);
        for (const Mutant& mutant : worker_.mutants)
            island_.evaluated[mutant.slot] |= mutant.changed ? 1U : 0U;
        if (context_.problem.repairs()) repair();
    }

    void copy_parents(std::size_t parents_apart) {
        for (std::size_t slot = begin_; slot < end_; ++slot)
            island_.offspring.copy_from(island_.current, island_.parents[slot * parents_apart], slot);
        std::ranges::fill(std::span{island_.evaluated}.subspan(begin_, end_ - begin_), std::uint8_t{0});
    }

    [[nodiscard]] std::byte* child(std::size_t slot) { return island_.offspring.genome(slot); }

    void add_couple(std::size_t first, std::byte* second) {
        worker_.couples.push_back({child(first), second, static_cast<std::uint32_t>(first)});
    }

    void add_mutant(std::size_t slot) {
        worker_.mutants.push_back({child(slot), static_cast<std::uint32_t>(slot)});
    }

    void gather_planned() {
        worker_.couples.clear();
        worker_.mutants.clear();
        for (std::size_t slot = begin_; slot < end_; ++slot) {
            if (island_.operations[slot] == Operation::mutate) add_mutant(slot);
            if (island_.operations[slot] != Operation::cross_first) continue;
            std::byte* second = nullptr;
            if (slot + 1 < end_) {
                second = child(slot + 1);
            } else {
                second = worker_.spares.genome(island_.current.stride());
                std::memcpy(second, island_.current.genome(island_.parents[slot + 1]),
                            island_.current.stride());
            }
            add_couple(slot, second);
        }
    }

    void repair() {
        for (std::size_t slot = begin_; slot < end_; ++slot) {
            if (island_.evaluated[slot] == 0) continue;
            Stream stream = island_.streams(Purpose::repair)(slot);
            context_.problem.repair(stream, child(slot));
        }
    }

    void improve() {
        for (std::size_t slot = begin_; slot < end_; ++slot) {
            island_.improvement_costs[slot] = 0;
            Stream stream = island_.streams(Purpose::improve)(slot);
            if (!context_.stages.improve->wanted(stream)) continue;
            const Improved improved = improve_one(context_, island_, worker_, stream, slot, child(slot));
            island_.offspring.fitness()[slot] = improved.fitness;
            island_.improvement_costs[slot] = improved.evaluations;
            island_.evaluated[slot] = 0;
        }
    }

    void evaluate(const Parentage* parentage) {
        worker_.rows.resize(end_ - begin_);
        std::size_t found = 0;
        for (std::size_t slot = begin_; slot < end_; ++slot) {
            worker_.rows[found] = static_cast<std::uint32_t>(slot);
            found += island_.evaluated[slot] != 0 ? 1U : 0U;
        }
        worker_.rows.resize(found);
        evaluate_rows(context_, island_, island_.offspring, worker_, parentage);
    }

    const Context& context_;
    Island& island_;
    std::size_t begin_;
    std::size_t end_;
    Worker& worker_;
};

// The children that the island's share of the evaluations is enough for, in slot order.
std::size_t affordable(const Context& context, const Island& island, std::size_t children) {
    std::uint64_t left = island.left();
    for (std::size_t slot = 0; slot < children; ++slot) {
        const std::uint64_t cost = cost_of(context, island, slot);
        if (cost > left) return slot;
        left -= cost;
    }
    return children;
}

// Each by itself, so that no thread is left with several slow ones while others have none; or all of them at
// once, where the problem wants that.
void finish_apart(const Context& context, Island& island, std::size_t children, const Parentage* parentage) {
    const std::size_t tile = context.problem.in_whole_batches() ? std::max<std::size_t>(children, 1) : 1;
    for_each_tile(context, children, tile, [&](std::size_t begin, std::size_t end, Worker& worker) {
        Tile{context, island, begin, end, worker}.finish(parentage);
    });
}

// Whether children are finished after all have been bred: when evaluations are slow, and when the share of
// the island may not be enough for all of them. No more are evaluated then than can be counted.
bool finishes_apart(const Context& context, const Island& island, std::size_t children) {
    return context.slow || context.problem.in_whole_batches() || island.left() < children;
}

// Finishes the children where that has not been done, and counts what they took.
void finish_and_account(const Context& context, Island& island, std::size_t children,
                        const Parentage* parentage) {
    const bool costs_known = !context.stages.improve; // one evaluation each: cost_of() says so beforehand
    std::size_t counted =
        costs_known && island.left() < children ? affordable(context, island, children) : children;
    if (finishes_apart(context, island, children)) finish_apart(context, island, counted, parentage);
    if (!costs_known) counted = affordable(context, island, children);
    if (counted == children) return account(context, island, children);
    std::uint64_t uncounted = 0;
    if (!costs_known)
        for (std::size_t slot = counted; slot < children; ++slot) uncounted += cost_of(context, island, slot);
    Finds before = island;
    account(context, island, counted);
    spend(island, std::move(before), uncounted);
}

void prepare_breeding(const Context& context, Island& island, std::size_t children) {
    island.evaluated.resize(children);
    if (context.stages.improve) island.improvement_costs.resize(children);
}

} // namespace

Island::Island(const Space& space, std::size_t population, std::size_t offspring_size, std::uint64_t seed,
               std::uint32_t run, std::uint32_t its_index, std::size_t columns)
    : IslandState{space, population, columns}, index{its_index}, offspring{space, offspring_size, columns},
      keys{} {
    const Streams streams_of_island{seed, run, its_index};
    for (std::uint32_t purpose = 0; purpose < keys.size(); ++purpose)
        keys[purpose] = streams_of_island.key(static_cast<Purpose>(purpose));
}

void populate(const Context& context, Island& island, std::span<const std::byte* const> start) {
    Population& population = island.current;
    island.era_best = worst_quality(context.problem.objective());
    // Nobody knows yet how long an evaluation takes: threads take as few as they can share.
    const std::size_t fewest = context.pool != nullptr ? 1 : 8;
    const std::size_t tile = context.problem.in_whole_batches()
                                 ? population.size()
                                 : tile_size(context, population, population.size(), fewest);
    const std::size_t counted = std::min<std::uint64_t>(population.size(), island.left());
    for_each_tile(context, counted, tile, [&](std::size_t begin, std::size_t end, Worker& worker) {
        worker.rows.clear();
        for (std::size_t slot = begin; slot < end; ++slot) {
            Stream stream = island.streams(Purpose::initialise)(slot);
            if (slot < start.size())
                std::copy_n(start[slot], population.space().genome_bytes(), population.genome(slot));
            else
                context.problem.initialise(stream, population.genome(slot));
            if (context.problem.repairs()) context.problem.repair(stream, population.genome(slot));
            worker.rows.push_back(static_cast<std::uint32_t>(slot));
        }
        evaluate_rows(context, island, population, worker);
    });
    for (std::size_t slot = 0; slot < counted; ++slot) {
        ++island.evaluations;
        remember(context, island, population, slot, island.evaluations);
    }
    island.improved_at = island.generation;
    if (counted < population.size()) spend(island, island); // whoever restarted it has a copy
}

void breed(const Context& context, const Selection& select, Island& island, std::size_t children,
           std::size_t siblings) {
    prepare_breeding(context, island, children);
    const std::size_t apart = 2 / siblings; // parents selected per child
    island.parents.resize(children * apart + children * apart % 2);
    rank_together(context.problem.schema(), island.current);
    const Scores scores = scores_of(context.problem.schema(), island.current);
    const StageStreams streams = island.streams(Purpose::select);
    Stream table_stream = island.streams(Purpose::prepare)(StreamSlot::generation);
    select.prepare(table_stream, scores, island.parents.size(), island.table);
    const std::size_t width = breeding_tile(context, island, children);
    const bool finish_later = finishes_apart(context, island, children);
    Parentage parentage{&island.current, island.parents.data(), apart};
    const Parentage* const known = context.problem.schema().plain() ? &parentage : nullptr;
    for_each_tile(context, children, width, [&](std::size_t begin, std::size_t end, Worker& worker) {
        const std::size_t drawn = (end - begin) * apart + (end - begin) * apart % 2;
        select.pick(streams, scores, island.table, begin * apart,
                    std::span{island.parents}.subspan(begin * apart, drawn));
        Tile tile{context, island, begin, end, worker};
        tile.breed_all(siblings);
        if (!finish_later) tile.finish(known);
    });
    SelectionMeter meter{context.problem.schema(), island.current};
    meter.add(sum_of_some(island.current.fitness(), island.parents), island.parents.size());
    island.selection_intensity = meter.intensity();
    // Replacements want to know whose copy each child was.
    if (siblings == 1)
        for (std::size_t child = 0; child < children; ++child)
            island.parents[child] = island.parents[2 * child];
    parentage.apart = 1;
    finish_and_account(context, island, children, known);
}

void breed_planned(const Context& context, Island& island, std::size_t children) {
    prepare_breeding(context, island, children);
    const std::size_t width = breeding_tile(context, island, children);
    const bool finish_later = finishes_apart(context, island, children);
    for_each_tile(context, children, width, [&](std::size_t begin, std::size_t end, Worker& worker) {
        // A couple belongs to the tile of its first child.
        if (island.operations[begin] == Operation::cross_second) ++begin;
        if (end < children && island.operations[end] == Operation::cross_second) ++end;
        Tile tile{context, island, begin, end, worker};
        tile.breed_planned();
        if (!finish_later) tile.finish(nullptr);
    });
    finish_and_account(context, island, children, nullptr);
}

void breed_by(const Context& context, Island& island, std::size_t children,
              const std::function<void(std::size_t begin, std::size_t end)>& make) {
    prepare_breeding(context, island, children);
    const std::size_t width = breeding_tile(context, island, children);
    const bool finish_later = finishes_apart(context, island, children);
    for_each_tile(context, children, width, [&](std::size_t begin, std::size_t end, Worker& worker) {
        make(begin, end);
        Tile tile{context, island, begin, end, worker};
        tile.take_made();
        if (!finish_later) tile.finish(nullptr);
    });
    finish_and_account(context, island, children, nullptr);
}

void spend(Island& island, Finds before, std::uint64_t uncounted) {
    island.cut = std::move(static_cast<Finds&>(island));
    island.uncounted = uncounted;
    static_cast<Finds&>(island) = std::move(before);
    throw BudgetSpent{};
}

} // namespace knossos
