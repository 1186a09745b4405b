#include "run/island_bytes.hpp"
#include "run/run_state.hpp"

#include <algorithm>
#include <set>

namespace knossos {

namespace {

constexpr std::uint64_t unlimited = ~std::uint64_t{0};
constexpr std::uint64_t most_generations = 1000;  // of an epoch: their reports are kept
constexpr std::uint64_t most_copied = 64'000'000; // bytes of populations to go back to

} // namespace

std::string message_of(const std::exception_ptr& thrown) {
    try {
        std::rethrow_exception(thrown);
    } catch (const std::exception& error) {
        return error.what();
    }
}

void Run::State::start() { run_epoch(0, 0); }

void Run::State::step() {
    if (finished()) return;
    const std::uint64_t next = status_.statistics.generation + 1;
    run_epoch(next, next);
}

void Run::State::advance(bool is_watched) {
    if (finished()) return;
    const std::uint64_t done = status_.statistics.generation;
    // One island has nobody to wait for, and those that go together wait in every generation.
    if (exchange_ == nullptr && (settings_.islands.count == 1 || is_together_))
        return run_epoch(done + 1, done + 1);
    const bool is_heard =
        is_watched || settings_.on_generation.is_set() || settings_.stop.limit(StopKind::seconds);
    run_epoch(done + 1, end_of_epoch(done, is_heard));
}

// The generation up to which islands go on without hearing from each other: the next migration, or earlier if
// that is far off and somebody wants to hear how far the run is, be it to save, show or end it.
std::uint64_t Run::State::end_of_epoch(std::uint64_t generation, bool is_heard) const {
    std::uint64_t end = generation + generations_heard_;
    if (!is_heard && exchange_ == nullptr) {
        // Then it may take long, and nothing that took long is made twice: copies are kept.
        const std::uint64_t bytes = islands_.size() * islands_.front().current.bytes().size() + 1;
        end = generation + std::max(generations_heard_, std::min(most_generations, most_copied / bytes));
    }
    const std::uint64_t interval = settings_.islands.interval;
    if (settings_.islands.count > 1) end = std::min(end, generation - generation % interval + interval);
    if (const auto limit = settings_.stop.limit(StopKind::generations);
        limit && *limit > static_cast<double>(generation) && *limit < static_cast<double>(end))
        end = static_cast<std::uint64_t>(std::ceil(*limit));
    // Near the end of the budget every island has to know its share before a generation.
    if (budget_)
        end = std::min(end, generation + std::max<std::uint64_t>(left_of_budget() / (2 * newest_cost_), 1));
    return end;
}

void Run::State::plan_epoch(double generation_seconds) {
    constexpr double talk_every = 0.2;
    generations_heard_ = static_cast<std::uint64_t>(std::clamp(
        talk_every / std::max(generation_seconds, 1e-9), 1.0, static_cast<double>(most_generations)));
}

std::uint64_t Run::State::left_of_budget() const {
    return *budget_ - std::min(*budget_, status_.statistics.evaluations);
}

bool Run::State::migrates_at(std::uint64_t generation) const {
    const Islands& plan = settings_.islands;
    return generation > 0 && plan.count > 1 && plan.migrants > 0 && generation % plan.interval == 0;
}

// The evaluations that an island may make in the generation that follows: what is left of the budget, dealt
// evenly; those in front get what can't be dealt.
std::uint64_t Run::State::share_of_budget(std::uint32_t island, std::uint64_t left) const {
    return left / settings_.islands.count + (island < left % settings_.islands.count ? 1 : 0);
}

// Generations first..last. Every island goes by itself and notes what each generation looked like; then they
// migrate, and all notes are read, generation by generation in the order of the islands, whoever made them.
// If that shows that the run had to end earlier, or that an evaluation failed somewhere, the islands go back
// and repeat what remains valid.
void Run::State::run_epoch(std::uint64_t first, std::uint64_t last) {
    begin_epoch(first, last);
    breed_epoch();
    if (asynchronous_ != nullptr && first > 0) return end_epoch_apart();
    if (migrates_at(last)) migrate_or_fail();
    const std::vector<Report> gathered = exchange_ == nullptr ? std::vector<Report>{} : gather_reports();
    const std::span<const Report> reports = exchange_ == nullptr ? reports_ : gathered;
    std::uint64_t next = first; // the first generation that is not part of the run
    bool exceeds = false;
    try {
        for (; next <= last && next < failure_.generation && !finished(); ++next) {
            const Tally tally = tally_of(reports, next - first);
            exceeds = first != last && exceeds_budget(tally, reports, next - first);
            if (exceeds) break;
            conclude(tally, next);
        }
    } catch (...) { // a callback's
        if (before_cut_)
            go_back_to(first - 1);
        else if (next < last)
            go_back_to(next);
        throw;
    }
    const double taken = clock_.back() - epoch_began_;
    judge_sharing(taken, last - first + 1);
    plan_epoch(taken / static_cast<double>(last - first + 1));
    if (before_cut_)
        go_back_to(first - 1);
    else if (next <= last && first > 0)
        go_back_to(next - 1);
    if (exceeds) return run_epoch(next, next);
    if (finished() || failure_.generation == unlimited) return;
    if (failure_.thrown) std::rethrow_exception(failure_.thrown);
    throw EvaluationError{failure_.text};
}

void Run::State::begin_epoch(std::uint64_t first, std::uint64_t last) {
    epoch_ = {first, last};
    epoch_end_.store(unlimited, std::memory_order_relaxed);
    epoch_began_ = status_.statistics.seconds;
    if (failure_.generation != unlimited) failure_ = {};
    const std::size_t generations = last - first + 1;
    if (clock_.size() != generations) {
        clock_.resize(generations);
        reports_.resize(islands_.size() * generations);
    }
    tallies_.clear();
    has_shares_ = budget_ && first > 0 && (first == last || asynchronous_ != nullptr);
    // One island puts itself right after a generation that failed; of several, some may have gone on, unless
    // all go together, as breed_together() has it.
    const bool all_have_enough =
        !has_shares_ || islands_.empty() ||
        left_of_budget() / settings_.islands.count >= settings_.algorithm.most_evaluations(islands_.front());
    keeps_backup_ =
        asynchronous_ == nullptr && first > 0 &&
        (last > first ||
         (settings_.islands.count > 1 && (!is_together_ || migrates_at(last) || !all_have_enough)) ||
         settings_.restart.stagnation != 0 || (has_shares_ && left_of_budget() < 2 * newest_cost_));
    if (keeps_backup_ && backup_.empty()) backup_.assign(islands_.begin(), islands_.end());
    if (migrates_at(last) && emigrants_.empty())
        emigrants_.assign(islands_.size(), blank_population(settings_.islands.migrants));
    copies_.clear();
    if (last == first) return;
    std::ranges::fill(clock_, epoch_began_);
    before_epoch_ = {status_, idle_, digest_, {}, history_interval_};
    history_before_ = history_.size();
    // Copied only if it may be thinned out: usually it just grows.
    if (history_.size() + generations > most_history()) before_epoch_.history = history_;
    if (generations > generations_heard_) copies_.resize(islands_.size());
}

// In an epoch of several generations nobody knows what is left for the later ones: that is looked at
// afterwards. Those who don't wait for each other divide the whole budget.
void Run::State::give_share(Island& island) const {
    if (!has_shares_)
        island.most_evaluations = unlimited;
    else if (asynchronous_ != nullptr)
        island.most_evaluations = share_of_budget(island.index, *budget_);
    else
        island.most_evaluations = island.evaluations + share_of_budget(island.index, left_of_budget());
}

void Run::State::back_up(Island& island) {
    if (!keeps_backup_) return;
    settings_.algorithm.fetch(island);
    backup_[island.index - own_.first] = island;
}

void Run::State::prepare_generation(Island& island, std::uint64_t generation) const {
    island.generation = generation;
    island.needed = 0;
    island.selection_intensity = 0.0;
}

// Takes all islands to the next generation at once. False, having done nothing, if that has to be done one by
// one: in the first generation, and where a share of the budget may not be enough for a whole one.
bool Run::State::breed_together() {
    const std::uint64_t generation = epoch_.first;
    if (!is_together_ || generation == 0) return false;
    counted_before_.resize(islands_.size());
    std::atomic<bool> have_enough = true;
    each_island([&](const Context& /*context*/, Island& island) {
        give_share(island);
        if (island.cut || island.left() < settings_.algorithm.most_evaluations(island))
            have_enough.store(false, std::memory_order_relaxed);
        counted_before_[island.index - own_.first] = island.evaluations;
    });
    if (!have_enough) return false;
    each_island([&](const Context& /*context*/, Island& island) {
        back_up(island);
        prepare_generation(island, generation);
    });
    guarded([&] {
        settings_.algorithm.step_together(context_for(is_shared() ? &pool_ : nullptr, workers_), islands_);
    });
    return true;
}

void Run::State::breed_epoch() {
    bool is_bred = false;
    try {
        is_bred = breed_together();
    } catch (...) {
        for (Island& island : islands_) island.generation = epoch_.first - 1;
        return fail(islands_.front(), epoch_.first);
    }
    each_island([&](const Context& context, Island& island) {
        if (!is_bred) {
            back_up(island);
            give_share(island);
        }
        for (std::uint64_t generation = epoch_.first; generation <= epoch_.last; ++generation) {
            if (generation > epoch_end_ || island.cut) return;
            if (!is_bred) prepare_generation(island, generation);
            const std::uint64_t evaluations =
                is_bred ? counted_before_[island.index - own_.first] : island.evaluations;
            const bool migrates = migrates_at(generation);
            try {
                guarded([&] {
                    breed_island(context, island, is_bred);
                    if (migrates) settings_.algorithm.fetch(island);
                    if (migrates && asynchronous_ == nullptr)
                        emigrants_[island.index - own_.first] =
                            choose_emigrants(settings_.islands, island, problem_.schema());
                });
            } catch (...) {
                return fail(island, generation);
            }
            island.spent = std::max(island.finds().evaluations - evaluations, island.needed);
            if (island.index == own_.first) clock_[generation - epoch_.first] = seconds();
            if (!migrates) note(island);
            if (!copies_.empty()) settings_.algorithm.fetch(island);
            if (!copies_.empty()) copies_[island.index - own_.first].emplace_back(island);
            if (generation < epoch_.last && ends_run(merit_of(problem_.schema(), island.finds())))
                end_epoch_at(generation);
        }
    });
}

bool Run::State::ends_run(const Quality& merit) const {
    return settings_.stop.ends_at(merit, problem_.reached(merit), problem_.schema().merit_objective());
}

// Who fails, or meets a rule that ends the run, tells the others, who need not go further then.
void Run::State::end_epoch_at(std::uint64_t generation) {
    std::uint64_t end = epoch_end_;
    while (generation < end && !epoch_end_.compare_exchange_weak(end, generation)) {
    }
}

// Of several failures the earliest is told, of those the one of the lowest island, whichever came first.
void Run::State::fail(Island& island, std::uint64_t generation) {
    island.generation = generation - 1;
    end_epoch_at(generation);
    const std::scoped_lock lock{failure_mutex_};
    if (std::pair{generation, island.index} < std::pair{failure_.generation, failure_.island})
        failure_ = {generation, island.index, std::current_exception(), {}};
}

void Run::State::breed_island(const Context& context, Island& island, bool is_bred) const {
    if (island.generation == 0) {
        populate(context, island, start_of(island));
        settings_.algorithm.begin(context, island);
    } else {
        breed_or_restart(context, island, is_bred);
    }
    update_merit(problem_.schema(), island.cut ? *island.cut : island, island.generation);
}

// The genomes that an island is dealt.
std::vector<const std::byte*> Run::State::start_of(const Island& island) const {
    std::vector<const std::byte*> dealt;
    for (std::size_t i = island.index; i < settings_.start.size(); i += settings_.islands.count)
        dealt.push_back(settings_.start[i].bytes.data());
    return dealt;
}

void Run::State::breed_or_restart(const Context& context, Island& island, bool is_bred) const {
    const std::uint64_t patience = settings_.restart.stagnation;
    try {
        if (!is_bred) settings_.algorithm.step(context, island);
        if (island.evaluations > island.most_evaluations) { // it counts by itself and has not looked
            island.uncounted = island.evaluations - island.most_evaluations;
            island.evaluations = island.most_evaluations;
            island.cut = static_cast<Finds&>(island);
            return;
        }
        if (patience == 0 || island.generation - island.improved_at < patience) return;
        ++island.restarts;
        island.kept = settings_.algorithm.initial_state();
        populate(context, island);
        settings_.algorithm.begin(context, island);
    } catch (const BudgetSpent&) { // NOLINT(bugprone-empty-catch): island.cut says what was found
    }
}

bool Run::State::exceeds_budget(const Tally& tally, std::span<const Report> reports, std::size_t row) const {
    if (!budget_ || tally.most_spent() <= left_of_budget() / settings_.islands.count) return false;
    for (std::uint32_t island = 0; island < settings_.islands.count; ++island)
        if (reports[island * clock_.size() + row].spent > share_of_budget(island, left_of_budget()))
            return true;
    return false;
}

// To the state after a generation of this epoch, or after the one before it.
void Run::State::go_back_to(std::uint64_t generation) {
    for (std::size_t i = 0; i < islands_.size(); ++i) {
        Island& island = islands_[i];
        if (before_cut_ && !island.cut) island.cut = static_cast<Finds&>(island);
        if (keeps_backup_) static_cast<IslandState&>(island) = backup_[i];
        island.generation = epoch_.first - 1;
        island.most_evaluations = unlimited;
        if (generation < epoch_.first || copies_.empty()) continue;
        static_cast<IslandState&>(island) = copies_[i][generation - epoch_.first];
    }
    if (generation >= epoch_.first && copies_.empty()) repeat_up_to(generation);
}

// An evaluation that has begun to fail in between can't be repeated: then the run goes back to where the
// epoch began.
void Run::State::repeat_up_to(std::uint64_t generation) {
    std::string fault;
    try {
        for (std::uint64_t again = epoch_.first; again <= generation; ++again)
            each_island([&](const Context& context, Island& island) {
                island.generation = again;
                guarded([&] { breed_island(context, island); });
            });
    } catch (const std::exception& error) {
        fault = error.what();
    }
    if (exchange_ != nullptr) fault = first_fault(*exchange_, fault);
    if (fault.empty()) return;
    for (std::size_t i = 0; i < islands_.size(); ++i) static_cast<IslandState&>(islands_[i]) = backup_[i];
    status_ = before_epoch_.status;
    idle_ = before_epoch_.idle;
    digest_ = before_epoch_.digest;
    if (history_before_ + epoch_.last - epoch_.first + 1 > most_history()) history_ = before_epoch_.history;
    history_.resize(history_before_);
    history_interval_ = before_epoch_.history_interval;
    stopped_by_.clear();
    stopped_by_time_ = false;
    throw EvaluationError{fault};
}

Report Run::State::report_of(const Island& island) const {
    const Finds& finds = island.finds();
    const Archive* const archive = keeps_archive_ ? settings_.algorithm.archive(island) : nullptr;
    return {.moments = moments_of(island, problem_.schema(), settings_.diversity_pairs),
            .evaluations = finds.evaluations,
            .steps = finds.steps,
            .selection_intensity = island.selection_intensity,
            .spent = island.spent,
            .uncounted = island.uncounted,
            .improved_at = finds.improved_at,
            .best_ever = finds.hall.front().quality,
            .merit = merit_of(problem_.schema(), finds),
            .coverage = archive != nullptr ? archive->coverage() : 0.0,
            .qd_score = archive != nullptr ? archive->qd_score() : 0.0,
            .is_cut = island.cut ? 1U : 0U};
}

void Run::State::note(const Island& island) {
    const std::size_t row = island.generation - epoch_.first;
    reports_[(island.index - own_.first) * clock_.size() + row] = report_of(island);
}

// The reports of a generation taken together, unless an island's thread has done so.
Tally Run::State::tally_of(std::span<const Report> reports, std::size_t row) const {
    if (row < tallies_.size()) return tallies_[row];
    Tally tally{problem_.schema()};
    for (std::size_t i = row; i < reports.size(); i += clock_.size()) tally.add(reports[i]);
    return tally;
}

// An island's share of the generations before the migration. Reports lie in the caches of many processors,
// and while one thread fetched them all, the others would have nothing to do.
void Run::State::tally_some(std::size_t own_island) {
    for (std::size_t row = own_island; row < tallies_.size(); row += islands_.size())
        for (std::size_t i = row; i < reports_.size(); i += clock_.size()) tallies_[row].add(reports_[i]);
}

// What all members noted of their islands, in the order of the islands. Times are those of the first
// member; of failures the earliest is everybody's.
std::vector<Report> Run::State::gather_reports() {
    ByteWriter own;
    own.put(failure_.generation);
    own.put_text(failure_.thrown ? message_of(failure_.thrown) : "");
    own.put(epoch_began_);
    own.put_bytes(std::as_bytes(std::span{clock_}));
    own.put_bytes(std::as_bytes(std::span{reports_}));
    const auto members = exchange_->gather(own.take());
    failure_ = {};
    const std::size_t generations = clock_.size();
    std::vector<Report> all;
    all.reserve(generations * settings_.islands.count);
    std::vector<double> times(generations + 1);
    for (std::uint32_t member = 0; member < members.size(); ++member) {
        ByteReader in{members[member]};
        const auto failed_at = in.get<std::uint64_t>();
        std::string text = in.get_text();
        if (failed_at < failure_.generation) failure_ = {failed_at, 0, nullptr, std::move(text)};
        for (double& time : times) time = in.get<double>();
        if (member == 0) {
            epoch_began_ = times.front();
            clock_.assign(times.begin() + 1, times.end());
        }
        while (!in.empty()) all.push_back(in.get<Report>());
    }
    return all;
}

// What a generation looked like as a whole, and whether it is the last. One that was cut leaves the
// populations as they were.
void Run::State::conclude(const Tally& tally, std::uint64_t generation) {
    Status now = tally.status(generation, clock_[generation - epoch_.first], problem_);
    if (tally.is_cut()) {
        before_cut_ = Whole{status_, idle_, digest_, history_, history_interval_};
        uncounted_ = tally.uncounted();
        const Statistics& whole = status_.statistics;
        now.statistics.best = whole.best;
        now.statistics.mean = whole.mean;
        now.statistics.worst = whole.worst;
        now.statistics.deviation = whole.deviation;
        now.statistics.diversity = whole.diversity;
        now.statistics.feasible = whole.feasible;
        now.statistics.worst_violation = whole.worst_violation;
        now.statistics.coverage = whole.coverage;
        now.statistics.qd_score = whole.qd_score;
    } else if (keeps_archive_ && migrates_at(generation)) {
        // Islands have just heard from each other: it is known what they have together. An epoch ends with a
        // migration, so that they are at this generation.
        const auto together = gallery();
        now.statistics.coverage = together->coverage;
        now.statistics.qd_score = together->qd_score;
    }
    newest_cost_ = std::max<std::uint64_t>(now.statistics.evaluations - status_.statistics.evaluations, 1);
    conclude(now, tally.is_cut());
}

// A generation that did not come to its end everywhere has no migration. Of one that ended by its budget that
// has to be known before, as what an island has found by then counts.
void Run::State::migrate_if_sound() {
    const bool is_cut = has_shares_ && std::ranges::any_of(islands_, [](const Island& island) {
                            return island.cut.has_value();
                        });
    const bool is_complete = failure_.generation == unlimited && epoch_end_ >= epoch_.last;
    bool is_sound = is_complete && !is_cut;
    if (has_shares_ && exchange_ != nullptr)
        is_sound = first_fault(*exchange_, is_sound ? "" : "unsound").empty();
    // A member whose islands are not sound any more still sends, because others wait; nobody will use it.
    std::map<std::uint32_t, Population> arrivals;
    if (exchange_ != nullptr && (!has_shares_ || is_sound)) arrivals = exchange_emigrants();
    if (is_sound && exchange_ == nullptr) tallies_.assign(clock_.size() - 1, Tally{problem_.schema()});
    if (is_sound)
        admit_from(
            epoch_.last,
            [&](std::uint32_t sender) {
                return own_.holds(sender) ? &emigrants_[sender - own_.first] : &arrivals.at(sender);
            },
            true);
    else if (is_complete)
        each_island([&](const Context& /*context*/, const Island& island) { note(island); });
}

// A topology or policy of somebody's own may break its promise in any generation: like an evaluation that
// fails, that ends the run at the last generation before.
void Run::State::migrate_or_fail() {
    const auto fail_all = [&] {
        tallies_.clear();
        if (epoch_.last < failure_.generation) failure_ = {epoch_.last, 0, std::current_exception(), {}};
    };
    try {
        migrate_if_sound();
    } catch (const InvalidInput&) {
        fail_all();
    } catch (const EvaluationError&) {
        fail_all();
    }
}

// Emigrants come and go between islands of different members. Everybody can tell who expects what from whom.
std::map<std::uint32_t, Population> Run::State::exchange_emigrants() {
    const Islands& plan = settings_.islands;
    const std::uint32_t members = exchange_->members();
    std::map<std::uint32_t, std::set<std::uint32_t>> wanted; // from a member: islands of it
    std::map<std::uint32_t, std::set<std::uint32_t>> given;  // to a member: islands of ours
    for (std::uint32_t island = 0; island < plan.count; ++island) {
        const std::uint32_t receiver = owner_of(plan.count, members, island);
        for (const std::uint32_t sender :
             senders_to(plan, island, settings_.seed, settings_.run, epoch_.last)) {
            if (own_.holds(island) && !own_.holds(sender))
                wanted[owner_of(plan.count, members, sender)].insert(sender);
            if (!own_.holds(island) && own_.holds(sender)) given[receiver].insert(sender);
        }
    }
    std::vector<MemberMessage> outgoing;
    for (const auto& [member, senders] : given) {
        ByteWriter out;
        for (const std::uint32_t sender : senders) put_population(out, emigrants_[sender - own_.first]);
        outgoing.push_back({member, out.take()});
    }
    const Population blank = blank_population(plan.migrants);
    const std::size_t group_bytes = blank.bytes().size() + blank.columns() * blank.fitness().size_bytes();
    std::vector<MemberMessage> incoming;
    for (const auto& [member, senders] : wanted)
        incoming.push_back({member, std::vector<std::byte>(group_bytes * senders.size())});
    exchange_->deliver(outgoing, incoming);
    std::map<std::uint32_t, Population> arrivals;
    for (const MemberMessage& message : incoming) {
        ByteReader in{message.bytes};
        for (const std::uint32_t sender : wanted.at(message.member))
            get_population(in, problem_.schema(), arrivals.emplace(sender, blank).first->second);
    }
    return arrivals;
}

void Run::State::admit_from(std::uint64_t generation,
                            const std::function<const Population*(std::uint32_t)>& group_of, bool is_noted) {
    const Islands& plan = settings_.islands;
    each_island([&](const Context& context, Island& island) {
        guarded([&] {
            std::vector<const Population*> arrivals;
            for (const std::uint32_t sender :
                 senders_to(plan, island.index, settings_.seed, settings_.run, generation))
                if (const Population* const group = group_of(sender)) arrivals.push_back(group);
            if (!settings_.algorithm.admit(context, island, arrivals)) admit(plan, context, island, arrivals);
        });
        update_merit(problem_.schema(), island, generation);
        if (!is_noted) return;
        note(island);
        tally_some(island.index - own_.first);
    });
}

// Waking the other threads costs some microseconds: not worth it for what is done in that time. Whole islands
// are dealt once an epoch, parts of one in every generation. Who breeds never changes what is bred.
void Run::State::judge_sharing(double epoch_seconds, std::uint64_t generations) {
    if (pool_.size() == 1) return;
    constexpr double worth = 150e-6;
    const bool whole_islands = islands_.size() >= pool_.size();
    const double between_wakings =
        whole_islands ? epoch_seconds : epoch_seconds / static_cast<double>(generations);
    // What is shared among many takes them a part of the time that it would take one.
    const double least = !worth_sharing_ ? worth
                         : whole_islands ? worth / static_cast<double>(pool_.size())
                                         : worth / 2;
    worth_sharing_ = between_wakings > least;
    std::uint64_t evaluations = exchange_ == nullptr ? status_.statistics.evaluations : 0;
    if (exchange_ != nullptr)
        for (const Island& island : islands_) evaluations += island.evaluations;
    const std::uint64_t made = evaluations - std::min(judged_evaluations_, evaluations);
    judged_evaluations_ = evaluations;
    if (made == 0) return;
    // Dealt one by one they are made side by side, and seem to take a share of their time.
    constexpr double slow = 50e-6;
    const double seems = epoch_seconds / static_cast<double>(made);
    slow_ = seems > (slow_ ? slow / (2.0 * static_cast<double>(pool_.size())) : slow);
}

} // namespace knossos
