#include "run/island_bytes.hpp"
#include "run/run_state.hpp"

#include <knossos/core/memory.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace knossos {

namespace {

std::uint64_t mix(std::uint64_t digest, std::uint64_t word) {
    digest = (digest ^ word) * 0x9E3779B97F4A7C15U;
    return digest ^ digest >> 32U;
}

std::uint64_t mix(std::uint64_t digest, const Statistics& statistics) {
    digest = mix(digest, statistics.generation);
    digest = mix(digest, statistics.evaluations);
    for (const double value : {statistics.best, statistics.mean, statistics.worst, statistics.deviation,
                               statistics.diversity, statistics.best_ever})
        digest = mix(digest, std::bit_cast<std::uint64_t>(value));
    return digest;
}

Mutation usual_mutation(const Space& space) {
    if (space.kind == GenomeKind::permutation) return SwapMutation{};
    if (space.kind != GenomeKind::bits)
        return UniformMutation{.per_gene = 1.0 / static_cast<double>(space.length)};
    if (space.ones) return MoveOnes{.most = 1};
    return BitFlip{};
}

Stages stages_of(const Problem& problem, const Settings& settings) {
    return {.select = settings.select,
            .recombine = settings.recombine,
            .mutate = settings.mutate ? settings.mutate->bound(problem) : usual_mutation(problem.space()),
            .operations = settings.operations,
            .improve = settings.improve,
            .replace = settings.replace};
}

std::size_t offspring_of(const Settings& settings) {
    return settings.offspring != 0 ? settings.offspring : settings.population;
}

void check_sizes(const Settings& settings) {
    constexpr std::size_t most = 0x7FFFFFFF;
    if (settings.population < 1 || settings.population > most)
        throw InvalidInput{fmt::format("population is {}; it must be in 1..{}", settings.population, most)};
    if (settings.offspring > most)
        throw InvalidInput{fmt::format("offspring is {}; it must be in 0..{}", settings.offspring, most)};
    if (settings.hall_of_fame < 1) throw InvalidInput{"hall_of_fame is 0; it must be at least 1"};
    if (settings.threads > 1024)
        throw InvalidInput{fmt::format("threads is {}; it must be in 0..1024 (0: one per hardware thread)",
                                       settings.threads)};
}

} // namespace

void check(const Problem& problem, const Settings& settings) {
    check_sizes(settings);
    settings.algorithm.check(problem, stages_of(problem, settings), settings.population,
                             offspring_of(settings));
    settings.islands.check(settings.population);
    check_fields(settings.restart);
    settings.stop.check(problem.target().has_value());
}

double bytes_needed(const Settings& settings, const Space& space) {
    const double genome = static_cast<double>(space.genome_bytes()) + sizeof(double);
    const auto population = static_cast<double>(settings.population);
    const auto buffer =
        static_cast<double>(settings.algorithm.offspring_buffer(settings.population, offspring_of(settings)));
    // Most algorithms breed into a buffer; those that have none keep a copy.
    const double copies = std::max(buffer, population);
    const bool keeps_more = settings.islands.count > 1 || settings.restart.stagnation != 0;
    return settings.islands.count * (genome * (population + copies + (keeps_more ? population : 0.0) +
                                               static_cast<double>(settings.hall_of_fame)) +
                                     4096.0);
}

void require_memory(const Settings& settings, const Space& space, std::uint32_t processes) {
    const double needed = bytes_needed(settings, space) / processes;
    if (needed < 100e6) return; // studies make runs by the thousand
    const auto memory = static_cast<double>(usable_memory());
    if (needed > memory)
        throw InvalidSetting{"algorithm", "", "population",
                             fmt::format("is {}; the run would take about {:.1f} GB of memory, and there are "
                                         "{:.1f} GB",
                                         settings.population, needed * 1e-9, memory * 1e-9)};
}

Run::State::State(Problem problem, Settings settings)
    : problem_{std::move(problem)}, settings_{(check(problem_, settings), std::move(settings))},
      stages_{stages_of(problem_, settings_)}, pool_{settings_.threads} {
    require_memory(settings_, problem_.space(), exchange_ == nullptr ? 1 : exchange_->members());
    for (std::size_t worker = 0; worker < pool_.size(); ++worker) workers_.emplace_back(problem_);
    const std::size_t buffer =
        settings_.algorithm.offspring_buffer(settings_.population, offspring_of(settings_));
    const std::uint32_t count = settings_.islands.count;
    own_ = exchange_ == nullptr ? IslandRange{0, count}
                                : share_of(count, exchange_->members(), exchange_->member());
    for (std::uint32_t index = own_.first; index < own_.first + own_.count; ++index)
        islands_
            .emplace_back(problem_.space(), settings_.population, buffer, settings_.seed, settings_.run,
                          index)
            .kept = settings_.algorithm.initial_state();
}

void Run::State::start() {
    if (exchange_ != nullptr) return advance_together(0, 0);
    guarded([&] { breed_islands(0); });
    observe();
}

void Run::State::step() {
    if (!stopped_by_.empty()) return;
    if (exchange_ != nullptr) {
        if (asynchronous_ == nullptr) backup_.assign(islands_.begin(), islands_.end());
        const std::uint64_t done = status_.statistics.generation;
        if (asynchronous_ != nullptr) return advance_apart(done + 1, end_of_epoch(done));
        return advance_together(done + 1, end_of_epoch(done));
    }
    const std::uint64_t generation = status_.statistics.generation + 1;
    // One island puts itself right; of several, some have gone on when another fails.
    const bool keep = islands_.size() > 1 || settings_.restart.stagnation != 0;
    if (keep && backup_.empty()) backup_.assign(islands_.begin(), islands_.end());
    try {
        guarded([&] { advance(generation, keep); });
    } catch (...) {
        for (std::size_t i = 0; i < islands_.size(); ++i) {
            if (keep && islands_[i].generation == generation)
                std::swap(static_cast<IslandState&>(islands_[i]), backup_[i]);
            islands_[i].generation = generation - 1;
        }
        throw;
    }
    observe();
}

void Run::State::advance(std::uint64_t generation, bool keep) {
    breed_islands(generation, keep);
    if (!migrates_at(generation)) return;
    migrate(generation);
    each_island([&](const Workshop& /*workshop*/, const Island& island) { note(island); });
}

bool Run::State::migrates_at(std::uint64_t generation) const {
    const Islands& plan = settings_.islands;
    return generation > 0 && plan.count > 1 && plan.migrants > 0 && generation % plan.interval == 0;
}

// Copies, if wanted, and reports are made here, where every thread makes those of its islands.
void Run::State::breed_islands(std::uint64_t generation, bool keep) {
    reports_.resize(islands_.size());
    each_island([&](const Workshop& workshop, Island& island) {
        if (keep) backup_[island.index - own_.first] = island;
        island.generation = generation;
        breed_island(workshop, island);
        if (!migrates_at(generation)) note(island);
    });
}

void Run::State::breed_island(const Workshop& workshop, Island& island) const {
    if (island.generation == 0) return populate(workshop, island);
    settings_.algorithm.step(workshop, island);
    const std::uint64_t patience = settings_.restart.stagnation;
    if (patience == 0 || island.generation - island.improved_at < patience) return;
    ++island.restarts;
    island.kept = settings_.algorithm.initial_state();
    populate(workshop, island);
}

void Run::State::migrate(std::uint64_t generation) {
    const Islands& plan = settings_.islands;
    std::vector<Population> groups;
    groups.reserve(islands_.size());
    for (const Island& island : islands_)
        groups.push_back(choose_emigrants(plan, island, problem_.objective()));
    admit_from(generation, [&](std::uint32_t sender) { return &groups[sender]; });
}

void Run::State::admit_from(std::uint64_t generation,
                            const std::function<const Population*(std::uint32_t)>& group_of) {
    const Islands& plan = settings_.islands;
    const Workshop workshop{problem_, stages_, settings_.hall_of_fame, nullptr, workers_};
    for (Island& island : islands_) {
        std::vector<const Population*> arrivals;
        for (const std::uint32_t sender :
             senders_to(plan, island.index, settings_.seed, settings_.run, generation))
            if (const Population* const group = group_of(sender)) arrivals.push_back(group);
        admit(plan, workshop, island, arrivals);
    }
}

void Run::State::note(const Island& island) {
    reports_[island.index - own_.first] = {
        .moments = moments_of(island, problem_.objective(), settings_.diversity_pairs),
        .evaluations = island.evaluations,
        .improved_at = island.improved_at,
        .best_ever = island.hall.front().fitness};
}

void Run::State::observe() {
    Tally tally{problem_.objective()};
    for (const Report& report : reports_) tally.add(report);
    const double now = seconds();
    judge_sharing(now - status_.statistics.seconds);
    conclude(tally.status(islands_.front().generation, now, problem_));
}

// Waking the other threads costs some microseconds: not worth it for a generation that is done in that
// time. Who breeds never changes what is bred.
void Run::State::judge_sharing(double generation_seconds) {
    if (pool_.size() == 1) return;
    constexpr double worth = 150e-6;
    worth_sharing_ = generation_seconds > (worth_sharing_ ? worth / 2 : worth);
    std::uint64_t evaluations = 0;
    for (const Island& island : islands_) evaluations += island.evaluations;
    const std::uint64_t made = evaluations - std::min(judged_evaluations_, evaluations);
    judged_evaluations_ = evaluations;
    if (made == 0) return;
    // Dealt one by one they are made side by side, and seem to take a share of their time.
    constexpr double slow = 50e-6;
    const double seems = generation_seconds / static_cast<double>(made);
    slow_ = seems > (slow_ ? slow / (2.0 * static_cast<double>(pool_.size())) : slow);
}

void Run::State::conclude(const Status& now) {
    status_ = now;
    digest_ = mix(digest_, now.statistics);
    record(now.statistics);
    if (auto reason = settings_.stop.fires(status_, problem_.objective())) stopped_by_ = std::move(*reason);
    if (settings_.on_generation(status_) == Proceed::no && stopped_by_.empty()) stopped_by_ = "callback";
}

void Run::State::record(const Statistics& now) {
    if (settings_.history == 0 || now.generation % history_interval_ != 0) return;
    history_.push_back(now);
    if (history_.size() <= std::max<std::size_t>(settings_.history, 2)) return;
    history_interval_ *= 2;
    std::erase_if(history_, [&](const Statistics& kept) { return kept.generation % history_interval_ != 0; });
}

// The halls of fame of all islands one after the other, whoever has them.
std::vector<HallEntry> Run::State::all_halls(std::uint64_t& restarts) const {
    std::vector<HallEntry> halls;
    const auto add = [&](const Found& found, std::uint32_t island) {
        halls.push_back({.genome = {problem_.space(), found.genome},
                         .fitness = found.fitness,
                         .generation = found.generation,
                         .evaluations = found.evaluations,
                         .island = island});
    };
    if (exchange_ == nullptr) {
        for (const Island& island : islands_) {
            restarts += island.restarts;
            for (const Found& found : island.hall) add(found, island.index);
        }
        return halls;
    }
    ByteWriter out;
    for (const Island& island : islands_) {
        out.put(island.restarts);
        put_hall(out, island);
    }
    std::uint32_t island = 0;
    for (const auto& bytes : exchange_->gather(out.take())) {
        ByteReader in{bytes};
        for (; !in.empty(); ++island) {
            restarts += in.get<std::uint64_t>();
            for (const Found& found : get_hall(in, problem_.space())) add(found, island);
        }
    }
    return halls;
}

Result Run::State::result() const {
    const Objective objective = problem_.objective();
    Result result;
    result.hall_of_fame = all_halls(result.restarts);
    // Stable: among equals the lower island and the earlier find come first. Migrants may stand in several
    // halls.
    std::ranges::stable_sort(result.hall_of_fame, [&](const HallEntry& a, const HallEntry& b) {
        return better(objective, a.fitness, b.fitness);
    });
    std::vector<HallEntry> distinct;
    for (HallEntry& entry : result.hall_of_fame) {
        if (distinct.size() == settings_.hall_of_fame) break;
        if (std::ranges::none_of(distinct,
                                 [&](const HallEntry& kept) { return kept.genome == entry.genome; }))
            distinct.push_back(std::move(entry));
    }
    result.hall_of_fame = std::move(distinct);
    result.best = result.hall_of_fame.front().genome;
    result.fitness = result.hall_of_fame.front().fitness;
    result.solved = status_.solved;
    result.stopped_by = stopped_by_;
    result.evaluations = status_.statistics.evaluations;
    result.generations = status_.statistics.generation;
    result.seconds = status_.statistics.seconds;
    result.history = history_;
    // Empty if the run was taken up from one that kept no history.
    if (settings_.history != 0 && (history_.empty() || history_.back().generation != result.generations))
        result.history.push_back(status_.statistics);
    result.digest = digest_;
    for (const std::byte byte : result.best.bytes)
        result.digest = mix(result.digest, std::to_integer<unsigned>(byte));
    return result;
}

Run::Run(Problem problem, Settings settings)
    : state_{std::make_unique<State>(std::move(problem), std::move(settings))} {
    state_->start();
}

Run::Run(Problem problem, Settings settings, std::span<const std::byte> snapshot)
    : state_{std::make_unique<State>(std::move(problem), std::move(settings))} {
    state_->restore(snapshot);
}

Run::Run(Problem problem, Settings settings, const SnapshotParts& parts)
    : state_{std::make_unique<State>(std::move(problem), std::move(settings))} {
    state_->restore(parts);
}

Run::~Run() = default;
Run::Run(Run&&) noexcept = default;
Run& Run::operator=(Run&&) noexcept = default;

bool Run::finished() const { return state_->finished(); }
void Run::step() { state_->step(); }
void Run::finish() {
    while (!finished()) step();
}
const Status& Run::status() const { return state_->status(); }
Result Run::result() const { return state_->result(); }
std::span<const Island> Run::islands() const { return state_->islands(); }
const Problem& Run::problem() const { return state_->problem(); }
std::vector<std::byte> Run::snapshot() const { return state_->snapshot(); }
SnapshotParts Run::snapshot_parts() const { return state_->snapshot_parts(); }
Exchange* Run::exchange() const { return state_->exchange(); }

std::vector<std::uint32_t> Genome::genes() const {
    return visit_genome(space, bytes.data(), [](auto view) {
        std::vector<std::uint32_t> values(view.size());
        for (std::size_t i = 0; i < view.size(); ++i) values[i] = static_cast<std::uint32_t>(view[i]);
        return values;
    });
}

Result evolve(Problem problem, Settings settings) {
    if (settings.stop.kind() == StopKind::never)
        throw InvalidInput{"stop: no rule is given, so the run would never end; for example solved() || "
                           "evaluations(1'000'000)"};
    Run run{std::move(problem), std::move(settings)};
    try {
        run.finish();
    } catch (const Error& error) {
        throw RunFailed{error.what(), run.result()};
    }
    return run.result();
}

} // namespace knossos
