#include "run/island_bytes.hpp"
#include "run/run_state.hpp"

#include <knossos/core/fronts.hpp>
#include <knossos/core/memory.hpp>
#include <knossos/run/checkpoint.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

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
    if (statistics.feasible < 1.0 || statistics.violation > 0.0)
        for (const double value : {statistics.violation, statistics.feasible})
            digest = mix(digest, std::bit_cast<std::uint64_t>(value));
    if (statistics.merit != statistics.best_ever)
        digest = mix(digest, std::bit_cast<std::uint64_t>(statistics.merit));
    if (statistics.coverage > 0.0)
        for (const double value : {statistics.coverage, statistics.qd_score})
            digest = mix(digest, std::bit_cast<std::uint64_t>(value));
    return digest;
}

std::uint64_t mix(std::uint64_t digest, const Gallery& gallery) {
    for (std::size_t i = 0; i < gallery.cell.size(); ++i) {
        digest = mix(digest, gallery.cell[i]);
        for (std::size_t column = 0; column < gallery.elites.columns(); ++column)
            digest = mix(digest, std::bit_cast<std::uint64_t>(gallery.elites.column(column)[i]));
    }
    return mix(digest, stable_hash(gallery.elites.bytes()));
}

Mutation default_mutation(const Space& space) {
    if (space.kind == GenomeKind::permutation) return SwapMutation{};
    if (space.kind == GenomeKind::reals) return PolynomialMutation{};
    if (space.kind != GenomeKind::bits)
        return UniformMutation{.per_gene = 1.0 / static_cast<double>(space.length)};
    if (space.ones) return MoveOnes{.most = 1};
    return BitFlip{};
}

Stages stages_of(const Problem& problem, const Settings& settings) {
    return {.select = settings.select,
            .recombine = settings.recombine,
            .mutate = settings.mutate ? settings.mutate->bound(problem) : default_mutation(problem.space()),
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

std::optional<std::uint64_t> budget_of(const Settings& settings) {
    const auto limit = settings.stop.limit(StopKind::evaluations);
    if (!limit || !(*limit < 9007199254740992.0)) return std::nullopt; // no run gets there
    return static_cast<std::uint64_t>(std::floor(*limit));
}

// How many an island begins with: an archive takes in all that it is dealt.
std::size_t first_population(const Settings& settings, std::uint32_t island) {
    if (!settings.algorithm.keeps_archive() || settings.start.size() <= island) return settings.population;
    const std::size_t dealt = (settings.start.size() - island - 1) / settings.islands.count + 1;
    return std::max(settings.population, dealt);
}

std::uint64_t first_evaluations(const Settings& settings) {
    std::uint64_t sum = 0;
    for (std::uint32_t island = 0; island < settings.islands.count; ++island)
        sum += first_population(settings, island);
    return sum;
}

void check_start(const Problem& problem, const Settings& settings) {
    for (const Genome& genome : settings.start)
        if (genome.space != problem.space() || genome.bytes.size() != problem.space().genome_bytes() ||
            !is_valid(problem.space(), genome.bytes.data()))
            throw InvalidInput{fmt::format("start holds a genome of another problem: genomes here are {}",
                                           describe(problem.space()))};
}

// The first populations are evaluated as a whole.
void check_budget(const Settings& settings) {
    const auto budget = budget_of(settings);
    const std::uint64_t first = first_evaluations(settings);
    if (!budget || *budget >= first) return;
    throw InvalidSetting{
        "stop", "stop", "evaluations",
        settings.islands.count == 1
            ? fmt::format("is {}; it must be at least {}, as the first population alone takes that many",
                          *budget, first)
            : fmt::format("is {}; it must be at least {}, as the first populations of {} islands alone take "
                          "that many",
                          *budget, first, settings.islands.count)};
}

} // namespace

void check(const Problem& problem, const Settings& settings) {
    check_sizes(settings);
    settings.algorithm.check(problem, stages_of(problem, settings), settings.population,
                             offspring_of(settings));
    settings.islands.check(settings.algorithm.keeps_archive() ? ~std::size_t{0} : settings.population);
    check_fields(settings.restart);
    if (settings.restart.stagnation != 0 && settings.algorithm.keeps_archive())
        throw InvalidSetting{"restart", "restart", "stagnation",
                             fmt::format("is {}; {} keeps one archive from its beginning to its end, so it "
                                         "must be 0",
                                         settings.restart.stagnation, settings.algorithm.name())};
    if (settings.restart.stagnation != 0 && problem.schema().ranking() == Ranking::pareto)
        throw InvalidSetting{"restart", "restart", "stagnation",
                             fmt::format("is {}; a run with several objectives ({}) keeps one front from its "
                                         "beginning to its end, so it must be 0",
                                         settings.restart.stagnation, problem.schema().to_text())};
    settings.stop.check(problem.target().has_value());
    check_start(problem, settings);
    check_budget(settings);
}

double bytes_needed(const Settings& settings, const Problem& problem) {
    const std::size_t columns = problem.schema().size();
    const std::size_t values = columns == 1 ? 1 : columns + 4; // with what records are compared by
    const double genome = static_cast<double>(problem.space().genome_bytes() + values * sizeof(double));
    auto population = static_cast<double>(settings.population);
    if (const auto cells = settings.algorithm.cells(problem.schema())) {
        // Every cell may be filled, by somebody who was evaluated.
        const auto limit = settings.stop.limit(StopKind::evaluations);
        population = std::min(static_cast<double>(cells->count()),
                              limit.value_or(std::numeric_limits<double>::infinity()));
    }
    const auto buffer =
        static_cast<double>(settings.algorithm.offspring_buffer(settings.population, offspring_of(settings)));
    // Most algorithms breed into a buffer; those that have none keep a copy.
    const double copies = std::max(buffer, population);
    const bool keeps_more =
        settings.islands.count > 1 || settings.restart.stagnation != 0 || budget_of(settings).has_value();
    // With several objectives the hall of fame is as long as the population.
    const bool has_front = problem.schema().ranking() == Ranking::pareto;
    const double hall = std::max(static_cast<double>(settings.hall_of_fame), has_front ? population : 0.0);
    return settings.islands.count *
           (genome * (population + copies + (keeps_more ? population : 0.0) + hall) + 4096.0);
}

void require_memory(const Settings& settings, const Problem& problem, std::uint32_t processes) {
    const double needed = bytes_needed(settings, problem) / processes;
    if (needed < 100e6) return; // studies make runs by the thousand
    const auto memory = static_cast<double>(usable_memory());
    if (needed > memory && settings.algorithm.keeps_archive())
        throw InvalidSetting{"algorithm", "", "axes",
                             fmt::format("make so many cells that a full archive would take about {:.1f} GB "
                                         "of memory, and there are {:.1f} GB; take larger steps",
                                         needed * 1e-9, memory * 1e-9)};
    if (needed > memory)
        throw InvalidSetting{"algorithm", "", "population",
                             fmt::format("is {}; the run would take about {:.1f} GB of memory, and there are "
                                         "{:.1f} GB",
                                         settings.population, needed * 1e-9, memory * 1e-9)};
}

namespace {

// An algorithm that has nothing more to go by ends the run, too.
Settings with_end_of_algorithm(Settings settings) {
    if (const auto most = settings.algorithm.most_generations())
        settings.stop = settings.stop.kind() == StopKind::never
                            ? generations(*most)
                            : std::move(settings.stop) || generations(*most);
    return settings;
}

} // namespace

Run::State::State(const Problem& problem, Settings settings, Exchange* exchange)
    : problem_{tolerating(settings.algorithm.measured(problem), settings.on_failure, failures_)},
      settings_{(check(problem_, settings), with_end_of_algorithm(std::move(settings)))},
      stages_{stages_of(problem_, settings_)}, exchange_{exchange}, pool_{settings_.threads},
      budget_{budget_of(settings_)}, newest_cost_{first_evaluations(settings_)} {
    require_memory(settings_, problem_, exchange_ == nullptr ? 1 : exchange_->members());
    for (std::size_t worker = 0; worker < pool_.size(); ++worker) workers_.emplace_back(problem_);
    const std::size_t buffer =
        settings_.algorithm.offspring_buffer(settings_.population, offspring_of(settings_));
    const std::uint32_t count = settings_.islands.count;
    own_ = exchange_ == nullptr ? IslandRange{0, count}
                                : share_of(count, exchange_->members(), exchange_->member());
    for (std::uint32_t index = own_.first; index < own_.first + own_.count; ++index)
        islands_
            .emplace_back(problem_.space(), first_population(settings_, index), buffer, settings_.seed,
                          settings_.run, index, problem_.schema().size())
            .kept = settings_.algorithm.initial_state();
    // How long the first generation takes nobody has seen yet, but what there is to fill is known.
    constexpr std::size_t much = 1U << 20U; // bytes: a few hundred microseconds of random numbers
    std::size_t bytes = 0;
    for (const Island& island : islands_) bytes += std::as_const(island.current).bytes().size();
    worth_sharing_ = bytes >= much;
}

void Run::State::conclude(const Status& now, bool is_cut) {
    count_idle(now.statistics);
    status_ = now;
    digest_ = mix(digest_, now.statistics);
    record(now.statistics);
    // A cut generation is the last, unless it found what ends the run before anybody looks at the budget.
    if (is_cut) stopped_by_ = evaluations(*budget_).to_text();
    if (!is_cut || ends_run({now.statistics.violation, now.statistics.merit})) end_by_rules();
    if (settings_.on_generation(status_) == Proceed::no && stopped_by_.empty()) stopped_by_ = "callback";
}

void Run::State::end_by_rules() {
    if (const auto fired = settings_.stop.fires(status_, problem_.schema().merit_objective())) {
        stopped_by_ = fired->to_text();
        stopped_by_time_ = fired->has(StopKind::seconds);
    } else if (idle_ >= most_idle()) {
        stopped_by_ = fmt::format("idle({})", most_idle());
    }
}

// Where members don't wait for each other, nobody is idle of whom nothing has been heard.
void Run::State::count_idle(const Statistics& now) {
    const std::uint64_t passed = now.generation - status_.statistics.generation;
    if (now.evaluations != status_.statistics.evaluations)
        idle_ = 0;
    else if (asynchronous_ == nullptr || heard_.size() + 1 == exchange_->members())
        idle_ += passed;
    else
        return;
    heard_.clear();
}

// Children that are like their parents aren't evaluated, so that a run in which there are no others would
// never spend its budget: after a million of them, or so, it is taken to be stuck.
std::uint64_t Run::State::most_idle() const {
    constexpr std::uint64_t children = 1'000'000;
    return std::clamp<std::uint64_t>(children / offspring_of(settings_), 1'000, 100'000);
}

void Run::State::record(const Statistics& now) {
    if (settings_.history == 0 || now.generation % history_interval_ != 0) return;
    history_.push_back(now);
    if (history_.size() <= most_history()) return;
    history_interval_ *= 2;
    std::erase_if(history_, [&](const Statistics& kept) { return kept.generation % history_interval_ != 0; });
}

// The halls of fame of all islands one after the other, whoever has them.
std::vector<HallEntry> Run::State::all_halls(std::uint64_t& restarts, std::uint64_t& failures,
                                             std::uint64_t& clamped) const {
    std::vector<HallEntry> halls;
    const auto add = [&](const Found& found, std::uint32_t island) {
        halls.push_back({.genome = {problem_.space(), found.genome},
                         .fitness = found.quality.fitness,
                         .violation = problem_.schema().missed(found.quality),
                         .record = found.record,
                         .generation = found.generation,
                         .evaluations = found.evaluations,
                         .island = island});
    };
    if (exchange_ == nullptr) {
        for (const Island& island : islands_) {
            restarts += island.restarts;
            for (const Found& found : island.finds().hall) add(found, island.index);
        }
        return halls;
    }
    ByteWriter out;
    out.put(failures);
    out.put(clamped);
    for (const Island& island : islands_) {
        out.put(island.restarts);
        put_hall(out, island.finds().hall);
    }
    std::uint32_t island = 0;
    failures = 0;
    clamped = 0;
    for (const auto& bytes : exchange_->gather(out.take())) {
        ByteReader in{bytes};
        failures += in.get<std::uint64_t>();
        clamped += in.get<std::uint64_t>();
        for (; !in.empty(); ++island) {
            restarts += in.get<std::uint64_t>();
            for (const Found& found : get_hall(in, problem_.space(), problem_.schema())) add(found, island);
        }
    }
    return halls;
}

std::string Run::State::remark() const {
    if (islands_.empty()) return {}; // another process has them
    std::string first = settings_.algorithm.remark(problem_.schema(), islands_.front());
    // Those who are shown are of the last whole generation, the counters of where the budget ended.
    if (!first.empty() && islands_.front().cut && !contestants().empty())
        first += " (in the last whole generation; the budget ended in the next)";
    if (settings_.islands.count == 1 || !settings_.algorithm.keeps_archive())
        return settings_.islands.count == 1 ? first : std::string{};
    // Archives are empty together, or there is nothing to be said.
    const bool holds_for_all = std::ranges::none_of(islands_, [&](const Island& island) {
        return settings_.algorithm.remark(problem_.schema(), island).empty();
    });
    return holds_for_all ? first : std::string{};
}

// The elites of all islands, whoever has them.
std::optional<Gallery> Run::State::gallery() const {
    const auto cells = settings_.algorithm.cells(problem_.schema());
    if (!cells) return std::nullopt;
    std::vector<const Population*> archives;
    if (exchange_ == nullptr) {
        for (const Island& island : islands_) archives.push_back(&island.current);
        return united(problem_.schema(), cells, archives);
    }
    ByteWriter out;
    for (const Island& island : islands_) {
        out.put(std::uint64_t{island.current.size()});
        put_population(out, island.current);
    }
    std::vector<Population> all;
    for (const auto& bytes : exchange_->gather(out.take()))
        for (ByteReader in{bytes}; !in.empty();) {
            all.push_back(blank_population(in.get<std::uint64_t>()));
            get_population(in, problem_.schema(), all.back());
        }
    for (const Population& one : all) archives.push_back(&one);
    return united(problem_.schema(), cells, archives);
}

std::vector<Contestant> Run::State::contestants() const {
    if (settings_.islands.count != 1 || islands_.empty()) return {}; // or another process has it
    return settings_.algorithm.contestants(islands_.front());
}

Result Run::State::result() const {
    const Schema& schema = problem_.schema();
    Result result;
    std::uint64_t digest = digest_;
    std::uint64_t failures = failures_->worst + failures_->retried;
    for (const Worker& worker : workers_) result.clamped += worker.clamped;
    result.hall_of_fame = all_halls(result.restarts, failures, result.clamped);
    // Stable: among equals the lower island and the earlier find come first. Migrants may stand in several
    // halls.
    std::ranges::stable_sort(result.hall_of_fame, [&](const HallEntry& a, const HallEntry& b) {
        return better(schema.objective(), Quality{a.violation, a.fitness}, Quality{b.violation, b.fitness});
    });
    std::vector<HallEntry> distinct;
    if (schema.ranking() == Ranking::pareto) {
        Front<HallEntry> front{schema, distinct, std::max(settings_.hall_of_fame, settings_.population)};
        for (HallEntry& entry : result.hall_of_fame)
            front.enter(entry.record, [&] { return std::move(entry); });
        result.hall_of_fame.clear();
    }
    for (HallEntry& entry : result.hall_of_fame) {
        if (distinct.size() == settings_.hall_of_fame) break;
        if (std::ranges::none_of(distinct,
                                 [&](const HallEntry& kept) { return kept.genome == entry.genome; }))
            distinct.push_back(std::move(entry));
    }
    result.hall_of_fame = std::move(distinct);
    result.best = result.hall_of_fame.front().genome;
    result.fitness = result.hall_of_fame.front().fitness;
    result.violation = result.hall_of_fame.front().violation;
    if (!schema.plain())
        for (const HallEntry& one : result.hall_of_fame)
            for (const double value : one.record) digest = mix(digest, std::bit_cast<std::uint64_t>(value));
    result.columns.assign(schema.columns().begin(), schema.columns().end());
    result.record = result.hall_of_fame.front().record;
    result.steps = status_.statistics.steps;
    result.unit = settings_.algorithm.unit();
    result.remark = remark();
    for (const Contestant& one : contestants()) {
        const Population& population = islands_.front().current;
        const std::byte* const genome = population.genome(one.individual);
        result.contestants.push_back({std::string{one.name},
                                      {problem_.space(), {genome, genome + problem_.space().genome_bytes()}},
                                      population.fitness()[one.individual]});
    }
    result.merit = status_.statistics.merit;
    result.merit_name = schema.merit_name();
    result.solved = status_.solved;
    result.stopped_by = stopped_by_;
    result.stopped_by_time = stopped_by_time_;
    result.evaluations = status_.statistics.evaluations;
    result.uncounted = uncounted_;
    result.failures = failures;
    result.generations = status_.statistics.generation;
    result.seconds = status_.statistics.seconds;
    result.history = history_;
    // Empty if the run was taken up from one that kept no history.
    if (settings_.history != 0 && (history_.empty() || history_.back().generation != result.generations))
        result.history.push_back(status_.statistics);
    result.gallery = gallery();
    result.digest = result.gallery ? mix(digest, *result.gallery) : digest;
    for (const std::byte byte : result.best.bytes)
        result.digest = mix(result.digest, std::to_integer<unsigned>(byte));
    return result;
}

Run::Run(const Problem& problem, Settings settings, Exchange* exchange)
    : state_{std::make_unique<State>(problem, std::move(settings), exchange)} {
    state_->start();
}

Run::Run(const Problem& problem, Settings settings, std::span<const std::byte> snapshot, Exchange* exchange)
    : state_{std::make_unique<State>(problem, std::move(settings), exchange)} {
    state_->restore(snapshot);
}

Run::Run(const Problem& problem, Settings settings, const SnapshotParts& parts, Exchange* exchange)
    : state_{std::make_unique<State>(problem, std::move(settings), exchange)} {
    state_->restore(parts);
}

Run::~Run() = default;
Run::Run(Run&&) noexcept = default;
Run& Run::operator=(Run&&) noexcept = default;

bool Run::finished() const { return state_->finished(); }
void Run::step() { state_->step(); }
void Run::advance() { state_->advance(true); }
void Run::finish() {
    while (!finished()) state_->advance(false);
}
const Status& Run::status() const { return state_->status(); }
Result Run::result() const { return state_->result(); }
std::optional<Gallery> Run::gallery() const { return state_->gallery(); }
std::span<const Island> Run::islands() const { return state_->islands(); }
const Problem& Run::problem() const { return state_->problem(); }
std::string Run::remark() const { return state_->remark(); }
std::vector<Contestant> Run::contestants() const { return state_->contestants(); }
std::vector<std::byte> Run::snapshot() const { return state_->snapshot(); }
SnapshotParts Run::snapshot_parts() const { return state_->snapshot_parts(); }
Exchange* Run::exchange() const { return state_->exchange(); }

std::vector<std::uint32_t> Genome::genes() const {
    if (space.kind == GenomeKind::reals)
        throw InvalidInput{"genes() are whole numbers, and this genome has " + describe(space) +
                           ": ask for its reals()"};
    return visit_genome(space, bytes.data(), [](auto view) {
        std::vector<std::uint32_t> values(view.size());
        for (std::size_t i = 0; i < view.size(); ++i) values[i] = static_cast<std::uint32_t>(view[i]);
        return values;
    });
}

std::vector<double> Genome::reals() const {
    return visit_genome(space, bytes.data(), [](auto view) {
        std::vector<double> values(view.size());
        for (std::size_t i = 0; i < view.size(); ++i) values[i] = static_cast<double>(view[i]);
        return values;
    });
}

Result evolve(const Problem& problem, Settings settings, Exchange* exchange) {
    if (settings.stop.kind() == StopKind::never && !settings.algorithm.most_generations())
        throw InvalidInput{"stop: no rule is given, so the run would never end; for example solved() || "
                           "evaluations(1'000'000)"};
    Run run{problem, std::move(settings), exchange};
    try {
        run.finish();
    } catch (const Error& error) {
        throw RunFailed{error.what(), run.result()};
    }
    return run.result();
}

} // namespace knossos
