#include <knossos/classic/domain.hpp>
#include <knossos/maze/domain.hpp>
#include <knossos/queens/domain.hpp>
#include <knossos/recipe/domains.hpp>

namespace knossos {

// Alone knows them by name.
const std::vector<Domain>& domains() {
    static const std::vector<Domain> all{
        queens::domain(), maze::domain(), queens::pseudo_boolean_domain(), one_max_domain(), genomes_domain(),
    };
    return all;
}

} // namespace knossos
