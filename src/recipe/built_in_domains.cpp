#include "recipe/registered.hpp"

#include <knossos/armies/domain.hpp>
#include <knossos/classic/domain.hpp>
#include <knossos/dungeon/domain.hpp>
#include <knossos/maze/domain.hpp>
#include <knossos/queens/domain.hpp>

namespace knossos {

// Alone knows them by name.
std::vector<Domain> built_in_domains() {
    // clang-format off: a line each
    return {
        queens::domain(),
        armies::domain(),
        dungeon::domain(),
        maze::domain(),
        queens::pseudo_boolean_domain(),
        one_max_domain(),
        genomes_domain(),
        sphere_domain(),
        rosenbrock_domain(),
        rastrigin_domain(),
        zdt_domain(1),
        zdt_domain(2),
        zdt_domain(3),
        dtlz2_domain(),
    };
    // clang-format on
}

} // namespace knossos
