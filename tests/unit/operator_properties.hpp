// What is registered is tried on every kind of genome that it accepts, at every size, with its fields at
// their default values and at their ends. That alone covers a new operator. What an operator promises beyond
// making valid genomes stands in the tables of the tests, and a missing line is a failure.
#pragma once

#include "support.hpp"

#include <knossos/recipe/registry.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <ostream>

namespace knossos {

// How a failing test says which part it was about.
template <class Part>
void PrintTo(const Entry<Part>& entry, std::ostream* out) {
    *out << entry.info.name;
}

/// What the tests of all stages share.
namespace operator_properties {

using test::GeneList;
using test::genes_of;
using test::Individual;
using test::stage_for;
using test::stream_for;

inline constexpr std::size_t sizes[] = {1,  2,  3,   5,   8,   31,   32,   33,     63,
                                        64, 65, 127, 128, 129, 1000, 4096, 100'000};

struct Amount {
    std::size_t rounds;
    std::size_t slots; ///< genomes or couples in one round, each with its own stream
};

inline Amount amount_for(std::size_t length) {
    if (length < 1000) return {test::seeds(20), 13};
    if (length < 4096) return {test::seeds(10), 7};
    if (length < 100'000) return {test::seeds(10), 5};
    return {test::seeds(5), 2};
}

inline std::vector<Space> spaces_of(std::size_t length) {
    std::vector<Space> spaces{Space::bits(length),
                              Space::bits_with_ones(length, 1),
                              Space::bits_with_ones(length, length / 2),
                              Space::bits_with_ones(length, length),
                              Space::packed(length, 2),
                              Space::packed(length, 5),
                              Space::packed(length, 1U << 17U),
                              Space::integers(length, 1),
                              Space::integers(length, 256),
                              Space::integers(length, 300),
                              Space::integers(length, 70'000),
                              Space::reals(length, {0.0, 1.0}),
                              Space::reals(length, {-7.5, 100.0}),
                              test::reals_within_own_bounds(length)};
    for (const Space& space : test::permutation_spaces(length)) spaces.push_back(space);
    return spaces;
}

inline std::string said(const Space& space) {
    return describe(space) + ", genes of " + std::to_string(space.bits_per_gene()) + " bits";
}

inline std::string said(const PartInfo& info, const Values& values) {
    std::string text = info.name;
    for (const auto& [field, value] : values) text += " " + field + " = " + to_text(value);
    return text;
}

inline std::vector<Value> ends_of(const FieldInfo& field) {
    switch (field.type) {
    case FieldType::boolean:
        return {false, true};
    case FieldType::choice:
        return {field.choices.begin(), field.choices.end()};
    case FieldType::real:
        if (std::isinf(field.minimum) || std::isinf(field.maximum)) return {};
        return {field.minimum, 0.7 * field.minimum + 0.3 * field.maximum, field.maximum};
    case FieldType::integer: {
        // Most of them may be as large as the population or the genome: 3 goes with nearly all of those.
        const double largest = field.maximum > 1000.0 ? 3.0 : field.maximum;
        return {static_cast<std::int64_t>(field.minimum), static_cast<std::int64_t>(largest)};
    }
    case FieldType::text:
        break;
    }
    return {};
}

// The default values, then each field alone at each of its ends.
inline std::vector<Values> variants_of(const PartInfo& info) {
    Values defaults;
    for (const FieldInfo& field : info.fields) defaults[field.name] = field.default_value;
    std::vector<Values> variants{defaults};
    for (const FieldInfo& field : info.fields)
        for (const Value& end : ends_of(field)) {
            if (end == field.default_value) continue;
            variants.push_back(defaults);
            variants.back()[field.name] = end;
        }
    return variants;
}

inline double number(const Values& values, const char* field) {
    const Value& value = values.at(field);
    const auto* const whole = std::get_if<std::int64_t>(&value);
    return whole != nullptr ? static_cast<double>(*whole) : std::get<double>(value);
}

inline bool flag(const Values& values, const char* field) { return std::get<bool>(values.at(field)); }
inline std::string word(const Values& values, const char* field) {
    return std::get<std::string>(values.at(field));
}

template <class Call>
bool accepted(Call call) {
    try {
        call();
    } catch (const InvalidInput&) {
        return false;
    }
    return true;
}

// A line of a table of promises; fails the test if there is none.
template <class Line>
const Line& line_of(const std::map<std::string, Line>& table, const std::string& name) {
    static const Line nothing{};
    const auto found = table.find(name);
    if (found != table.end()) return found->second;
    ADD_FAILURE() << name << " is registered, but nothing is said here about what it promises";
    return nothing;
}

template <class Part>
std::string test_name(const testing::TestParamInfo<Entry<Part>>& info) {
    std::string name = info.param.info.name;
    std::ranges::replace(name, '-', '_');
    return name;
}

inline Population random_population(const Space& space, std::size_t size, std::uint64_t seed) {
    Population population{space, size};
    for (std::uint32_t i = 0; i < size; ++i) {
        Stream stream = stream_for(seed, i);
        randomise(stream, space, population.genome(i));
    }
    return population;
}

inline bool same_bytes(const Population& a, const Population& b) {
    return std::ranges::equal(a.bytes(), b.bytes());
}

template <class Part>
struct Variant {
    Values values;
    Part part;
};

template <class Part, class Adapt>
std::vector<Variant<Part>> working_variants(const Entry<Part>& entry, const Space& space, Adapt adapt) {
    std::vector<Variant<Part>> variants;
    for (const Values& values : variants_of(entry.info)) {
        const Part part = adapt(entry.make(values));
        if (accepted([&] { part.check(space); })) variants.push_back({values, part});
    }
    return variants;
}

inline double choose(double n, double k) {
    double ways = 1.0;
    for (double i = 0; i < k; ++i) ways *= (n - i) / (i + 1.0);
    return n < k ? 0.0 : ways;
}

inline constexpr Objective directions[] = {Objective::minimise, Objective::maximise};

} // namespace operator_properties
} // namespace knossos
