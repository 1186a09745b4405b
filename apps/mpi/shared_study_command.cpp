#include "mpi_commands.hpp"
#include "signals.hpp"
#include "terminal.hpp"

#include <knossos/core/bytes.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <span>
#include <thread>

namespace knossos::app {

namespace {

using Clock = std::chrono::steady_clock;
using Bytes = std::vector<std::byte>;

Bytes pack(std::span<const study::RunRecord> records) {
    ByteWriter out;
    for (const study::RunRecord& one : records) {
        out.put(std::uint64_t{one.configuration});
        out.put(one.number);
        out.put(one.seed);
        out.put(one.outcome);
        out.put(one.evaluations);
        out.put(one.generations);
        out.put(one.seconds);
        out.put(one.best);
        out.put(one.found_at);
        out.put(one.found_generation);
        out.put_text(one.stopped_by);
        out.put_text(one.genome);
        out.put_text(one.digest);
        out.put_text(one.host);
        out.put(std::uint64_t{one.trace.size()});
        out.put_bytes(std::as_bytes(std::span{one.trace}));
        out.put(std::uint64_t{one.values.size()});
        for (const study::NamedValue& value : one.values) {
            out.put_text(value.name);
            out.put_text(value.role);
            out.put(value.value);
        }
    }
    return out.take();
}

std::vector<study::RunRecord> unpack(const Bytes& bytes) {
    std::vector<study::RunRecord> records;
    ByteReader in{bytes};
    while (!in.empty()) {
        study::RunRecord& one = records.emplace_back();
        one.configuration = in.get<std::uint64_t>();
        one.number = in.get<std::uint64_t>();
        one.seed = in.get<std::uint64_t>();
        one.outcome = in.get<study::Outcome>();
        one.evaluations = in.get<std::uint64_t>();
        one.generations = in.get<std::uint64_t>();
        one.seconds = in.get<double>();
        one.best = in.get<double>();
        one.found_at = in.get<std::uint64_t>();
        one.found_generation = in.get<std::uint64_t>();
        one.stopped_by = in.get_text();
        one.genome = in.get_text();
        one.digest = in.get_text();
        one.host = in.get_text();
        for (auto left = in.get<std::uint64_t>(); left > 0; --left)
            one.trace.push_back(in.get<study::TracePoint>());
        for (auto left = in.get<std::uint64_t>(); left > 0; --left) {
            study::NamedValue& value = one.values.emplace_back();
            value.name = in.get_text();
            value.role = in.get_text();
            value.value = in.get<double>();
        }
    }
    return records;
}

// The other ranks, as the first one sees them. An empty message tells a rank to end; its last one, which it
// ends with, is empty too.
class Ranks : public study::Helpers {
  public:
    Ranks(World& world, unsigned threads) : world_{world}, threads_{threads}, ranks_(world.size()) {}

    void feed(const std::function<std::vector<study::Task>(std::size_t)>& claim) override {
        // Asked once: what a rank wants depends on the time, and nobody would do what is claimed beyond it.
        std::vector<std::size_t> wanted(ranks_.size());
        for (std::size_t rank = 1; rank < ranks_.size(); ++rank) wanted[rank] = wanted_by(ranks_[rank]);
        const auto sum = std::accumulate(wanted.begin(), wanted.end(), std::size_t{0});
        if (sum == 0) return;
        const auto claimed = claim(sum);
        std::span<const study::Task> tasks{claimed};
        for (std::uint32_t rank = 1; rank < ranks_.size() && !tasks.empty(); ++rank) {
            const auto some = tasks.first(std::min(wanted[rank], tasks.size()));
            if (some.empty()) continue;
            tasks = tasks.subspan(some.size());
            ranks_[rank].open += some.size();
            const auto bytes = std::as_bytes(some);
            world_.send(rank, {bytes.begin(), bytes.end()});
        }
    }

    std::size_t open() const override {
        std::size_t sum = 0;
        for (const Rank& rank : ranks_) sum += rank.open;
        return sum;
    }

    std::vector<study::RunRecord> collect() override {
        std::vector<study::RunRecord> all;
        while (auto message = world_.receive()) take(*message, all);
        return all;
    }

    std::vector<study::RunRecord> stop() override {
        std::vector<study::RunRecord> all;
        for (std::uint32_t rank = 1; rank < ranks_.size(); ++rank) world_.send(rank, {});
        while (ended_ + 1 < ranks_.size()) {
            if (auto message = world_.receive())
                take(*message, all);
            else
                std::this_thread::sleep_for(std::chrono::microseconds{200});
        }
        return all;
    }

  private:
    struct Rank {
        std::size_t open = 0;
        std::uint64_t done = 0;
        Clock::time_point began = Clock::now();
    };

    std::size_t wanted_by(const Rank& rank) const {
        const double seconds = std::chrono::duration<double>(Clock::now() - rank.began).count();
        const std::size_t enough = study::enough_for_a_while(threads_, rank.done, seconds);
        return rank.open * 2 > enough ? 0 : enough - rank.open;
    }

    void take(const World::Message& message, std::vector<study::RunRecord>& all) {
        if (message.bytes.empty()) {
            ++ended_;
            return;
        }
        auto records = unpack(message.bytes);
        Rank& rank = ranks_[message.from];
        rank.open -= records.size();
        rank.done += records.size();
        std::ranges::move(records, std::back_inserter(all));
    }

    World& world_;
    unsigned threads_;
    std::vector<Rank> ranks_;
    std::size_t ended_ = 0;
};

void be_helper(World& world, const study::Study& study, unsigned threads,
               std::span<const Settings> settings) {
    const std::string host = World::host();
    study::help(
        study, threads, settings,
        [&]() -> std::optional<std::vector<study::Task>> {
            std::vector<study::Task> tasks;
            while (const auto message = world.receive()) {
                if (message->bytes.empty()) return std::nullopt;
                const std::size_t had = tasks.size();
                tasks.resize(had + message->bytes.size() / sizeof(study::Task));
                std::memcpy(tasks.data() + had, message->bytes.data(), message->bytes.size());
            }
            return tasks;
        },
        [&](std::vector<study::RunRecord> records) {
            for (study::RunRecord& one : records) one.host = host;
            if (!records.empty()) world.send(0, pack(records));
        });
    world.send(0, {});
}

} // namespace

Ending share_study(World& world, const StudyOptions& options, const Registry& registry) {
    std::optional<study::Study> study;
    const std::string database = database_of(options);
    world.together([&] {
        study = study::Study::load(options.file,
                                   {.runs = options.runs,
                                    .seed = options.seed,
                                    .budget = options.budget,
                                    .overrides = options.overrides},
                                   registry);
    });
    std::string all =
        fmt::format("{} {}runs from seed {}\n", study->runs, study->paired ? "paired " : "", study->seed);
    for (const auto& configuration : study->configurations) all += configuration.identity;
    world.require_same("the study", all,
                       "start all ranks with the same file, the same options and the same data");
    const unsigned fitting = world.threads_here();
    const unsigned threads = options.threads != 0 ? options.threads : fitting;
    const std::size_t nth = world.rank_here();
    std::vector<Settings> settings;
    world.together([&] {
        StudyOptions own = options;
        own.quiet = options.quiet || !world.is_first();
        own.threads = threads;
        settings = settings_there(own, *study, registry, nth);
        SignalWatch::renew();
    });
    std::shared_ptr<study::Store> store;
    world.together([&] {
        if (world.is_first())
            store = std::make_shared<study::Store>(open_store(options, database, *study, registry));
    });
    if (!world.is_first()) {
        be_helper(world, *study, threads, settings);
        return [] { return reached; };
    }
    Ranks ranks{world, threads};
    LiveLine line{is_live() && !options.quiet && !options.json};
    const bool complete = study::carry_out(*study, *store,
                                           {.threads = threads,
                                            .settings = settings,
                                            .helpers = &ranks,
                                            .should_stop = [] { return SignalWatch::asked_to_stop(); },
                                            .on_progress =
                                                [&](const study::StudyProgress& progress) {
                                                    line.show([&] { return progress_text(progress); });
                                                }});
    line.clear();
    return [=] {
        if (options.json || !options.quiet)
            print_findings(*store, database, complete, options.json, registry);
        return end_study(*store, database, complete);
    };
}

} // namespace knossos::app
