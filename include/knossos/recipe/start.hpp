#pragma once

#include <knossos/core/fields.hpp>
#include <knossos/run/run.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace knossos {

/// The [start] of a recipe: what the first populations begin with.
struct StartFields {
    std::string gallery{};

    static constexpr std::string_view name = "start";
    static constexpr auto fields() {
        return std::tuple{field("gallery", &StartFields::gallery,
                                "a gallery, as a file or a run's folder, whose elites the run begins with")};
    }
};

/// What was read of it, with the recipe: the elites, best first, and what they are as a number.
struct Start {
    std::vector<Genome> genomes{};
    std::uint64_t fingerprint = 0;
};

} // namespace knossos
