#include <knossos/algorithms/map_elites.hpp>
#include <knossos/core/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace knossos {

namespace {

using State = MapElites::State;

// A curiosity is a share of 2¹⁶. An elite begins curious; a child in a new cell adds a half, any other takes
// a 32nd away. Even the least curious keep a twentieth of the chance of the most.
constexpr std::uint32_t most_curious = 0xFFFF;
constexpr std::uint32_t reward = 0x8000;
constexpr std::uint32_t disappointment = 32;
constexpr std::uint32_t least_chance = 0xFFFF / 20;

// What a kind of change gave is remembered over about so many children.
constexpr double memory_of_kinds = 10'000.0;
constexpr double worth_of_better = 0.1; // of an elite that was bettered, where a new cell counts 1
constexpr double least_rate = 0.005;    // so that no kind is ever given up

// Parents that have been drawn already.
struct Planned {
    std::span<const std::uint32_t> parents;

    [[nodiscard]] std::uint32_t pick(Stream& /*stream*/, const Scores& /*scores*/,
                                     const SelectionTable& /*table*/, std::size_t slot) const {
        return parents[slot];
    }
    [[nodiscard]] bool pick_together(const StageStreams& /*streams*/, const Scores& /*scores*/,
                                     std::size_t first_slot, std::span<std::uint32_t> chosen) const {
        std::ranges::copy(parents.subspan(first_slot, chosen.size()), chosen.begin());
        return true;
    }
};

// Each parent that is drawn has so many children, side by side: what a mutation works out about it, such as
// the path through a maze, serves all of them.
constexpr std::size_t children_each = 4;

// All by one spin of a wheel, in the order of the elites.
void draw_parents(const Island& island, const State& state, std::span<std::uint32_t> parents) {
    std::uint64_t total = 0;
    for (const std::uint16_t one : state.curiosity) total += one + least_chance;
    const std::size_t draws = (parents.size() + children_each - 1) / children_each;
    const std::uint64_t step = total / draws;
    const std::uint64_t rest = total % draws;
    Stream stream = island.streams(Purpose::select)(StreamSlot::generation);
    std::uint64_t at = stream.below64(step + 1); // a step is as long as a child's share of the wheel
    std::uint64_t carried = 0;
    std::uint32_t elite = 0;
    std::uint64_t end = state.curiosity[0] + std::uint64_t{least_chance};
    for (std::size_t first = 0; first < parents.size(); first += children_each) {
        while (at >= end && elite + 1 < state.curiosity.size())
            end += state.curiosity[++elite] + std::uint64_t{least_chance};
        std::ranges::fill(parents.subspan(first, std::min(children_each, parents.size() - first)), elite);
        at += step;
        carried += rest;
        if (carried >= draws) {
            carried -= draws;
            ++at;
        }
    }
}

double rate_of(const State::Kind& kind) { return kind.gave / kind.tried + least_rate; }

void draw_kinds(Island& island, const State& state, std::size_t children) {
    island.kinds.clear();
    if (state.kinds.size() < 2) return;
    double total = 0.0;
    for (const State::Kind& kind : state.kinds) total += rate_of(kind);
    island.kinds.resize(children);
    Stream stream = island.streams(Purpose::operations)(StreamSlot::generation);
    const auto last = static_cast<std::uint32_t>(state.kinds.size() - 1);
    for (std::uint32_t& kind : island.kinds) {
        double left = stream.real() * total;
        for (kind = 0; kind < last; ++kind) {
            left -= rate_of(state.kinds[kind]);
            if (left < 0.0) break;
        }
    }
}

// Of the children of a batch, the best of each cell, of equals the first, in the order of their slots.
class Winners {
  public:
    Winners(const Archive& archive, const Population& children, std::size_t expected)
        : archive_{archive}, children_{children}, table_(std::bit_ceil(2 * expected + 2), Archive::nobody) {}

    void add(std::uint32_t child, std::uint32_t cell) {
        const std::size_t mask = table_.size() - 1;
        std::size_t place = (cell * std::uint64_t{0x9E3779B97F4A7C15U} >> 32U) & mask;
        for (; table_[place] != Archive::nobody; place = (place + 1) & mask) {
            One& best = ones_[table_[place]];
            if (best.cell != cell) continue;
            if (archive_.is_better(children_, child, children_, best.child)) best.child = child;
            return;
        }
        table_[place] = static_cast<std::uint32_t>(ones_.size());
        ones_.push_back({child, cell});
    }

    struct One {
        std::uint32_t child;
        std::uint32_t cell;
    };
    // In the order of the slots, so that it does not matter who came first to a cell.
    [[nodiscard]] std::vector<One> all() {
        std::ranges::sort(ones_, {}, &One::child);
        return std::move(ones_);
    }

  private:
    const Archive& archive_;
    const Population& children_;
    std::vector<std::uint32_t> table_;
    std::vector<One> ones_;
};

void grow(std::vector<std::uint16_t>& curiosity, std::size_t size) {
    if (size > curiosity.capacity()) curiosity.reserve(size + size / 16 + 16);
    curiosity.resize(size, most_curious);
}

void note_score(Island& island, const State& state) {
    note_merit(island, {0.0, state.archive.qd_score()}, island.generation);
}

// Of the children that have been evaluated, the best of each cell. With many children and threads, those who
// are worse than who is there already are left out first: they would be refused.
std::vector<Winners::One> winners_of(const Context& context, const Island& island, const Archive& archive,
                                     std::size_t count) {
    const Population& children = island.offspring;
    Winners winners{archive, children, count};
    constexpr std::size_t together = 4096;
    if (context.pool == nullptr || count < 4 * together) {
        for (std::uint32_t child = 0; child < count; ++child)
            if (island.evaluated[child] != 0) winners.add(child, archive.cells().cell(children, child));
        return winners.all();
    }
    std::vector<std::uint32_t> cells(count, Archive::nobody);
    context.pool->for_each((count + together - 1) / together, [&](std::size_t tile, std::size_t /*worker*/) {
        for (std::size_t child = tile * together; child < std::min(count, (tile + 1) * together); ++child) {
            if (island.evaluated[child] == 0) continue;
            const std::uint32_t cell = archive.cells().cell(children, child);
            const std::uint32_t present = archive.elite(cell);
            if (present == Archive::nobody || !archive.is_worse(children, child, island.current, present))
                cells[child] = cell;
        }
    });
    for (std::uint32_t child = 0; child < count; ++child)
        if (cells[child] != Archive::nobody) winners.add(child, cells[child]);
    return winners.all();
}

// What comes of a batch of children: each cell goes to its best child, and parents and kinds are told what
// they gave.
void bring_home(const Context& context, Island& island, State& state, std::span<const std::uint32_t> parents,
                const MapElites::Breeder& breeder) {
    const Schema& schema = context.problem.schema();
    const Population& children = island.offspring;
    const std::vector<Winners::One> best = winners_of(context, island, state.archive, parents.size());
    if (breeder.bring) {
        std::vector<std::uint32_t> slots;
        for (const auto& [child, cell] : best) slots.push_back(child);
        breeder.bring(slots);
    }
    // Only marked for the moment, in memory that the next generation overwrites.
    constexpr std::uint8_t has_new_cell = 2;
    constexpr std::uint8_t is_better = 3;
    for (const auto& [child, cell] : best) {
        const Archive::Entry entry = state.archive.enter(schema, island.current, children, child, cell);
        if (entry == Archive::Entry::new_cell) island.evaluated[child] = has_new_cell;
        if (entry == Archive::Entry::better) island.evaluated[child] = is_better;
    }
    grow(state.curiosity, island.current.size());
    for (State::Kind& kind : state.kinds) {
        const double kept = memory_of_kinds / (memory_of_kinds + static_cast<double>(parents.size()));
        kind.tried *= kept;
        kind.gave *= kept;
    }
    for (std::uint32_t child = 0; child < parents.size(); ++child) {
        const std::uint8_t mark = island.evaluated[child];
        std::uint16_t& curiosity = state.curiosity[parents[child]];
        const std::uint32_t now = mark == has_new_cell ? std::min(curiosity + reward, most_curious)
                                                       : curiosity - curiosity / disappointment;
        curiosity = static_cast<std::uint16_t>(now);
        if (island.kinds.empty()) continue;
        State::Kind& kind = state.kinds[island.kinds[child]];
        kind.tried += 1.0;
        if (mark == has_new_cell) kind.gave += 1.0;
        if (mark == is_better) kind.gave += worth_of_better;
    }
}

} // namespace

void State::write(ByteWriter& out) const {
    out.put(std::uint64_t{curiosity.size()});
    out.put_bytes(std::as_bytes(std::span{curiosity}));
    out.put(std::uint64_t{kinds.size()});
    out.put_bytes(std::as_bytes(std::span{kinds}));
}

void State::read(ByteReader& in) {
    const auto read_all = [&]<class Value>(std::vector<Value>& values) {
        const auto count = in.get<std::uint64_t>();
        if (count > in.left() / sizeof(Value))
            throw InvalidInput{"the snapshot is damaged: what the algorithm kept is longer than it is"};
        values.clear();
        for (std::uint64_t i = 0; i < count; ++i) values.push_back(in.get<Value>());
    };
    read_all(curiosity);
    read_all(kinds);
    archive = {};
}

bool State::is_sound() const {
    return !curiosity.empty() && std::ranges::all_of(kinds, [](const Kind& kind) {
        return kind.tried >= 0.0 && kind.gave >= 0.0 && kind.gave <= kind.tried;
    });
}

void MapElites::check(const Problem& problem, const Stages& stages, std::size_t /*population*/,
                      std::size_t /*offspring*/) const {
    const Schema& schema = problem.schema();
    if (schema.ranking() == Ranking::pareto)
        throw InvalidSetting{
            "algorithm", "", "",
            fmt::format("map-elites keeps the best of each cell, and this problem has several "
                        "objectives ({}); make some of them descriptors",
                        schema.to_text())};
    if (schema.plain())
        throw InvalidSetting{"algorithm", name, "axes",
                             fmt::format("can't name anything: an evaluation of this problem is one number "
                                         "({}); map-elites needs descriptors beside it",
                                         schema.to_text())};
    stages.recombine.check(problem.space());
    stages.mutate.check(problem.space());
}

std::size_t MapElites::offspring_buffer(std::size_t /*population*/, std::size_t offspring) {
    return offspring;
}

std::shared_ptr<const Cells> MapElites::cells(const Schema& schema) const {
    return std::make_shared<const Cells>(axes_from_text(axes), schema, centroids);
}

const Archive& MapElites::archive(const Island& island) { return island.kept.as<State>().archive; }

void MapElites::begin(const Context& context, Island& island, std::shared_ptr<const Cells> cells) {
    const Schema& schema = context.problem.schema();
    auto& state = island.kept.as<State>();
    state.archive = Archive{std::move(cells)};
    state.kinds.assign(context.stages.mutate.kinds().size(), {.tried = 1.0, .gave = 1.0});
    const Population first = std::move(island.current);
    island.current = Population{first.space(), 0, first.columns()};
    Winners winners{state.archive, first, first.size()};
    for (std::uint32_t i = 0; i < first.size(); ++i) winners.add(i, state.archive.cells().cell(first, i));
    for (const auto& [individual, cell] : winners.all())
        state.archive.enter(schema, island.current, first, individual, cell);
    grow(state.curiosity, island.current.size());
    note_score(island, state);
}

bool MapElites::take_up(const Schema& schema, Island& island, std::shared_ptr<const Cells> cells) {
    auto& state = island.kept.as<State>();
    state.archive = Archive{std::move(cells)};
    return state.curiosity.size() == island.current.size() && state.archive.rebuild(schema, island.current);
}

void MapElites::admit(const Context& context, Island& island, std::span<const Population* const> arrivals) {
    const Schema& schema = context.problem.schema();
    auto& state = island.kept.as<State>();
    for (const Population* const group : arrivals) {
        for (std::size_t i = 0; i < group->size(); ++i) {
            const std::uint32_t cell = state.archive.cells().cell(*group, i);
            const std::uint32_t present = state.archive.elite(cell);
            // Who is as good stays: else neighbours would only exchange their elites.
            if (present != Archive::nobody && !state.archive.is_better(*group, i, island.current, present))
                continue;
            state.archive.enter(schema, island.current, *group, i, cell);
            remember(context, island, *group, i, island.evaluations);
        }
    }
    grow(state.curiosity, island.current.size());
    note_score(island, state);
}

void MapElites::step(const Context& context, Island& island) const {
    step_by(context, island, {.breed = [&](std::span<const std::uint32_t> parents) {
                breed(context, Planned{parents}, island, island.offspring.size(), 2);
            }});
}

void MapElites::step_by(const Context& context, Island& island, const Breeder& breeder) const {
    auto& state = island.kept.as<State>();
    const std::size_t children = island.offspring.size();
    std::vector<std::uint32_t>& parents = island.order;
    parents.resize(children + children % 2);
    draw_parents(island, state, parents);
    if (!context.stages.recombine.only_copies()) {
        // Else couples would be made of one and the same.
        Stream stream = island.streams(Purpose::prepare)(StreamSlot::couples);
        stream.shuffle(std::span{parents});
    }
    draw_kinds(island, state, children);
    breeder.breed(parents);
    bring_home(context, island, state, std::span{parents}.first(children), breeder);
    note_score(island, state);
}

std::string MapElites::remark(const Schema& schema, const Island& island) const {
    const Archive& archive = MapElites::archive(island);
    const Cells& grid = archive.cells();
    // Centroids lie all over the axes: where these reach far beyond what there is, few of them are near it.
    constexpr double few = 0.05;
    if (archive.filled() != 0 && (centroids == 0 || archive.coverage() >= few)) return {};
    if (archive.filled() != 0) {
        std::string text = "few centroids are filled; the axes reach far beyond what was found:";
        for (std::size_t i = 0; i < grid.axes().size(); ++i) {
            const Axis& axis = grid.axes()[i];
            const auto [low, high] = std::ranges::minmax(island.current.column(grid.columns()[i]));
            text += fmt::format("{} {} {}..{} of {}..{}", i == 0 ? "" : ",", axis.name, low, high, axis.low,
                                axis.high);
        }
        return text;
    }
    std::string text = "no cell is filled";
    for (std::size_t i = 0; i < grid.axes().size(); ++i) {
        const Axis& axis = grid.axes()[i];
        const auto values = island.current.column(grid.columns()[i]);
        const auto [low, high] = std::ranges::minmax(values);
        if (high < axis.low || low > axis.high)
            text += fmt::format("; nothing has been found in {} {}..{}, only {}..{}", axis.name, axis.low,
                                axis.high, low, high);
    }
    if (schema.has_violations() &&
        std::ranges::all_of(island.current.keys(), [](double x) { return x > 0.0; }))
        text += "; nothing has been found for which everything holds";
    return text;
}

} // namespace knossos
