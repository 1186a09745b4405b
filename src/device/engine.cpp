#include "device/engine.hpp"

#include "algorithms/accounting.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace knossos::device {

namespace {

constexpr std::array<std::string_view, 6> generation_kernels{"vary",        "evaluate_all", "summarise",
                                                             "find_better", "gather",       "move_rows"};
enum KernelIndex : std::size_t { vary, evaluate_all, summarise, find_better, gather, move_rows };

// Groups of the summary, their members, and what each of them says.
constexpr std::size_t summary_groups = 256;
constexpr std::size_t summary_group = 64;
constexpr std::size_t summary_numbers = 7;

constexpr std::size_t most_finds = 4096; // of a generation, noted without looking at everybody

StreamKey key_of(const Island& island, Purpose purpose) {
    const PhiloxKey key = island.streams(purpose).key;
    return {key[0], key[1]};
}

std::uint32_t narrow(std::uint64_t number) { return static_cast<std::uint32_t>(number); }

// Numbers that stand for individuals while a replacement decides who stays: it looks at nothing else.
Population tickets(const Population& individuals, std::size_t first) {
    Population population{Space::bits(64), individuals.size()};
    for (std::size_t i = 0; i < individuals.size(); ++i) {
        const std::uint64_t ticket = first + i;
        std::memcpy(population.genome(i), &ticket, sizeof ticket);
    }
    std::ranges::copy(individuals.fitness(), population.fitness().begin());
    return population;
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
      cross_table_{queue_.make_buffer_of(plan_.crossed_genes >= 0.0
                                             ? skip_table(plan_.crossed_genes, plan_.variation.genes)
                                             : std::vector<std::uint64_t>{})},
      mutate_table_{queue_.make_buffer_of(plan_.mutated_genes >= 0.0
                                              ? skip_table(plan_.mutated_genes, plan_.variation.genes)
                                              : std::vector<std::uint64_t>{})},
      finds_{queue_.make_buffer((1 + 2 * most_finds) * sizeof(std::uint32_t))} {}

std::size_t Engine::bytes_needed(std::size_t population, std::size_t children, std::size_t genome_bytes) {
    return (population + children) * (genome_bytes + sizeof(std::int32_t)) + children * 5 + 8;
}

// Has the island's individuals in the memory of the device.
Resident& Engine::settle(const Island& island, KeptElsewhere& kept) {
    if (kept.home) return *static_cast<Resident*>(kept.home.get());
    std::shared_ptr<Resident> home;
    const std::size_t population = island.current.size();
    const std::size_t children = island.offspring.size();
    const auto fits = [&](const std::shared_ptr<Resident>& one) {
        return one->population == population && one->children == children;
    };
    if (const auto found = std::ranges::find_if(spare_, fits); found != spare_.end()) {
        home = std::move(*found);
        spare_.erase(found);
    } else {
        const std::size_t genome = island.current.stride();
        // Either may become the other's place.
        const std::size_t rows = std::max(population, children);
        home = std::make_shared<Resident>(
            Resident{.population = population,
                     .children = children,
                     .current = queue_.make_buffer(rows * genome),
                     .fitness = queue_.make_buffer(rows * sizeof(std::int32_t)),
                     .offspring = queue_.make_buffer(rows * genome),
                     .values = queue_.make_buffer(rows * sizeof(std::int32_t)),
                     .evaluated = queue_.make_buffer(children),
                     .parents = queue_.make_buffer((children + 1) * sizeof(std::uint32_t)),
                     .summary = queue_.make_buffer(summary_groups * summary_numbers * sizeof(std::int64_t))});
    }
    queue_.write(home->current, island.current.bytes());
    numbers_.resize(population);
    std::ranges::transform(island.current.fitness(), numbers_.begin(),
                           [](double value) { return static_cast<std::int32_t>(value); });
    queue_.write(home->fitness, std::as_bytes(std::span{numbers_}));
    if (is_apart()) {
        FitnessSums sums{.count = population, .lowest = numbers_[0], .highest = numbers_[0]};
        for (const std::int64_t value : numbers_) {
            sums.lowest = std::min(sums.lowest, value);
            sums.highest = std::max(sums.highest, value);
            sums.sum += value;
            sums.squares += value * value;
        }
        kept.sums = sums;
    }
    kept.home = home;
    return *home;
}

void Engine::select_on_host(const Context& context, const Selection& select, Island& island,
                            const Resident& home) {
    const Scores scores = scores_of(context.problem.schema(), island.current);
    ::knossos::Stream stream = island.streams(Purpose::prepare)(0);
    select.prepare(stream, scores, island.parents.size(), island.table);
    select.pick(island.streams(Purpose::select), scores, island.table, 0, island.parents);
    queue_.write(home.parents, std::as_bytes(std::span{island.parents}));
}

void Engine::vary_and_evaluate(const Island& island, const Resident& home) {
    const std::uint32_t children = narrow(home.children);
    queue_.run(kernels_[vary].with(home.current, home.fitness, narrow(home.population), children,
                                   home.parents, home.offspring, home.evaluated, narrow(island.generation),
                                   narrow(island.generation >> 32U), key_of(island, Purpose::select),
                                   key_of(island, Purpose::recombine), key_of(island, Purpose::mutate),
                                   cross_table_, mutate_table_, table_),
               (home.children + 1) / 2, plan_.variation.group);
    queue_.run(kernels_[evaluate_all].with(home.offspring, home.evaluated, home.parents, home.fitness,
                                           children, home.values, table_),
               home.children, plan_.variation.group);
}

Summary Engine::summary_of(const Resident& home) {
    queue_.run(kernels_[summarise].with(home.values, home.evaluated, home.parents, home.fitness,
                                        narrow(home.children), home.summary),
               summary_groups * summary_group, summary_group);
    partial_.resize(summary_groups * summary_numbers);
    queue_.read_into(home.summary, std::span{partial_});
    Summary all{.sums = {.count = home.children, .lowest = partial_[0], .highest = partial_[1]},
                .best = partial_[5]};
    for (std::size_t group = 0; group < summary_groups; ++group) {
        const std::int64_t* const part = partial_.data() + group * summary_numbers;
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

void Engine::read_fitness(const Buffer& values, std::span<double> fitness) {
    numbers_.resize(fitness.size());
    queue_.read_into(values, std::span{numbers_});
    std::ranges::copy(numbers_, fitness.begin());
}

void Engine::read_children(Island& island, const Resident& home) {
    read_fitness(home.values, island.offspring.fitness());
    island.evaluated.resize(home.children);
    queue_.read_into(home.evaluated, std::span{island.evaluated});
}

// Counts the evaluations. Who they were is asked only if one of them belongs into the hall of fame.
void Engine::count(const Context& context, Island& island, const Resident& home, const Summary& summary) {
    const Objective objective = context.problem.objective();
    if (is_apart() && island.hall.size() >= context.hall_size) {
        const double of_era = island.era_best.fitness;
        const double of_hall = island.hall.back().quality.fitness;
        const double bar = better(objective, of_era, of_hall) ? of_hall : of_era;
        const bool is_find =
            summary.evaluated != 0 && better(objective, static_cast<double>(summary.best), bar);
        if (!is_find || note_finds(context, island, home, static_cast<std::int32_t>(bar))) {
            island.evaluations += summary.evaluated;
            return;
        }
    }
    read_children(island, home);
    read_finds(context, island, home);
    account(context, island, home.children);
}

// As account() does, for those few who are better than the bar. False, having done nothing, if they are many.
bool Engine::note_finds(const Context& context, Island& island, const Resident& home, std::int32_t bar) {
    const std::uint32_t none = 0;
    queue_.write(finds_, std::as_bytes(std::span{&none, 1}));
    queue_.run(kernels_[find_better].with(home.values, home.evaluated, narrow(home.children), bar,
                                          narrow(most_finds), finds_),
               home.children);
    std::uint32_t found = 0;
    queue_.read_into(finds_, std::span{&found, 1});
    if (found > most_finds) return false;
    std::vector<std::uint32_t> said(1 + 2 * std::size_t{found});
    queue_.read_into(finds_, std::span{said});
    places_.clear();
    for (std::size_t i = 0; i < found; ++i) {
        const std::uint32_t slot = said[1 + 2 * i];
        places_.push_back(slot);
        island.offspring.fitness()[slot] = static_cast<std::int32_t>(said[2 + 2 * i]);
    }
    std::ranges::sort(places_);
    read_rows(home.offspring, places_, island.offspring);
    island.evaluated.resize(home.children);
    queue_.read_into(home.evaluated, std::span{island.evaluated});
    std::uint64_t evaluations = island.evaluations;
    auto counted = island.evaluated.begin();
    for (const std::uint32_t slot : places_) {
        const auto next = island.evaluated.begin() + slot + 1;
        evaluations += static_cast<std::uint64_t>(std::count(counted, next, std::uint8_t{1}));
        counted = next;
        remember(context, island, island.offspring, slot, evaluations);
    }
    return true;
}

void Engine::read_rows(const Buffer& rows, std::span<const std::uint32_t> places, Population& population) {
    if (places.empty()) return;
    const std::size_t genome = population.stride();
    if (places.size() * 2 > population.size()) {
        queue_.read(rows, population.bytes());
        return;
    }
    const Buffer wanted = queue_.make_buffer(places.size_bytes());
    queue_.write(wanted, std::as_bytes(places));
    const Buffer out = queue_.make_buffer(places.size() * genome);
    queue_.run(kernels_[gather].with(rows, wanted, narrow(places.size()), out), places.size() * genome / 4);
    rows_.resize(places.size() * genome);
    queue_.read(out, rows_);
    for (std::size_t i = 0; i < places.size(); ++i)
        std::memcpy(population.genome(places[i]), rows_.data() + i * genome, genome);
}

// The genomes of those who may belong into the hall of fame.
void Engine::read_finds(const Context& context, Island& island, const Resident& home) {
    const Objective objective = context.problem.objective();
    const bool full = island.hall.size() >= context.hall_size;
    const auto fitness = island.offspring.fitness();
    places_.clear();
    for (std::uint32_t slot = 0; slot < home.children; ++slot) {
        if (island.evaluated[slot] == 0) continue;
        if (!full || better(objective, fitness[slot], island.era_best.fitness) ||
            better(objective, fitness[slot], island.hall.back().quality.fitness))
            places_.push_back(slot);
    }
    read_rows(home.offspring, places_, island.offspring);
}

// The replacement deals with tickets; then the device moves those whom they stand for.
void Engine::replace_on_host(const Context& context, const Replacement& replace, Island& island,
                             Resident& home) {
    if (plan_.replaces_all) {
        if (!is_apart()) std::swap(island.current, island.offspring);
        std::swap(home.current, home.offspring);
        std::swap(home.fitness, home.values);
        return;
    }
    Population residents = tickets(island.current, 0);
    Population children = tickets(island.offspring, home.population);
    ::knossos::Stream stream = island.streams(Purpose::replace)(0);
    replace(stream, Succession{.current = residents,
                               .offspring = children,
                               .parents = island.parents,
                               .schema = context.problem.schema(),
                               .order = island.order});
    // Either children came into places of the residents, or a few residents into those of the children.
    std::size_t stayed = 0;
    for (std::size_t i = 0; i < home.population; ++i) stayed += ticket_of(residents, i) == i ? 1U : 0U;
    bool takes_over = home.children == home.population;
    for (std::size_t i = 0; i < home.population && takes_over; ++i) {
        const std::uint64_t ticket = ticket_of(residents, i);
        takes_over = ticket < home.population || ticket == home.population + i;
    }
    if (takes_over && stayed * 2 < home.population) {
        std::swap(island.current, island.offspring);
        std::swap(home.current, home.offspring);
        std::swap(home.fitness, home.values);
    } else {
        takes_over = false;
    }
    places_.clear();
    for (std::size_t i = 0; i < home.population; ++i) {
        const std::uint64_t ticket = ticket_of(residents, i);
        const bool is_child = ticket >= home.population;
        if (is_child == takes_over) continue; // where it was
        places_.push_back(narrow(is_child ? ticket - home.population : ticket));
        places_.push_back(narrow(i));
    }
    std::ranges::copy(residents.fitness(), island.current.fitness().begin());
    if (places_.empty()) return;
    const Buffer pairs = queue_.make_buffer_of(places_);
    queue_.run(kernels_[move_rows].with(home.offspring, home.values, home.current, home.fitness, pairs,
                                        narrow(places_.size() / 2)),
               places_.size() / 2);
    queue_.finish();
}

// The pairs that moments_of() will compare: it draws the same.
void Engine::read_sampled(Island& island, const Resident& home) {
    const auto size = narrow(home.population);
    if (size < 2) return;
    ::knossos::Stream stream = island.streams(Purpose::diversity)(0);
    places_.clear();
    for (std::uint32_t pair = 0; pair < plan_.diversity_pairs; ++pair) {
        const std::uint32_t a = stream.below(size);
        std::uint32_t b = stream.below(size - 1);
        b += b >= a ? 1U : 0U;
        places_.push_back(a);
        places_.push_back(b);
    }
    read_rows(home.current, places_, island.current);
}

void Engine::step(const Context& context, const Selection& select, const Replacement& replace, Island& island,
                  KeptElsewhere& kept) {
    const std::scoped_lock lock{mutex_};
    Resident& home = settle(island, kept);
    const std::size_t parents = home.children + home.children % 2;
    if (plan_.variation.tournament == 0) {
        island.parents.resize(parents);
        select_on_host(context, select, island, home);
    }
    vary_and_evaluate(island, home);
    const Summary summary = summary_of(home);
    SelectionMeter meter = kept.sums ? SelectionMeter{context.problem.schema(), *kept.sums}
                                     : SelectionMeter{context.problem.schema(), island.current};
    meter.add(static_cast<double>(summary.parents), parents);
    island.selection_intensity = meter.intensity();
    count(context, island, home, summary);
    replace_on_host(context, replace, island, home);
    if (kept.sums) kept.sums = summary.sums;
    read_sampled(island, home);
}

void Engine::fetch(Island& island, KeptElsewhere& kept) {
    if (!kept.home) return;
    const std::scoped_lock lock{mutex_};
    auto home = std::static_pointer_cast<Resident>(std::exchange(kept.home, nullptr));
    queue_.read(home->current, island.current.bytes());
    if (kept.sums) read_fitness(home->fitness, island.current.fitness());
    kept.sums.reset();
    spare_.push_back(std::move(home));
}

} // namespace knossos::device
