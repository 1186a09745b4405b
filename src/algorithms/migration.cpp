#include <knossos/algorithms/migration.hpp>
#include <knossos/core/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace knossos {

template <class Own>
Held<Own>::Held() = default;
template <class Own>
Held<Own>::Held(Own own) : held_{std::make_shared<const Own>(std::move(own))} {}
template <class Own>
Held<Own>::Held(const Held& other) = default;
template <class Own>
Held<Own>::Held(Held&& other) noexcept = default;
template <class Own>
Held<Own>& Held<Own>::operator=(const Held& other) = default;
template <class Own>
Held<Own>& Held<Own>::operator=(Held&& other) noexcept = default;
template <class Own>
Held<Own>::~Held() = default;

template class Held<OwnTopology>;
template class Held<OwnEmigrants>;
template class Held<OwnImmigrants>;

namespace {

// The widest side of the squarest grid: the largest divisor that is not above the square root.
std::uint32_t torus_rows(std::uint32_t count) {
    std::uint32_t rows = 1;
    for (std::uint32_t divisor = 1; divisor <= count / divisor; ++divisor)
        if (count % divisor == 0) rows = divisor;
    return rows;
}

std::size_t senders_count(const Islands& islands) {
    if (islands.count < 2) return 0;
    if (islands.own_topology) return islands.own_topology->most_senders(islands.count);
    if (islands.topology == Topology::complete) return islands.count - 1;
    return islands.topology == Topology::torus ? 2 : 1;
}

// Nobody would notice otherwise: emigrants of an island that there is not, or more than can be taken in.
std::vector<std::uint32_t> own_senders(const Islands& islands, std::uint32_t island, Stream stream) {
    const auto& own = islands.own_topology;
    auto senders = own->senders(stream, islands.count, island);
    std::ranges::sort(senders);
    const auto repeated = std::ranges::unique(senders);
    senders.erase(repeated.begin(), repeated.end());
    const std::uint32_t most = own->most_senders(islands.count);
    for (const std::uint32_t one : senders)
        if (one >= islands.count || one == island)
            throw InvalidInput{fmt::format("topology '{}' lets island {} hear from {}; it must be another of "
                                           "0..{}",
                                           own->name, island, one, islands.count - 1)};
    if (senders.size() > most)
        throw InvalidInput{fmt::format("topology '{}' lets island {} hear from {} others; its most_senders() "
                                       "says at most {}",
                                       own->name, island, senders.size(), most)};
    return senders;
}

// So many as there should be, and nobody but residents, none of them twice.
void check_named(std::string_view policy, std::string_view name, std::vector<std::uint32_t> named,
                 std::size_t wanted, std::size_t residents) {
    if (named.size() != wanted)
        throw InvalidInput{
            fmt::format("{} '{}' names {} individuals; it must name {}", policy, name, named.size(), wanted)};
    std::erase(named, OwnImmigrants::nobody);
    std::ranges::sort(named);
    if (const auto twice = std::ranges::adjacent_find(named); twice != named.end())
        throw InvalidInput{fmt::format("{} '{}' names individual {} twice", policy, name, *twice)};
    if (!named.empty() && named.back() >= residents)
        throw InvalidInput{fmt::format("{} '{}' names individual {}; it must be one of 0..{}", policy, name,
                                       named.back(), residents - 1)};
}

// Who is sent, in this order.
std::vector<std::uint32_t> emigrants_of(const Islands& islands, const Island& island, const Scores& scores) {
    if (const auto& own = islands.own_emigrants) {
        Stream stream = island.streams(Purpose::migrate)(StreamSlot::emigrants);
        auto chosen = own->choose(stream, scores, islands.migrants);
        if (std::ranges::find(chosen, OwnImmigrants::nobody) != chosen.end())
            throw InvalidInput{fmt::format("emigrants '{}' names nobody", own->name)};
        check_named("emigrants", own->name, chosen, islands.migrants, scores.size());
        return chosen;
    }
    std::vector<std::uint32_t> order;
    rank_best_first(scores, order);
    if (islands.emigrants == Emigrants::random) {
        std::ranges::sort(order);
        Stream stream = island.streams(Purpose::migrate)(StreamSlot::emigrants);
        stream.shuffle(std::span{order});
    }
    order.resize(std::min<std::size_t>(order.size(), islands.migrants));
    return order;
}

void let_in(const Context& context, Island& island, const Population& group, std::size_t arrival,
            std::uint32_t resident) {
    island.current.copy_from(group, arrival, resident);
    // What arrives counts as progress of this island, but was evaluated elsewhere.
    remember(context, island, group, arrival, island.evaluations);
}

// By a policy of somebody's own.
void admit_group(const OwnImmigrants& own, Stream& stream, const Context& context, Island& island,
                 const Population& group) {
    const Schema& schema = context.problem.schema();
    const Scores residents = scores_of(schema, island.current);
    const auto places = own.replace(stream, residents, scores_of(schema, group));
    check_named("immigrants", own.name, places, group.size(), residents.size());
    for (std::size_t i = 0; i < group.size(); ++i)
        if (places[i] != OwnImmigrants::nobody) let_in(context, island, group, i, places[i]);
}

} // namespace

void Islands::check(std::size_t population) const {
    check_fields(*this);
    if (own_topology && (!own_topology->senders || !own_topology->most_senders))
        throw InvalidSetting{"islands", name, "own_topology", "does not say who sends to whom"};
    if (own_emigrants && !own_emigrants->choose)
        throw InvalidSetting{"islands", name, "own_emigrants", "does not say who is sent"};
    if (own_immigrants && !own_immigrants->replace)
        throw InvalidSetting{"islands", name, "own_immigrants", "does not say whom the arrivals replace"};
    if (own_topology && count > 1)
        for (std::uint32_t island = 0; island < count; ++island) (void)senders_to(*this, island, 0, 0, 0);
    const std::size_t arrivals = senders_count(*this) * migrants;
    if (count > 1 && arrivals >= population)
        throw InvalidSetting{
            "islands", name, "migrants",
            fmt::format("is {}, so each island would take in {} individuals; it must be fewer than its "
                        "population of {}",
                        migrants, arrivals, population)};
}

std::vector<std::uint32_t> senders_to(const Islands& islands, std::uint32_t island, std::uint64_t seed,
                                      std::uint32_t run, std::uint64_t generation) {
    const std::uint32_t count = islands.count;
    std::vector<std::uint32_t> senders;
    if (count < 2) return senders;
    if (islands.own_topology)
        return own_senders(islands, island,
                           Streams{seed, run, island}.at(Purpose::migrate, generation, StreamSlot::senders));
    switch (islands.topology) {
    case Topology::ring:
        senders.push_back((island + count - 1) % count);
        break;
    case Topology::torus: {
        const std::uint32_t columns = count / torus_rows(count);
        const std::uint32_t row = island / columns;
        const std::uint32_t column = island % columns;
        senders.push_back(row * columns + (column + columns - 1) % columns);
        senders.push_back((island + count - columns) % count);
        break;
    }
    case Topology::complete:
        for (std::uint32_t other = 0; other < count; ++other)
            if (other != island) senders.push_back(other);
        break;
    case Topology::random: {
        Stream stream = Streams{seed, run, island}.at(Purpose::migrate, generation, StreamSlot::senders);
        const std::uint32_t other = stream.below(count - 1);
        senders.push_back(other + (other >= island ? 1U : 0U));
        break;
    }
    }
    std::ranges::sort(senders);
    const auto repeated = std::ranges::unique(senders);
    senders.erase(repeated.begin(), repeated.end());
    std::erase(senders, island);
    return senders;
}

Population choose_emigrants(const Islands& islands, const Island& island, const Schema& schema) {
    Population emigrants{island.current.space(), islands.migrants, island.current.columns()};
    std::vector<std::uint32_t> chosen;
    if (schema.ranking() == Ranking::pareto) {
        Population ranked = island.current;
        rank_together(schema, ranked);
        chosen = emigrants_of(islands, island, scores_of(schema, ranked));
    } else {
        chosen = emigrants_of(islands, island, scores_of(schema, island.current));
    }
    // An archive may hold fewer yet: then some go twice.
    for (std::size_t i = 0; i < emigrants.size(); ++i)
        emigrants.copy_from(island.current, chosen[i % chosen.size()], i);
    return emigrants;
}

void admit(const Islands& islands, const Context& context, Island& island,
           std::span<const Population* const> arrivals) {
    const Schema& schema = context.problem.schema();
    std::vector<std::uint32_t> order;
    rank_together(schema, island.current);
    rank_best_first(scores_of(schema, island.current), order);
    std::ranges::reverse(order);
    Stream stream = island.streams(Purpose::migrate)(StreamSlot::immigrants);
    if (islands.immigrants == Immigrants::replace_random) {
        std::ranges::sort(order);
        stream.shuffle(std::span{order});
    }
    std::size_t place = 0;
    for (const Population* sent : arrivals) {
        Population group = *sent;
        rank_together(schema, island.current, &group); // they were ranked among others
        if (islands.own_immigrants) {
            admit_group(*islands.own_immigrants, stream, context, island, group);
            continue;
        }
        const Scores of_group = scores_of(schema, group);
        const Scores of_residents = scores_of(schema, island.current);
        for (std::size_t i = 0; i < group.size(); ++i) {
            const std::uint32_t resident = order[place];
            if (islands.immigrants == Immigrants::replace_if_better &&
                !of_group.better(i, of_residents, resident))
                continue;
            let_in(context, island, group, i, resident);
            ++place;
        }
    }
}

} // namespace knossos
