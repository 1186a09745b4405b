#include "queens/view/board_artefact.hpp"

#include <knossos/queens/board.hpp>
#include <knossos/queens/domain.hpp>
#include <knossos/queens/problems.hpp>
#include <knossos/queens/view/board_files.hpp>
#include <knossos/queens/view/board_reader.hpp>

#include <fmt/format.h>

namespace knossos {

namespace queens {
namespace {

enum class CountingChoice : unsigned char { automatic, conflicts, collisions, captures };

} // namespace
} // namespace queens

template <>
struct EnumNames<queens::CountingChoice> {
    static constexpr std::array<std::string_view, 4> names{"automatic", "conflicts", "collisions",
                                                           "captures"};
};
template <>
struct EnumNames<queens::Encoding> {
    static constexpr std::array<std::string_view, 4> names{"permutation", "integers", "packed", "board"};
};

namespace queens {

namespace {

struct Fields {
    std::uint32_t n = 8;
    Encoding encoding = Encoding::permutation;
    CountingChoice counting = CountingChoice::automatic;
    std::string place{};

    static constexpr std::string_view name = "queens";
    static constexpr auto fields() {
        return std::tuple{
            field("n", &Fields::n, 1, 4294967295.0, "rows and columns of the board"),
            field("encoding", &Fields::encoding, "how a genome stands for a board"),
            field("counting", &Fields::counting, "what is minimised; automatic follows the encoding"),
            field("place", &Fields::place, "squares of queens that are placed already, such as a1,c5")};
    }
    [[nodiscard]] Counting counted() const {
        return counting == CountingChoice::automatic ? default_counting(encoding)
                                                     : static_cast<Counting>(static_cast<int>(counting) - 1);
    }
    [[nodiscard]] Problem make() const {
        return make_problem(n, encoding, counted(), parse_squares(place, n));
    }
};

struct PseudoBooleanFields {
    std::uint32_t n = 8;

    static constexpr std::string_view name = "pbo-queens";
    static constexpr auto fields() {
        return std::tuple{
            field("n", &PseudoBooleanFields::n, 1, 65535, "rows and columns of the board: n × n bits")};
    }
    [[nodiscard]] Problem make() const { return PseudoBoolean{n}; }
};

ArtefactPtr decoded(const Space& space, const std::byte* genome) {
    return board_artefact(decode(space, genome));
}

std::int64_t size_in(const Values& values) { return std::get<std::int64_t>(values.at("n")); }

std::string counting_name(const Values& values) {
    const auto counted = static_cast<std::size_t>(from_values<Fields>(values).counted());
    return std::string{EnumNames<CountingChoice>::names[counted + 1]};
}

// Pairs of queens on a diagonal: each queen meets those that came to it before. Rows and columns are never
// shared by permutations.
DeviceKernel device_kernel(const Values& values) {
    const auto fields = from_values<Fields>(values);
    const Counting counting = fields.counted();
    if (fields.encoding != Encoding::permutation || counting == Counting::captures || !fields.place.empty() ||
        fields.n > 255)
        throw InvalidInput{"problem: of queens, permutations of up to 255 that count conflicts or "
                           "collisions, without placed "
                           "queens, have a kernel; these have none"};
    constexpr std::string_view source = R"CL(
#define SCRATCH (4 * GENES)
int evaluate(const uchar* genome, __constant const uint* table, __local uchar* counters) {
    for (uint i = 0; i < SCRATCH; ++i) AT(counters, i) = 0;
    int pairs = 0;
    for (uint row = 0; row < GENES; ++row) {
        const uint column = genome[row];
        pairs += AT(counters, row + column)++;
        pairs += AT(counters, 2 * GENES + row + GENES - column)++;
    }
    return WEIGHT * pairs;
}
)CL";
    return {.source = fmt::format("#define WEIGHT {}\n{}", counting == Counting::collisions ? 2 : 1, source)};
}

// What any kind of board has in common.
void add_boards(Domain& domain) {
    domain.things = "boards";
    domain.decoder = [](const Values&) { return Decoder{decoded}; };
    domain.formats = board_formats();
    domain.shown_beside = [](const Values& values, const Space&) -> std::size_t {
        return size_in(values) <= 64 ? 16 : 0;
    };
    domain.size_fields = {"n"};
}

} // namespace

Domain domain() {
    Domain domain = domain_of_fields<Fields>("n queens that leave each other in peace");
    add_boards(domain);
    domain.title = "Queens";
    domain.read = [](std::string_view bytes, const std::filesystem::path& file) -> ArtefactPtr {
        auto board = parse_board(bytes, file.string());
        return board ? board_artefact(std::move(*board)) : nullptr;
    };
    domain.why_hopeless = [](const Values& values) -> std::optional<std::string> {
        const std::int64_t n = size_in(values);
        if (has_solution(static_cast<std::uint32_t>(n))) return std::nullopt;
        return fmt::format("the {} queens problem has no solution: n = 2 and n = 3 are the only such boards",
                           n);
    };
    domain.notation_fields = {"encoding", "counting"};
    domain.scale = counting_name;
    domain.logged_as = [](const Values& values) -> LoggedFunction {
        const auto counted = static_cast<std::uint32_t>(from_values<Fields>(values).counted());
        return {.id = 1001U + counted, .name = "queens-" + counting_name(values)};
    };
    domain.device_kernel = device_kernel;
    domain.page = board_page;
    return domain;
}

Domain pseudo_boolean_domain() {
    Domain domain = domain_of_fields<PseudoBooleanFields>(
        "the pseudo-Boolean n queens benchmark: any number of queens, lines cost");
    add_boards(domain);
    domain.title = "Pseudo-Boolean queens";
    domain.logged_as = [](const Values&) -> LoggedFunction { return {23, "NQueens", "PBO"}; };
    return domain;
}

} // namespace queens

} // namespace knossos
