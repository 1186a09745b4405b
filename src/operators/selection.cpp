#include <knossos/core/error.hpp>
#include <knossos/operators/selection.hpp>

#include <fmt/format.h>

#include <cmath>
#include <numeric>

namespace knossos {

namespace {

[[noreturn]] void refuse_negative(std::string_view op, double value) {
    throw InvalidInput{
        fmt::format("{}: scaling 'proportional' needs fitness values of at least 0, got {}; use "
                    "'windowed' or a rank or tournament selection",
                    op, value)};
}

void refuse_share(std::string_view op, RouletteScaling scaling, Objective objective) {
    if (scaling == RouletteScaling::share && objective == Objective::maximise)
        throw InvalidSetting{"select", op, "scaling",
                             "is \"share\", which is 1 − c/Σc of a minimised count c; this problem is "
                             "maximised: use \"proportional\" or \"windowed\""};
}

struct Extremes {
    double lowest;
    double highest;
    double sum;
};

Extremes extremes_of(std::span<const double> values) {
    Extremes found{values[0], values[0], 0.0};
    for (const double value : values) {
        found.lowest = std::min(found.lowest, value);
        found.highest = std::max(found.highest, value);
        found.sum += value;
    }
    return found;
}

double share_scaled(double value, double sum) { return sum > 0.0 ? 1.0 - value / sum : 1.0; }

double weight(RouletteScaling scaling, Objective objective, const Extremes& extremes, double value) {
    const bool minimise = objective == Objective::minimise;
    switch (scaling) {
    case RouletteScaling::proportional:
        return minimise ? extremes.lowest + extremes.highest - value : value;
    case RouletteScaling::windowed:
        return minimise ? extremes.highest - value : value - extremes.lowest;
    case RouletteScaling::share:
        return share_scaled(value, extremes.sum);
    }
    return 0.0;
}

std::optional<double> scaled_by(RouletteScaling scaling, double fitness, double sum) {
    if (scaling != RouletteScaling::share) return std::nullopt; // the others look at the extremes, too
    return share_scaled(fitness, sum);
}

void build_wheel(std::string_view op, RouletteScaling scaling, const Scores& scores,
                 std::vector<double>& wheel) {
    refuse_share(op, scaling, scores.objective);
    const Extremes extremes = extremes_of(scores.values);
    if (scaling != RouletteScaling::windowed && extremes.lowest < 0.0) refuse_negative(op, extremes.lowest);
    wheel.resize(scores.size());
    double total = 0.0;
    for (std::size_t i = 0; i < scores.size(); ++i) {
        total += weight(scaling, scores.objective, extremes, scores.values[i]);
        wheel[i] = total;
    }
    // All weights zero: nobody is better than anybody, so everybody gets the same stretch.
    if (total <= 0.0)
        for (std::size_t i = 0; i < wheel.size(); ++i) wheel[i] = static_cast<double>(i + 1);
}

std::uint32_t stretch_at(const std::vector<double>& wheel, double point) {
    const auto found = std::ranges::upper_bound(wheel, point);
    return static_cast<std::uint32_t>(std::min<std::ptrdiff_t>(found - wheel.begin(), std::ssize(wheel) - 1));
}

std::uint32_t spin(Stream& stream, const std::vector<double>& wheel) {
    return stretch_at(wheel, stream.real() * wheel.back());
}

// Deals `deck` out into `order` until it holds at least `draws` cards, in a new random order each time
// around.
void deal(Stream& stream, std::span<const std::uint32_t> deck, std::size_t draws,
          std::vector<std::uint32_t>& order) {
    std::vector<std::uint32_t> dealt;
    dealt.reserve((draws + deck.size() - 1) / deck.size() * deck.size());
    while (dealt.size() < draws) {
        const std::size_t start = dealt.size();
        dealt.insert(dealt.end(), deck.begin(), deck.end());
        stream.shuffle(std::span{dealt}.subspan(start));
    }
    order = std::move(dealt);
}

} // namespace

void rank_best_first(const Scores& scores, std::vector<std::uint32_t>& order) {
    order.resize(scores.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) { return scores.before(a, b); });
}

void Selection::check_schema(const Schema& schema) const {
    if (model_->needs_one_number() && !schema.plain())
        throw InvalidSetting{"select", "", "",
                             fmt::format("{} weighs individuals by one number each, and this problem's are "
                                         "records ({}); tournament, linear-rank, exponential-rank, "
                                         "truncation, best and random can choose among them",
                                         model_->name(), schema.to_text())};
    check_objective(schema.objective());
}

void Roulette::check_objective(Objective objective) const { refuse_share(name, scaling, objective); }

std::optional<double> Roulette::scaled(double fitness, double sum) const {
    return scaled_by(scaling, fitness, sum);
}

void Roulette::prepare(Stream& /*stream*/, const Scores& scores, std::size_t /*draws*/,
                       SelectionTable& table) const {
    build_wheel(name, scaling, scores, table.wheel);
}

std::uint32_t Roulette::pick(Stream& stream, const Scores& /*scores*/, const SelectionTable& table,
                             std::size_t /*slot*/) const {
    return spin(stream, table.wheel);
}

void StochasticUniversal::check_objective(Objective objective) const {
    refuse_share(name, scaling, objective);
}

std::optional<double> StochasticUniversal::scaled(double fitness, double sum) const {
    return scaled_by(scaling, fitness, sum);
}

void StochasticUniversal::prepare(Stream& stream, const Scores& scores, std::size_t draws,
                                  SelectionTable& table) const {
    build_wheel(name, scaling, scores, table.wheel);
    table.order.resize(draws);
    const double step = table.wheel.back() / static_cast<double>(draws);
    const double start = stream.real() * step;
    for (std::size_t pointer = 0; pointer < draws; ++pointer)
        table.order[pointer] = stretch_at(table.wheel, start + step * static_cast<double>(pointer));
    stream.shuffle(std::span{table.order});
}

std::uint32_t StochasticUniversal::pick(Stream& /*stream*/, const Scores& /*scores*/,
                                        const SelectionTable& table, std::size_t slot) const {
    return table.order[slot];
}

void Tournament::check(std::size_t population) const {
    if (size > population)
        throw InvalidSetting{"select", name, "size",
                             fmt::format("is {}; it must be in 1..{} (the population)", size, population)};
}

std::uint32_t Tournament::drawn_tied(Stream& stream, const Scores& scores) const {
    const auto population = static_cast<std::uint32_t>(scores.size());
    std::uint32_t winner = stream.below(population);
    for (std::uint32_t contestant = 1; contestant < size; ++contestant) {
        const std::uint32_t rival = stream.below(population);
        if (scores.better(rival, winner)) winner = rival;
    }
    return winner;
}

namespace {

// Which of the contestants is the best, the first of several.
template <Objective objective>
std::uint32_t first_best(const std::uint32_t* contestants, std::size_t count, const double* values) {
    std::uint32_t winner = contestants[0];
    double best = values[winner];
    for (std::size_t i = 1; i < count; ++i) {
        const double value = values[contestants[i]];
        winner = better(objective, value, best) ? contestants[i] : winner;
        best = objective == Objective::minimise ? std::min(best, value) : std::max(best, value);
    }
    return winner;
}

} // namespace

bool Tournament::pick_together(const StageStreams& streams, const Scores& scores, std::size_t first_slot,
                               std::span<std::uint32_t> chosen) const {
    // Of 16 matings of tournaments of ten, which fill vectors of any width. Left unset: only what has been
    // computed is read.
    std::array<PhiloxBlock, 80> numbers;
    const std::size_t blocks = random_blocks();
    if (blocks == 0 || 4 * blocks > numbers.size() || scores.tied()) return false;
    const auto population = static_cast<std::uint32_t>(scores.size());
    const auto best = scores.objective == Objective::minimise ? first_best<Objective::minimise>
                                                              : first_best<Objective::maximise>;
    const std::size_t together = numbers.size() / blocks;
    for (std::size_t begin = 0; begin < chosen.size(); begin += 2 * together) {
        const auto some = chosen.subspan(begin, std::min(chosen.size() - begin, 2 * together));
        const std::size_t matings = (some.size() + 1) / 2;
        const std::size_t first_mating = (first_slot + begin) / 2;
        for (std::uint32_t block = 0; block < blocks; ++block)
            for (std::size_t mating = 0; mating < matings; ++mating)
                numbers[mating * blocks + block] = streams.counter(first_mating + mating, block);
        if (philox4x32_below(streams.key, population, std::span{numbers}.first(matings * blocks))) {
            for (std::size_t k = 0; k < some.size(); ++k)
                some[k] = best(numbers[k / 2 * blocks].data() + k % 2 * size, size, scores.values.data());
            continue;
        }
        for (std::size_t mating = 0; mating < matings; ++mating) { // one by one, with what is rejected
            Stream stream = streams(first_mating + mating);
            for (std::size_t k = 2 * mating; k < std::min(some.size(), 2 * mating + 2); ++k)
                some[k] = pick(stream, scores, {}, first_slot + begin + k);
        }
    }
    return true;
}

void Tournament::prepare(Stream& stream, const Scores& scores, std::size_t draws,
                         SelectionTable& table) const {
    if (replacement) return;
    std::vector<std::uint32_t> everybody(scores.size());
    std::iota(everybody.begin(), everybody.end(), 0U);
    const std::size_t tournaments_a_round = scores.size() / size;
    const std::size_t rounds = (draws + tournaments_a_round - 1) / tournaments_a_round;
    deal(stream, everybody, rounds * scores.size(), table.order);
}

std::uint32_t Tournament::dealt(const Scores& scores, const SelectionTable& table, std::size_t slot) const {
    const std::size_t tournaments_a_round = scores.size() / size;
    const std::size_t first = slot / tournaments_a_round * scores.size() + slot % tournaments_a_round * size;
    std::uint32_t winner = table.order[first];
    for (std::size_t contestant = first + 1; contestant < first + size; ++contestant)
        if (scores.better(table.order[contestant], winner)) winner = table.order[contestant];
    return winner;
}

void LinearRank::prepare(Stream& /*stream*/, const Scores& scores, std::size_t /*draws*/,
                         SelectionTable& table) const {
    rank_best_first(scores, table.order);
    table.wheel.resize(scores.size());
    const double last = static_cast<double>(std::max<std::size_t>(scores.size(), 2) - 1);
    double total = 0.0;
    for (std::size_t rank = 0; rank < scores.size(); ++rank) {
        total += pressure - (2.0 * pressure - 2.0) * static_cast<double>(rank) / last;
        table.wheel[rank] = total;
    }
}

std::uint32_t LinearRank::pick(Stream& stream, const Scores& /*scores*/, const SelectionTable& table,
                               std::size_t /*slot*/) const {
    return table.order[spin(stream, table.wheel)];
}

void ExponentialRank::prepare(Stream& /*stream*/, const Scores& scores, std::size_t /*draws*/,
                              SelectionTable& table) const {
    rank_best_first(scores, table.order);
    table.wheel.resize(scores.size());
    double total = 0.0;
    double share = 1.0;
    for (double& mark : table.wheel) {
        total += share;
        mark = total;
        share *= base;
    }
}

std::uint32_t ExponentialRank::pick(Stream& stream, const Scores& /*scores*/, const SelectionTable& table,
                                    std::size_t /*slot*/) const {
    return table.order[spin(stream, table.wheel)];
}

std::size_t count_of(double share, std::size_t population) {
    // 0.29 · 100 is a little less than 29 in binary; nobody means 28 by that.
    return static_cast<std::size_t>(share * static_cast<double>(population) + 1.0e-9);
}

void Truncation::prepare(Stream& stream, const Scores& scores, std::size_t draws,
                         SelectionTable& table) const {
    rank_best_first(scores, table.order);
    const std::size_t breeders = count_of(fraction, scores.size());
    const std::span fittest = std::span{table.order}.first(std::max<std::size_t>(breeders, 1));
    deal(stream, fittest, draws, table.order);
}

std::uint32_t Truncation::pick(Stream& /*stream*/, const Scores& /*scores*/, const SelectionTable& table,
                               std::size_t slot) const {
    return table.order[slot];
}

std::uint32_t RandomSelection::pick(Stream& stream, const Scores& scores, const SelectionTable& /*table*/,
                                    std::size_t /*slot*/) const {
    return stream.below(static_cast<std::uint32_t>(scores.size()));
}

void BestSelection::prepare(Stream& /*stream*/, const Scores& scores, std::size_t /*draws*/,
                            SelectionTable& table) const {
    std::uint32_t best = 0;
    for (std::uint32_t i = 1; i < scores.size(); ++i)
        if (scores.better(i, best)) best = i;
    table.order.assign(1, best);
}

std::uint32_t BestSelection::pick(Stream& /*stream*/, const Scores& /*scores*/, const SelectionTable& table,
                                  std::size_t /*slot*/) const {
    return table.order[0];
}

} // namespace knossos
