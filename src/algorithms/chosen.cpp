#include <knossos/algorithms/algorithm.hpp>
#include <knossos/core/error.hpp>
#include <knossos/core/values.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace knossos {

namespace {

// Parents are drawn from the chosen, each as likely as the others.
struct AmongChosen {
    std::vector<std::uint32_t> chosen;

    [[nodiscard]] std::uint32_t pick(Stream& stream, const Scores& /*scores*/,
                                     const SelectionTable& /*table*/, std::size_t /*slot*/) const {
        return chosen[stream.below(static_cast<std::uint32_t>(chosen.size()))];
    }
};

} // namespace

std::vector<std::uint32_t> chosen_in(std::string_view entry, std::size_t population) {
    std::vector<std::uint32_t> chosen;
    const auto refuse = [&](const std::string& fault) {
        throw InvalidInput{fmt::format("{}; name some of 1 to {}, apart by spaces", fault, population)};
    };
    constexpr std::string_view apart = " ,\t\n\r";
    while (true) {
        entry.remove_prefix(std::min(entry.find_first_not_of(apart), entry.size()));
        if (entry.empty()) break;
        const std::string_view word = entry.substr(0, entry.find_first_of(apart));
        entry.remove_prefix(word.size());
        std::uint32_t number = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
        if (error != std::errc{} || end != word.data() + word.size() || number < 1 || number > population)
            refuse(fmt::format("'{}' names nobody", word));
        if (std::ranges::find(chosen, number - 1) != chosen.end())
            refuse(fmt::format("{} is named twice", number));
        chosen.push_back(number - 1);
    }
    if (chosen.empty()) refuse("nobody is named");
    return chosen;
}

void Chosen::check(const Problem& problem, const Stages& stages, std::size_t population,
                   std::size_t /*offspring*/) const {
    stages.recombine.check(problem.space());
    stages.mutate.check(problem.space());
    if (stages.improve) stages.improve->check(problem);
    std::size_t generation = 0;
    for (const std::string& entry : entries_by_generation(choices)) {
        try {
            (void)chosen_in(entry, population);
        } catch (const InvalidInput& error) {
            throw InvalidSetting{"algorithm", "algorithm", "choices",
                                 fmt::format("is wrong for generation {}: {}", generation, error.what())};
        }
        ++generation;
    }
}

std::size_t Chosen::offspring_buffer(std::size_t population, std::size_t /*offspring*/) { return population; }

std::uint64_t Chosen::most_generations() const { return entries_by_generation(choices).size(); }

void Chosen::step(const Context& context, Island& island) const {
    const std::size_t size = island.current.size();
    const auto entries = entries_by_generation(choices);
    const std::vector<std::uint32_t> chosen = chosen_in(entries.at(island.generation - 1), size);
    const std::size_t children = size - chosen.size();
    if (children > 0) breed(context, AmongChosen{chosen}, island, children, 2);
    // Children stand at the front of the buffer: they move behind the chosen, the last first.
    for (std::size_t i = children; i-- > 0;)
        island.offspring.copy_from(island.offspring, i, i + chosen.size());
    for (std::size_t i = 0; i < chosen.size(); ++i) island.offspring.copy_from(island.current, chosen[i], i);
    std::swap(island.current, island.offspring);
}

} // namespace knossos
