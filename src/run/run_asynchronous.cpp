#include "run/island_bytes.hpp"
#include "run/run_state.hpp"

#include <algorithm>
#include <set>
#include <thread>

namespace knossos {

namespace {

enum class MessageKind : std::uint8_t { emigrants, reports, stop };

} // namespace

void Run::State::post(std::uint32_t member, ByteWriter message) {
    posted_.resize(exchange_->members());
    ++posted_[member];
    asynchronous_->post(member, message.take());
}

// Islands have gone on by themselves. What others posted meanwhile is taken in, and the first member is told
// how far it is here.
void Run::State::end_epoch_apart() {
    if (failure_.thrown) {
        stopped_by_ = "failure";
        tell_to_stop();
        return settle(message_of(failure_.thrown));
    }
    read_post();
    const std::uint64_t last = epoch_.last;
    const bool is_spent =
        std::ranges::all_of(islands_, [](const Island& island) { return island.cut.has_value(); });
    if (migrates_at(last) && !is_spent) migrate_apart(last);
    std::vector<Report>& own = newest_[exchange_->member()];
    own.clear();
    for (const Island& island : islands_) own.push_back(report_of(island));
    const double taken = seconds() - epoch_began_;
    judge_sharing(taken, last - epoch_.first + 1);
    plan_epoch(taken / static_cast<double>(last - epoch_.first + 1));
    if (exchange_->member() == 0) {
        conclude_apart(last);
    } else {
        ByteWriter report;
        report.put(MessageKind::reports);
        report.put_bytes(std::as_bytes(std::span{own}));
        post(0, std::move(report));
        status_.statistics.generation = last;
    }
    // Whoever has spent the evaluations of all its islands only waits for the end.
    while (is_spent && !finished()) {
        const std::uint64_t before = received_;
        read_post();
        if (received_ == before)
            std::this_thread::yield();
        else if (exchange_->member() == 0)
            conclude_apart(last);
    }
    if (finished()) settle("");
}

// What the first member makes of the newest it has heard from everyone.
void Run::State::conclude_apart(std::uint64_t generation) {
    if (finished()) return;
    Tally tally{problem_.schema()};
    std::size_t spent = 0;
    for (const auto& [member, reports] : newest_)
        for (const Report& report : reports) {
            tally.add(report);
            spent += report.is_cut;
        }
    conclude(tally.status(generation, seconds(), problem_));
    if (spent == settings_.islands.count && !finished()) stopped_by_ = evaluations(*budget_).to_text();
    if (finished()) tell_to_stop();
}

void Run::State::tell_to_stop() {
    for (std::uint32_t member = 0; member < exchange_->members(); ++member) {
        if (member == exchange_->member()) continue;
        ByteWriter stop;
        stop.put(MessageKind::stop);
        stop.put_text(stopped_by_);
        stop.put(static_cast<std::uint8_t>(stopped_by_time_ ? 1 : 0));
        post(member, std::move(stop));
    }
}

void Run::State::migrate_apart(std::uint64_t generation) {
    const Islands& plan = settings_.islands;
    std::map<std::uint32_t, Population> groups;
    for (const Island& island : islands_)
        groups.emplace(island.index, choose_emigrants(plan, island, problem_.schema()));
    std::set<std::pair<std::uint32_t, std::uint32_t>> ways; // from an island of ours to a member
    for (std::uint32_t island = 0; island < plan.count; ++island)
        for (const std::uint32_t sender : senders_to(plan, island, settings_.seed, settings_.run, generation))
            if (own_.holds(sender) && !own_.holds(island))
                ways.emplace(sender, owner_of(plan.count, exchange_->members(), island));
    for (const auto& [sender, member] : ways) {
        ByteWriter message;
        message.put(MessageKind::emigrants);
        message.put(sender);
        put_population(message, groups.at(sender));
        post(member, std::move(message));
    }
    admit_from(
        generation,
        [&](std::uint32_t sender) -> const Population* {
            if (const auto ours = groups.find(sender); ours != groups.end()) return &ours->second;
            const auto theirs = arrived_.find(sender);
            return theirs == arrived_.end() ? nullptr : &theirs->second;
        },
        false);
    arrived_.clear();
}

void Run::State::read_post() {
    while (const auto message = asynchronous_->poll()) {
        ++received_;
        ByteReader in{message->bytes};
        switch (in.get<MessageKind>()) {
        case MessageKind::emigrants: {
            const auto sender = in.get<std::uint32_t>();
            Population group = blank_population(settings_.islands.migrants);
            get_population(in, problem_.schema(), group);
            arrived_.insert_or_assign(sender, std::move(group));
            break;
        }
        case MessageKind::reports: {
            heard_.insert(message->member);
            std::vector<Report>& reports = newest_[message->member];
            reports.clear();
            while (!in.empty()) reports.push_back(in.get<Report>());
            break;
        }
        case MessageKind::stop:
            stopped_by_ = in.get_text();
            stopped_by_time_ = in.get<std::uint8_t>() != 0;
            break;
        }
    }
}

// At the end: everyone takes what is still on its way, hears of a failure if somebody had one, else the last
// of all islands.
void Run::State::settle(const std::string& failure) {
    posted_.resize(exchange_->members());
    std::uint64_t expected = 0;
    for (const auto& bytes : exchange_->gather(std::as_bytes(std::span{posted_}))) {
        ByteReader in{bytes};
        in.take(exchange_->member() * sizeof(std::uint64_t));
        expected += in.get<std::uint64_t>();
    }
    while (received_ < expected) read_post();
    if (const auto fault = first_fault(*exchange_, failure); !fault.empty()) throw EvaluationError{fault};
    Tally tally{problem_.schema()};
    for (const auto& bytes : exchange_->gather(std::as_bytes(std::span{newest_[exchange_->member()]})))
        for (ByteReader in{bytes}; !in.empty();) tally.add(in.get<Report>());
    status_ = tally.status(status_.statistics.generation, seconds(), problem_);
    uncounted_ = tally.uncounted();
}

} // namespace knossos
