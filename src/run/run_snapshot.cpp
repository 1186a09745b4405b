#include "run/island_bytes.hpp"
#include "run/run_state.hpp"

#include <knossos/run/checkpoint.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstring>

namespace knossos {

namespace {

constexpr std::uint64_t snapshot_magic = 0x33304E5553534E4BU; // "KNSSUN03", the format in its last digit

// What the byte behind the stagnation says. For how long a run has been idle is there only if it is: few are.
constexpr unsigned solved_flag = 1;
constexpr unsigned idle_flag = 2;

[[noreturn]] void refuse(std::string_view fault) {
    throw InvalidInput{fmt::format("the snapshot is damaged: {}", fault)};
}

void check_magic(std::uint64_t found) {
    if (found == snapshot_magic) return;
    for (const char older : {'1', '2'}) {
        constexpr std::uint64_t digit = std::uint64_t{0xFF} << 56U;
        if (found == ((snapshot_magic & ~digit) | std::uint64_t{static_cast<unsigned char>(older)} << 56U))
            throw InvalidInput{
                fmt::format("the snapshot has format {}, of an older Knossos; this one reads format 3: "
                            "run the recipe from its beginning",
                            older)};
    }
    throw InvalidInput{"this is not a snapshot of a run"};
}

// What no run ever writes, though a checksum may fit. Means and deviations are left alone: infinite fitness
// values make them what they like.
void check_statistics(const Statistics& one) {
    constexpr std::uint64_t most = std::uint64_t{1} << 62U; // more would overflow soon
    if (one.generation > most || one.evaluations > most || one.steps > most)
        refuse("it counts more than a run can do");
    if (std::isnan(one.best) || std::isnan(one.worst) || std::isnan(one.best_ever) || std::isnan(one.merit) ||
        !(one.violation >= 0.0) || !(one.worst_violation >= 0.0) ||
        !(one.feasible >= 0.0 && one.feasible <= 1.0) || !(one.coverage >= 0.0 && one.coverage <= 1.0) ||
        !(one.qd_score >= 0.0))
        refuse("a fitness in it is not a number");
    if (!std::isfinite(one.seconds) || one.seconds < 0.0)
        refuse(fmt::format("it was taken after {} s", one.seconds));
}

// Generations from 0 on, as far apart as the interval says, which doubles.
void check_history(std::span<const Statistics> history, std::uint64_t interval, std::uint64_t generation) {
    if (!std::has_single_bit(interval)) refuse(fmt::format("its history has the interval {}", interval));
    for (std::size_t i = 0; i < history.size(); ++i) {
        check_statistics(history[i]);
        if (history[i].generation % interval != 0 || history[i].generation > generation ||
            (i > 0 && history[i].generation <= history[i - 1].generation))
            refuse(fmt::format("its history has generation {} out of turn", history[i].generation));
    }
}

} // namespace

std::vector<std::byte> Run::State::head() const {
    ByteWriter out;
    out.put(snapshot_magic);
    out.put(settings_.seed);
    out.put(settings_.run);
    out.put(settings_.islands.count);
    out.put(std::uint64_t{settings_.population});
    put_space(out, problem_.space());
    out.put(stable_hash(problem_.schema().identity()));
    out.put(problem_.fingerprint());
    const Status& status = before_cut_ ? before_cut_->status : status_;
    const std::vector<Statistics>& history = before_cut_ ? before_cut_->history : history_;
    out.put(status.statistics);
    out.put(status.stagnation);
    const std::uint64_t idle = before_cut_ ? before_cut_->idle : idle_;
    out.put(static_cast<std::uint8_t>((status.solved ? solved_flag : 0U) | (idle > 0 ? idle_flag : 0U)));
    if (idle > 0) out.put(idle);
    out.put(before_cut_ ? before_cut_->digest : digest_);
    out.put(before_cut_ ? before_cut_->history_interval : history_interval_);
    out.put(std::uint64_t{history.size()});
    out.put_bytes(std::as_bytes(std::span{history}));
    return out.take();
}

SnapshotParts Run::State::snapshot_parts() const {
    SnapshotParts parts{.head = head(), .first = own_.first, .islands = {}};
    for (const Island& island : islands()) {
        ByteWriter out;
        put_island(out, island, keeps_archive_);
        parts.islands.push_back(out.take());
    }
    return parts;
}

std::vector<std::byte> Run::State::snapshot() const {
    ByteWriter out;
    out.put_bytes(head());
    if (exchange_ == nullptr) {
        for (const Island& island : islands()) put_island(out, island, keeps_archive_);
    } else {
        ByteWriter own;
        for (const Island& island : islands()) put_island(own, island, keeps_archive_);
        for (const auto& islands : exchange_->gather(own.take())) out.put_bytes(islands);
    }
    auto bytes = out.take();
    const std::uint64_t checksum = stable_hash(bytes);
    const auto tail = std::as_bytes(std::span{&checksum, 1});
    bytes.insert(bytes.end(), tail.begin(), tail.end());
    return bytes;
}

void Run::State::restore_head(ByteReader& in) {
    check_magic(in.get<std::uint64_t>());
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
    if (in.get<std::uint64_t>() != stable_hash(problem_.schema().identity()))
        throw InvalidInput{
            fmt::format("the snapshot is of another run: its evaluations gave other columns than "
                        "here ({})",
                        problem_.schema().to_text())};
    if (in.get<std::uint64_t>() != problem_.fingerprint())
        throw InvalidInput{
            "the snapshot is of another run: its problem had other data (another fingerprint())"};
    status_.statistics = in.get<Statistics>();
    check_statistics(status_.statistics);
    const std::uint64_t generation = status_.statistics.generation;
    status_.stagnation = in.get<std::uint64_t>();
    if (status_.stagnation > generation) refuse("it stagnates for longer than it lasts");
    const auto flags = in.get<std::uint8_t>();
    if (flags > (solved_flag | idle_flag)) refuse(fmt::format("whether it is solved is {}", flags));
    status_.solved = (flags & solved_flag) != 0;
    idle_ = (flags & idle_flag) != 0 ? in.get<std::uint64_t>() : 0;
    if (idle_ > generation) refuse("it has been idle for longer than it lasts");
    digest_ = in.get<std::uint64_t>();
    history_interval_ = in.get<std::uint64_t>();
    const auto kept = in.get<std::uint64_t>();
    for (std::uint64_t i = 0; i < kept; ++i) history_.push_back(in.get<Statistics>());
    check_history(history_, history_interval_, generation);
}

void Run::State::restore_island(ByteReader& in, Island& island) const {
    get_island(in, problem_, keeps_archive_, island);
    if (!settings_.algorithm.take_up(problem_.schema(), island))
        refuse(fmt::format("the archive of island {} makes no sense", island.index));
    if (island.generation != status_.statistics.generation ||
        island.evaluations > status_.statistics.evaluations)
        refuse(fmt::format("island {} is at another point than the run", island.index));
    const auto is_better = [&](const Found& a, const Found& b) {
        return better(problem_.objective(), a.quality, b.quality);
    };
    if (!std::ranges::is_sorted(island.hall, is_better))
        refuse(fmt::format("the best of island {} are out of order", island.index));
}

void Run::State::restore(std::span<const std::byte> snapshot) {
    std::uint64_t checksum = 0;
    if (snapshot.size() < 2 * sizeof(checksum)) throw InvalidInput{"the snapshot is truncated"};
    const auto content = snapshot.first(snapshot.size() - sizeof(checksum));
    std::memcpy(&checksum, content.data() + content.size(), sizeof(checksum));
    check_magic(ByteReader{content}.get<std::uint64_t>());
    if (checksum != stable_hash(content))
        throw InvalidInput{"the snapshot is truncated or damaged: its checksum does not fit"};
    ByteReader in{content};
    restore_head(in);
    std::optional<Island> elsewhere; // is read over
    for (std::uint32_t index = 0; index < settings_.islands.count; ++index) {
        if (own_.holds(index)) {
            restore_island(in, islands_[index - own_.first]);
            continue;
        }
        if (!elsewhere) {
            elsewhere.emplace(problem_.space(), settings_.population, 0, settings_.seed, settings_.run, index,
                              problem_.schema().size());
            elsewhere->kept = settings_.algorithm.initial_state();
        }
        restore_island(in, *elsewhere);
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
        restore_island(block, island);
        if (!block.empty()) throw InvalidInput{"the snapshot is longer than it should be: it is damaged"};
    }
    go_on();
}

void Run::State::go_on() {
    seconds_before_ = status_.statistics.seconds;
    // The rules are asked anew, so that a run that had ended goes on under later ones.
    end_by_rules();
}

std::uint64_t generation_of(std::span<const std::byte> snapshot) {
    ByteReader in{snapshot};
    check_magic(in.get<std::uint64_t>());
    in.take(sizeof(Settings::seed) + sizeof(Settings::run) + sizeof(Islands::count) + sizeof(std::uint64_t));
    (void)get_space(in);
    in.take(2 * sizeof(std::uint64_t)); // the columns and the fingerprint of the problem's data
    return in.get<Statistics>().generation;
}

} // namespace knossos
