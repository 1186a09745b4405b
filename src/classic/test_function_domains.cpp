#include <knossos/classic/domain.hpp>
#include <knossos/classic/test_functions.hpp>

#include <fmt/format.h>

namespace knossos {

namespace {

constexpr double most_genes = 16777216.0;

// The fields of a function that has a smallest value.
template <class Function>
struct MinimumFields {
    std::uint64_t length = Function{}.length;
    double accuracy = Function{}.accuracy;

    static constexpr std::string_view name = "function";
    static constexpr auto fields() {
        using Its = MinimumFields;
        constexpr double fewest = std::same_as<Function, Rosenbrock> ? 2.0 : 1.0;
        return std::tuple{field("length", &Its::length, fewest, most_genes, "number of genes"),
                          field("accuracy", &Its::accuracy, 0, 1e300,
                                "value at which it counts as solved; the smallest is 0")};
    }
    [[nodiscard]] Problem make() const {
        return Function{.length = static_cast<std::size_t>(length), .accuracy = accuracy};
    }
};

struct ZdtFields {
    std::uint64_t length = Zdt{}.length;

    static constexpr std::string_view name = "zdt";
    static constexpr auto fields() {
        return std::tuple{field("length", &ZdtFields::length, 2, most_genes, "number of genes")};
    }
    [[nodiscard]] Problem make(int number = 1) const {
        return Zdt{.number = number, .length = static_cast<std::size_t>(length)};
    }
};

struct Dtlz2Fields {
    std::uint32_t objectives = 3;
    std::uint64_t length = Dtlz2{}.length;

    static constexpr std::string_view name = "dtlz2";
    static constexpr auto fields() {
        return std::tuple{field("objectives", &Dtlz2Fields::objectives, 2, 10, "number of objectives"),
                          field("length", &Dtlz2Fields::length, 2, most_genes,
                                "number of genes; at least as many as objectives")};
    }
    [[nodiscard]] Problem make() const {
        if (length < objectives)
            throw InvalidSetting{"problem", "", "length",
                                 fmt::format("is {}; with {} objectives it must be at least {}", length,
                                             objectives, objectives)};
        return Dtlz2{.objectives = objectives, .length = static_cast<std::size_t>(length)};
    }
};

template <class Fields>
Domain function_domain(std::string_view name, std::string_view title, std::uint32_t id,
                       std::string_view summary) {
    Domain domain = domain_of_fields<Fields>(summary);
    domain.info.name = name;
    domain.title = title;
    domain.size_fields = {"length"};
    domain.logged_as = [id, called = std::string{title}](const Values&) -> LoggedFunction {
        return {.id = id, .name = called};
    };
    return domain;
}

} // namespace

Domain sphere_domain() {
    return function_domain<MinimumFields<Sphere>>("sphere", "Sphere", 1401,
                                                  "the smallest sum of squares of reals");
}

Domain rosenbrock_domain() {
    return function_domain<MinimumFields<Rosenbrock>>("rosenbrock", "Rosenbrock", 1402,
                                                      "the end of a bent valley of reals");
}

Domain rastrigin_domain() {
    return function_domain<MinimumFields<Rastrigin>>("rastrigin", "Rastrigin", 1403,
                                                     "the deepest of very many pits");
}

Domain zdt_domain(int number) {
    const auto id = static_cast<std::uint32_t>(1403 + number);
    const char* const front = number == 1 ? "convex" : number == 2 ? "concave" : "broken";
    Domain domain = function_domain<ZdtFields>(fmt::format("zdt{}", number), fmt::format("ZDT{}", number), id,
                                               fmt::format("two objectives with a {} front", front));
    domain.make = [number](const Values& values) -> Problem {
        return from_values<ZdtFields>(values).make(number);
    };
    return domain;
}

Domain dtlz2_domain() {
    return function_domain<Dtlz2Fields>("dtlz2", "DTLZ2", 1407, "objectives whose front is round");
}

} // namespace knossos
