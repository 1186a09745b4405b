// Runs a fixed set of small configurations and compares their results with the committed ones:
//     golden expected.txt      compares, says what differs, ends with 1 if anything does
//     golden --print           prints the lines to commit
// A difference means that results which people have published no longer come out. If that is meant, commit
// the new lines and say why.
#include <knossos/core/portable_math.hpp>
#include <knossos/recipe/recipe.hpp>
#include <knossos/run/run.hpp>

#include <bit>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <functional>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace knossos;

/// The sum of distances of genes from a fixed pattern, in sevenths so that sums round; with a bonus for
/// neighbours that fit, so that genes depend on each other.
template <Objective direction>
struct Pattern {
    Space its_space;
    static constexpr Objective objective = direction;
    [[nodiscard]] Space space() const { return its_space; }

    template <class View>
    [[nodiscard]] double evaluate(View genome) const {
        double distance = 0.0;
        if constexpr (std::same_as<View, RealView>) {
            for (std::size_t i = 0; i < genome.size(); ++i) {
                const double wanted = its_space.bounds(i).low + static_cast<double>(i % 5);
                distance += std::abs(genome[i] - wanted) / 7.0;
                distance -= 0.125 * portable_cospi(genome[i] + genome[(i + 1) % genome.size()]);
            }
            return direction == Objective::minimise ? distance : 1000.0 - distance;
        }
        for (std::size_t i = 0; i < genome.size(); ++i) {
            const auto gene = static_cast<std::uint32_t>(genome[i]);
            const auto next = static_cast<std::uint32_t>(genome[(i + 1) % genome.size()]);
            const auto wanted = static_cast<std::uint32_t>(i * 5 % its_space.alphabet);
            distance += static_cast<double>(gene > wanted ? gene - wanted : wanted - gene) / 7.0;
            if ((gene + next) % 3 == 0) distance -= 0.125;
        }
        return direction == Objective::minimise ? distance : 1000.0 - distance;
    }
};

// What the functions of real numbers give, bit by bit.
std::string line_of_functions() {
    std::uint64_t digest = 0;
    const auto mix = [&](double value) {
        digest = (digest ^ std::bit_cast<std::uint64_t>(value)) * 0x9E3779B97F4A7C15U;
        digest ^= digest >> 29U;
    };
    Stream stream = Streams{1}.at(Purpose::study, 0, 0);
    std::uint64_t count = 0;
    for (; count < 20'000; ++count) {
        const double x = (stream.real() - 0.5) * (count % 2 == 0 ? 20.0 : 1500.0);
        const auto any = std::bit_cast<double>(stream.next64());
        mix(portable_exp(x));
        mix(portable_sin(x));
        mix(portable_cos(x));
        mix(portable_sinpi(x));
        mix(portable_cospi(x));
        mix(portable_pow(std::abs(x), stream.real() * 8.0 - 4.0));
        if (!std::isfinite(any)) continue;
        mix(portable_sin(any));
        mix(portable_cos(any));
        if (any > 0.0) mix(portable_log(any));
    }
    char text[100];
    std::snprintf(text, sizeof text, "functions-of-reals 1 %" PRIu64 " 0 0 %016" PRIx64, count, digest);
    return text;
}

/// The same, with what a genome is like, and a condition.
struct DescribedPattern {
    Pattern<Objective::minimise> pattern;
    [[nodiscard]] Space space() const { return pattern.its_space; }
    [[nodiscard]] static std::vector<Column> record() {
        return {minimise("distance").between(-20.0, 1000.0), must_hold("first"), descriptor("mean", 0.0, 1.0),
                descriptor("slope", -1.0, 1.0), descriptor("last", 0.0, 1.0)};
    }

    template <class View>
    void evaluate(View genome, Record out) const {
        const auto share = [&](std::size_t i) {
            if constexpr (std::same_as<View, RealView>) {
                const double width = genome.bounds(i).width();
                return width > 0.0 ? (genome[i] - genome.bounds(i).low) / width : 0.0;
            }
            return static_cast<double>(static_cast<std::uint32_t>(genome[i])) /
                   static_cast<double>(pattern.its_space.alphabet - 1);
        };
        double sum = 0.0;
        double slope = 0.0;
        for (std::size_t i = 0; i < genome.size(); ++i) {
            sum += share(i);
            slope += 2 * i < genome.size() ? -share(i) : share(i);
        }
        const auto size = static_cast<double>(genome.size());
        out[0] = pattern.evaluate(genome);
        out[1] = share(0) > 0.9 ? share(0) : 0.0;
        out[2] = sum / size;
        out[3] = 2.0 * slope / size;
        out[4] = share(genome.size() - 1);
    }
};

struct Configuration {
    std::string name;
    Space space;
    bool maximise;
    std::function<void(Settings&)> set;
};

const Space bits = Space::bits(75);
const Space ones = Space::bits_with_ones(64, 8);
const Space packed = Space::packed(30, 11);
const Space narrow = Space::integers(20, 20);
const Space wide = Space::integers(20, 1000);
const Space widest = Space::integers(20, 100'000);
const Space board = Space::permutation(16);
const Space large_board = Space::permutation(300);

const Space reals = Space::reals(20, {-5.0, 5.0});
const Space own_reals = Space::reals({{0.0, 5.0}, {-100.0, 4.5}, {2.0, 2.0}, {-0.1, 1e9}, {-3.0, 8.0}});

void islands(Settings& settings, Topology topology) {
    settings.population = 20;
    settings.islands = {.count = 6, .topology = topology, .interval = 3, .migrants = 2};
}

const std::vector<Configuration> configurations{
    {"generational-bits", bits, true, [](Settings& s) { s.recombine = TwoPoint{}; }},
    {"generational-ones", ones, false, [](Settings&) {}},
    {"generational-packed", packed, false, [](Settings& s) { s.recombine = OnePoint{}; }},
    {"generational-integers-8", narrow, false, [](Settings& s) { s.recombine = UniformCrossover{}; }},
    {"generational-integers-16", wide, false, [](Settings& s) { s.recombine = KPoint{}; }},
    {"generational-integers-32", widest, true,
     [](Settings& s) { s.recombine = UniformCrossover{.exchange = 0.2}; }},
    {"generational-permutation-8", board, false,
     [](Settings& s) {
         s.select = Tournament{.size = 10};
         s.recombine = PartiallyMatched{};
         s.mutate = ShuffleIndexes{};
     }},
    {"generational-permutation-16", large_board, false,
     [](Settings& s) {
         s.recombine = OrderCrossover{};
         s.mutate = Inversion{};
     }},
    {"one-child-per-couple", board, false,
     [](Settings& s) {
         s.algorithm = Generational{.siblings = 1};
         s.recombine = PartiallyMatched{};
     }},
    {"roulette-mix", packed, false,
     [](Settings& s) {
         s.select = Roulette{.scaling = RouletteScaling::windowed};
         s.recombine = OnePoint{.anywhere = true};
         s.mutate = PointMutation{};
         s.operations = OperationMix{};
     }},
    {"universal-plus-cycle", board, false,
     [](Settings& s) {
         s.select = StochasticUniversal{.scaling = RouletteScaling::windowed};
         s.recombine = CycleCrossover{};
         s.mutate = Insertion{};
         s.replace = PlusReplacement{};
     }},
    {"dealt-comma-edges", board, false,
     [](Settings& s) {
         s.select = Tournament{.size = 3, .replacement = false};
         s.recombine = EdgeRecombination{};
         s.mutate = Scramble{.probability = 0.3};
         s.replace = CommaReplacement{};
         s.offspring = 131;
     }},
    {"rank-worst-positions", board, true,
     [](Settings& s) {
         s.select = LinearRank{};
         s.recombine = PositionBased{};
         s.replace = ReplaceWorst{};
     }},
    {"exponential-tournament-rotate", bits, false,
     [](Settings& s) {
         s.select = ExponentialRank{};
         s.mutate = Rotate{.probability = 0.3};
         s.recombine = UniformCrossover{};
         s.replace = ReplaceInTournament{.size = 3};
     }},
    {"truncation-crowding", narrow, true,
     [](Settings& s) {
         s.select = Truncation{.fraction = 0.4};
         s.recombine = TwoPoint{};
         s.replace = Crowding{};
     }},
    {"mu-plus-lambda", wide, false,
     [](Settings& s) {
         s.algorithm = MuPlusLambda{};
         s.population = 15;
         s.offspring = 101;
     }},
    {"steady-state", bits, false,
     [](Settings& s) {
         s.algorithm = SteadyState{};
         s.recombine = UniformCrossover{};
     }},
    {"steady-state-worst", board, false,
     [](Settings& s) {
         s.algorithm = SteadyState{.tournament = 0, .events = 40};
         s.recombine = OrderCrossover{};
         s.replace = ReplaceWorst{};
     }},
    {"duel-ones", ones, false,
     [](Settings& s) {
         s.algorithm = Duel{};
         s.population = 2;
         s.mutate = MoveOnes{};
     }},
    {"knockout-ones", ones, false,
     [](Settings& s) {
         s.algorithm = Knockout{};
         s.mutate = MoveOnes{};
     }},
    {"restarts", board, false,
     [](Settings& s) {
         s.population = 10;
         s.restart = {.stagnation = 3};
         s.stop = generations(60);
     }},
    {"islands-ring", bits, true, [](Settings& s) { islands(s, Topology::ring); }},
    {"islands-torus", narrow, false, [](Settings& s) { islands(s, Topology::torus); }},
    {"islands-complete", board, false, [](Settings& s) { islands(s, Topology::complete); }},
    {"islands-random", packed, false,
     [](Settings& s) {
         islands(s, Topology::random);
         s.islands.emigrants = Emigrants::random;
         s.islands.immigrants = Immigrants::replace_if_better;
     }},
    {"hill-climb-bits", bits, true,
     [](Settings& s) { s.improve = HillClimb{.probability = 0.2, .attempts = 10}; }},
    {"descent-permutation", board, false,
     [](Settings& s) {
         s.population = 20;
         s.improve = Descent{.probability = 0.1, .move = MoveChoice::reverse};
     }},
    {"descent-integers", narrow, false,
     [](Settings& s) {
         s.population = 20;
         s.improve = Descent{.probability = 0.2, .limit = 300};
     }},
    {"annealing", board, false,
     [](Settings& s) {
         s.algorithm = Annealing{.start = 2.0, .end = 0.05, .steps = 15000, .moves = 50};
         s.population = 20;
     }},
};

// Permutations whose genes are wider than they need to be, as in problems written for 32 bits alone.
Space wide_board() {
    Space space = Space::permutation(30);
    space.gene_bytes = 4;
    return space;
}

struct Kind {
    std::string name;
    Space space;
    Recombination recombine;
};

struct Way {
    std::string name;
    bool crosses;
    std::function<void(Settings&)> set;
};

std::vector<Kind> every_kind() {
    return {{"bits", bits, TwoPoint{}},
            {"ones", ones, Clone{}},
            {"packed", packed, OnePoint{}},
            {"integers-8", narrow, UniformCrossover{}},
            {"integers-16", wide, TwoPoint{}},
            {"integers-32", widest, KPoint{}},
            {"permutation-8", board, PartiallyMatched{}},
            {"permutation-16", large_board, CycleCrossover{}},
            {"permutation-32", wide_board(), OrderCrossover{}},
            {"reals", reals, SimulatedBinary{}},
            {"own-reals", own_reals, UniformCrossover{}}};
}

// Every algorithm on every kind of genome.
std::vector<Configuration> all_ways_on_all_kinds() {
    const std::vector<Kind> kinds = every_kind();
    const std::vector<Way> ways{
        {"generational", true, [](Settings&) {}},
        {"mu-plus-lambda", true,
         [](Settings& s) {
             s.algorithm = MuPlusLambda{};
             s.offspring = 31;
         }},
        {"steady-state", true, [](Settings& s) { s.algorithm = SteadyState{}; }},
        {"duel", false,
         [](Settings& s) {
             s.algorithm = Duel{.rounds = 30};
             s.population = 2;
         }},
        {"knockout", false, [](Settings& s) { s.algorithm = Knockout{}; }},
        {"annealing", false,
         [](Settings& s) { s.algorithm = Annealing{.start = 2.0, .end = 0.05, .steps = 600, .moves = 5}; }},
        {"restarts", true,
         [](Settings& s) {
             s.population = 8;
             s.restart = {.stagnation = 1};
             s.stop = generations(25);
         }},
        {"islands", true,
         [](Settings& s) {
             s.population = 8;
             s.islands = {.count = 4, .topology = Topology::random, .interval = 2, .migrants = 2};
         }},
        {"map-elites", true,
         [](Settings& s) {
             s.algorithm = MapElites{.axes = "mean by 0.02, slope by 0.1"};
             s.offspring = 61;
         }},
        {"map-elites-islands", true,
         [](Settings& s) {
             s.algorithm = MapElites{.axes = "mean, slope, last", .centroids = 90};
             s.islands = {.count = 3, .interval = 3, .migrants = 5, .emigrants = Emigrants::random};
         }},
    };
    std::vector<Configuration> all;
    for (const Space& space : {reals, own_reals})
        for (const auto variant : {DifferenceVariant::rand_1_bin, DifferenceVariant::best_1_bin})
            all.push_back({std::string{"differential-evolution"} +
                               (variant == DifferenceVariant::best_1_bin ? "-best:" : ":") +
                               (space.own_bounds ? "own-reals" : "reals"),
                           space, variant == DifferenceVariant::best_1_bin,
                           [=](Settings& s) { s.algorithm = DifferentialEvolution{.variant = variant}; }});
    all.push_back({"blend-gaussian", reals, false, [](Settings& s) {
                       s.recombine = Blend{};
                       s.mutate = GaussianMutation{};
                   }});
    for (const Way& way : ways) {
        for (const Kind& kind : kinds) {
            all.push_back({way.name + ":" + kind.name, kind.space, false, [=](Settings& s) {
                               s.population = 20;
                               s.stop = generations(8);
                               if (way.crosses) s.recombine = kind.recombine;
                               way.set(s);
                           }});
        }
    }
    return all;
}

Result result_of(const Configuration& configuration, std::uint64_t seed) {
    Settings settings{.population = 100, .stop = generations(15), .hall_of_fame = 4, .seed = seed};
    configuration.set(settings);
    // The number of threads doesn't enter into it, but if it ever did, this would tell.
    settings.threads = 1 + static_cast<unsigned>(seed % 2);
    if (settings.algorithm.keeps_archive()) return evolve(DescribedPattern{{configuration.space}}, settings);
    if (configuration.maximise) return evolve(Pattern<Objective::maximise>{configuration.space}, settings);
    return evolve(Pattern<Objective::minimise>{configuration.space}, settings);
}

std::string line_of(std::string_view name, std::uint64_t seed, const Result& result) {
    char text[200];
    std::snprintf(text, sizeof text, "%s %" PRIu64 " %" PRIu64 " %" PRIu64 " %.17g %016" PRIx64,
                  std::string{name}.c_str(), seed, result.evaluations, result.generations, result.fitness,
                  result.digest);
    return text;
}

// Every built-in recipe, cut short.
void add_recipes(std::vector<std::string>& all) {
    for (const BuiltInRecipe& built_in : built_in_recipes()) {
        const Recipe recipe =
            Recipe::load(std::string{built_in.name},
                         {"stop.solved=false", "stop.evaluations=3000", "stop.generations=200", "seed=1"});
        all.push_back(line_of(std::string{"recipe:"} + std::string{built_in.name}, 1,
                              evolve(recipe.problem(), recipe.settings())));
    }
}

/// Near one pattern, near another and, if a third is wanted, in order, under a condition.
struct TradeOff {
    Space its_space;
    std::size_t objectives = 2;

    [[nodiscard]] Space space() const { return its_space; }
    [[nodiscard]] std::vector<Column> record() const {
        std::vector<Column> columns{minimise("near").between(0.0, 1e6), maximise("far").between(-1e6, 0.0),
                                    must_hold("even", 2.0)};
        if (objectives == 3) columns.push_back(minimise("disorder").between(0.0, 1e3));
        return columns;
    }
    template <class View>
    void evaluate(View genome, Record out) const {
        double near = 0.0;
        double far = 0.0;
        double disorder = 0.0;
        const auto gene = [&](std::size_t i) {
            if constexpr (std::same_as<View, RealView>)
                return genome[i];
            else
                return static_cast<double>(static_cast<std::uint32_t>(genome[i]));
        };
        for (std::size_t i = 0; i < genome.size(); ++i) {
            const bool is_real = its_space.kind == GenomeKind::reals;
            const std::size_t values = is_real ? 5 : its_space.alphabet;
            near += std::abs(gene(i) - static_cast<double>(i * 5 % values)) / 7.0;
            far -= std::abs(gene(i) - static_cast<double>((i * 3 + 1) % values)) / 3.0;
            disorder += i > 0 && gene(i) < gene(i - 1) ? 1.0 : 0.0;
        }
        out[0] = near;
        out[1] = far;
        out[2] = gene(0) > gene(1) ? 1.0 : 0.0;
        if (objectives == 3) out[3] = disorder;
    }
};

// NSGA-II on genomes of every kind but reals; alone and on islands, with two objectives and three.
void add_fronts(std::vector<std::string>& all) {
    for (const Kind& kind : every_kind()) {
        if (kind.space.kind == GenomeKind::reals) continue;
        for (const std::size_t objectives : {2U, 3U}) {
            Settings settings{.algorithm = Nsga2{},
                              .population = 24,
                              .recombine = kind.recombine,
                              .stop = generations(12),
                              .seed = 1,
                              .threads = static_cast<unsigned>(objectives - 1)};
            if (objectives == 3) settings.islands = {.count = 3, .interval = 4, .migrants = 2};
            all.push_back(line_of((objectives == 2 ? "nsga2:" : "nsga2-islands:") + kind.name, 1,
                                  evolve(TradeOff{kind.space, objectives}, settings)));
        }
    }
}

std::vector<std::string> lines() {
    std::vector<std::string> all;
    for (const Configuration& configuration : configurations)
        for (const std::uint64_t seed : {1U, 2U})
            all.push_back(line_of(configuration.name, seed, result_of(configuration, seed)));
    add_recipes(all);
    for (const Configuration& configuration : all_ways_on_all_kinds())
        all.push_back(line_of(configuration.name, 1, result_of(configuration, 1)));
    all.push_back(line_of_functions());
    add_fronts(all);
    return all;
}

int compare(const std::string& path) {
    std::ifstream file{path};
    if (!file) {
        std::cerr << "golden: can't read " << path << '\n';
        return 3;
    }
    std::vector<std::string> expected;
    for (std::string line; std::getline(file, line);)
        if (!line.empty() && line[0] != '#') expected.push_back(line);
    const std::vector<std::string> found = lines();
    std::size_t differing = 0;
    for (std::size_t i = 0; i < std::max(found.size(), expected.size()); ++i) {
        const std::string was = i < expected.size() ? expected[i] : "nothing";
        const std::string is = i < found.size() ? found[i] : "nothing";
        if (was == is) continue;
        ++differing;
        std::cout << "expected " << was << "\n   found " << is << '\n';
    }
    std::cout << found.size() - std::min(differing, found.size()) << " of " << expected.size()
              << " results are as committed\n";
    return differing == 0 ? 0 : 1;
}

} // namespace

int main(int count, char** arguments) {
    if (count != 2) {
        std::cerr << "usage: golden EXPECTED.TXT | golden --print\n";
        return 2;
    }
    try {
        if (std::string_view{arguments[1]} != "--print") return compare(arguments[1]);
        std::cout << "# name seed evaluations generations best digest; made by golden --print\n";
        for (const std::string& line : lines()) std::cout << line << '\n';
    } catch (const std::exception& error) {
        std::cerr << "golden: " << error.what() << '\n';
        return 3;
    }
    return 0;
}
