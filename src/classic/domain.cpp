#include <knossos/classic/domain.hpp>
#include <knossos/classic/one_max.hpp>
#include <knossos/core/text.hpp>

#include <fmt/format.h>

#include <string_view>

namespace knossos {

namespace {

struct OneMaxFields {
    std::uint64_t length = 100;

    static constexpr std::string_view name = "one-max";
    static constexpr auto fields() {
        return std::tuple{field("length", &OneMaxFields::length, 1, 4294967295.0, "number of bits")};
    }
    [[nodiscard]] Problem make() const { return OneMax{.length = static_cast<std::size_t>(length)}; }
};

enum class GeneKind : unsigned char { bits, integers, permutation, reals };

} // namespace

template <>
struct EnumNames<GeneKind> {
    static constexpr std::array<std::string_view, 4> names{"bits", "integers", "permutation", "reals"};
};

namespace {

[[noreturn]] void refuse_bounds(std::string_view fault) {
    throw InvalidSetting{"problem", "", "bounds", fault};
}

// "-5..5"
Bounds bounds_in(std::string_view entry, std::size_t gene) {
    const auto number = [&](std::string_view text) {
        const auto value = finite_number(trimmed(text));
        if (!value)
            refuse_bounds(fmt::format("has '{}' for gene {}, which are no two finite numbers such as -5..5",
                                      entry, gene));
        return *value;
    };
    const std::size_t dots = std::min(entry.find(".."), entry.size());
    return {number(entry.substr(0, dots)), number(entry.substr(std::min(dots + 2, entry.size())))};
}

// One for all genes, or one for each, apart by commas.
Space reals_within(std::size_t length, std::string_view text) {
    std::vector<Bounds> bounds;
    for (std::string_view rest = text;;) {
        const std::size_t end = std::min(rest.find(','), rest.size());
        bounds.push_back(bounds_in(rest.substr(0, end), bounds.size()));
        if (end == rest.size()) break;
        rest.remove_prefix(end + 1);
    }
    if (bounds.size() != 1 && bounds.size() != length)
        refuse_bounds(fmt::format("has {} entries; it must be one for all genes, or one for each of the {}",
                                  bounds.size(), length));
    try {
        return bounds.size() == 1 ? Space::reals(length, bounds.front()) : Space::reals(std::move(bounds));
    } catch (const InvalidInput& error) {
        refuse_bounds(fmt::format("can't be used: {}", error.what()));
    }
}

struct GenomesFields {
    GeneKind genes = GeneKind::bits;
    std::uint64_t length = 64;
    std::uint32_t alphabet = 10;
    std::string bounds = "0..1";

    static constexpr std::string_view name = "genomes";
    static constexpr auto fields() {
        return std::tuple{field("genes", &GenomesFields::genes, "what a genome is made of"),
                          field("length", &GenomesFields::length, 1, 4294967295.0, "number of genes"),
                          field("alphabet", &GenomesFields::alphabet, 1, 4294967295.0,
                                "of integers: each is at least 0 and less than this"),
                          field("bounds", &GenomesFields::bounds,
                                "of reals: '-5..5' for all of them, or one for each, apart by commas")
                              .added_later()};
    }
    [[nodiscard]] Space space() const {
        if (genes == GeneKind::reals) return reals_within(length, bounds);
        if (genes == GeneKind::bits) return Space::bits(length);
        return genes == GeneKind::integers ? Space::integers(length, alphabet) : Space::permutation(length);
    }
    [[nodiscard]] Problem make() const {
        return evaluated_by(space(), Objective::maximise, [](const Batch&, std::span<double>) {
            throw InvalidInput{"genomes have no fitness of their own"};
        });
    }
};

} // namespace

Domain one_max_domain() {
    Domain domain = domain_of_fields<OneMaxFields>("as many ones as possible");
    domain.title = "OneMax";
    domain.size_fields = {"length"};
    domain.logged_as = [](const Values&) -> LoggedFunction { return {1, "OneMax", "PBO"}; };
    domain.device_kernel = [](const Values&) -> DeviceKernel {
        return {.source = R"CL(
int evaluate(const uint* genome, __constant const uint* table) {
    int ones = 0;
    for (uint w = 0; w < WORDS; ++w) ones += popcount(genome[w]);
    return ones;
}
)CL"};
    };
    return domain;
}

Domain genomes_domain() {
    Domain domain = domain_of_fields<GenomesFields>("plain genomes, evaluated by a program of yours");
    domain.title = "Genomes";
    domain.needs_evaluator = true;
    domain.size_fields = {"length"};
    return domain;
}

} // namespace knossos
