#pragma once

#include <knossos/core/fields.hpp>

#include <cstdint>
#include <string_view>
#include <tuple>

namespace knossos {

/// The fields that every algorithm has.
struct SizeFields {
    std::uint64_t population = 100;
    std::uint64_t offspring = 0;
    std::uint64_t hall_of_fame = 1;
    std::uint32_t diversity_pairs = 16;

    static constexpr std::string_view name = "algorithm";
    static constexpr auto fields() {
        constexpr double most = 2147483647.0;
        return std::tuple{
            field("population", &SizeFields::population, 1, most, "individuals on each island"),
            field("offspring", &SizeFields::offspring, 0, most,
                  "children per generation; 0 means the population"),
            field("hall_of_fame", &SizeFields::hall_of_fame, 1, 1000000, "best different individuals kept"),
            field("diversity_pairs", &SizeFields::diversity_pairs, 0, 1000000,
                  "pairs sampled to measure diversity")};
    }
};

} // namespace knossos
