#include "device/walk_engine.hpp"

#include "device/each_of.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

namespace knossos::device {

namespace {

enum WalkKernelIndex : std::size_t { duel_kernel, anneal_kernel, gather_kernel };

constexpr std::size_t first_most_lost = 1024;
constexpr std::size_t largest_most_lost = std::size_t{1} << 20U;
constexpr std::size_t most_chances = std::size_t{1} << 22U; // of all islands of a launch

// Twice as many as there are, as there will soon be more.
std::size_t room_for_chances(std::size_t chances) { return std::min(2 * chances, most_chances); }

// No table gets longer, as nobody can lose more than there is.
std::size_t most_lost_of(const Variation& variation) {
    return std::clamp(4 * largest_fitness(variation), first_most_lost, largest_most_lost);
}

} // namespace

WalkEngine::WalkEngine(const Device& device, GenerationPlan plan)
    : queue_{device}, plan_{std::move(plan)},
      kernels_{queue_.build(walk_source(plan_.variation, plan_.evaluation), walk_kernels)},
      table_{queue_.make_buffer_of(plan_.evaluation.table)},
      mutate_table_{queue_.make_buffer_of(plan_.skips_of(plan_.mutated_genes))}, most_lost_{first_most_lost} {
}

RunMemory WalkEngine::memory_of(const GenerationPlan& plan, const Device& device, std::size_t islands,
                                std::size_t population, bool is_duel) {
    const std::size_t genome = plan.variation.genome_bytes;
    const std::size_t individuals = islands * population;
    const std::size_t finds = individuals * rows_of(is_duel);
    RunMemory memory{.tables = plan.tables()};
    for (const std::size_t bytes : {sizeof(Bars), 2 * sizeof(StreamKey), sizeof(DuelState), sizeof(Pair)})
        memory.kept.add(islands * bytes);
    for (const std::size_t bytes : {genome, sizeof(std::int32_t), sizeof(Progress)})
        memory.kept.add(individuals * bytes);
    if (device.has_host_memory) memory.kept.add(individuals * genome);
    for (const std::size_t bytes : {genome, sizeof(Pair)}) memory.kept.add(finds * bytes);
    Gathering::add_to(memory.kept, finds, genome);
    if (!is_duel)
        memory.kept.add(room_for_chances(islands * most_lost_of(plan.variation)) * 2 * sizeof(std::uint64_t));
    return memory;
}

void WalkEngine::try_memory(const RunMemory& memory) {
    islands_ = individuals_ = finds_ = 0;
    for (Buffer* const buffer : {&bars_, &keys_, &states_, &warmth_, &rows_, &values_, &progress_, &found_,
                                 &found_values_, &chances_})
        *buffer = {};
    host_rows_ = {};
    gathering_ = {};
    most_lost_ = first_most_lost;
    queue_.try_memory(memory.kept);
}

void WalkEngine::make_room(std::size_t islands, std::size_t individuals, std::size_t finds) {
    // What there was is given back first, so that both are never there at once.
    if (islands > islands_) {
        bars_ = keys_ = states_ = warmth_ = {};
        bars_ = queue_.make_buffer(islands * sizeof(Bars));
        keys_ = queue_.make_buffer(islands * 2 * sizeof(StreamKey));
        states_ = queue_.make_buffer(islands * sizeof(DuelState));
        warmth_ = queue_.make_buffer(islands * sizeof(Pair));
        islands_ = islands;
    }
    if (individuals > individuals_) {
        rows_ = values_ = progress_ = {};
        host_rows_ = {};
        rows_ = queue_.make_buffer(individuals * genome_bytes());
        host_rows_ = queue_.make_host_memory(individuals * genome_bytes());
        values_ = queue_.make_buffer(individuals * sizeof(std::int32_t));
        progress_ = queue_.make_buffer(individuals * sizeof(Progress));
        individuals_ = individuals;
    }
    if (finds > finds_) {
        found_ = found_values_ = {};
        found_ = queue_.make_buffer(finds * genome_bytes());
        found_values_ = queue_.make_buffer(finds * sizeof(Pair));
        finds_ = finds;
    }
}

// What is better than neither of the first two is not worth being noted.
WalkEngine::Bars WalkEngine::bars_of(const Context& context, const Island& island) const {
    constexpr auto lowest = std::numeric_limits<std::int32_t>::min();
    constexpr auto highest = std::numeric_limits<std::int32_t>::max();
    const bool is_full = island.hall.size() >= context.hall_size;
    const std::int32_t worst = plan_.variation.is_minimised ? highest : lowest;
    const bool is_solved = context.problem.solved_by(island.hall.front().quality);
    return {.of_era = static_cast<std::int32_t>(island.era_best.fitness),
            .of_hall = is_full ? static_cast<std::int32_t>(island.hall.back().quality.fitness) : worst,
            .has_target = context.problem.target() && !is_solved ? 1 : 0};
}

// Whole numbers are as good as the target if they are as good as this.
std::int32_t WalkEngine::target_of(const Problem& problem) const {
    if (!problem.target()) return 0;
    const double whole =
        plan_.variation.is_minimised ? std::floor(*problem.target()) : std::ceil(*problem.target());
    return static_cast<std::int32_t>(std::clamp(whole, -0x1p31, 0x1p31 - 1.0));
}

void WalkEngine::send_bars(const Context& context, std::span<Island> islands) {
    host_bars_.resize(islands.size());
    each_of(context, islands, [&](std::size_t i) { host_bars_[i] = bars_of(context, islands[i]); });
    queue_.write(bars_, std::as_bytes(std::span{host_bars_}));
}

void WalkEngine::send(const Context& context, std::span<Island> islands) {
    const std::size_t each = islands.front().current.size();
    const std::size_t bytes = each * genome_bytes();
    std::vector<StreamKey> keys(2 * islands.size());
    numbers_.resize(islands.size() * each);
    each_of(context, islands, [&](std::size_t i) {
        const Population& its = std::as_const(islands[i].current);
        std::ranges::copy(its.bytes(), host_rows_.bytes().begin() + static_cast<std::ptrdiff_t>(i * bytes));
        std::ranges::transform(its.fitness(), numbers_.begin() + static_cast<std::ptrdiff_t>(i * each),
                               [](double value) { return static_cast<std::int32_t>(value); });
        for (std::size_t k = 0; k < 2; ++k) {
            const PhiloxKey key = islands[i].streams(k == 0 ? Purpose::mutate : Purpose::replace).key;
            keys[2 * i + k] = {key[0], key[1]};
        }
    });
    queue_.write(rows_, host_rows_.bytes().first(islands.size() * bytes));
    queue_.write(values_, std::as_bytes(std::span{numbers_}));
    queue_.write(keys_, std::as_bytes(std::span{keys}));
    send_bars(context, islands);
}

// The genomes of those at places_ in found_; their fitness is known already.
void WalkEngine::read_finds(const Context& context) {
    if (notable_.stride() == 0) notable_ = Population{context.problem.space(), 0};
    notable_.resize(places_.size());
    if (places_.empty()) return;
    gathering_.read(queue_, kernels_[gather_kernel], found_, places_, genome_bytes(), notable_.bytes());
}

void WalkEngine::bring_home(const Context& context, std::span<Island> islands) {
    const std::size_t each = islands.front().current.size();
    const std::size_t bytes = each * genome_bytes();
    queue_.read(rows_, host_rows_.bytes().first(islands.size() * bytes));
    queue_.read_into(values_, std::span{numbers_});
    each_of(context, islands, [&](std::size_t i) {
        std::memcpy(islands[i].current.bytes().data(), host_rows_.bytes().data() + i * bytes, bytes);
        std::copy_n(numbers_.begin() + static_cast<std::ptrdiff_t>(i * each), each,
                    islands[i].current.fitness().begin());
    });
}

// Notes what the duels have found since they were last looked at.
void WalkEngine::note_duels(const Context& context, std::span<Island> islands) {
    places_.clear();
    first_find_.clear();
    for (std::size_t i = 0; i < islands.size(); ++i) {
        first_find_.push_back(places_.size());
        for (std::uint32_t k = 0; k < host_states_[i].finds; ++k)
            places_.push_back(narrow(i * duel_finds + k));
    }
    if (places_.empty()) return;
    read_finds(context);
    pairs_.resize(islands.size() * duel_finds);
    queue_.read_into(found_values_, std::span{pairs_});
    each_of(context, islands, [&](std::size_t i) {
        Island& island = islands[i];
        for (std::uint32_t k = 0; k < host_states_[i].finds; ++k) {
            const auto [round, fitness] = pairs_[i * duel_finds + k];
            const std::size_t place = first_find_[i] + k;
            notable_.fitness()[place] = static_cast<std::int32_t>(fitness);
            (void)remember(context, island, notable_, place, island.evaluations + round);
        }
    });
}

void WalkEngine::duel(const Duel& algorithm, const Context& context, std::span<Island> islands) {
    const std::scoped_lock lock{mutex_};
    const std::size_t count = islands.size();
    make_room(count, 2 * count, duel_finds * count);
    send(context, islands);
    host_states_.clear();
    for (const Island& island : islands)
        host_states_.push_back(
            {.rounds = 0, .finds = 0, .newest = island.kept.as<Duel::State>().newest, .is_done = 0});
    queue_.write(states_, std::as_bytes(std::span{host_states_}));
    const std::uint64_t generation = islands.front().generation;
    for (bool is_done = false; !is_done;) {
        queue_.run(kernels_[duel_kernel].with(rows_, values_, states_, bars_, narrow(count), algorithm.rounds,
                                              narrow(generation), narrow(generation >> 32U), keys_,
                                              target_of(context.problem),
                                              std::uint32_t{context.hall_size == 1 ? 1U : 0U}, found_,
                                              found_values_, mutate_table_, table_),
                   count, plan_.variation.group);
        const std::vector<DuelState> before = host_states_;
        queue_.read_into(states_, std::span{host_states_});
        // Those who were done have nothing new.
        for (std::size_t i = 0; i < count; ++i)
            if (before[i].is_done != 0) host_states_[i].finds = 0;
        is_done = std::ranges::all_of(host_states_, [](const DuelState& one) { return one.is_done != 0; });
        note_duels(context, islands);
        if (!is_done) send_bars(context, islands);
    }
    bring_home(context, islands);
    for (std::size_t i = 0; i < count; ++i) {
        islands[i].evaluations += host_states_[i].rounds;
        islands[i].steps += host_states_[i].rounds;
        islands[i].kept.as<Duel::State>().newest = host_states_[i].newest;
    }
}

// Islands that are equally warm share a table. False if together they are too long.
bool WalkEngine::make_chances(const Annealing& algorithm, const Context& context,
                              std::span<const Island> islands) {
    std::vector<double> temperatures;
    for (const Island& island : islands) temperatures.push_back(algorithm.temperature(island));
    std::vector<double> different = temperatures;
    std::ranges::sort(different);
    different.erase(std::ranges::unique(different).begin(), different.end());
    const double scale = context.problem.schema().preference_scale();
    std::vector<std::vector<std::uint64_t>> tables(different.size());
    const auto make = [&](std::size_t k) { tables[k] = chances(different[k], scale, most_lost_); };
    std::size_t all = 0;
    make(different.size() - 1); // the warmest has the longest
    if (tables.back().size() / 2 * different.size() > most_chances && islands.size() > 1) return false;
    if (context.pool != nullptr)
        context.pool->for_each(different.size() - 1, [&](std::size_t k, std::size_t /*worker*/) { make(k); });
    else
        for (std::size_t k = 0; k + 1 < different.size(); ++k) make(k);
    std::vector<Pair> places;
    host_chances_.clear();
    for (const auto& table : tables) {
        places.push_back({narrow(all), narrow(table.size() / 2)});
        all += table.size() / 2;
        host_chances_.insert(host_chances_.end(), table.begin(), table.end());
    }
    pairs_.clear();
    for (const double temperature : temperatures)
        pairs_.push_back(places[static_cast<std::size_t>(std::ranges::lower_bound(different, temperature) -
                                                         different.begin())]);
    if (chances_.bytes() < host_chances_.size() * sizeof(std::uint64_t)) {
        chances_ = {};
        chances_ = queue_.make_buffer(room_for_chances(all) * 2 * sizeof(std::uint64_t));
    }
    queue_.write(chances_, std::as_bytes(std::span{host_chances_}));
    queue_.write(warmth_, std::as_bytes(std::span{pairs_}));
    return true;
}

// As Annealing settles what its walkers have come to.
void WalkEngine::settle_walkers(const Context& context, std::span<Island> islands, std::uint64_t moves) {
    const std::size_t each = islands.front().current.size();
    each_of(context, islands, [&](std::size_t i) {
        Island& island = islands[i];
        std::size_t place = first_find_[i];
        const auto its = std::span{host_progress_}.subspan(i * each, each);
        for (std::size_t walker = 0; walker < each; ++walker) {
            const Progress& progress = its[walker];
            if (progress.best_at != 0) {
                notable_.fitness()[place] = progress.best;
                (void)remember(context, island, notable_, place++, island.evaluations + progress.best_at);
            }
            island.evaluations += progress.evaluations;
            if (progress.evaluations != 0) island.needed = walker * moves + progress.evaluations;
        }
    });
}

bool WalkEngine::walk(const Annealing& algorithm, const Context& context, std::span<Island> islands) {
    const std::size_t each = islands.front().current.size();
    const std::size_t count = islands.size() * each;
    const std::uint64_t generation = islands.front().generation;
    queue_.run(kernels_[anneal_kernel].with(rows_, values_, bars_, narrow(count), narrow(each),
                                            algorithm.moves, narrow(generation), narrow(generation >> 32U),
                                            keys_, target_of(context.problem), warmth_, narrow(most_lost_),
                                            chances_, found_, progress_, mutate_table_, table_),
               count, plan_.variation.group);
    host_progress_.resize(count);
    queue_.read_into(progress_, std::span{host_progress_});
    return std::ranges::none_of(host_progress_, [](const Progress& one) { return one.is_unknown != 0; });
}

void WalkEngine::anneal_held(const Annealing& algorithm, const Context& context, std::span<Island> islands) {
    const std::size_t each = islands.front().current.size();
    make_room(islands.size(), islands.size() * each, islands.size() * each);
    if (!make_chances(algorithm, context, islands)) {
        anneal_held(algorithm, context, islands.first(islands.size() / 2));
        return anneal_held(algorithm, context, islands.subspan(islands.size() / 2));
    }
    send(context, islands);
    if (!walk(algorithm, context, islands)) {
        if (most_lost_ == largest_most_lost) {
            for (Island& island : islands) algorithm.step(context, island);
            return;
        }
        most_lost_ *= 4;
        return anneal_held(algorithm, context, islands);
    }
    places_.clear();
    first_find_.clear();
    for (std::size_t i = 0; i < host_progress_.size(); ++i) {
        if (i % each == 0) first_find_.push_back(places_.size());
        if (host_progress_[i].best_at != 0) places_.push_back(narrow(i));
    }
    read_finds(context);
    bring_home(context, islands);
    settle_walkers(context, islands, algorithm.moves);
}

void WalkEngine::anneal(const Annealing& algorithm, const Context& context, std::span<Island> islands) {
    const std::scoped_lock lock{mutex_};
    anneal_held(algorithm, context, islands);
}

} // namespace knossos::device
