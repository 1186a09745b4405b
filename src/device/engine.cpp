#include "device/engine.hpp"

#include "algorithms/accounting.hpp"
#include "device/each_of.hpp"
#include "device/summary_check.hpp"

#include <knossos/core/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <limits>
#include <numeric>
#include <utility>

namespace knossos::device {

namespace {

constexpr std::array<std::string_view, 7> generation_kernels{
    "vary", "evaluate_all", "summarise", "find_better", "gather", "move_rows", "sample"};
enum KernelIndex : std::size_t { vary, evaluate_all, summarise, find_better, gather, move_rows, sample };

KeptElsewhere& kept_of(Island& island) { return island.kept.as<KeptElsewhere>(); }

void deal_tickets(const Population& individuals, std::size_t first, Population& tickets) {
    if (tickets.size() != individuals.size()) tickets = Population{Space::bits(64), individuals.size()};
    for (std::size_t i = 0; i < individuals.size(); ++i) {
        const std::uint64_t ticket = first + i;
        std::memcpy(tickets.genome(i), &ticket, sizeof ticket);
    }
    std::ranges::copy(individuals.fitness(), tickets.fitness().begin());
}

std::uint64_t ticket_of(const Population& population, std::size_t i) {
    std::uint64_t ticket = 0;
    std::memcpy(&ticket, population.genome(i), sizeof ticket);
    return ticket;
}

} // namespace

Engine::Engine(const Device& device, GenerationPlan plan)
    : queue_{device}, plan_{std::move(plan)},
      kernels_{queue_.build(generation_source(plan_.variation, plan_.evaluation), generation_kernels)},
      table_{queue_.make_buffer_of(plan_.evaluation.table)},
      cross_table_{queue_.make_buffer_of(plan_.skips_of(plan_.crossed_genes))},
      mutate_table_{queue_.make_buffer_of(plan_.skips_of(plan_.mutated_genes))} {}

RunMemory Engine::memory_of(const GenerationPlan& plan, std::size_t islands, std::size_t population,
                            std::size_t children, bool are_together) {
    const std::size_t genome = plan.variation.genome_bytes;
    const std::size_t together = are_together ? islands : 1;
    const Resident home{.islands = together, .population = population, .children = children};
    RunMemory memory{.tables = plan.tables()};
    for (const auto& [buffer, bytes] : home.parts(genome)) memory.of_a_run.add(bytes, islands / together);
    // More of the genomes are read as they lie.
    const std::size_t most_read = together * std::max(population, children) / 2;
    const std::size_t most_found = std::min(home.most_finds(), together * children);
    Gathering::add_to(memory.kept, std::max(most_read, most_found), genome);
    return memory;
}

void Engine::check_summaries(bool are_many) {
    const std::string_view wrong =
        wrong_summary(queue_, plan_.variation, kernels_[summarise], kernels_[find_better],
                      are_many ? &kernels_[sample] : nullptr);
    if (wrong.empty()) return;
    throw InvalidInput{
        fmt::format("device '{}' is not used: in its self-test the kernel {} says something else of many "
                    "individuals than the processor, so its driver ({}) compiles a kernel wrongly",
                    queue_.device().name, wrong, queue_.device().version)};
}

void Engine::try_memory(const RunMemory& memory, std::size_t runs) {
    gathering_ = {};
    MemoryNeed all = memory.kept;
    for (const auto& [bytes, count] : memory.of_a_run.blocks()) all.add(bytes, count * runs);
    queue_.try_memory(all);
}

std::shared_ptr<Resident> Engine::room_for(std::span<const Island> islands) {
    const std::size_t population = islands.front().current.size();
    const std::size_t children = islands.front().offspring.size();
    const std::size_t count = islands.size();
    std::shared_ptr<Resident> room;
    for (const Island& island : islands) {
        auto its = std::static_pointer_cast<Resident>(island.kept.as<KeptElsewhere>().room);
        if (its && its->guests.expired() && its->islands == count && its->population == population &&
            its->children == children) {
            room = std::move(its);
            break;
        }
    }
    if (!room) {
        room = std::make_shared<Resident>(
            Resident{.islands = count, .population = population, .children = children});
        for (const auto& [buffer, bytes] : room->parts(islands.front().current.stride()))
            (*room).*buffer = queue_.make_buffer(bytes);
    }
    std::vector<StreamKey> keys, diversity_keys;
    const auto key_of = [](const Island& island, Purpose purpose) -> StreamKey {
        const PhiloxKey key = island.streams(purpose).key;
        return {key[0], key[1]};
    };
    for (const Island& island : islands) {
        for (const Purpose purpose : {Purpose::select, Purpose::recombine, Purpose::mutate})
            keys.push_back(key_of(island, purpose));
        diversity_keys.push_back(key_of(island, Purpose::diversity));
    }
    queue_.write(room->keys, std::as_bytes(std::span{keys}));
    queue_.write(room->diversity_keys, std::as_bytes(std::span{diversity_keys}));
    return room;
}

// Islands that are not there yet, `place` the first of them.
void Engine::bring_in(const Context& context, std::span<Island> islands, std::size_t place, Resident& home) {
    const std::size_t bytes = islands.front().current.bytes().size();
    numbers_.resize(islands.size() * home.population);
    rows_.resize(islands.size() > 1 ? islands.size() * bytes : 0);
    each_of(context, islands, [&](std::size_t i) {
        const Population& individuals = std::as_const(islands[i].current);
        if (islands.size() > 1) std::memcpy(rows_.data() + i * bytes, individuals.bytes().data(), bytes);
        const auto values = std::span{numbers_}.subspan(i * home.population, home.population);
        std::ranges::transform(individuals.fitness(), values.begin(),
                               [](double value) { return static_cast<std::int32_t>(value); });
        KeptElsewhere& kept = kept_of(islands[i]);
        kept.place = place + i;
        if (!is_apart()) return;
        FitnessSums sums{.count = home.population, .lowest = values[0], .highest = values[0]};
        for (const std::int64_t value : values) {
            sums.lowest = std::min(sums.lowest, value);
            sums.highest = std::max(sums.highest, value);
            sums.sum += value;
            sums.squares += value * value;
        }
        kept.sums = sums;
    });
    const std::span<const std::byte> rows = rows_;
    queue_.write(home.current, islands.size() > 1 ? rows : islands.front().current.bytes(), place * bytes);
    queue_.write(home.fitness, std::as_bytes(std::span{numbers_}),
                 place * home.population * sizeof(std::int32_t));
}

// Where they all are already; null if they are not.
std::shared_ptr<Resident> Engine::home_of_all(const Context& context, std::span<Island> islands) {
    auto home = std::static_pointer_cast<Resident>(kept_of(islands.front()).home);
    if (!home || home->islands != islands.size()) return nullptr;
    std::atomic<bool> are_all = true;
    each_of(context, islands, [&](std::size_t i) {
        const KeptElsewhere& kept = kept_of(islands[i]);
        if (kept.home.get() != home.get() || kept.place != i) are_all.store(false, std::memory_order_relaxed);
    });
    return are_all ? home : nullptr;
}

// Has the islands' individuals in the memory of the device, together.
std::shared_ptr<Resident> Engine::settle(const Context& context, std::span<Island> islands) {
    std::shared_ptr<Resident> home = home_of_all(context, islands);
    if (home) {
        home->is_read = false;
        return home;
    }
    for (std::size_t i = 0; i < islands.size(); ++i) {
        const KeptElsewhere& kept = kept_of(islands[i]);
        if (!kept.home) continue;
        auto its = std::static_pointer_cast<Resident>(kept.home);
        if (its->islands == islands.size() && kept.place == i && (!home || home == its))
            home = std::move(its);
        else
            fetch_held(islands[i]); // who was with others
    }
    std::shared_ptr<Resident> room;
    if (!home) {
        room = room_for(islands);
        home = home_in(room);
    }
    const auto is_there = [&](std::size_t i) { return kept_of(islands[i]).home != nullptr; };
    for (std::size_t i = 0; i < islands.size(); ++i)
        if (!room && is_there(i)) room = std::static_pointer_cast<Resident>(kept_of(islands[i]).room);
    for (std::size_t i = 0; i < islands.size();) {
        std::size_t end = i;
        while (end < islands.size() && !is_there(end)) ++end;
        if (end > i) bring_in(context, islands.subspan(i, end - i), i, *home);
        for (; i < end; ++i) {
            kept_of(islands[i]).home = home;
            kept_of(islands[i]).room = room;
        }
        while (i < islands.size() && is_there(i)) ++i;
    }
    home->is_read = false;
    return home;
}

void Engine::select_on_host(const Context& context, const Selection& select, std::span<Island> islands,
                            const Resident& home) {
    const std::size_t parents = 2 * home.couples();
    parents_.resize(islands.size() * parents);
    each_of(context, islands, [&](std::size_t i) {
        Island& island = islands[i];
        island.parents.resize(parents);
        const Scores scores = scores_of(context.problem.schema(), island.current);
        ::knossos::Stream stream = island.streams(Purpose::prepare)(StreamSlot::generation);
        select.prepare(stream, scores, parents, island.table);
        select.pick(island.streams(Purpose::select), scores, island.table, 0, island.parents);
        std::ranges::copy(island.parents, parents_.begin() + static_cast<std::ptrdiff_t>(i * parents));
    });
    queue_.write(home.parents, std::as_bytes(std::span{parents_}));
}

void Engine::vary_and_evaluate(std::uint64_t generation, const Resident& home) {
    const std::uint32_t islands = narrow(home.islands);
    const std::uint32_t population = narrow(home.population);
    const std::uint32_t children = narrow(home.children);
    queue_.run(kernels_[vary].with(home.current, home.fitness, islands, population, children, home.parents,
                                   home.offspring, home.evaluated, narrow(generation),
                                   narrow(generation >> 32U), home.keys, cross_table_, mutate_table_, table_,
                                   home.evaluated), // in place of kinds, which nobody chooses
               home.islands * home.couples(), plan_.variation.group);
    queue_.run(kernels_[evaluate_all].with(home.offspring, home.evaluated, home.parents, home.fitness,
                                           islands, population, children, home.values, table_),
               home.islands * home.children, plan_.variation.group);
}

void Engine::summarise_all(const Resident& home) {
    const std::size_t groups = home.summary_groups();
    queue_.run(kernels_[summarise].with(home.values, home.evaluated, home.parents, home.fitness,
                                        narrow(home.population), narrow(home.children), narrow(groups),
                                        home.summary),
               home.islands * groups * summary_group, summary_group);
    partial_.resize(home.islands * groups * summary_numbers);
    queue_.read_into(home.summary, std::span{partial_});
}

Summary Engine::summary_of(std::size_t island, const Resident& home) const {
    const std::size_t groups = home.summary_groups();
    const std::int64_t* part = partial_.data() + island * groups * summary_numbers;
    Summary all{.sums = {.count = home.children, .lowest = part[0], .highest = part[1]}, .best = part[5]};
    for (std::size_t group = 0; group < groups; ++group, part += summary_numbers) {
        all.sums.lowest = std::min(all.sums.lowest, part[0]);
        all.sums.highest = std::max(all.sums.highest, part[1]);
        all.sums.sum += part[2];
        all.sums.squares += part[3];
        all.evaluated += static_cast<std::uint64_t>(part[4]);
        all.best = plan_.variation.is_minimised ? std::min(all.best, part[5]) : std::max(all.best, part[5]);
        all.parents += part[6];
    }
    return all;
}

void Engine::read_evaluated(const Resident& home) {
    evaluated_.resize(home.islands * home.children);
    queue_.read_into(home.evaluated, std::span{evaluated_});
}

void Engine::read_values(const Context& context, std::span<Island> islands, const Resident& home) {
    numbers_.resize(home.islands * home.children);
    queue_.read_into(home.values, std::span{numbers_});
    each_of(context, islands, [&](std::size_t i) {
        const auto first = static_cast<std::ptrdiff_t>(i * home.children);
        std::copy_n(numbers_.begin() + first, home.children, islands[i].offspring.fitness().begin());
    });
}

// What follows for each island from its summary alone, in one go: islands lie far apart in the memory.
void Engine::take_summaries(const Context& context, std::span<Island> islands, const Resident& home) {
    const Objective objective = context.problem.objective();
    constexpr auto lowest = std::numeric_limits<std::int32_t>::min();
    constexpr auto highest = std::numeric_limits<std::int32_t>::max();
    bars_.resize(islands.size());
    std::atomic<bool> are_full = true, is_any = false;
    each_of(context, islands, [&](std::size_t i) {
        Island& island = islands[i];
        KeptElsewhere& kept = kept_of(island);
        const Summary summary = summary_of(i, home);
        SelectionMeter meter = kept.sums ? SelectionMeter{context.problem.schema(), *kept.sums}
                                         : SelectionMeter{context.problem.schema(), island.current};
        meter.add(static_cast<double>(summary.parents), 2 * home.couples());
        island.selection_intensity = meter.intensity();
        if (kept.sums) kept.sums = summary.sums;
        bars_[i] = plan_.variation.is_minimised ? lowest : highest; // nobody is better
        if (island.hall.size() < context.hall_size) are_full.store(false, std::memory_order_relaxed);
        if (summary.evaluated == 0) return;
        const double of_era = island.era_best.fitness;
        const double of_hall = island.hall.back().quality.fitness;
        const double bar = better(objective, of_era, of_hall) ? of_hall : of_era;
        if (!better(objective, static_cast<double>(summary.best), bar)) return;
        bars_[i] = static_cast<std::int32_t>(bar);
        is_any.store(true, std::memory_order_relaxed);
    });
    are_halls_full_ = are_full;
    is_anybody_better_ = is_any;
}

// Counts the evaluations. Who they were is asked only if one of them belongs into the hall of fame.
void Engine::count_all(const Context& context, std::span<Island> islands, const Resident& home) {
    if (!is_apart()) read_values(context, islands, home);
    if (are_halls_full_ && (!is_anybody_better_ || note_finds(context, islands, home))) {
        each_of(context, islands,
                [&](std::size_t i) { islands[i].evaluations += summary_of(i, home).evaluated; });
        return;
    }
    if (is_apart()) read_values(context, islands, home);
    read_evaluated(home);
    each_of(context, islands, [&](std::size_t i) {
        islands[i].evaluated.resize(home.children);
        std::copy_n(evaluated_.begin() + static_cast<std::ptrdiff_t>(i * home.children), home.children,
                    islands[i].evaluated.begin());
    });
    read_finds(context, islands, home);
    each_of(context, islands, [&](std::size_t i) { account(context, islands[i], home.children); });
}

// As account() does, for those few who are better than the bar of their island. False, having done nothing,
// if they are many.
bool Engine::note_finds(const Context& context, std::span<Island> islands, const Resident& home) {
    const std::uint32_t none = 0;
    const std::size_t room = home.most_finds();
    queue_.write(home.bars, std::as_bytes(std::span{bars_}));
    queue_.write(home.finds, std::as_bytes(std::span{&none, 1}));
    queue_.run(kernels_[find_better].with(home.values, home.evaluated, narrow(home.islands),
                                          narrow(home.children), home.bars, narrow(room), home.finds),
               home.islands * home.children);
    std::uint32_t found = 0;
    queue_.read_into(home.finds, std::span{&found, 1});
    if (found > room) return false;
    finds_.resize(found);
    queue_.read(home.finds, std::as_writable_bytes(std::span{finds_}), sizeof found);
    sort_finds(context, home.islands * home.children);
    places_.clear();
    // Those of an island lie together.
    std::vector<std::size_t> begins;
    for (std::size_t k = 0; k < found; ++k) {
        places_.push_back(finds_[k].place);
        if (k == 0 || places_[k] / home.children != places_[k - 1] / home.children) begins.push_back(k);
    }
    begins.push_back(found);
    gather_rows(home.offspring, islands.front().offspring.stride());
    read_evaluated(home);
    each_below(context, begins.size() - 1, [&](std::size_t k) {
        const std::size_t i = places_[begins[k]] / home.children;
        Population& children = islands[i].offspring;
        std::uint64_t evaluations = islands[i].evaluations; // up to the one that is noted
        auto counted = evaluated_.begin() + static_cast<std::ptrdiff_t>(i * home.children);
        for (std::size_t find = begins[k]; find < begins[k + 1]; ++find) {
            const std::size_t child = places_[find] % home.children;
            const auto next = evaluated_.begin() + places_[find] + 1;
            evaluations += static_cast<std::uint64_t>(std::count(counted, next, std::uint8_t{1}));
            counted = next;
            children.fitness()[child] = finds_[find].value;
            std::memcpy(children.genome(child), rows_.data() + find * children.stride(), children.stride());
            remember(context, islands[i], children, child, evaluations);
        }
    });
    return true;
}

// By their places; those of a part of the places each thread for itself.
void Engine::sort_finds(const Context& context, std::size_t places) {
    const std::size_t parts = 4 * workers_of(context);
    const auto part_of = [&](const Find& find) { return std::uint64_t{find.place} * parts / places; };
    std::vector<std::size_t> ends(parts + 1);
    for (const Find& find : finds_) ++ends[part_of(find) + 1];
    std::partial_sum(ends.begin(), ends.end(), ends.begin());
    std::vector<Find> sorted(finds_.size());
    std::vector<std::size_t> next = ends;
    for (const Find& find : finds_) sorted[next[part_of(find)]++] = find;
    finds_ = std::move(sorted);
    each_below(context, parts, [&](std::size_t part) {
        std::ranges::sort(std::span{finds_}.subspan(ends[part], ends[part + 1] - ends[part]), {},
                          &Find::place);
    });
}

// The genomes of those in places_, side by side, into rows_.
void Engine::gather_rows(const Buffer& rows, std::size_t genome) {
    rows_.resize(places_.size() * genome);
    gathering_.read(queue_, kernels_[gather], rows, places_, genome, rows_);
}

// The genomes of those in places_, which are rows of all islands, into one of the populations of each.
void Engine::read_rows(const Context& context, const Buffer& rows, std::span<Island> islands,
                       Population Island::* population) {
    if (places_.empty()) return;
    const std::size_t size = (islands.front().*population).size();
    const std::size_t genome = (islands.front().*population).stride();
    if (places_.size() * 2 > islands.size() * size) {
        if (islands.size() == 1) return queue_.read(rows, (islands.front().*population).bytes());
        rows_.resize(islands.size() * size * genome);
        queue_.read(rows, rows_);
        each_of(context, islands, [&](std::size_t i) {
            std::memcpy((islands[i].*population).bytes().data(), rows_.data() + i * size * genome,
                        size * genome);
        });
        return;
    }
    gather_rows(rows, genome);
    for (std::size_t i = 0; i < places_.size(); ++i)
        std::memcpy((islands[places_[i] / size].*population).genome(places_[i] % size),
                    rows_.data() + i * genome, genome);
}

// The genomes of those who may belong into a hall of fame.
void Engine::read_finds(const Context& context, std::span<Island> islands, const Resident& home) {
    const Objective objective = context.problem.objective();
    places_.clear();
    for (std::size_t i = 0; i < islands.size(); ++i) {
        const Island& island = islands[i];
        const bool full = island.hall.size() >= context.hall_size;
        const auto fitness = island.offspring.fitness();
        for (std::uint32_t slot = 0; slot < home.children; ++slot) {
            if (island.evaluated[slot] == 0) continue;
            if (!full || better(objective, fitness[slot], island.era_best.fitness) ||
                better(objective, fitness[slot], island.hall.back().quality.fitness))
                places_.push_back(narrow(i * home.children + slot));
        }
    }
    read_rows(context, home.offspring, islands, &Island::offspring);
}

// The replacement deals with tickets; then the device moves those whom they stand for.
void Engine::replace_on_host(const Context& context, const Replacement& replace, std::span<Island> islands,
                             Resident& home) {
    const auto take_over = [&] {
        std::swap(home.current, home.offspring);
        std::swap(home.fitness, home.values);
    };
    if (plan_.replaces_all) {
        if (!is_apart())
            for (Island& island : islands) std::swap(island.current, island.offspring);
        return take_over();
    }
    tickets_.resize(islands.size() * home.population);
    tickets_of_workers_.resize(workers_of(context));
    std::atomic<std::size_t> stayed = 0;
    std::atomic<bool> is_moved = false, can_take_over = home.children == home.population;
    each_of(context, islands, [&](std::size_t i, std::size_t worker) {
        Island& island = islands[i];
        auto& [residents, children] = tickets_of_workers_[worker];
        deal_tickets(island.current, 0, residents);
        deal_tickets(island.offspring, home.population, children);
        ::knossos::Stream stream = island.streams(Purpose::replace)(StreamSlot::generation);
        replace(stream, Succession{.current = residents,
                                   .offspring = children,
                                   .parents = island.parents,
                                   .schema = context.problem.schema(),
                                   .order = island.order});
        std::size_t own_stayed = 0;
        bool moved = false, takes_over = true;
        for (std::size_t k = 0; k < home.population; ++k) {
            const std::uint32_t ticket = narrow(ticket_of(residents, k));
            tickets_[i * home.population + k] = ticket;
            own_stayed += ticket == k ? 1U : 0U;
            moved = moved || (ticket < home.population && ticket != k);
            takes_over = takes_over && (ticket < home.population || ticket == home.population + k);
        }
        stayed.fetch_add(own_stayed, std::memory_order_relaxed);
        if (moved) is_moved.store(true, std::memory_order_relaxed);
        if (!takes_over) can_take_over.store(false, std::memory_order_relaxed);
        std::ranges::copy(residents.fitness(), island.current.fitness().begin());
    });
    // Either children came into places of the residents, or a few residents into those of the children.
    const bool takes_over = can_take_over && (is_moved || stayed * 2 < tickets_.size());
    if (takes_over) take_over();
    queue_.write(home.tickets, std::as_bytes(std::span{tickets_}));
    queue_.run(kernels_[move_rows].with(home.offspring, home.values, home.current, home.fitness, home.tickets,
                                        narrow(home.islands), narrow(home.population), narrow(home.children),
                                        std::uint32_t{takes_over ? 1U : 0U}),
               tickets_.size());
    queue_.finish();
}

// What moments_of() would find of the pairs that it samples.
void Engine::sample_all(const Context& context, std::span<Island> islands, const Resident& home) {
    if (home.population < 2) return;
    if (islands.size() < many_islands) return read_sampled(context, islands, home);
    const std::uint64_t generation = islands.front().generation;
    queue_.run(kernels_[sample].with(home.current, narrow(home.islands), narrow(home.population),
                                     plan_.diversity_pairs, narrow(generation), narrow(generation >> 32U),
                                     home.diversity_keys, home.differing),
               home.islands);
    differing_.resize(home.islands);
    queue_.read_into(home.differing, std::span{differing_});
    each_of(context, islands, [&](std::size_t i) { kept_of(islands[i]).differing = differing_[i]; });
}

// The pairs that moments_of() will compare: it draws the same.
void Engine::read_sampled(const Context& context, std::span<Island> islands, const Resident& home) {
    const auto size = narrow(home.population);
    if (size < 2) return;
    const std::size_t each = 2 * std::size_t{plan_.diversity_pairs};
    places_.resize(islands.size() * each);
    each_of(context, islands, [&](std::size_t i) {
        ::knossos::Stream stream = islands[i].streams(Purpose::diversity)(StreamSlot::generation);
        const std::uint32_t first = narrow(i * home.population);
        for (std::size_t place = i * each; place < (i + 1) * each; place += 2) {
            const std::uint32_t a = stream.below(size);
            std::uint32_t b = stream.below(size - 1);
            b += b >= a ? 1U : 0U;
            places_[place] = first + a;
            places_[place + 1] = first + b;
        }
    });
    read_rows(context, home.current, islands, &Island::current);
}

void Engine::step(const Context& context, const Selection& select, const Replacement& replace,
                  std::span<Island> islands) {
    const std::scoped_lock lock{mutex_};
    const std::shared_ptr<Resident> settled = settle(context, islands);
    Resident& home = *settled;
    if (plan_.variation.tournament == 0) select_on_host(context, select, islands, home);
    vary_and_evaluate(islands.front().generation, home);
    summarise_all(home);
    take_summaries(context, islands, home);
    count_all(context, islands, home);
    replace_on_host(context, replace, islands, home);
    sample_all(context, islands, home);
}

void Engine::fetch(Island& island) {
    if (!kept_of(island).home) return;
    {
        const std::scoped_lock lock{mutex_};
        read_home(island);
    }
    take_home(island); // many threads at once
    const std::scoped_lock lock{mutex_};
    leave_home(island);
}

void Engine::fetch_held(Island& island) {
    read_home(island);
    take_home(island);
    leave_home(island);
}

// Several islands are read together.
void Engine::read_home(Island& island) {
    const KeptElsewhere& kept = kept_of(island);
    Resident& home = *static_cast<Resident*>(kept.home.get());
    if (home.is_read) return;
    const std::size_t bytes = island.current.bytes().size();
    if (home.islands > 1) {
        home.rows.resize(home.islands * bytes);
        queue_.read(home.current, home.rows);
    } else {
        queue_.read(home.current, island.current.bytes());
    }
    if (kept.sums) {
        home.numbers.resize(home.islands * home.population);
        queue_.read_into(home.fitness, std::span{home.numbers});
    }
    home.is_read = true;
}

void Engine::take_home(Island& island) {
    const KeptElsewhere& kept = kept_of(island);
    const Resident& home = *static_cast<const Resident*>(kept.home.get());
    const std::size_t bytes = island.current.bytes().size();
    if (home.islands > 1)
        std::memcpy(island.current.bytes().data(), home.rows.data() + kept.place * bytes, bytes);
    if (kept.sums)
        std::copy_n(home.numbers.begin() + static_cast<std::ptrdiff_t>(kept.place * home.population),
                    home.population, island.current.fitness().begin());
}

void Engine::leave_home(Island& island) {
    KeptElsewhere& kept = kept_of(island);
    kept.home.reset();
    kept.sums.reset();
    kept.differing.reset();
}

} // namespace knossos::device
