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

// All by one spin of a wheel, in the order of the elites: how many draws those before each have, and all of
// them at the end.
std::vector<std::uint32_t> spin(const Island& island, const State& state, std::size_t parents) {
    std::uint64_t total = 0;
    for (const std::uint16_t one : state.curiosity) total += one + least_chance;
    const std::size_t draws = (parents + children_each - 1) / children_each;
    const std::uint64_t step = total / draws;
    const std::uint64_t rest = total % draws;
    Stream stream = island.streams(Purpose::select)(StreamSlot::generation);
    std::uint64_t at = stream.below64(step + 1); // a step is as long as a child's share of the wheel
    std::uint64_t carried = 0;
    std::vector<std::uint32_t> before(state.curiosity.size() + 1);
    std::size_t elite = 0;
    std::uint64_t end = state.curiosity[0] + std::uint64_t{least_chance};
    for (std::uint32_t draw = 0; draw < draws; ++draw) {
        while (at >= end && elite + 1 < state.curiosity.size()) {
            end += state.curiosity[++elite] + std::uint64_t{least_chance};
            before[elite] = draw;
        }
        at += step;
        carried += rest;
        if (carried >= draws) {
            carried -= draws;
            ++at;
        }
    }
    std::fill(before.begin() + static_cast<std::ptrdiff_t>(elite) + 1, before.end(),
              static_cast<std::uint32_t>(draws));
    return before;
}

// The parent of each child; shuffled where they recombine, as couples would be made of one and the same.
void list_parents(const Context& context, const Island& island, const MapElites::Lots& lots,
                  std::span<std::uint32_t> parents) {
    for (std::uint32_t elite = 0; elite + 1 < lots.draws_before.size(); ++elite) {
        const std::size_t begin = lots.children_before(elite, parents.size());
        const std::size_t end = lots.children_before(elite + std::size_t{1}, parents.size());
        std::ranges::fill(parents.subspan(begin, end - begin), elite);
    }
    if (context.stages.recombine.only_copies()) return;
    Stream stream = island.streams(Purpose::prepare)(StreamSlot::couples);
    stream.shuffle(parents);
}

// The chances of the kinds of change, and which of them a number from 0 to 1 means.
class Shares {
  public:
    explicit Shares(const State& state) {
        for (const State::Kind& kind : state.kinds) {
            rates_.push_back(kind.gave / kind.tried + least_rate);
            total_ += rates_.back();
        }
    }
    [[nodiscard]] std::uint32_t kind_at(double drawn) const {
        double left = drawn * total_;
        const auto last = static_cast<std::uint32_t>(rates_.size() - 1);
        std::uint32_t kind = 0;
        for (; kind < last; ++kind) {
            left -= rates_[kind];
            if (left < 0.0) break;
        }
        return kind;
    }
    // See MapElites::Lots: the larger a number, the later its kind.
    [[nodiscard]] std::vector<std::uint64_t> least_draws() const {
        std::vector<std::uint64_t> least;
        for (std::uint32_t kind = 1; kind < rates_.size(); ++kind) {
            std::uint64_t low = 0;
            std::uint64_t up = std::uint64_t{1} << 53U;
            while (low < up) {
                const std::uint64_t middle = (low + up) / 2;
                if (kind_at(static_cast<double>(middle) * 0x1.0p-53) >= kind)
                    up = middle;
                else
                    low = middle + 1;
            }
            least.push_back(low);
        }
        return least;
    }

  private:
    std::vector<double> rates_{};
    double total_ = 0.0;
};

bool chooses_kinds(const State& state) { return state.kinds.size() > 1; }

void draw_kinds(Island& island, const State& state, std::size_t children) {
    island.kinds.clear();
    if (!chooses_kinds(state)) return;
    const Shares shares{state};
    island.kinds.resize(children);
    Stream stream = island.streams(Purpose::operations)(StreamSlot::generation);
    for (std::uint32_t& kind : island.kinds) kind = shares.kind_at(stream.real());
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

std::uint16_t rewarded(std::uint16_t curiosity) {
    return static_cast<std::uint16_t>(std::min(curiosity + reward, most_curious));
}

std::uint16_t disappointed(std::uint16_t curiosity) {
    return static_cast<std::uint16_t>(curiosity - curiosity / disappointment);
}

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

void forget_some(State& state, std::size_t children) {
    const double kept = memory_of_kinds / (memory_of_kinds + static_cast<double>(children));
    for (State::Kind& kind : state.kinds) {
        kind.tried *= kept;
        kind.gave *= kept;
    }
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
    forget_some(state, parents.size());
    for (std::uint32_t child = 0; child < parents.size(); ++child) {
        const std::uint8_t mark = island.evaluated[child];
        std::uint16_t& curiosity = state.curiosity[parents[child]];
        curiosity = mark == has_new_cell ? rewarded(curiosity) : disappointed(curiosity);
        if (island.kinds.empty()) continue;
        State::Kind& kind = state.kinds[island.kinds[child]];
        kind.tried += 1.0;
        if (mark == has_new_cell) kind.gave += 1.0;
        if (mark == is_better) kind.gave += worth_of_better;
    }
}

// As if 1 were added so many times, each sum rounded.
double plus_ones(double sum, std::uint64_t ones) {
    while (ones > 0) {
        sum += 1.0; // this one may be rounded; those up to the next power of two are exact
        --ones;
        int exponent = 0;
        (void)std::frexp(sum, &exponent);
        const auto exact = std::min(ones, static_cast<std::uint64_t>(std::ldexp(1.0, exponent) - sum));
        sum += static_cast<double>(exact);
        ones -= exact;
    }
    return sum;
}

// Children that filled no new cell, one after the other.
std::uint16_t disappointed_often(std::uint16_t curiosity, std::size_t times) {
    for (; times > 0 && curiosity >= disappointment; --times) curiosity = disappointed(curiosity);
    return curiosity;
}

// As bring_home() tells parents what they gave; `fresh` are the children in new cells, in order.
void tell_parents(const MapElites::Lots& lots, std::size_t children, std::span<const std::uint32_t> fresh,
                  std::span<std::uint16_t> curiosity) {
    const std::size_t elites = lots.draws_before.size() - 1;
    if (lots.parents.empty()) {
        auto next = fresh.begin();
        for (std::size_t elite = 0; elite < elites; ++elite) {
            std::size_t child = lots.children_before(elite, children);
            const std::size_t end = lots.children_before(elite + 1, children);
            for (; next != fresh.end() && *next < end; child = *next++ + std::size_t{1})
                curiosity[elite] = rewarded(disappointed_often(curiosity[elite], *next - child));
            curiosity[elite] = disappointed_often(curiosity[elite], end - child);
        }
        return;
    }
    // For those who gave a new cell it matters in which order their children come.
    const auto parents = lots.parents.first(children);
    std::vector<std::uint8_t> gave(elites, 0);
    for (const std::uint32_t child : fresh) gave[parents[child]] = 1;
    for (std::size_t elite = 0; elite < elites; ++elite) {
        if (gave[elite] != 0) continue;
        std::size_t its = lots.children_before(elite + 1, lots.parents.size()) -
                          lots.children_before(elite, lots.parents.size());
        for (const std::uint32_t spare : lots.parents.subspan(children)) its -= spare == elite ? 1U : 0U;
        curiosity[elite] = disappointed_often(curiosity[elite], its);
    }
    auto next = fresh.begin();
    for (std::uint32_t child = 0; child < children; ++child) {
        if (gave[parents[child]] == 0) continue;
        std::uint16_t& its = curiosity[parents[child]];
        const bool is_fresh = next != fresh.end() && *next == child;
        its = is_fresh ? rewarded(its) : disappointed(its);
        if (is_fresh) ++next;
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
    const std::vector<std::uint32_t> before = spin(island, state, parents.size());
    list_parents(context, island, {.draws_before = before, .parents = {}, .kinds = {}}, parents);
    draw_kinds(island, state, children);
    breeder.breed(parents);
    bring_home(context, island, state, std::span{parents}.first(children), breeder);
    note_score(island, state);
}

std::size_t MapElites::Lots::children_before(std::size_t elite, std::size_t children) const {
    return std::min(children, draws_before[elite] * children_each);
}

void MapElites::step_by_lots(const Context& context, Island& island,
                             const std::function<Harvest(const Lots&)>& breed) const {
    const Schema& schema = context.problem.schema();
    auto& state = island.kept.as<State>();
    const std::size_t children = island.offspring.size();
    const std::vector<std::uint32_t> before = spin(island, state, children + children % 2);
    Lots lots{.draws_before = before, .parents = {}, .kinds = {}};
    if (!context.stages.recombine.only_copies()) {
        island.order.resize(children + children % 2);
        list_parents(context, island, lots, island.order);
        lots.parents = island.order;
    }
    std::vector<std::uint64_t> least_draws;
    if (chooses_kinds(state)) least_draws = Shares{state}.least_draws();
    lots.kinds = least_draws;
    const Harvest harvest = breed(lots);
    forget_some(state, children);
    for (std::size_t kind = 0; kind < harvest.tried.size(); ++kind)
        state.kinds[kind].tried = plus_ones(state.kinds[kind].tried, harvest.tried[kind]);
    std::vector<std::uint32_t> fresh;
    for (const auto& [child, cell, kind] : harvest.best) {
        const Archive::Entry entry =
            state.archive.enter(schema, island.current, island.offspring, child, cell);
        if (entry == Archive::Entry::new_cell) fresh.push_back(child);
        if (harvest.tried.empty()) continue;
        if (entry == Archive::Entry::new_cell) state.kinds[kind].gave += 1.0;
        if (entry == Archive::Entry::better) state.kinds[kind].gave += worth_of_better;
    }
    tell_parents(lots, children, fresh, state.curiosity);
    grow(state.curiosity, island.current.size());
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
