#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>

namespace knossos {

/// One named setting of an operator or algorithm, declared once beside the struct it belongs to. The same
/// declaration checks values, reads recipes, writes them back, and feeds the schema, the documentation and
/// the studio's controls.
template <class Owner, class Value>
struct Field {
    std::string_view name;
    Value Owner::* member;
    double minimum;
    double maximum;
    std::string_view meaning;
    bool is_later = false;
    bool is_by_generation = false;

    /// The same, of a field that a part got after recipes with that part had been used. Its default does what
    /// was done before, and at its default it is no part of what a recipe is: older checkpoints and studies
    /// go on.
    [[nodiscard]] constexpr Field added_later() const {
        Field later = *this;
        later.is_later = true;
        return later;
    }
    /// The same, of a text with an entry for each generation from the first on, apart by semicolons. A run
    /// may be given more of them as it goes: what it is at a generation depends on those up to it.
    [[nodiscard]] constexpr Field by_generation() const {
        Field listed = *this;
        listed.is_by_generation = true;
        return listed;
    }
};

/// Names of an enumeration's values, in order, for recipes: specialise `names` for each enumeration used as a
/// field.
template <class Enum>
struct EnumNames;

constexpr double unbounded = std::numeric_limits<double>::infinity();

template <class Owner, class Value>
constexpr Field<Owner, Value> field(std::string_view name, Value Owner::* member, double minimum,
                                    double maximum, std::string_view meaning) {
    return {name, member, minimum, maximum, meaning};
}

/// A field whose values are all allowed: switches and enumerations.
template <class Owner, class Value>
constexpr Field<Owner, Value> field(std::string_view name, Value Owner::* member, std::string_view meaning) {
    return {name, member, -unbounded, unbounded, meaning};
}

template <class Owner>
constexpr Field<Owner, double> probability_field(std::string_view name, double Owner::* member,
                                                 std::string_view meaning) {
    return {name, member, 0.0, 1.0, meaning};
}

/// A value type that describes itself: `name` is what recipes call it, `fields()` lists its settings.
template <class T>
concept Described = requires {
    { T::name } -> std::convertible_to<std::string_view>;
    T::fields();
};

/// What messages call an operator or algorithm; empty if it does not say.
template <class T>
constexpr std::string_view part_name() {
    if constexpr (Described<T>) return T::name;
    return "";
}

/// Throws InvalidInput naming "owner.field" (just the field, if the owner has no name), the value and the
/// allowed range. NaN is outside every range.
void check_range(std::string_view owner, std::string_view field, double value, double minimum,
                 double maximum);

/// Checks every described field of an operator, and its `probability` whether described or not, as stages
/// obey that one.
template <class T>
void check_fields(const T& value) {
    if constexpr (Described<T>) {
        std::apply(
            [&](const auto&... fields) {
                [[maybe_unused]] const auto check = [&]<class Value>(const Field<T, Value>& one) {
                    if constexpr (std::is_arithmetic_v<Value> && !std::same_as<Value, bool>)
                        check_range(T::name, one.name, static_cast<double>(value.*one.member), one.minimum,
                                    one.maximum);
                };
                (check(fields), ...);
            },
            T::fields());
    }
    if constexpr (requires {
                      { value.probability } -> std::convertible_to<double>;
                  })
        check_range(part_name<T>(), "probability", static_cast<double>(value.probability), 0.0, 1.0);
}

} // namespace knossos
