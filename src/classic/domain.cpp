#include <knossos/classic/domain.hpp>
#include <knossos/classic/one_max.hpp>

namespace knossos {

namespace {

struct OneMaxFields {
    std::uint64_t length = 100;

    static constexpr std::string_view name = "one-max";
    static constexpr auto fields() {
        return std::tuple{field("length", &OneMaxFields::length, 1, 4294967295.0, "number of bits")};
    }
    [[nodiscard]] Problem make() const { return OneMax{.length = length}; }
};

enum class GeneKind : unsigned char { bits, integers, permutation };

} // namespace

template <>
struct EnumNames<GeneKind> {
    static constexpr std::array<std::string_view, 3> names{"bits", "integers", "permutation"};
};

namespace {

struct GenomesFields {
    GeneKind genes = GeneKind::bits;
    std::uint64_t length = 64;
    std::uint32_t alphabet = 10;

    static constexpr std::string_view name = "genomes";
    static constexpr auto fields() {
        return std::tuple{field("genes", &GenomesFields::genes, "what a genome is made of"),
                          field("length", &GenomesFields::length, 1, 4294967295.0, "number of genes"),
                          field("alphabet", &GenomesFields::alphabet, 1, 4294967295.0,
                                "of integers: each is at least 0 and less than this")};
    }
    [[nodiscard]] Space space() const {
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
