#include <knossos/core/text.hpp>
#include <knossos/run/registry.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace knossos {

namespace {

template <class Part, class Type>
Entry<Part> part(std::string_view summary) {
    PartInfo info{
        .name = std::string{Type::name}, .summary = std::string{summary}, .fields = fields_of<Type>()};
    if constexpr (requires { Type::uses; }) info.uses.assign(Type::uses.begin(), Type::uses.end());
    return {.info = std::move(info),
            .make = [](const Values& values) { return Part{from_values<Type>(values)}; }};
}

std::string allowed(const FieldInfo& field) {
    const auto number = [&](double bound) {
        return field.type == FieldType::integer ? fmt::format("{:.0f}", bound) : fmt::format("{}", bound);
    };
    std::string what = field.type == FieldType::integer ? "a whole number" : "a number";
    if (std::isinf(field.minimum) && std::isinf(field.maximum)) return what;
    if (std::isinf(field.maximum)) return fmt::format("{} of at least {}", what, number(field.minimum));
    return fmt::format("{} in {}..{}", what, number(field.minimum), number(field.maximum));
}

std::optional<std::string> fit_number(const FieldInfo& field, Value& value) {
    const bool whole = field.type == FieldType::integer;
    if (whole && std::holds_alternative<double>(value)) {
        const double given = std::get<double>(value);
        // 1e6 is a handy way to write a whole number.
        if (given == std::floor(given) && std::abs(given) < 9.0e15) value = static_cast<std::int64_t>(given);
    }
    if (!whole && std::holds_alternative<std::int64_t>(value))
        value = static_cast<double>(std::get<std::int64_t>(value));
    const bool typed =
        whole ? std::holds_alternative<std::int64_t>(value) : std::holds_alternative<double>(value);
    if (!typed) return fmt::format("is {}; it must be {}", to_text(value), allowed(field));
    const double number =
        whole ? static_cast<double>(std::get<std::int64_t>(value)) : std::get<double>(value);
    if (number >= field.minimum && number <= field.maximum) return std::nullopt;
    return fmt::format("is {}; it must be {}", to_text(value), allowed(field));
}

} // namespace

const std::vector<Entry<Selection>>& selections() {
    static const std::vector<Entry<Selection>> entries{
        part<Selection, Tournament>("the best of a few drawn at random"),
        part<Selection, Roulette>("in proportion to fitness, one spin per draw"),
        part<Selection, StochasticUniversal>("in proportion to fitness, one spin for all draws"),
        part<Selection, LinearRank>("by rank, chances falling linearly"),
        part<Selection, ExponentialRank>("by rank, chances falling geometrically"),
        part<Selection, Truncation>("only the fittest fraction, each in turn"),
        part<Selection, RandomSelection>("everybody alike"),
        part<Selection, BestSelection>("always the fittest"),
    };
    return entries;
}

const std::vector<Entry<Recombination>>& recombinations() {
    static const std::vector<Entry<Recombination>> entries{
        part<Recombination, Clone>("copies of the parents (any genome)"),
        part<Recombination, OnePoint>("exchanges the tails behind one cut (bits, integers)"),
        part<Recombination, TwoPoint>("exchanges the stretch between two cuts (bits, integers)"),
        part<Recombination, KPoint>("exchanges every second stretch between k cuts (bits, integers)"),
        part<Recombination, UniformCrossover>("exchanges each gene with a probability (bits, integers)"),
        part<Recombination, PartiallyMatched>("exchanges a stretch and repairs by swaps (permutations)"),
        part<Recombination, OrderCrossover>("keeps a stretch, fills in the other's order (permutations)"),
        part<Recombination, CycleCrossover>("exchanges one cycle of positions (permutations)"),
        part<Recombination, EdgeRecombination>("walks along the parents' adjacencies (permutations)"),
        part<Recombination, PositionBased>(
            "keeps random positions, fills in the other's order (permutations)"),
    };
    return entries;
}

const std::vector<Entry<Mutation>>& mutations() {
    static const std::vector<Entry<Mutation>> entries{
        part<Mutation, PointMutation>("changes one random gene (bits, integers)"),
        part<Mutation, UniformMutation>("changes each gene with a probability (bits, integers)"),
        part<Mutation, BitFlip>("flips each bit with probability 1/length or as given (bits)"),
        part<Mutation, Rotate>("turns the genome by a random number of places (any genome)"),
        part<Mutation, MoveOnes>("moves some ones to zeros, keeping their number (bits)"),
        part<Mutation, SwapMutation>("exchanges two positions (permutations)"),
        part<Mutation, Insertion>("moves one gene elsewhere (permutations)"),
        part<Mutation, Inversion>("turns a stretch round (permutations)"),
        part<Mutation, Scramble>("shuffles a stretch (permutations)"),
        part<Mutation, ShuffleIndexes>("exchanges each position with a probability (permutations)"),
        part<Mutation, ProblemMove>("whatever the problem itself proposes (direct mazes: a new way)"),
    };
    return entries;
}

const std::vector<Entry<Improvement>>& improvements() {
    static const std::vector<Entry<Improvement>> entries{
        part<Improvement, HillClimb>("tries random moves and keeps the better"),
        part<Improvement, Descent>("takes every better move until there is none"),
    };
    return entries;
}

const std::vector<Entry<Replacement>>& replacements() {
    static const std::vector<Entry<Replacement>> entries{
        part<Replacement, GenerationalReplacement>("children replace everybody but a few elites"),
        part<Replacement, PlusReplacement>("the best of parents and children stay"),
        part<Replacement, CommaReplacement>("the best children stay"),
        part<Replacement, ReplaceWorst>("each child replaces the worst"),
        part<Replacement, ReplaceInTournament>("each child replaces the worst of a few drawn at random"),
        part<Replacement, Crowding>("each child competes with the more similar parent"),
    };
    return entries;
}

const std::vector<Entry<Algorithm>>& algorithms() {
    static const std::vector<Entry<Algorithm>> entries{
        part<Algorithm, Generational>("whole generations, by the stages"),
        part<Algorithm, SteadyState>("one mating event at a time"),
        part<Algorithm, MuPlusLambda>("random parents; parents and children compete"),
        part<Algorithm, Duel>("two individuals; the loser becomes a mutant of the winner"),
        part<Algorithm, Knockout>("matches of two; winners go on with one mutant each"),
        part<Algorithm, Annealing>("walkers that take worse mutants ever more rarely"),
    };
    return entries;
}

std::string to_text(const Value& value) {
    return std::visit(
        []<class T>(const T& held) {
            if constexpr (std::same_as<T, std::string>)
                return fmt::format("\"{}\"", held);
            else if constexpr (std::same_as<T, double>) {
                const std::string text = fmt::format("{}", held);
                return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
            } else
                return fmt::format("{}", held);
        },
        value);
}

std::optional<std::string> fit(const FieldInfo& field, Value& value) {
    if (field.type == FieldType::boolean) {
        if (std::holds_alternative<bool>(value)) return std::nullopt;
        return fmt::format("is {}; it must be true or false", to_text(value));
    }
    if (field.type == FieldType::text) {
        if (std::holds_alternative<std::string>(value)) return std::nullopt;
        return fmt::format("is {}; it must be a text in quotes", to_text(value));
    }
    if (field.type != FieldType::choice) return fit_number(field, value);
    const auto* given = std::get_if<std::string>(&value);
    if (given != nullptr && std::ranges::find(field.choices, *given) != field.choices.end())
        return std::nullopt;
    std::string choices;
    for (const auto& choice : field.choices) choices += (choices.empty() ? "" : ", ") + choice;
    const auto meant = given != nullptr ? nearest(*given, field.choices) : std::nullopt;
    return fmt::format("is {}; it must be one of {}{}", to_text(value), choices,
                       meant ? fmt::format(" (did you mean {}?)", *meant) : "");
}

} // namespace knossos
