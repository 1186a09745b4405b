#include <knossos/operators/variation.hpp>

#include <fmt/format.h>

namespace knossos::detail {

void refuse_space(std::string_view op, const Space& space, const std::string& kinds) {
    if (op.empty()) op = "the operator";
    if (space.ones)
        throw InvalidInput{
            fmt::format("{} would change the number of ones; genomes here are {}: use an operator that "
                        "keeps it, such as move-ones or clone",
                        op, describe(space))};
    throw InvalidInput{
        fmt::format("{} works on genomes of kind {}; genomes here are {}", op, kinds, describe(space))};
}

} // namespace knossos::detail
