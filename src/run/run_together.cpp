#include "run/island_bytes.hpp"
#include "run/run_state.hpp"

#include <algorithm>
#include <set>

namespace knossos {

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

// Members hear from each other some times a second.
void Run::State::plan_epoch(double generation_seconds) {
    constexpr double talk_every = 0.2;
    epoch_ =
        static_cast<std::uint64_t>(std::clamp(talk_every / std::max(generation_seconds, 1e-9), 1.0, 1000.0));
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
    diary.put_text(failure);
    diary.put(std::uint64_t{clock.size()});
    diary.put_bytes(std::as_bytes(std::span{clock}));
    diary.put_bytes(std::as_bytes(std::span{reports}));
    const auto diaries = exchange_->gather(diary.take());

    failed_at = nobody;
    std::vector<ByteReader> readers;
    for (const auto& bytes : diaries) {
        ByteReader& reader = readers.emplace_back(bytes);
        const auto at = reader.get<std::uint64_t>();
        const std::string text = reader.get_text();
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
        for (std::size_t i = 0; i < islands_.size(); ++i) static_cast<IslandState&>(islands_[i]) = backup_[i];
        for (std::uint64_t again = first; again < generation; ++again) breed_islands(again);
    }
    if (stopped_by_.empty() && failed_at != nobody) throw EvaluationError{failure};
    plan_epoch((clock.back() - clock.front()) / static_cast<double>(last - first + 1));
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
    admit_from(generation, [&](std::uint32_t sender) { return &groups.at(sender); });
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
    try {
        guarded([&] {
            for (std::uint64_t generation = first; generation <= last; ++generation)
                breed_islands(generation);
        });
    } catch (const Error& error) {
        stopped_by_ = "failure";
        tell_to_stop();
        return settle(error.what());
    }
    read_post();
    if (migrates_at(last)) {
        migrate_apart(last);
        each_island([&](const Workshop& /*workshop*/, const Island& island) { note(island); });
    }
    const std::vector<Report>& own = newest_[exchange_->member()] = reports_;
    const double now = seconds();
    const double each = (now - began) / static_cast<double>(last - first + 1);
    judge_sharing(each);
    plan_epoch(each);
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
        if (!stopped_by_.empty()) tell_to_stop();
    }
    if (!stopped_by_.empty()) settle("");
}

void Run::State::tell_to_stop() {
    for (std::uint32_t member = 0; member < exchange_->members(); ++member) {
        if (member == exchange_->member()) continue;
        ByteWriter stop;
        stop.put(Letter::stop);
        stop.put_text(stopped_by_);
        post(member, std::move(stop));
    }
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
    admit_from(generation, [&](std::uint32_t sender) -> const Population* {
        if (const auto ours = groups.find(sender); ours != groups.end()) return &ours->second;
        const auto theirs = arrived_.find(sender);
        return theirs == arrived_.end() ? nullptr : &theirs->second;
    });
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
            stopped_by_ = in.get_text();
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
    if (const auto trouble = first_trouble(*exchange_, failure); !trouble.empty())
        throw EvaluationError{trouble};
    Tally tally{problem_.objective()};
    for (const auto& bytes : exchange_->gather(std::as_bytes(std::span{newest_[exchange_->member()]})))
        for (ByteReader in{bytes}; !in.empty();) tally.add(in.get<Report>());
    status_ = tally.status(status_.statistics.generation, seconds(), problem_);
}

} // namespace knossos
