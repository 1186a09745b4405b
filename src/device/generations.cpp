#include "device/engine.hpp"
#include "device/gallery_engine.hpp"
#include "device/several.hpp"
#include "device/share.hpp"
#include "device/walkers.hpp"
#include "device/wanted.hpp"

#include <knossos/core/error.hpp>
#include <knossos/device/generations.hpp>
#include <knossos/recipe/domains.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace knossos::device {

namespace {

// Generational or (μ + λ), with the individuals on a device. What a budget is not enough for, and whatever is
// not a whole generation, the processor does.
template <class Plain>
struct OnDevice {
    Plain plain;
    Engines<Engine> engines;
    bool goes_alone = true; ///< each island by itself: it is the only one, or other processes have some

    using State = KeptElsewhere;

    static constexpr std::string_view name = Plain::name;
    static constexpr auto fields() { return std::tuple{}; }

    void check(const Problem& problem, const Stages& stages, std::size_t population,
               std::size_t offspring) const {
        plain.check(problem, stages, population, offspring);
    }
    [[nodiscard]] std::size_t offspring_buffer(std::size_t population, std::size_t offspring) const {
        return plain.offspring_buffer(population, offspring);
    }
    void fetch(Island& island) const { engines.of(island).fetch(island); }
    void step(const Context& context, Island& island) const {
        // Where there is room for islands that go together, there may be none for each alone.
        if (goes_alone && island.left() >= island.offspring.size())
            return step_some(engines.of(island), context, {&island, 1});
        fetch(island);
        plain.step(context, island);
    }
    /// Islands of which each may make a whole generation.
    void step_together(const Context& context, std::span<Island> islands) const {
        engines.each(context, islands, step_some);
    }

  private:
    static void step_some(Engine& engine, const Context& context, std::span<Island> islands) {
        static const Selection everybody = RandomSelection{};
        static const Replacement plus = PlusReplacement{};
        constexpr bool is_strategy = std::same_as<Plain, MuPlusLambda>;
        engine.step(context, is_strategy ? everybody : context.stages.select,
                    is_strategy ? plus : context.stages.replace, islands);
    }
};

// MAP-Elites, whose children are made and measured on a device.
struct GalleryOnDevice {
    MapElites plain;
    Engines<GalleryEngine> engines;

    using State = MapElites::State;

    static constexpr std::string_view name = MapElites::name;
    static constexpr auto fields() { return std::tuple{}; }

    void check(const Problem& problem, const Stages& stages, std::size_t population,
               std::size_t offspring) const {
        plain.check(problem, stages, population, offspring);
    }
    static std::size_t offspring_buffer(std::size_t population, std::size_t offspring) {
        return MapElites::offspring_buffer(population, offspring);
    }
    [[nodiscard]] std::string remark(const Schema& schema, const Island& island) const {
        return plain.remark(schema, island);
    }
    [[nodiscard]] std::shared_ptr<const Cells> cells(const Schema& schema) const {
        return plain.cells(schema);
    }
    static const Archive& archive(const Island& island) { return MapElites::archive(island); }
    static void begin(const Context& context, Island& island, std::shared_ptr<const Cells> cells) {
        MapElites::begin(context, island, std::move(cells));
    }
    static bool take_up(const Schema& schema, Island& island, std::shared_ptr<const Cells> cells) {
        return MapElites::take_up(schema, island, std::move(cells));
    }
    static void admit(const Context& context, Island& island, std::span<const Population* const> arrivals) {
        MapElites::admit(context, island, arrivals);
    }
    void step(const Context& context, Island& island) const {
        if (island.left() >= island.offspring.size()) return engines.of(island).step(plain, context, island);
        plain.step(context, island);
    }
};

[[noreturn]] void refuse_device(const std::string& what) {
    throw InvalidInput{fmt::format("{}; or take the device cpu", what)};
}

void require_one_of(std::string_view place, std::string_view kind, std::span<const std::string_view> known) {
    if (std::ranges::find(known, kind) == known.end())
        refuse_device(
            fmt::format("{}: {} does not run on a device; {} can", place, kind, fmt::join(known, ", ")));
}

double number_in(const Recipe::Choice& choice, const std::string& field) {
    return std::get<double>(choice.values.at(field));
}

DeviceKernel evaluation_of(const Recipe& recipe) {
    const Domain& domain = domain_of(recipe);
    if (!domain.device_kernel || recipe.choice("evaluator") != nullptr) {
        std::vector<std::string> known;
        for (const Domain& one : recipe.registry().domains())
            if (one.device_kernel) known.push_back(one.info.name);
        refuse_device(fmt::format("problem: {} has no kernel; {} have one",
                                  domain.device_kernel ? "one that a program evaluates" : domain.info.name,
                                  fmt::join(known, ", ")));
    }
    return domain.device_kernel(recipe.choice("problem")->values);
}

void check_stages(const Recipe& recipe) {
    const Recipe::Choice& algorithm = *recipe.choice("algorithm");
    constexpr std::array<std::string_view, 5> algorithms{Generational::name, MuPlusLambda::name,
                                                         MapElites::name, Duel::name, Annealing::name};
    require_one_of("algorithm", algorithm.kind, algorithms);
    for (const char* const stage : {"stages.operations", "stages.improve"})
        if (recipe.choice(stage) != nullptr) refuse_device(fmt::format("{} does not run on a device", stage));
    if (algorithm.kind != Generational::name) return;
    if (std::get<std::int64_t>(algorithm.values.at("siblings")) != 2 || number_in(algorithm, "parents") > 0.0)
        refuse_device(
            "algorithm: on a device, couples have two children, so that siblings must be 2 and parents 0");
    constexpr std::array<std::string_view, 5> replacements{GenerationalReplacement::name,
                                                           PlusReplacement::name, CommaReplacement::name,
                                                           ReplaceWorst::name, ReplaceInTournament::name};
    if (const auto* chosen = recipe.choice("stages.replace"))
        require_one_of("stages.replace", chosen->kind, replacements);
    // Those of a program's own may look at whatever they like.
    constexpr std::array<std::string_view, 9> selections{
        Tournament::name, RandomSelection::name, Roulette::name,   StochasticUniversal::name,
        LinearRank::name, ExponentialRank::name, Truncation::name, BestSelection::name};
    if (const auto* chosen = recipe.choice("stages.select"))
        require_one_of("stages.select", chosen->kind, std::span{selections}.first(8));
}

// How many contestants a device draws; 0 if the host selects.
std::uint32_t contestants_of(const Recipe& recipe) {
    if (is_gallery(recipe) || is_walk(recipe)) return 0;
    if (recipe.choice("algorithm")->kind == MuPlusLambda::name) return 1;
    const auto* const chosen = recipe.choice("stages.select");
    if (chosen == nullptr) return Tournament{}.replacement ? Tournament{}.size : 0;
    if (chosen->kind == RandomSelection::name) return 1;
    if (chosen->kind != Tournament::name || !std::get<bool>(chosen->values.at("replacement"))) return 0;
    return static_cast<std::uint32_t>(std::get<std::int64_t>(chosen->values.at("size")));
}

void plan_recombination(const Recipe& recipe, GenerationPlan& plan) {
    const auto* const chosen = recipe.choice("stages.recombine");
    Variation& its = plan.variation;
    its.recombine = chosen == nullptr ? Clone::name : chosen->kind;
    if (its.recombine == Clone::name) return;
    its.recombine_probability = number_in(*chosen, "probability");
    if (its.recombine == OnePoint::name) its.crosses_anywhere = std::get<bool>(chosen->values.at("anywhere"));
    if (its.recombine != UniformCrossover::name) return;
    const double exchange = number_in(*chosen, "exchange");
    its.crosses_half = exchange == 0.5;
    its.crosses_always = exchange >= 1.0;
    if (!its.crosses_half && !its.crosses_always) plan.crossed_genes = exchange;
}

// Those that are named must have a kernel.
void plan_moves(const Recipe& recipe, const Recipe::Choice& chosen, GenerationPlan& plan) {
    const std::vector<std::string>& known = plan.evaluation.moves;
    const std::vector<std::string> named = entries_of(std::get<std::string>(chosen.values.at("moves")));
    if (known.empty()) refuse_device("stages.mutate: this problem's moves have no kernels");
    for (const std::string& move : named) {
        const auto found = std::ranges::find(known, move);
        if (found == known.end())
            refuse_device(
                fmt::format("stages.mutate: {} has no kernel; {} have one", move, fmt::join(known, ", ")));
        plan.variation.moves.push_back(static_cast<std::uint32_t>(found - known.begin()));
    }
    if (named.empty())
        refuse_device(
            fmt::format("stages.mutate: not all moves have a kernel, but {} have one: name those that are "
                        "to be made, as in moves = \"{}, {}\"",
                        fmt::join(known, ", "), known.front(), known.back()));
    plan.variation.chooses_kinds = is_gallery(recipe) && named.size() > 1;
}

void plan_mutation(const Recipe& recipe, GenerationPlan& plan) {
    const auto* const chosen = recipe.choice("stages.mutate");
    Variation& its = plan.variation;
    double genes = -1.0;     // drawn otherwise
    if (chosen == nullptr) { // what a run takes then
        its.mutate = its.is_permutation ? SwapMutation::name : BitFlip::name;
        if (!its.is_permutation) genes = BitFlip{}.rate(its.genes);
    } else {
        its.mutate = chosen->kind;
        if (chosen->values.contains("probability"))
            its.mutate_probability = number_in(*chosen, "probability");
        if (its.mutate == ProblemMove::name) plan_moves(recipe, *chosen, plan);
        if (its.mutate == BitFlip::name) genes = BitFlip{1.0, number_in(*chosen, "per_bit")}.rate(its.genes);
        if (its.mutate == UniformMutation::name) genes = number_in(*chosen, "per_gene");
        if (its.mutate == ShuffleIndexes::name) genes = number_in(*chosen, "per_index");
    }
    its.mutates_always = genes >= 1.0;
    if (genes >= 0.0 && !its.mutates_always) plan.mutated_genes = genes;
}

void check_space(const Space& space) {
    const bool is_permutation = space.kind == GenomeKind::permutation && space.length <= 255;
    if ((space.kind == GenomeKind::bits && !space.ones) || is_permutation) return;
    refuse_device(fmt::format("problem: its genomes are {}; bits and permutations of up to 255 have kernels",
                              describe(space)));
}

// Squares of fitness values are added up in 64 bits, and genomes lie in the registers of a work item, or what
// stands in for them.
void check_size(const Variation& its, std::size_t individuals) {
    constexpr std::size_t most_genes = 65536;
    if (its.genes > most_genes)
        refuse_device(fmt::format("problem: its genomes have {} genes; on a device they may have up to {}",
                                  its.genes, most_genes));
    const auto largest = static_cast<double>(largest_fitness(its));
    const double most = std::floor(0x1.0p62 / (largest * largest));
    if (static_cast<double>(individuals) > most)
        refuse_device(
            fmt::format("algorithm: so many individuals of {} genes are too many for a device; {:.0f} "
                        "are the most",
                        its.genes, most));
}

GenerationPlan plan_of(const Recipe& recipe, const Problem& problem, const Settings& settings,
                       const Device& device) {
    GenerationPlan plan{.evaluation = evaluation_of(recipe), .diversity_pairs = settings.diversity_pairs};
    check_stages(recipe);
    check_space(problem.space());
    plan.variation.is_permutation = problem.space().kind == GenomeKind::permutation;
    plan.variation.is_minimised = problem.objective() == Objective::minimise;
    plan.variation.genes = problem.space().length;
    plan.variation.genome_bytes = problem.space().genome_bytes();
    check_size(plan.variation, std::max(settings.population, settings.offspring));
    if (is_gallery(recipe)) {
        if (plan.evaluation.numbers == 0)
            refuse_device(
                "problem: its kernel gives a fitness alone, and map-elites needs descriptors beside it");
    } else if (!problem.schema().plain() || !problem.schema().whole_fitness())
        refuse_device(fmt::format("problem: an evaluation gives {}; on a device it must be one whole number",
                                  problem.schema().to_text()));
    plan.variation.tournament = contestants_of(recipe);
    plan.variation.group = group_of(plan.variation, device.shared_memory);
    plan_recombination(recipe, plan);
    plan_mutation(recipe, plan);
    const auto* const replace = recipe.choice("stages.replace");
    plan.replaces_all = recipe.choice("algorithm")->kind == Generational::name && replace != nullptr &&
                        replace->kind == GenerationalReplacement::name &&
                        std::get<std::int64_t>(replace->values.at("elites")) == 0;
    return plan;
}

// A population just large enough for the stages.
std::size_t small_population(const Recipe& recipe, const Settings& settings) {
    std::size_t least = 64;
    for (const auto& [stage, field] :
         {std::pair{"stages.select", "size"}, {"stages.replace", "size"}, {"stages.replace", "elites"}})
        if (const auto* chosen = recipe.choice(stage); chosen != nullptr && chosen->values.contains(field))
            least = std::max<std::size_t>(
                least, static_cast<std::size_t>(std::get<std::int64_t>(chosen->values.at(field))) + 1);
    return std::min(settings.population, least);
}

[[noreturn]] void refuse_compiler(const Device& device, std::uint64_t generation) {
    throw InvalidInput{
        fmt::format("device '{}' is not used: in generation {} of its self-test it comes to other "
                    "individuals than the processor, so its driver ({}) compiles a kernel wrongly",
                    device.name, generation, device.version)};
}

bool are_equal(const Island& one, const Island& other) {
    bool same = std::ranges::equal(one.current.bytes(), other.current.bytes()) &&
                one.evaluations == other.evaluations && one.hall.front().genome == other.hall.front().genome;
    for (std::size_t column = 0; column < one.current.columns() && same; ++column)
        same = std::ranges::equal(one.current.column(column), other.current.column(column));
    return same;
}

// What statistics are made of, before anybody is fetched.
bool say_the_same(const Schema& schema, const Island& one, const Island& other, std::uint32_t pairs) {
    if (one.current.size() != other.current.size()) return false;
    if (one.current.size() == 0) return true;
    const Moments its = moments_of(one, schema, pairs);
    const Moments others = moments_of(other, schema, pairs);
    return its.sum == others.sum && its.sum_of_squares == others.sum_of_squares && its.mean == others.mean &&
           its.squares == others.squares && its.best == others.best && its.worst == others.worst &&
           its.distance == others.distance && one.selection_intensity == other.selection_intensity;
}

// Some generations of small islands, on both: a driver that compiles wrongly is found before it does harm.
void self_test(const Recipe& recipe, const Problem& problem, const Settings& settings, const Algorithm& plain,
               const Algorithm& algorithm, const Device& device) {
    const std::size_t population = small_population(recipe, settings);
    const std::size_t wanted = settings.offspring != 0 ? settings.offspring : settings.population;
    const std::size_t offspring = wanted == settings.population  ? population
                                  : wanted > settings.population ? std::min(wanted, 2 * population + 1)
                                                                 : std::min(wanted, population);
    const Stages stages{.select = settings.select,
                        .recombine = settings.recombine,
                        .mutate = settings.mutate->bound(problem),
                        .operations = {},
                        .improve = {},
                        .replace = settings.replace};
    constexpr std::uint64_t seed = 2024;
    const bool are_many = settings.islands.count >= Engine::many_islands && !is_gallery(recipe);
    const std::uint32_t islands =
        are_many ? Engine::many_islands : std::min(settings.islands.count, std::uint32_t{3});
    std::vector<Worker> workers;
    workers.emplace_back(problem);
    const Context context{problem, stages, 1, nullptr, workers};
    std::vector<Island> expected;
    for (std::uint32_t i = 0; i < islands; ++i) {
        expected.emplace_back(problem.space(), population, plain.offspring_buffer(population, offspring),
                              seed, 0, i, problem.schema().size());
        expected.back().kept = plain.initial_state();
        populate(context, expected.back());
    }
    std::vector<Island> found = expected;
    for (std::uint32_t i = 0; i < islands; ++i) {
        found[i].kept = algorithm.initial_state();
        plain.begin(context, expected[i]);
        algorithm.begin(context, found[i]);
    }
    for (std::uint64_t generation = 1; generation <= 3; ++generation) {
        for (std::uint32_t i = 0; i < islands; ++i) {
            expected[i].generation = found[i].generation = generation;
            plain.step(context, expected[i]);
        }
        algorithm.step_together(context, found);
        for (std::uint32_t i = 0; i < islands && !is_gallery(recipe); ++i)
            if (!say_the_same(problem.schema(), expected[i], found[i], settings.diversity_pairs))
                refuse_compiler(device, generation);
        if (generation == 2) continue; // what stays on the device has to be right, too
        for (std::uint32_t i = 0; i < islands; ++i) {
            algorithm.fetch(found[i]);
            if (!are_equal(expected[i], found[i])) refuse_compiler(device, generation);
        }
    }
}

// The engines of one device, or of all.
struct AllEngines {
    std::vector<std::shared_ptr<Engine>> generations{};
    std::vector<std::shared_ptr<GalleryEngine>> galleries{};
    std::vector<std::shared_ptr<WalkEngine>> walks{};

    void add(const AllEngines& others) {
        generations.insert(generations.end(), others.generations.begin(), others.generations.end());
        galleries.insert(galleries.end(), others.galleries.begin(), others.galleries.end());
        walks.insert(walks.end(), others.walks.begin(), others.walks.end());
    }
};

AllEngines engines_on(const Share& share) {
    AllEngines its;
    if (is_gallery(share.recipe))
        its.galleries.push_back(
            std::make_shared<GalleryEngine>(share.device, share.plan, share.cells, share.tables));
    else if (is_walk(share.recipe))
        its.walks.push_back(std::make_shared<WalkEngine>(share.device, share.plan));
    else
        its.generations.push_back(std::make_shared<Engine>(share.device, share.plan));
    return its;
}

// After the self-test, which has taken some memory for itself.
void try_memory(const AllEngines& engines, const RunMemory& memory, std::size_t runs) {
    for (const auto& one : engines.generations) one->try_memory(memory, runs);
    for (const auto& one : engines.galleries) one->try_memory(memory);
    for (const auto& one : engines.walks) one->try_memory(memory);
}

Algorithm algorithm_there(const Recipe& recipe, const AllEngines& engines, std::uint32_t islands,
                          bool goes_alone) {
    const auto& [kind, fields] = *recipe.choice("algorithm");
    if (kind == MapElites::name)
        return GalleryOnDevice{from_values<MapElites>(fields), {engines.galleries, islands}};
    if (kind == Duel::name)
        return DuelOnDevice{from_values<Duel>(fields), {engines.walks, islands}, islands == 1};
    if (kind == Annealing::name)
        return AnnealingOnDevice{from_values<Annealing>(fields), {engines.walks, islands}};
    if (kind == MuPlusLambda::name)
        return OnDevice<MuPlusLambda>{{}, {engines.generations, islands}, goes_alone};
    return OnDevice<Generational>{{}, {engines.generations, islands}, goes_alone};
}

// The algorithm and its twin on a device, with so few rounds or moves that a test takes no time.
std::pair<Algorithm, Algorithm> tested(const Recipe& recipe, const Algorithm& plain,
                                       const AllEngines& engines) {
    constexpr std::uint32_t few = 100;
    const auto& fields = recipe.choice("algorithm")->values;
    if (is_duel(recipe)) {
        Duel duel = from_values<Duel>(fields);
        duel.rounds = std::min(duel.rounds, few);
        return {duel, DuelOnDevice{duel, {engines.walks, 1}, true}};
    }
    if (is_walk(recipe)) {
        Annealing annealing = from_values<Annealing>(fields);
        annealing.moves = std::min(annealing.moves, few);
        return {annealing, AnnealingOnDevice{annealing, {engines.walks, 1}}};
    }
    return {plain, algorithm_there(recipe, engines, 1, true)};
}

// Has the kernels built and tried for a share of a run.
AllEngines tried_engines(const Share& its, const Algorithm& plain, const RunMemory& memory) {
    try {
        const AllEngines engines = engines_on(its);
        const bool are_many = its.settings.islands.count >= Engine::many_islands;
        for (const auto& one : engines.generations) one->check_summaries(are_many);
        const auto [expected, found] = tested(its.recipe, plain, engines);
        self_test(its.recipe, its.problem, its.settings, expected, found, its.device);
        try_memory(engines, memory, its.circumstances.runs != nullptr ? its.circumstances.runs->count : 1);
        return engines;
    } catch (const DeviceLost& error) { // nothing has run yet that could be lost
        throw InvalidInput{fmt::format("{}, before the run began", error.what())};
    }
}

} // namespace

Settings on_devices(const Recipe& recipe, Settings settings, std::span<const Device> devices,
                    const Circumstances& circumstances) {
    const Problem problem = recipe.problem();
    const std::uint32_t shares = narrow(std::min<std::size_t>(devices.size(), settings.islands.count));
    AllEngines all;
    std::vector<RunMemory> memory;
    const Algorithm plain = settings.algorithm;
    for (const Device& device : devices.first(shares)) {
        if (!device.unfit.empty())
            throw InvalidInput{fmt::format("device '{}' can't be used: {}", device.name, device.unfit)};
        // What has no kernel comes before what is too large.
        const GenerationPlan plan = plan_of(recipe, problem, settings, device);
        check(problem, settings);
        if (!settings.mutate) {
            if (problem.space().kind == GenomeKind::permutation)
                settings.mutate = SwapMutation{};
            else
                settings.mutate = BitFlip{};
        }
        Share share{.recipe = recipe,
                    .problem = problem,
                    .settings = settings,
                    .device = device,
                    .plan = plan,
                    .circumstances = circumstances,
                    .islands = (settings.islands.count + shares - 1) / shares};
        if (is_gallery(recipe)) {
            share.cells = settings.algorithm.cells(problem.schema());
            share.tables = ArchiveTables::of(problem.schema(), *share.cells, plan.evaluation.columns);
        }
        memory.push_back(required_memory(share));
        all.add(tried_engines(share, plain, memory.back()));
    }
    for (std::size_t i = 0; i < memory.size(); ++i) note_memory(devices[i], memory[i], circumstances);
    settings.algorithm = algorithm_there(recipe, all, settings.islands.count,
                                         settings.islands.count == 1 || circumstances.is_divided);
    return settings;
}

Settings on_devices(const Recipe& recipe, Settings settings, std::span<const Device> devices) {
    return on_devices(recipe, std::move(settings), devices, {});
}

Settings on_device(const Recipe& recipe, Settings settings, const Device& device) {
    return on_devices(recipe, std::move(settings), {&device, 1});
}

} // namespace knossos::device
