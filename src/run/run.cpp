#include "run/bytes.hpp"

#include <knossos/run/asynchronous.hpp>
#include <knossos/run/checkpoint.hpp>
#include <knossos/run/run.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <map>
#include <set>

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

void put_hall(ByteWriter& out, const Island& island) {
    out.put(std::uint64_t{island.hall.size()});
    for (const Found& found : island.hall) {
        out.put(found.fitness);
        out.put(found.generation);
        out.put(found.evaluations);
        out.put_bytes(found.genome);
    }
}

std::vector<Found> get_hall(ByteReader& in, const Space& space) {
    std::vector<Found> hall;
    for (auto left = in.get<std::uint64_t>(); left > 0; --left) {
        Found& found = hall.emplace_back();
        found.fitness = in.get<double>();
        found.generation = in.get<std::uint64_t>();
        found.evaluations = in.get<std::uint64_t>();
        const auto genome = in.take(space.genome_bytes());
        found.genome.assign(genome.begin(), genome.end());
    }
    return hall;
}

void put_population(ByteWriter& out, const Population& population) {
    out.put_bytes(population.bytes());
    out.put_bytes(std::as_bytes(population.fitness()));
}

/// Fills a population of the size and space that was written.
void get_population(ByteReader& in, Population& population) {
    std::ranges::copy(in.take(population.bytes().size()), population.bytes().begin());
    for (double& fitness : population.fitness()) fitness = in.get<double>();
}

void put_island(ByteWriter& out, const Island& island) {
    out.put(island.generation);
    out.put(island.evaluations);
    out.put(island.restarts);
    out.put(island.improved_at);
    out.put(island.era_best);
    out.put(island.newest);
    put_population(out, island.current);
    put_hall(out, island);
}

void get_island(ByteReader& in, const Space& space, Island& island) {
    island.generation = in.get<std::uint64_t>();
    island.evaluations = in.get<std::uint64_t>();
    island.restarts = in.get<std::uint64_t>();
    island.improved_at = in.get<std::uint64_t>();
    island.era_best = in.get<double>();
    island.newest = in.get<std::uint32_t>();
    get_population(in, island.current);
    island.hall = get_hall(in, space);
    if (island.hall.empty() || island.newest > 1)
        throw InvalidInput{"the snapshot is damaged: an island in it makes no sense"};
    for (std::size_t i = 0; i < island.current.size(); ++i)
        if (!is_valid(space, island.current.genome(i)))
            throw InvalidInput{
                fmt::format("the snapshot is damaged: individual {} is no genome of {}", i, describe(space))};
}

void put_text(ByteWriter& out, std::string_view text) {
    out.put(std::uint64_t{text.size()});
    out.put_bytes(std::as_bytes(std::span{text}));
}

std::string get_text(ByteReader& in) {
    const auto size = in.get<std::uint64_t>();
    const auto bytes = in.take(size);
    std::string text(bytes.size(), '\0');
    std::memcpy(text.data(), bytes.data(), bytes.size());
    return text;
}

// What an island says of itself after a generation, and all that the run's statistics are made of.
struct Report {
    Moments moments;
    std::uint64_t evaluations = 0;
    std::uint64_t improved_at = 0;
    double best_ever = 0.0;
};

// Reports taken together, in the order of the islands.
class Tally {
  public:
    explicit Tally(Objective objective) : objective_{objective}, best_ever_{worst_value(objective)} {}

    void add(const Report& report) {
        total_ = merge(total_, report.moments, objective_);
        evaluations_ += report.evaluations;
        improved_at_ = std::max(improved_at_, report.improved_at);
        if (better(objective_, report.best_ever, best_ever_)) best_ever_ = report.best_ever;
    }

    [[nodiscard]] Status status(std::uint64_t generation, double seconds, const Problem& problem) const {
        Statistics now;
        now.generation = generation;
        now.evaluations = evaluations_;
        now.best = total_.best;
        now.mean = total_.mean;
        now.worst = total_.worst;
        now.deviation = std::sqrt(total_.squares / static_cast<double>(total_.count));
        now.diversity = total_.pairs == 0 ? 0.0 : total_.distance / static_cast<double>(total_.pairs);
        now.best_ever = best_ever_;
        now.seconds = seconds;
        return {.statistics = now,
                .stagnation = generation - improved_at_,
                .solved = problem.reached(best_ever_)};
    }

  private:
    Objective objective_;
    Moments total_;
    std::uint64_t evaluations_ = 0;
    std::uint64_t improved_at_ = 0;
    double best_ever_;
};

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
        const std::uint32_t count = settings_.islands.count;
        own_ = exchange_ == nullptr ? IslandRange{0, count}
                                    : share_of(count, exchange_->members(), exchange_->member());
        for (std::uint32_t index = own_.first; index < own_.first + own_.count; ++index)
            islands_.emplace_back(problem_.space(), settings_.population, buffer, settings_.seed,
                                  settings_.run, index);
    }

    void start() {
        if (exchange_ != nullptr) return advance_together(0, 0);
        guarded([&] { breed_islands(0); });
        observe();
    }

    void step() {
        if (!stopped_by_.empty()) return;
        if (exchange_ != nullptr) {
            if (asynchronous_ == nullptr) backup_ = islands_;
            const std::uint64_t done = status_.statistics.generation;
            if (asynchronous_ != nullptr) return advance_apart(done + 1, end_of_epoch(done));
            return advance_together(done + 1, end_of_epoch(done));
        }
        const std::uint64_t generation = status_.statistics.generation + 1;
        // One island puts itself right; of several, some have gone on when another fails.
        const bool keep = islands_.size() > 1 || settings_.restart.stagnation != 0;
        if (keep && backup_.empty()) backup_ = islands_;
        try {
            guarded([&] { advance(generation, keep); });
        } catch (...) {
            for (std::size_t i = 0; i < islands_.size(); ++i) {
                if (keep && islands_[i].generation == generation) std::swap(islands_[i], backup_[i]);
                islands_[i].generation = generation - 1;
            }
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
    [[nodiscard]] SnapshotParts snapshot_parts() const;
    [[nodiscard]] Exchange* exchange() const { return exchange_; }
    void restore(std::span<const std::byte> snapshot);
    void restore(const SnapshotParts& parts);

  private:
    [[nodiscard]] std::vector<std::byte> head() const;
    void restore_head(ByteReader& in);
    void go_on();
    [[nodiscard]] std::vector<HallEntry> all_halls(std::uint64_t& restarts) const;
    void advance_together(std::uint64_t first, std::uint64_t last);
    void migrate_together(std::uint64_t generation, bool is_sound);
    void advance_apart(std::uint64_t first, std::uint64_t last);
    void migrate_apart(std::uint64_t generation);
    void read_post();
    void settle();
    void post(std::uint32_t member, ByteWriter message);
    [[nodiscard]] std::uint64_t end_of_epoch(std::uint64_t generation) const;

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

    void advance(std::uint64_t generation, bool keep) {
        breed_islands(generation, keep);
        if (!migrates_at(generation)) return;
        migrate(generation);
        each_island([&](const Workshop& /*workshop*/, const Island& island) { note(island); });
    }

    [[nodiscard]] bool migrates_at(std::uint64_t generation) const {
        const Islands& plan = settings_.islands;
        return generation > 0 && plan.count > 1 && plan.migrants > 0 && generation % plan.interval == 0;
    }

    // Copies, if wanted, and reports are made here, where every thread makes those of its islands.
    void breed_islands(std::uint64_t generation, bool keep = false) {
        reports_.resize(islands_.size());
        each_island([&](const Workshop& workshop, Island& island) {
            if (keep) copy_lasting(island, backup_[island.index - own_.first]);
            island.generation = generation;
            breed_island(workshop, island);
            if (!migrates_at(generation)) note(island);
        });
    }

    void breed_island(const Workshop& workshop, Island& island) const {
        if (island.generation == 0) return populate(workshop, island);
        settings_.algorithm.step(workshop, island);
        const std::uint64_t patience = settings_.restart.stagnation;
        if (patience == 0 || island.generation - island.improved_at < patience) return;
        ++island.restarts;
        populate(workshop, island);
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

    void note(const Island& island) {
        reports_[island.index - own_.first] = {
            .moments = moments_of(island, problem_.objective(), settings_.diversity_pairs),
            .evaluations = island.evaluations,
            .improved_at = island.improved_at,
            .best_ever = island.hall.front().fitness};
    }

    void observe() {
        Tally tally{problem_.objective()};
        for (const Report& report : reports_) tally.add(report);
        const double now = seconds();
        judge_sharing(now - status_.statistics.seconds);
        conclude(tally.status(islands_.front().generation, now, problem_));
    }

    [[nodiscard]] double seconds() const {
        return seconds_before_ + std::chrono::duration<double>(Clock::now() - started_).count();
    }

    // Waking the other threads costs some microseconds: not worth it for a generation that is done in that
    // time. Who breeds never changes what is bred.
    void judge_sharing(double generation_seconds) {
        constexpr double worth = 150e-6;
        worth_sharing_ = generation_seconds > (worth_sharing_ ? worth / 2 : worth);
    }

    void conclude(const Status& now) {
        status_ = now;
        digest_ = mix(digest_, now.statistics);
        record(now.statistics);
        if (auto reason = settings_.stop.fires(status_, problem_.objective()))
            stopped_by_ = std::move(*reason);
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
    Exchange* exchange_ = settings_.exchange;
    AsynchronousExchange* asynchronous_ = dynamic_cast<AsynchronousExchange*>(exchange_);
    IslandRange own_;
    std::map<std::uint32_t, Population> arrived_;         // the newest emigrants of an island elsewhere
    std::map<std::uint32_t, std::vector<Report>> newest_; // what a member last said of its islands
    std::vector<std::uint64_t> posted_;                   // messages to each member
    std::uint64_t received_ = 0;
    ThreadPool pool_;
    std::vector<Worker> workers_;
    std::vector<Island> islands_;
    std::vector<Island> backup_;
    std::vector<Report> reports_; ///< of the newest generation, in the order of the islands
    Status status_;
    std::string stopped_by_;
    std::vector<Statistics> history_;
    std::uint64_t history_interval_ = 1;
    std::uint64_t digest_ = 0;
    std::uint64_t epoch_ = 1; ///< generations until the members should hear from each other
    bool worth_sharing_ = false;
    double seconds_before_ = 0.0;
    Clock::time_point started_ = Clock::now();
};

// The generation at which the members exchange what they did: the next migration, or earlier if that is far
// off, so that a stop by time, a signal or a checkpoint need not wait for long.
std::uint64_t Run::State::end_of_epoch(std::uint64_t generation) const {
    std::uint64_t end = generation + epoch_;
    const std::uint64_t interval = settings_.islands.interval;
    if (settings_.islands.count > 1) end = std::min(end, generation - generation % interval + interval);
    if (const auto limit = settings_.stop.limit(StopKind::generations);
        limit && *limit > static_cast<double>(generation) && *limit < static_cast<double>(end))
        end = static_cast<std::uint64_t>(std::ceil(*limit));
    return end;
}

// Generations first..last without a word in between: each member notes its islands' reports, then all read
// the reports of all, generation by generation in the order of the islands, as a run alone would have made
// them. If that shows that the run had to end earlier, or that an evaluation failed somewhere, the islands go
// back and repeat what remains valid.
void Run::State::advance_together(std::uint64_t first, std::uint64_t last) {
    constexpr std::uint64_t nobody = ~std::uint64_t{0};
    std::uint64_t failed_at = nobody;
    std::string failure;
    std::vector<double> clock{seconds()};
    std::vector<Report> reports;
    const auto report = [&] {
        reports.insert(reports.end(), reports_.begin(), reports_.end());
        clock.push_back(seconds());
        judge_sharing(clock.back() - clock[clock.size() - 2]);
    };
    for (std::uint64_t generation = first; generation <= last; ++generation) {
        try {
            guarded([&] { breed_islands(generation); });
        } catch (const Error& error) {
            failed_at = generation;
            failure = error.what();
            break;
        }
        if (!migrates_at(generation)) report();
    }
    if (migrates_at(last)) {
        migrate_together(last, failed_at == nobody);
        if (failed_at == nobody) {
            each_island([&](const Workshop& /*workshop*/, const Island& island) { note(island); });
            report();
        }
    }
    ByteWriter diary;
    diary.put(failed_at);
    put_text(diary, failure);
    diary.put(std::uint64_t{clock.size()});
    diary.put_bytes(std::as_bytes(std::span{clock}));
    diary.put_bytes(std::as_bytes(std::span{reports}));
    const auto diaries = exchange_->gather(diary.take());

    failed_at = nobody;
    std::vector<ByteReader> readers;
    for (const auto& bytes : diaries) {
        ByteReader& reader = readers.emplace_back(bytes);
        const auto at = reader.get<std::uint64_t>();
        const std::string text = get_text(reader);
        if (at < failed_at) failure = text;
        failed_at = std::min(failed_at, at);
        std::vector<double> times(reader.get<std::uint64_t>());
        for (double& time : times) time = reader.get<double>();
        if (readers.size() == 1) clock = std::move(times); // the time of the run is that of its first member
    }
    std::uint64_t generation = first;
    for (; generation <= last && generation < failed_at && stopped_by_.empty(); ++generation) {
        Tally tally{problem_.objective()};
        for (std::uint32_t member = 0; member < readers.size(); ++member)
            for (std::uint32_t i = share_of(settings_.islands.count, exchange_->members(), member).count;
                 i > 0; --i)
                tally.add(readers[member].get<Report>());
        conclude(tally.status(generation, clock[generation - first + 1], problem_));
    }
    if (generation <= last && first > 0) {
        islands_ = backup_;
        for (std::uint64_t again = first; again < generation; ++again) breed_islands(again);
    }
    if (stopped_by_.empty() && failed_at != nobody) throw EvaluationError{failure};
    constexpr double talk_every = 0.2;
    const double each = (clock.back() - clock.front()) / static_cast<double>(last - first + 1);
    epoch_ = static_cast<std::uint64_t>(std::clamp(talk_every / std::max(each, 1e-9), 1.0, 1000.0));
}

// As migrate(), with emigrants that come and go between members. Everybody can tell who expects what from
// whom. A member whose islands are not sound any more still sends, because others wait; nobody will use it.
void Run::State::migrate_together(std::uint64_t generation, bool is_sound) {
    const Islands& plan = settings_.islands;
    const std::uint32_t members = exchange_->members();
    std::map<std::uint32_t, std::set<std::uint32_t>> wanted; // from a member: islands of it
    std::map<std::uint32_t, std::set<std::uint32_t>> given;  // to a member: islands of ours
    for (std::uint32_t island = 0; island < plan.count; ++island) {
        const std::uint32_t receiver = owner_of(plan.count, members, island);
        for (const std::uint32_t sender :
             senders_to(plan, island, settings_.seed, settings_.run, generation)) {
            if (own_.holds(island) && !own_.holds(sender))
                wanted[owner_of(plan.count, members, sender)].insert(sender);
            if (!own_.holds(island) && own_.holds(sender)) given[receiver].insert(sender);
        }
    }
    std::map<std::uint32_t, Population> groups;
    for (const Island& island : islands_)
        groups.emplace(island.index, choose_emigrants(plan, island, problem_.objective()));
    std::vector<Parcel> outgoing;
    for (const auto& [member, senders] : given) {
        ByteWriter out;
        for (const std::uint32_t sender : senders) put_population(out, groups.at(sender));
        outgoing.push_back({member, out.take()});
    }
    const Population blank{problem_.space(), plan.migrants};
    const std::size_t group_bytes = blank.bytes().size() + blank.fitness().size_bytes();
    std::vector<Parcel> incoming;
    for (const auto& [member, senders] : wanted)
        incoming.push_back({member, std::vector<std::byte>(group_bytes * senders.size())});
    exchange_->deliver(outgoing, incoming);
    if (!is_sound) return;
    for (const Parcel& parcel : incoming) {
        ByteReader in{parcel.bytes};
        for (const std::uint32_t sender : wanted.at(parcel.member))
            get_population(in, groups.emplace(sender, blank).first->second);
    }
    const Workshop workshop{problem_, stages_, settings_.hall_of_fame, nullptr, workers_};
    for (Island& island : islands_) {
        std::vector<const Population*> arrivals;
        for (const std::uint32_t sender :
             senders_to(plan, island.index, settings_.seed, settings_.run, generation))
            arrivals.push_back(&groups.at(sender));
        admit(plan, workshop, island, arrivals);
    }
}

// --- without waiting -----------------------------------------------------------

namespace {

enum class Letter : std::uint8_t { emigrants, reports, stop };

} // namespace

void Run::State::post(std::uint32_t member, ByteWriter message) {
    posted_.resize(exchange_->members());
    ++posted_[member];
    asynchronous_->post(member, message.take());
}

void Run::State::advance_apart(std::uint64_t first, std::uint64_t last) {
    const double began = seconds();
    guarded([&] {
        for (std::uint64_t generation = first; generation <= last; ++generation) breed_islands(generation);
    });
    read_post();
    if (migrates_at(last)) {
        migrate_apart(last);
        each_island([&](const Workshop& /*workshop*/, const Island& island) { note(island); });
    }
    const std::vector<Report>& own = newest_[exchange_->member()] = reports_;
    const double now = seconds();
    judge_sharing((now - began) / static_cast<double>(last - first + 1));
    epoch_ = static_cast<std::uint64_t>(
        std::clamp(0.2 * static_cast<double>(last - first + 1) / std::max(now - began, 1e-9), 1.0, 1000.0));
    if (exchange_->member() != 0) {
        ByteWriter report;
        report.put(Letter::reports);
        report.put_bytes(std::as_bytes(std::span{own}));
        post(0, std::move(report));
        status_.statistics.generation = last;
    } else {
        Tally tally{problem_.objective()};
        for (const auto& [member, reports] : newest_)
            for (const Report& report : reports) tally.add(report);
        conclude(tally.status(last, now, problem_));
        for (std::uint32_t member = 1; !stopped_by_.empty() && member < exchange_->members(); ++member) {
            ByteWriter stop;
            stop.put(Letter::stop);
            put_text(stop, stopped_by_);
            post(member, std::move(stop));
        }
    }
    if (!stopped_by_.empty()) settle();
}

void Run::State::migrate_apart(std::uint64_t generation) {
    const Islands& plan = settings_.islands;
    std::map<std::uint32_t, Population> groups;
    for (const Island& island : islands_)
        groups.emplace(island.index, choose_emigrants(plan, island, problem_.objective()));
    std::set<std::pair<std::uint32_t, std::uint32_t>> ways; // from an island of ours to a member
    for (std::uint32_t island = 0; island < plan.count; ++island)
        for (const std::uint32_t sender : senders_to(plan, island, settings_.seed, settings_.run, generation))
            if (own_.holds(sender) && !own_.holds(island))
                ways.emplace(sender, owner_of(plan.count, exchange_->members(), island));
    for (const auto& [sender, member] : ways) {
        ByteWriter letter;
        letter.put(Letter::emigrants);
        letter.put(sender);
        put_population(letter, groups.at(sender));
        post(member, std::move(letter));
    }
    const Workshop workshop{problem_, stages_, settings_.hall_of_fame, nullptr, workers_};
    for (Island& island : islands_) {
        std::vector<const Population*> arrivals;
        for (const std::uint32_t sender :
             senders_to(plan, island.index, settings_.seed, settings_.run, generation)) {
            if (const auto ours = groups.find(sender); ours != groups.end())
                arrivals.push_back(&ours->second);
            else if (const auto theirs = arrived_.find(sender); theirs != arrived_.end())
                arrivals.push_back(&theirs->second);
        }
        admit(plan, workshop, island, arrivals);
    }
    arrived_.clear();
}

void Run::State::read_post() {
    while (const auto letter = asynchronous_->poll()) {
        ++received_;
        ByteReader in{letter->bytes};
        switch (in.get<Letter>()) {
        case Letter::emigrants: {
            const auto sender = in.get<std::uint32_t>();
            Population group{problem_.space(), settings_.islands.migrants};
            get_population(in, group);
            arrived_.insert_or_assign(sender, std::move(group));
            break;
        }
        case Letter::reports: {
            std::vector<Report>& reports = newest_[letter->member];
            reports.clear();
            while (!in.empty()) reports.push_back(in.get<Report>());
            break;
        }
        case Letter::stop:
            stopped_by_ = get_text(in);
            break;
        }
    }
}

// At the end: everyone takes what is still on its way, and hears the last of all islands.
void Run::State::settle() {
    posted_.resize(exchange_->members());
    std::uint64_t expected = 0;
    for (const auto& bytes : exchange_->gather(std::as_bytes(std::span{posted_}))) {
        ByteReader in{bytes};
        in.take(exchange_->member() * sizeof(std::uint64_t));
        expected += in.get<std::uint64_t>();
    }
    while (received_ < expected) read_post();
    Tally tally{problem_.objective()};
    for (const auto& bytes : exchange_->gather(std::as_bytes(std::span{newest_[exchange_->member()]})))
        for (ByteReader in{bytes}; !in.empty();) tally.add(in.get<Report>());
    status_ = tally.status(status_.statistics.generation, seconds(), problem_);
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
    if (settings_.history != 0 && history_.back().generation != result.generations)
        result.history.push_back(status_.statistics);
    result.digest = digest_;
    for (const std::byte byte : result.best.bytes)
        result.digest = mix(result.digest, std::to_integer<unsigned>(byte));
    return result;
}

std::vector<std::byte> Run::State::head() const {
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
    return out.take();
}

SnapshotParts Run::State::snapshot_parts() const {
    SnapshotParts parts{.head = head(), .first = own_.first, .islands = {}};
    for (const Island& island : islands_) {
        ByteWriter out;
        put_island(out, island);
        parts.islands.push_back(out.take());
    }
    return parts;
}

std::vector<std::byte> Run::State::snapshot() const {
    ByteWriter out;
    out.put_bytes(head());
    if (exchange_ == nullptr) {
        for (const Island& island : islands_) put_island(out, island);
    } else {
        ByteWriter own;
        for (const Island& island : islands_) put_island(own, island);
        for (const auto& islands : exchange_->gather(own.take())) out.put_bytes(islands);
    }
    auto bytes = out.take();
    const std::uint64_t checksum = stable_hash(bytes);
    const auto tail = std::as_bytes(std::span{&checksum, 1});
    bytes.insert(bytes.end(), tail.begin(), tail.end());
    return bytes;
}

void Run::State::restore_head(ByteReader& in) {
    if (in.get<std::uint64_t>() != snapshot_magic) throw InvalidInput{"this is not a snapshot of a run"};
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
}

void Run::State::restore(std::span<const std::byte> snapshot) {
    std::uint64_t checksum = 0;
    if (snapshot.size() < 2 * sizeof(checksum)) throw InvalidInput{"the snapshot is truncated"};
    const auto content = snapshot.first(snapshot.size() - sizeof(checksum));
    std::memcpy(&checksum, content.data() + content.size(), sizeof(checksum));
    if (ByteReader{content}.get<std::uint64_t>() != snapshot_magic)
        throw InvalidInput{"this is not a snapshot of a run"};
    if (checksum != stable_hash(content))
        throw InvalidInput{"the snapshot is truncated or damaged: its checksum does not fit"};
    ByteReader in{content};
    restore_head(in);
    std::optional<Island> elsewhere; // is read over
    for (std::uint32_t index = 0; index < settings_.islands.count; ++index) {
        if (own_.holds(index)) {
            get_island(in, problem_.space(), islands_[index - own_.first]);
            continue;
        }
        if (!elsewhere)
            elsewhere.emplace(problem_.space(), settings_.population, 0, settings_.seed, settings_.run,
                              index);
        get_island(in, problem_.space(), *elsewhere);
    }
    if (!in.empty()) throw InvalidInput{"the snapshot is longer than it should be: it is damaged"};
    go_on();
}

void Run::State::restore(const SnapshotParts& parts) {
    std::vector<std::byte> common = parts.head;
    // Heads of the same generation may still differ in their times, and a stop rule may look at those.
    if (exchange_ != nullptr) common = exchange_->gather(common).front();
    ByteReader in{common};
    restore_head(in);
    if (!in.empty()) throw InvalidInput{"the snapshot is longer than it should be: it is damaged"};
    for (Island& island : islands_) {
        if (island.index - parts.first >= parts.islands.size())
            throw InvalidInput{fmt::format("the snapshot does not hold island {}", island.index)};
        ByteReader block{parts.islands[island.index - parts.first]};
        get_island(block, problem_.space(), island);
        if (!block.empty()) throw InvalidInput{"the snapshot is longer than it should be: it is damaged"};
    }
    go_on();
}

void Run::State::go_on() {
    seconds_before_ = status_.statistics.seconds;
    // The rules are asked anew, so that a run that had ended goes on under later ones.
    if (auto reason = settings_.stop.fires(status_, problem_.objective())) stopped_by_ = std::move(*reason);
}

std::uint64_t generation_of(std::span<const std::byte> snapshot) {
    ByteReader in{snapshot};
    if (in.get<std::uint64_t>() != snapshot_magic) throw InvalidInput{"this is not a snapshot of a run"};
    in.take(sizeof(Settings::seed) + sizeof(Settings::run) + sizeof(Islands::count) + sizeof(std::uint64_t));
    (void)get_space(in);
    return in.get<Statistics>().generation;
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
