#include "recipe/registered.hpp"

#include <knossos/armies/domain.hpp>
#include <knossos/classic/domain.hpp>
#include <knossos/maze/domain.hpp>
#include <knossos/queens/domain.hpp>

namespace knossos {

// Alone knows them by name.
std::vector<Domain> built_in_domains() {
    // clang-format off: a line each
    return {
        queens::domain(),
        armies::domain(),
        maze::domain(),
        queens::pseudo_boolean_domain(),
        one_max_domain(),
        genomes_domain(),
    };
    // clang-format on
}

} // namespace knossos
