#include <knossos/algorithms/algorithm.hpp>
#include <knossos/core/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace knossos {

namespace {

// Puts an island back as it was if the events of a generation don't all go through.
class Backup {
  public:
    explicit Backup(Island& island) : island_{island} {
        if (island.before)
            *island.before = island;
        else
            island.before.emplace(island);
    }
    Backup(const Backup&) = delete;
    Backup& operator=(const Backup&) = delete;
    ~Backup() {
        if (!kept_) std::swap(static_cast<IslandState&>(island_), *island_.before);
    }
    void keep() { kept_ = true; }

  private:
    Island& island_;
    bool kept_ = false;
};

// The best two go to the front and the worst two to the back; ties by the order in which they were drawn.
void sort_contestants(const Scores& scores, std::span<std::uint32_t> contestants) {
    for (std::size_t i = 1; i < contestants.size(); ++i) {
        const std::uint32_t moving = contestants[i];
        std::size_t place = i;
        for (; place > 0 && scores.better(moving, contestants[place - 1]); --place)
            contestants[place] = contestants[place - 1];
        contestants[place] = moving;
    }
}

void draw_different(Stream& stream, std::uint32_t population, std::span<std::uint32_t> drawn) {
    for (std::size_t i = 0; i < drawn.size(); ++i) {
        do drawn[i] = stream.below(population);
        while (std::ranges::find(drawn.first(i), drawn[i]) != drawn.begin() + static_cast<std::ptrdiff_t>(i));
    }
}

// Repairs, improves and evaluates the children that differ from their parents, counts what that took and
// notes the best.
void finish_children(const Context& context, Island& island, Population& children, std::span<bool> changed,
                     std::size_t first_slot) {
    const Problem& problem = context.problem;
    Worker& worker = context.workers[0];
    worker.rows.clear();
    std::array<std::uint64_t, 2> costs{};
    std::array<bool, 2> is_made{};
    for (std::uint32_t i = 0; i < changed.size(); ++i) {
        if (changed[i] && problem.repairs()) {
            Stream stream = island.streams(Purpose::repair)(first_slot + i);
            problem.repair(stream, children.genome(i));
        }
        if (context.stages.improve) {
            Stream stream = island.streams(Purpose::improve)(first_slot + i);
            if (context.stages.improve->wanted(stream)) {
                const Improved improved =
                    improve_one(context, island, worker, stream, first_slot + i, children.genome(i));
                children.fitness()[i] = improved.fitness;
                costs[i] = improved.evaluations;
                is_made[i] = true;
                continue;
            }
        }
        if (changed[i]) {
            costs[i] = 1;
            // No more are made than can be counted.
            is_made[i] = worker.rows.size() < island.left();
            if (is_made[i]) worker.rows.push_back(i);
        }
    }
    evaluate_rows(context, island, children, worker, nullptr, first_slot);
    for (std::size_t i = 0; i < changed.size(); ++i) {
        if (costs[i] == 0) continue;
        if (costs[i] > island.left()) {
            std::uint64_t uncounted = 0;
            for (std::size_t j = i; j < changed.size(); ++j)
                if (is_made[j]) uncounted += costs[j];
            spend(island, island, uncounted); // Backup puts back what was before
        }
        island.evaluations += costs[i];
        remember(context, island, children, i, island.evaluations);
    }
}

} // namespace

void SteadyState::check(const Problem& problem, const Stages& stages, std::size_t population,
                        std::size_t /*offspring*/) const {
    if (tournament != 0 && (tournament < 4 || tournament > population))
        throw InvalidSetting{"algorithm", name, "tournament",
                             fmt::format("is {}; it must be 0 or in 4..{} (two parents, two losers, at most "
                                         "the population)",
                                         tournament, population)};
    if (tournament == 0) {
        if (population < 2)
            throw InvalidSetting{"algorithm", "", "population",
                                 fmt::format("is {}; it must be at least 2", population)};
        stages.select.check(population);
        stages.select.check_schema(problem.schema());
        stages.replace.check(population, 2);
    }
    if (stages.operations)
        throw InvalidInput{
            "operations: an operation mix needs the generational or (μ + λ) algorithm; steady-state "
            "recombines and mutates in every mating event"};
    stages.recombine.check(problem.space());
    stages.mutate.check(problem.space());
    if (stages.improve) stages.improve->check(problem);
}

std::size_t SteadyState::offspring_buffer(std::size_t /*population*/, std::size_t /*offspring*/) { return 0; }

void SteadyState::step(const Context& context, Island& island) const {
    Backup backup{island};
    const std::size_t count = events != 0 ? events : std::max<std::size_t>(island.current.size() / 2, 1);
    const bool already = context.problem.solved_by(island.hall.front().quality);
    Population children{island.current.space(), 2, island.current.columns()};
    SelectionMeter meter{context.problem.schema(), island.current};
    // The population changes with every event: often enough is when a few in a hundred have been replaced.
    const std::size_t renewed_every = std::max<std::size_t>(island.current.size() / 32, 1);
    for (std::size_t event = 0; event < count; ++event) {
        if (event % renewed_every == 0) meter.renew(island.current);
        mating_event(context, island, event, children, meter);
        ++island.steps;
        if (!already && context.problem.solved_by(island.hall.front().quality)) break;
    }
    backup.keep();
}

void SteadyState::mating_event(const Context& context, Island& island, std::size_t event,
                               Population& children, SelectionMeter& meter) const {
    const Problem& problem = context.problem;
    Worker& worker = context.workers[0];
    rank_together(problem.schema(), island.current);
    const Scores scores = scores_of(problem.schema(), island.current);
    const StageStreams selecting = island.streams(Purpose::select);
    std::array<std::uint32_t, 2> parents{};
    const std::span<std::uint32_t> contestants = worker.scratch.third(tournament);
    if (tournament != 0) {
        Stream stream = selecting(event);
        draw_different(stream, static_cast<std::uint32_t>(scores.size()), contestants);
        sort_contestants(scores, contestants);
        parents = {contestants[0], contestants[1]};
    } else {
        Stream table_stream = island.streams(Purpose::prepare)(event);
        context.stages.select.prepare(table_stream, scores, 2, island.table);
        // Slots of a selection are numbered within one preparation, so the event chooses the stream by the
        // generation's.
        const StageStreams of_event{selecting.key, selecting.generation << 32U | event};
        context.stages.select.pick(of_event, scores, island.table, 0, parents);
    }
    meter.add(island.current, parents);
    island.selection_intensity = meter.intensity(); // now: the budget may end the generation at any child
    std::array<bool, 2> changed{};
    for (std::size_t i = 0; i < 2; ++i) children.copy_from(island.current, parents[i], i);
    Couple couple{children.genome(0), children.genome(1), static_cast<std::uint32_t>(event)};
    context.stages.recombine.cross(island.streams(Purpose::recombine), problem.space(), {&couple, 1},
                                   worker.scratch, false);
    for (std::size_t i = 0; i < 2; ++i) {
        const auto slot = static_cast<std::uint32_t>(2 * event + i);
        Mutant mutant{children.genome(i), slot};
        context.stages.mutate.mutate(island.streams(Purpose::mutate), problem.space(), {&mutant, 1},
                                     worker.scratch, false);
        changed[i] = couple.changed || mutant.changed;
    }
    finish_children(context, island, children, changed, 2 * event);
    if (tournament != 0) {
        island.current.copy_from(children, 0, contestants[contestants.size() - 1]);
        island.current.copy_from(children, 1, contestants[contestants.size() - 2]);
        return;
    }
    Stream stream = island.streams(Purpose::replace)(event);
    rank_together(problem.schema(), island.current, &children);
    context.stages.replace(stream, Succession{.current = island.current,
                                              .offspring = children,
                                              .parents = parents,
                                              .schema = problem.schema(),
                                              .order = island.order});
}

void Duel::check(const Problem& problem, const Stages& stages, std::size_t population,
                 std::size_t /*offspring*/) {
    if (population != 2)
        throw InvalidSetting{"algorithm", "", "population",
                             fmt::format("is {}; a duel is fought by exactly 2", population)};
    if (stages.improve)
        throw InvalidInput{"improve: a duel has no improvement stage; use knockout or generational"};
    if (stages.operations) throw InvalidInput{"operations: a duel only mutates; it has no operation mix"};
    if (!stages.recombine.only_copies())
        throw InvalidInput{"recombine: a duel only mutates; crossover needs steady-state or generational"};
    stages.mutate.check(problem.space());
}

// A round is a contest: the two random boards fight one before there is any mutant.
void Duel::begin(Island& island) { ++island.steps; }

// Who stands against whom in the newest round, and what becomes of it.
std::string Duel::remark(const Schema& schema, const Island& island) {
    const Population& pair = island.current;
    const std::uint32_t mutant = island.kept.as<State>().newest;
    const Quality newer = quality_of(pair, mutant);
    const Quality older = quality_of(pair, 1 - mutant);
    const bool is_tie = newer == older;
    const bool goes_on = is_tie || better(schema.objective(), newer, older);
    return fmt::format("round {}: the mutant has {:.6g}, the other {:.6g}; {}", island.steps, newer.fitness,
                       older.fitness,
                       is_tie    ? "a tie goes to the mutant"
                       : goes_on ? "the mutant wins"
                                 : "the other wins");
}

std::vector<Contestant> Duel::contestants(const Island& island) {
    const std::uint32_t mutant = island.kept.as<State>().newest;
    return {{"mutant", mutant}, {"other", 1 - mutant}};
}

std::size_t Duel::offspring_buffer(std::size_t /*population*/, std::size_t /*offspring*/) { return 0; }

void Duel::step(const Context& context, Island& island) const {
    Backup backup{island};
    const Problem& problem = context.problem;
    const Space& space = problem.space();
    Population& pair = island.current;
    std::uint32_t& newest = island.kept.as<State>().newest;
    const StageStreams streams = island.streams(Purpose::mutate);
    StreamsAhead ahead{streams, context.stages.mutate.random_blocks()};
    const bool already = problem.solved_by(island.hall.front().quality);
    for (std::uint32_t round = 0; round < rounds; ++round) {
        const std::uint32_t older = 1 - newest;
        rank_together(problem.schema(), pair);
        const bool older_wins = scores_of(problem.schema(), pair).better(older, newest);
        const std::uint32_t loser = older_wins ? newest : older;
        std::memcpy(pair.genome(loser), pair.genome(1 - loser), pair.stride());
        Mutant mutant{pair.genome(loser), round};
        context.stages.mutate.mutate(ahead.from(round), space, {&mutant, 1}, context.workers[0].scratch,
                                     true);
        if (problem.repairs()) {
            Stream stream = island.streams(Purpose::repair)(round);
            problem.repair(stream, pair.genome(loser));
        }
        evaluate_one(context, island, pair, loser);
        ++island.steps;
        newest = loser;
        const bool best = remember(context, island, pair, loser, island.evaluations);
        if (best && !already && problem.solved_by(quality_of(pair, loser))) break;
    }
    backup.keep();
}

} // namespace knossos
