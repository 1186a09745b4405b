#include "run/bytes.hpp"

#include <knossos/run/checkpoint.hpp>
#include <knossos/run/run.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>

namespace knossos {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t snapshot_magic = 0x31304E5553534E4BU; // "KNSSUN01"

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

void put_space(ByteWriter& out, const Space& space) {
    out.put(static_cast<std::uint8_t>(space.kind));
    out.put(std::uint64_t{space.length});
    out.put(space.alphabet);
    out.put(std::uint64_t{space.ones.value_or(~std::size_t{0})});
    out.put(static_cast<std::uint8_t>(space.gene_bytes));
}

Space get_space(ByteReader& in) {
    Space space;
    space.kind = static_cast<GenomeKind>(in.get<std::uint8_t>());
    space.length = in.get<std::uint64_t>();
    space.alphabet = in.get<std::uint32_t>();
    const auto ones = in.get<std::uint64_t>();
    if (ones != ~std::uint64_t{0}) space.ones = ones;
    space.gene_bytes = in.get<std::uint8_t>();
    return space;
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

class Run::State {
  public:
    State(Problem problem, Settings settings)
        : problem_{std::move(problem)}, settings_{(check(problem_, settings), std::move(settings))},
          stages_{stages_of(problem_, settings_)}, pool_{settings_.threads} {
        for (std::size_t worker = 0; worker < pool_.size(); ++worker) workers_.emplace_back(problem_);
        const std::size_t buffer =
            settings_.algorithm.offspring_buffer(settings_.population, offspring_of(settings_));
        for (std::uint32_t index = 0; index < settings_.islands.count; ++index)
            islands_.emplace_back(problem_.space(), settings_.population, buffer, settings_.seed,
                                  settings_.run, index);
    }

    void start() {
        guarded([&] {
            each_island([](const Workshop& workshop, Island& island) { populate(workshop, island); });
        });
        observe();
    }

    void step() {
        if (!stopped_by_.empty()) return;
        const std::uint64_t generation = status_.statistics.generation + 1;
        const bool keep = islands_.size() > 1 || settings_.restart.stagnation != 0;
        if (keep) backup_ = islands_;
        try {
            guarded([&] { advance(generation); });
        } catch (...) {
            if (keep) islands_.swap(backup_);
            for (Island& island : islands_) island.generation = generation - 1;
            throw;
        }
        observe();
    }

    [[nodiscard]] bool finished() const { return !stopped_by_.empty(); }
    [[nodiscard]] const Status& status() const { return status_; }
    [[nodiscard]] std::span<const Island> islands() const { return islands_; }
    [[nodiscard]] const Problem& problem() const { return problem_; }
    [[nodiscard]] const Settings& settings() const { return settings_; }
    [[nodiscard]] Result result() const;
    [[nodiscard]] std::vector<std::byte> snapshot() const;
    void restore(std::span<const std::byte> snapshot);

  private:
    // An evaluation that throws something of its own reaches the user as an EvaluationError with that
    // message.
    template <class Work>
    void guarded(Work work) {
        try {
            work();
        } catch (const EvaluationError&) {
            throw;
        } catch (const InvalidInput&) {
            throw;
        } catch (const std::bad_alloc&) {
            throw;
        } catch (const std::exception& error) {
            throw EvaluationError{error.what()};
        } catch (...) {
            throw EvaluationError{"the evaluation threw something that is no std::exception"};
        }
    }

    // With at least as many islands as threads, each thread takes whole islands; else the threads share each
    // island.
    template <class Work>
    void each_island(Work work) {
        const bool parallel = pool_.size() > 1 && (settings_.threads != 0 || worth_sharing_);
        const bool whole_islands = parallel && islands_.size() >= pool_.size();
        const auto workshop = [&](ThreadPool* pool, std::span<Worker> workers) {
            return Workshop{problem_, stages_, settings_.hall_of_fame, pool, workers};
        };
        if (whole_islands) {
            pool_.for_each(islands_.size(), [&](std::size_t index, std::size_t worker) {
                work(workshop(nullptr, std::span{workers_}.subspan(worker, 1)), islands_[index]);
            });
        } else {
            const Workshop shared = workshop(parallel ? &pool_ : nullptr, workers_);
            for (Island& island : islands_) work(shared, island);
        }
    }

    void advance(std::uint64_t generation) {
        each_island([&](const Workshop& workshop, Island& island) {
            island.generation = generation;
            settings_.algorithm.step(workshop, island);
            const std::uint64_t patience = settings_.restart.stagnation;
            if (patience == 0 || generation - island.improved_at < patience) return;
            ++island.restarts;
            populate(workshop, island);
        });
        const Islands& plan = settings_.islands;
        if (plan.count > 1 && plan.migrants > 0 && generation % plan.interval == 0) migrate(generation);
    }

    void migrate(std::uint64_t generation) {
        const Islands& plan = settings_.islands;
        std::vector<Population> groups;
        groups.reserve(islands_.size());
        for (const Island& island : islands_)
            groups.push_back(choose_emigrants(plan, island, problem_.objective()));
        const Workshop workshop{problem_, stages_, settings_.hall_of_fame, nullptr, workers_};
        for (Island& island : islands_) {
            std::vector<const Population*> arrivals;
            for (const std::uint32_t sender :
                 senders_to(plan, island.index, settings_.seed, settings_.run, generation))
                arrivals.push_back(&groups[sender]);
            admit(plan, workshop, island, arrivals);
        }
    }

    void observe() {
        const Objective objective = problem_.objective();
        Moments total;
        Statistics now;
        std::uint64_t improved_at = 0;
        now.generation = islands_.front().generation;
        now.best_ever = worst_value(objective);
        for (const Island& island : islands_) {
            total = merge(total, moments_of(island, objective, settings_.diversity_pairs), objective);
            now.evaluations += island.evaluations;
            improved_at = std::max(improved_at, island.improved_at);
            if (better(objective, island.hall.front().fitness, now.best_ever))
                now.best_ever = island.hall.front().fitness;
        }
        now.best = total.best;
        now.mean = total.mean;
        now.worst = total.worst;
        now.deviation = std::sqrt(total.squares / static_cast<double>(total.count));
        now.diversity = total.pairs == 0 ? 0.0 : total.distance / static_cast<double>(total.pairs);
        now.seconds = seconds_before_ + std::chrono::duration<double>(Clock::now() - started_).count();
        // Waking the other threads costs some microseconds: not worth it for a generation that is done in
        // that time. Who breeds never changes what is bred.
        constexpr double worth = 150e-6;
        worth_sharing_ = now.seconds - status_.statistics.seconds > (worth_sharing_ ? worth / 2 : worth);
        status_ = {.statistics = now,
                   .stagnation = now.generation - improved_at,
                   .solved = problem_.reached(now.best_ever)};
        digest_ = mix(digest_, now);
        record(now);
        if (auto reason = settings_.stop.fires(status_, objective)) stopped_by_ = std::move(*reason);
        if (settings_.on_generation(status_) == Proceed::no && stopped_by_.empty()) stopped_by_ = "callback";
    }

    void record(const Statistics& now) {
        if (settings_.history == 0 || now.generation % history_interval_ != 0) return;
        history_.push_back(now);
        if (history_.size() <= std::max<std::size_t>(settings_.history, 2)) return;
        history_interval_ *= 2;
        std::erase_if(history_,
                      [&](const Statistics& kept) { return kept.generation % history_interval_ != 0; });
    }

    Problem problem_;
    Settings settings_;
    Stages stages_;
    ThreadPool pool_;
    std::vector<Worker> workers_;
    std::vector<Island> islands_;
    std::vector<Island> backup_;
    Status status_;
    std::string stopped_by_;
    std::vector<Statistics> history_;
    std::uint64_t history_interval_ = 1;
    std::uint64_t digest_ = 0;
    bool worth_sharing_ = false;
    double seconds_before_ = 0.0;
    Clock::time_point started_ = Clock::now();
};

Result Run::State::result() const {
    const Objective objective = problem_.objective();
    Result result;
    for (const Island& island : islands_) {
        result.restarts += island.restarts;
        for (const Found& found : island.hall)
            result.hall_of_fame.push_back({.genome = {problem_.space(), found.genome},
                                           .fitness = found.fitness,
                                           .generation = found.generation,
                                           .evaluations = found.evaluations,
                                           .island = island.index});
    }
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
    if (settings_.history != 0 && history_.back().generation != result.generations)
        result.history.push_back(status_.statistics);
    result.digest = digest_;
    for (const std::byte byte : result.best.bytes)
        result.digest = mix(result.digest, std::to_integer<unsigned>(byte));
    return result;
}

std::vector<std::byte> Run::State::snapshot() const {
    ByteWriter out;
    out.put(snapshot_magic);
    out.put(settings_.seed);
    out.put(settings_.run);
    out.put(settings_.islands.count);
    out.put(std::uint64_t{settings_.population});
    put_space(out, problem_.space());
    out.put(status_.statistics);
    out.put(status_.stagnation);
    out.put(static_cast<std::uint8_t>(status_.solved ? 1 : 0));
    out.put(digest_);
    out.put(history_interval_);
    out.put(std::uint64_t{history_.size()});
    out.put_bytes(std::as_bytes(std::span{history_}));
    for (const Island& island : islands_) {
        out.put(island.generation);
        out.put(island.evaluations);
        out.put(island.restarts);
        out.put(island.improved_at);
        out.put(island.era_best);
        out.put(island.newest);
        out.put_bytes(island.current.bytes());
        out.put_bytes(std::as_bytes(island.current.fitness()));
        out.put(std::uint64_t{island.hall.size()});
        for (const Found& found : island.hall) {
            out.put(found.fitness);
            out.put(found.generation);
            out.put(found.evaluations);
            out.put_bytes(found.genome);
        }
    }
    auto bytes = out.take();
    const std::uint64_t checksum = stable_hash(bytes);
    const auto tail = std::as_bytes(std::span{&checksum, 1});
    bytes.insert(bytes.end(), tail.begin(), tail.end());
    return bytes;
}

void Run::State::restore(std::span<const std::byte> snapshot) {
    std::uint64_t checksum = 0;
    if (snapshot.size() < 2 * sizeof(checksum)) throw InvalidInput{"the snapshot is truncated"};
    const auto content = snapshot.first(snapshot.size() - sizeof(checksum));
    std::memcpy(&checksum, content.data() + content.size(), sizeof(checksum));
    ByteReader in{content};
    if (in.get<std::uint64_t>() != snapshot_magic) throw InvalidInput{"this is not a snapshot of a run"};
    if (checksum != stable_hash(content))
        throw InvalidInput{"the snapshot is truncated or damaged: its checksum does not fit"};
    const auto expect = [&]<class T>(std::string_view what, T expected) {
        if (const T found = in.get<T>(); found != expected)
            throw InvalidInput{fmt::format("the snapshot is of another run: its {} is {}, here it is {}",
                                           what, found, expected)};
    };
    expect("seed", settings_.seed);
    expect("run", settings_.run);
    expect("number of islands", settings_.islands.count);
    expect("population", std::uint64_t{settings_.population});
    if (const Space space = get_space(in); space != problem_.space())
        throw InvalidInput{fmt::format("the snapshot is of another run: its genomes are {}, here they are {}",
                                       describe(space), describe(problem_.space()))};
    status_.statistics = in.get<Statistics>();
    status_.stagnation = in.get<std::uint64_t>();
    status_.solved = in.get<std::uint8_t>() != 0;
    digest_ = in.get<std::uint64_t>();
    history_interval_ = in.get<std::uint64_t>();
    const auto kept = in.get<std::uint64_t>();
    for (std::uint64_t i = 0; i < kept; ++i) history_.push_back(in.get<Statistics>());
    for (Island& island : islands_) {
        island.generation = in.get<std::uint64_t>();
        island.evaluations = in.get<std::uint64_t>();
        island.restarts = in.get<std::uint64_t>();
        island.improved_at = in.get<std::uint64_t>();
        island.era_best = in.get<double>();
        island.newest = in.get<std::uint32_t>();
        std::ranges::copy(in.take(island.current.bytes().size()), island.current.bytes().begin());
        for (double& fitness : island.current.fitness()) fitness = in.get<double>();
        const auto found = in.get<std::uint64_t>();
        for (std::uint64_t i = 0; i < found; ++i) {
            Found entry;
            entry.fitness = in.get<double>();
            entry.generation = in.get<std::uint64_t>();
            entry.evaluations = in.get<std::uint64_t>();
            const auto genome = in.take(problem_.space().genome_bytes());
            entry.genome.assign(genome.begin(), genome.end());
            island.hall.push_back(std::move(entry));
        }
        if (island.hall.empty() || island.newest > 1)
            throw InvalidInput{"the snapshot is damaged: an island in it makes no sense"};
        for (std::size_t i = 0; i < island.current.size(); ++i)
            if (!is_valid(problem_.space(), island.current.genome(i)))
                throw InvalidInput{fmt::format("the snapshot is damaged: individual {} is no genome of {}", i,
                                               describe(problem_.space()))};
    }
    if (!in.empty()) throw InvalidInput{"the snapshot is longer than it should be: it is damaged"};
    seconds_before_ = status_.statistics.seconds;
    // The rules are asked anew, so that a run that had ended goes on under later ones.
    if (auto reason = settings_.stop.fires(status_, problem_.objective())) stopped_by_ = std::move(*reason);
}

Run::Run(Problem problem, Settings settings)
    : state_{std::make_unique<State>(std::move(problem), std::move(settings))} {
    state_->start();
}

Run::Run(Problem problem, Settings settings, std::span<const std::byte> snapshot)
    : state_{std::make_unique<State>(std::move(problem), std::move(settings))} {
    state_->restore(snapshot);
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
