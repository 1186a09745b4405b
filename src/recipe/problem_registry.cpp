#include <knossos/classic/one_max.hpp>
#include <knossos/maze/setup.hpp>
#include <knossos/queens/board.hpp>
#include <knossos/queens/problems.hpp>
#include <knossos/recipe/registry.hpp>

namespace knossos {

namespace {

enum class CountingChoice : unsigned char { automatic, conflicts, collisions, captures };

} // namespace

template <>
struct EnumNames<CountingChoice> {
    static constexpr std::array<std::string_view, 4> names{"automatic", "conflicts", "collisions",
                                                           "captures"};
};
template <>
struct EnumNames<queens::Encoding> {
    static constexpr std::array<std::string_view, 4> names{"permutation", "integers", "packed", "board"};
};

namespace {

// What a problem's section of a recipe holds; the problem itself is made from it.
struct OneMaxFields {
    std::uint64_t length = 100;

    static constexpr std::string_view name = "one-max";
    static constexpr auto fields() {
        return std::tuple{field("length", &OneMaxFields::length, 1, 4294967295.0, "number of bits")};
    }
    [[nodiscard]] Problem make() const { return OneMax{.length = length}; }
};

struct QueensFields {
    std::uint32_t n = 8;
    queens::Encoding encoding = queens::Encoding::permutation;
    CountingChoice counting = CountingChoice::automatic;
    std::string place{};

    static constexpr std::string_view name = "queens";
    static constexpr auto fields() {
        return std::tuple{
            field("n", &QueensFields::n, 1, 4294967295.0, "rows and columns of the board"),
            field("encoding", &QueensFields::encoding, "how a genome stands for a board"),
            field("counting", &QueensFields::counting, "what is minimised; automatic follows the encoding"),
            field("place", &QueensFields::place, "squares of queens that are placed already, such as a1,c5")};
    }
    [[nodiscard]] Problem make() const {
        const auto counted = counting == CountingChoice::automatic
                                 ? queens::usual_counting(encoding)
                                 : static_cast<queens::Counting>(static_cast<int>(counting) - 1);
        return queens::make_problem(n, encoding, counted, queens::parse_squares(place, n));
    }
};

struct PseudoBooleanFields {
    std::uint32_t n = 8;

    static constexpr std::string_view name = "pbo-queens";
    static constexpr auto fields() {
        return std::tuple{
            field("n", &PseudoBooleanFields::n, 1, 65535, "rows and columns of the board: n × n bits")};
    }
    [[nodiscard]] Problem make() const { return queens::PseudoBoolean{n}; }
};

template <class Fields>
Entry<Problem> problem(std::string_view summary) {
    return {.info = {.name = std::string{Fields::name},
                     .summary = std::string{summary},
                     .fields = fields_of<Fields>()},
            .make = [](const Values& values) { return from_values<Fields>(values).make(); }};
}

} // namespace

const std::vector<Entry<Problem>>& problems() {
    static const std::vector<Entry<Problem>> entries{
        problem<QueensFields>("n queens that leave each other in peace"),
        {.info = {.name = std::string{MazeFields::name},
                  .summary = "maze-like levels",
                  .fields = fields_of<MazeFields>()},
         .make = [](const Values& values) { return MazeSetup{from_values<MazeFields>(values)}.problem(); }},
        problem<PseudoBooleanFields>(
            "the pseudo-Boolean n queens benchmark: any number of queens, lines cost"),
        problem<OneMaxFields>("as many ones as possible"),
    };
    return entries;
}

} // namespace knossos
