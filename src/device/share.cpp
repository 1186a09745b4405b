#include "device/share.hpp"

#include "device/gallery_engine.hpp"
#include "device/walk_engine.hpp"

#include <knossos/core/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

namespace knossos::device {

bool is_gallery(const Recipe& recipe) { return recipe.choice("algorithm")->kind == MapElites::name; }

bool is_duel(const Recipe& recipe) { return recipe.choice("algorithm")->kind == Duel::name; }

bool is_walk(const Recipe& recipe) {
    return is_duel(recipe) || recipe.choice("algorithm")->kind == Annealing::name;
}

namespace {

// How many there are of what a run may have too many of.
struct Numbers {
    std::size_t islands;
    std::size_t population;
    std::size_t offspring; // 0: as many as there are individuals

    [[nodiscard]] std::size_t children(const Settings& settings) const {
        return settings.algorithm.offspring_buffer(population, offspring != 0 ? offspring : population);
    }
};

// Rows of individuals that lie one after the other.
double rows_of(const Share& its, const Numbers& numbers) {
    const auto islands = static_cast<double>(numbers.islands);
    const auto population = static_cast<double>(numbers.population);
    const auto children = static_cast<double>(numbers.children(its.settings));
    if (is_gallery(its.recipe)) return children;
    if (is_walk(its.recipe))
        return islands * population * static_cast<double>(WalkEngine::rows_of(is_duel(its.recipe)));
    return islands * std::max(population, children);
}

// What a run of these numbers would take.
RunMemory memory_of(const Share& its, const Numbers& numbers) {
    if (is_gallery(its.recipe))
        return GalleryEngine::memory_of(its.plan, its.device, *its.cells, its.tables,
                                        numbers.children(its.settings));
    if (is_walk(its.recipe))
        return WalkEngine::memory_of(its.plan, its.device, numbers.islands, numbers.population,
                                     is_duel(its.recipe));
    return Engine::memory_of(its.plan, numbers.islands, numbers.population, numbers.children(its.settings),
                             !its.circumstances.is_divided);
}

bool fits(const Share& its, const Numbers& numbers) {
    constexpr double most_rows = 0x1p31; // they have numbers of 32 bits
    if (rows_of(its, numbers) > most_rows) return false;
    const RunMemory memory = memory_of(its, numbers);
    if (memory.largest_block() > its.device.largest_block) return false;
    std::size_t runs = 1;
    RunsAtOnce::Memory others;
    if (const RunsAtOnce* const all = its.circumstances.runs) {
        runs = all->count;
        if (const auto found = all->memory.find(its.device.id); found != all->memory.end())
            others = found->second;
    }
    const std::uint64_t of_a_run = std::max(others.of_a_run, memory.of_a_run.bytes());
    const double all = static_cast<double>(others.shared + memory.shared_bytes()) +
                       static_cast<double>(runs) * static_cast<double>(of_a_run);
    return all <= static_cast<double>(usable_memory_of(its.device));
}

// What there are too many of, how many of it would fit, and beside what.
struct Excess {
    std::string_view place;
    std::string_view field;
    std::string is;
    std::string would_fit;
    std::string beside{};
};

[[noreturn]] void refuse_excess(const Share& its, const Excess& excess) {
    const RunsAtOnce* const runs = its.circumstances.runs;
    // Those of galleries and walks take turns.
    const bool are_several =
        runs != nullptr && runs->count > 1 && !is_gallery(its.recipe) && !is_walk(its.recipe);
    std::string beside = excess.beside;
    if (runs != nullptr && runs->memory.contains(its.device.id)) beside += " beside the recipes before it";
    if (are_several) beside += "; with fewer threads there are fewer runs at once";
    throw InvalidSetting{
        excess.place, excess.place == "islands" ? "islands" : "", excess.field,
        fmt::format("is {}{}; device '{}' has {:.1f} GB of memory, in which {} would fit{}", excess.is,
                    are_several ? fmt::format(" in each of {} runs at once", runs->count) : "",
                    its.device.name, static_cast<double>(its.device.memory) * 1e-9, excess.would_fit,
                    beside)};
}

Excess excess_of(const Share& its, const Numbers& wanted) {
    const Settings& set = its.settings;
    if (is_gallery(its.recipe)) {
        const std::size_t children = wanted.children(set);
        const auto most = largest_that(children - 1, [&](std::uint64_t some) {
            return some != 0 && fits(its, {wanted.islands, wanted.population, some});
        });
        return {.place = "algorithm",
                .field = "offspring",
                .is = fmt::format("{}", children),
                .would_fit = fmt::format("{}", most),
                .beside = fmt::format(" beside {} cells", its.cells->count())};
    }
    if (is_duel(its.recipe)) {
        const auto most = largest_that(wanted.islands - 1, [&](std::uint64_t some) {
            return fits(its, {some, wanted.population, wanted.offspring});
        });
        return {.place = "islands",
                .field = "count",
                .is = fmt::format("{}", set.islands.count),
                .would_fit = fmt::format("the duels of {}", most)};
    }
    // Of individuals and children those are too many who are more; then the others must not be more, either.
    const bool are_children = !is_walk(its.recipe) && wanted.offspring > wanted.population;
    const std::size_t number = are_children ? wanted.offspring : wanted.population;
    const auto most = largest_that(number - 1, [&](std::uint64_t some) {
        if (some == 0) return false;
        return are_children ? fits(its, {wanted.islands, std::min(wanted.population, some), some})
                            : fits(its, {wanted.islands, some, std::min(wanted.offspring, some)});
    });
    return {.place = "algorithm",
            .field = are_children ? "offspring" : "population",
            .is = set.islands.count > 1 ? fmt::format("{} on each of {} islands", number, set.islands.count)
                                        : fmt::format("{}", number),
            .would_fit = fmt::format("{}", most)};
}

} // namespace

RunMemory required_memory(const Share& share) {
    const Numbers wanted{share.islands, share.settings.population, share.settings.offspring};
    if (!fits(share, wanted)) refuse_excess(share, excess_of(share, wanted));
    return memory_of(share, wanted);
}

void note_memory(const Device& device, const RunMemory& memory, const Circumstances& circumstances) {
    if (circumstances.runs == nullptr) return;
    RunsAtOnce::Memory& all = circumstances.runs->memory[device.id];
    all.shared += memory.shared_bytes();
    all.of_a_run = std::max(all.of_a_run, memory.of_a_run.bytes());
}

} // namespace knossos::device
