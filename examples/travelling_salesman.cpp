// The travelling salesman: reads a TSPLIB file and looks for its shortest tour. Shows a problem that
// evaluates moves incrementally, so that local search (2-opt) is a stage like any other.
//
//     travelling_salesman examples/data/berlin52.tsp --runs 20
#include <knossos/knossos.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace {

// Optimal lengths of some instances, as TSPLIB lists them.
const std::map<std::string, double, std::less<>> known_optima{
    {"bayg29", 1610}, {"bays29", 2020},   {"berlin52", 7542}, {"eil51", 426}, {"eil76", 538},
    {"gr17", 2085},   {"kroA100", 21282}, {"pr76", 108159},   {"st70", 675}};

struct Instance {
    std::string name;
    std::size_t cities = 0;
    std::vector<double> distances; ///< row by row

    [[nodiscard]] double distance(std::size_t a, std::size_t b) const { return distances[a * cities + b]; }
};

/// Reads the parts of the TSPLIB format that symmetric instances are usually written in: G. Reinelt: "TSPLIB
/// 95", 1995. Coordinates with EUC_2D or CEIL_2D distances, and explicit matrices.
class TsplibReader {
  public:
    explicit TsplibReader(std::string file) : file_{std::move(file)}, in_{file_} {
        if (!in_) throw knossos::InputOutputError{file_ + ": can't be opened for reading"};
    }

    Instance read() {
        while (next_line()) {
            if (line_.empty()) continue;
            if (line_ == "EOF") break;
            if (line_ == "NODE_COORD_SECTION")
                read_coordinates();
            else if (line_ == "EDGE_WEIGHT_SECTION")
                read_matrix();
            else if (line_ == "DISPLAY_DATA_SECTION")
                skip_numbers(3 * cities());
            else
                read_entry();
        }
        if (instance_.distances.empty()) refuse("a NODE_COORD_SECTION or an EDGE_WEIGHT_SECTION");
        return std::move(instance_);
    }

  private:
    [[noreturn]] void refuse(const std::string& expected) const {
        const std::string found = in_ ? "found '" + line_ + "'" : "the file ends";
        throw knossos::InvalidInput{file_ + ":" + std::to_string(line_number_) + ": expected " + expected +
                                    ", " + found};
    }

    bool next_line() {
        if (!std::getline(in_, line_)) return false;
        ++line_number_;
        const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
        line_.erase(std::find_if_not(line_.rbegin(), line_.rend(), blank).base(), line_.end());
        line_.erase(line_.begin(), std::ranges::find_if_not(line_, blank));
        words_ = std::istringstream{line_};
        return true;
    }

    void read_entry() {
        const auto colon = line_.find(':');
        if (colon == std::string::npos) refuse("'KEYWORD : value' or the start of a section");
        std::string keyword;
        std::istringstream{line_.substr(0, colon)} >> keyword;
        std::string value;
        std::getline(std::istringstream{line_.substr(colon + 1)} >> std::ws, value);
        if (keyword == "NAME") {
            instance_.name = value;
        } else if (keyword == "TYPE") {
            if (value != "TSP") refuse("TYPE : TSP");
        } else if (keyword == "DIMENSION") {
            const auto [end, error] =
                std::from_chars(value.data(), value.data() + value.size(), instance_.cities);
            if (error != std::errc{} || end != value.data() + value.size() || instance_.cities < 3 ||
                instance_.cities > largest)
                refuse("DIMENSION : a number of cities in 3.." + std::to_string(largest));
        } else if (keyword == "EDGE_WEIGHT_TYPE") {
            if (value != "EUC_2D" && value != "CEIL_2D" && value != "EXPLICIT")
                refuse("EDGE_WEIGHT_TYPE : EUC_2D, CEIL_2D or EXPLICIT");
            weight_type_ = value;
        } else if (keyword == "EDGE_WEIGHT_FORMAT") {
            if (value != "FULL_MATRIX" && value != "UPPER_ROW" && value != "LOWER_DIAG_ROW" &&
                value != "FUNCTION")
                refuse("EDGE_WEIGHT_FORMAT : FULL_MATRIX, UPPER_ROW or LOWER_DIAG_ROW");
            weight_format_ = value;
        } else if (keyword != "COMMENT" && keyword != "NODE_COORD_TYPE" && keyword != "DISPLAY_DATA_TYPE") {
            refuse("a keyword of a symmetric TSPLIB instance");
        }
    }

    [[nodiscard]] std::size_t cities() const {
        if (instance_.cities == 0) refuse("DIMENSION before the data");
        return instance_.cities;
    }

    /// The next number, be it on this line or a later one: matrices are broken into lines as they come.
    double number(const std::string& what) {
        std::string word;
        while (!(words_ >> word))
            if (!next_line()) refuse(what);
        double value = 0.0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
        if (error != std::errc{} || end != word.data() + word.size() || !std::isfinite(value)) refuse(what);
        return value;
    }

    void skip_numbers(std::size_t count) {
        words_ = {};
        while (count-- > 0) static_cast<void>(number("display data"));
    }

    void read_coordinates() {
        if (weight_type_ != "EUC_2D" && weight_type_ != "CEIL_2D")
            refuse("EDGE_WEIGHT_TYPE : EUC_2D or CEIL_2D before coordinates");
        const std::size_t count = cities();
        std::vector<double> x(count);
        std::vector<double> y(count);
        std::vector<bool> seen(count);
        words_ = {};
        for (std::size_t read = 0; read < count; ++read) {
            const std::string city = "a city 1.." + std::to_string(count) + " not given before, with x and y";
            const double index = number(city);
            if (!(index >= 1.0 && index <= static_cast<double>(count)) || index != std::floor(index))
                refuse(city);
            const auto i = static_cast<std::size_t>(index) - 1;
            if (seen[i]) refuse(city);
            seen[i] = true;
            x[i] = number(city);
            y[i] = number(city);
        }
        instance_.distances.resize(count * count);
        for (std::size_t a = 0; a < count; ++a) {
            for (std::size_t b = 0; b < count; ++b) {
                const double exact = std::sqrt((x[a] - x[b]) * (x[a] - x[b]) + (y[a] - y[b]) * (y[a] - y[b]));
                instance_.distances[a * count + b] =
                    weight_type_ == "CEIL_2D" ? std::ceil(exact) : std::floor(exact + 0.5);
            }
        }
    }

    void read_matrix() {
        if (weight_type_ != "EXPLICIT" || weight_format_.empty() || weight_format_ == "FUNCTION")
            refuse("EDGE_WEIGHT_TYPE : EXPLICIT and an EDGE_WEIGHT_FORMAT before weights");
        const std::size_t count = cities();
        instance_.distances.assign(count * count, 0.0);
        words_ = {};
        for (std::size_t row = 0; row < count; ++row) {
            const std::size_t from = weight_format_ == "UPPER_ROW" ? row + 1 : 0;
            const std::size_t to = weight_format_ == "LOWER_DIAG_ROW" ? row + 1 : count;
            for (std::size_t column = from; column < to; ++column) {
                const double weight = number("a weight for every pair of cities");
                double& mirrored = instance_.distances[column * count + row];
                if (weight_format_ == "FULL_MATRIX" && column < row && mirrored != weight)
                    refuse("the same weight both ways");
                instance_.distances[row * count + column] = weight;
                if (weight_format_ != "FULL_MATRIX") mirrored = weight;
            }
        }
    }

    static constexpr std::size_t largest = 10'000; // a table of 800 MB

    std::string file_;
    std::ifstream in_;
    std::string line_;
    std::istringstream words_;
    std::size_t line_number_ = 0;
    std::string weight_type_;
    std::string weight_format_;
    Instance instance_;
};

using Tour = knossos::PermutationView<std::uint16_t>;

/// Knows what turning a stretch of its tour round would cost: two edges go, two come.
class TourTracker {
  public:
    explicit TourTracker(const Instance& instance) : instance_{&instance} {}

    double start(Tour tour) {
        tour_ = tour;
        double length = instance_->distance(tour[tour.size() - 1], tour[0]);
        for (std::size_t i = 1; i < tour.size(); ++i) length += instance_->distance(tour[i - 1], tour[i]);
        return length;
    }

    [[nodiscard]] double delta(knossos::Reverse move) const {
        const std::size_t cities = tour_.size();
        if (move.last - move.first + 2 > cities) return 0.0; // all of it: the same tour, told backwards
        const auto before = tour_[move.first == 0 ? cities - 1 : move.first - 1];
        const auto after = tour_[move.last + 1 == cities ? 0 : move.last + 1];
        const auto first = tour_[move.first];
        const auto last = tour_[move.last];
        return instance_->distance(before, last) + instance_->distance(first, after) -
               instance_->distance(before, first) - instance_->distance(last, after);
    }

  private:
    const Instance* instance_;
    Tour tour_{nullptr, 0}; // seen in place: a move that is made shows here by itself
};

struct ShortestTour {
    static constexpr auto objective = knossos::Objective::minimise;
    std::shared_ptr<const Instance> instance;
    std::optional<double> optimum;

    [[nodiscard]] knossos::Space space() const { return knossos::Space::permutation(instance->cities); }
    [[nodiscard]] std::optional<double> target() const { return optimum; }
    [[nodiscard]] TourTracker tracker() const { return TourTracker{*instance}; }
    [[nodiscard]] double evaluate(Tour tour) const { return tracker().start(tour); }
};

/// The recipe: fifty tours whose edges are recombined, and every child is taken down to where no 2-opt move
/// makes it shorter.
knossos::Settings recipe(bool knows_optimum, std::uint64_t seed) {
    using namespace knossos;
    Settings settings{.population = 50,
                      .select = Tournament{.size = 2},
                      .recombine = EdgeRecombination{.probability = 1.0},
                      .mutate = Inversion{.probability = 0.5},
                      .improve = Descent{.move = MoveChoice::reverse},
                      .replace = PlusReplacement{},
                      .stop = generations(200),
                      .seed = seed,
                      .threads = 0};
    if (knows_optimum) settings.stop = solved() || settings.stop;
    return settings;
}

struct Arguments {
    std::string file;
    std::uint64_t seed = 1;
    std::uint64_t runs = 1;
};

constexpr std::string_view usage = "usage: travelling_salesman FILE [--seed S] [--runs N]";

std::uint64_t count_of(std::string_view option, std::string_view text, std::uint64_t least) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value < least)
        throw knossos::InvalidInput{std::string{option} + ": expected a whole number of at least " +
                                    std::to_string(least) + ", got '" + std::string{text} + "'"};
    return value;
}

Arguments parse(const std::vector<std::string_view>& words) {
    Arguments arguments;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const bool option = words[i] == "--seed" || words[i] == "--runs";
        if (option && i + 1 == words.size())
            throw knossos::InvalidInput{std::string{words[i]} + ": expected a number after it"};
        if (words[i] == "--seed")
            arguments.seed = count_of("--seed", words[++i], 0);
        else if (words[i] == "--runs")
            arguments.runs = count_of("--runs", words[++i], 1);
        else if (arguments.file.empty() && !words[i].starts_with("-"))
            arguments.file = words[i];
        else
            throw knossos::InvalidInput{"'" + std::string{words[i]} + "' was not expected; " +
                                        std::string{usage}};
    }
    if (arguments.file.empty()) throw knossos::InvalidInput{std::string{usage}};
    return arguments;
}

void print_tour(const knossos::Result& result) {
    // Cities as the file numbers them, from the first one on.
    std::vector<std::uint32_t> tour = result.best.genes();
    std::ranges::rotate(tour, std::ranges::find(tour, 0U));
    for (const std::uint32_t city : tour) std::cout << city + 1 << ' ';
    std::cout << '\n';
}

/// Solves the instance from as many seeds as asked for. Whether most of them reached the known optimum; an
/// instance without one counts as done.
bool solve(const Arguments& arguments) {
    const auto instance = std::make_shared<const Instance>(TsplibReader{arguments.file}.read());
    std::optional<double> optimum;
    if (const auto known = known_optima.find(instance->name); known != known_optima.end())
        optimum = known->second;
    std::uint64_t reached = 0;
    double seconds = 0.0;
    for (std::uint64_t run = 0; run < arguments.runs; ++run) {
        const auto result = knossos::evolve(ShortestTour{instance, optimum},
                                            recipe(optimum.has_value(), arguments.seed + run));
        std::cout << "seed " << arguments.seed + run << ": length " << result.fitness << " after "
                  << result.generations << " generations, " << result.seconds << " s\n";
        if (arguments.runs == 1) print_tour(result);
        reached += result.solved ? 1U : 0U;
        seconds += result.seconds;
    }
    if (!optimum) return true;
    std::cout << reached << " of " << arguments.runs << " seeds reached the optimum of " << *optimum << ", "
              << seconds / static_cast<double>(arguments.runs) << " s each\n";
    return reached * 2 > arguments.runs;
}

} // namespace

int main(int count, char** words) {
    try {
        return solve(parse({words + 1, words + count})) ? 0 : 1;
    } catch (const knossos::InvalidInput& error) {
        std::cerr << "travelling_salesman: " << error.what() << '\n';
        return 2;
    } catch (const std::exception& error) {
        std::cerr << "travelling_salesman: " << error.what() << '\n';
        return 3;
    }
}
