#pragma once

#include <knossos/core/error.hpp>
#include <knossos/core/fields.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace knossos {

/// A setting as a recipe holds it.
using Value = std::variant<bool, std::int64_t, double, std::string>;
using Values = std::map<std::string, Value, std::less<>>;

/// The entries of a text that are apart by semicolons, without the blanks around them; none of a blank one.
std::vector<std::string> entries_by_generation(std::string_view text);

/// Those of a text that are apart by commas, likewise; blank ones are left out.
std::vector<std::string> entries_of(std::string_view list);

/// For messages.
std::string to_text(const Value& value);
/// As a recipe has it behind the equals sign.
std::string toml_value(const Value& value);

enum class FieldType : unsigned char { boolean, integer, real, choice, text };

/// One field of a part, as data: for recipes, their schema, the documentation and the studio's controls.
struct FieldInfo {
    std::string name;
    FieldType type;
    Value default_value;
    double minimum;
    double maximum;
    std::vector<std::string> choices;
    std::string meaning;
    bool is_later = false;         ///< see Field::added_later()
    bool is_by_generation = false; ///< see Field::by_generation()
};

/// What can be chosen for a place in a recipe.
struct PartInfo {
    std::string name;
    std::string summary;
    std::vector<FieldInfo> fields;
    std::vector<std::string> uses{}; ///< of an algorithm: the stages it looks at
};

/// Checks a value against a field and brings it into the field's own type (5 becomes 5.0 for a real). Returns
/// what is wrong with it, as the end of a sentence that starts with the field's name, if it does not fit.
std::optional<std::string> fit(const FieldInfo& field, Value& value);

namespace detail {

template <class Member>
constexpr FieldType type_of() {
    if constexpr (std::same_as<Member, bool>) return FieldType::boolean;
    if constexpr (std::is_enum_v<Member>) return FieldType::choice;
    if constexpr (std::same_as<Member, std::string>) return FieldType::text;
    if constexpr (std::integral<Member>) return FieldType::integer;
    return FieldType::real;
}

template <class Member>
Value value_of(Member member) {
    if constexpr (std::same_as<Member, bool> || std::same_as<Member, std::string>)
        return member;
    else if constexpr (std::is_enum_v<Member>)
        return std::string{EnumNames<Member>::names[static_cast<std::size_t>(member)]};
    else if constexpr (std::integral<Member>)
        return static_cast<std::int64_t>(member);
    else
        return static_cast<double>(member);
}

template <class Member>
void assign(Member& member, const Value& value) {
    if constexpr (std::same_as<Member, bool> || std::same_as<Member, std::string>) {
        member = std::get<Member>(value);
    } else if constexpr (std::is_enum_v<Member>) {
        constexpr auto& names = EnumNames<Member>::names;
        const auto found = std::ranges::find(names, std::get<std::string>(value));
        member = static_cast<Member>(found - names.begin());
    } else if constexpr (std::integral<Member>) {
        member = static_cast<Member>(std::get<std::int64_t>(value));
    } else {
        member = static_cast<Member>(std::get<double>(value));
    }
}

} // namespace detail

/// The fields of a described type, with the defaults of a default-constructed one.
template <Described T>
std::vector<FieldInfo> fields_of() {
    std::vector<FieldInfo> infos;
    const T defaults{};
    std::apply(
        [&](const auto&... fields) {
            [[maybe_unused]] const auto add = [&]<class Member>(const Field<T, Member>& one) {
                FieldInfo info{.name = std::string{one.name},
                               .type = detail::type_of<Member>(),
                               .default_value = detail::value_of(defaults.*one.member),
                               .minimum = one.minimum,
                               .maximum = one.maximum,
                               .choices = {},
                               .meaning = std::string{one.meaning},
                               .is_later = one.is_later,
                               .is_by_generation = one.is_by_generation};
                if constexpr (std::is_enum_v<Member>)
                    info.choices.assign(EnumNames<Member>::names.begin(), EnumNames<Member>::names.end());
                infos.push_back(std::move(info));
            };
            (add(fields), ...);
        },
        T::fields());
    return infos;
}

/// A value of a described type with the given fields set. Throws InvalidInput for a value that does not fit.
template <Described T>
T from_values(const Values& values) {
    T made{};
    static const auto infos = fields_of<T>(); // recipes are read by the thousand
    std::size_t index = 0;
    std::apply(
        [&](const auto&... fields) {
            [[maybe_unused]] const auto set = [&]<class Member>(const Field<T, Member>& one) {
                const FieldInfo& info = infos[index++];
                const auto given = values.find(one.name);
                if (given == values.end()) return;
                Value value = given->second;
                if (const auto problem = fit(info, value))
                    throw InvalidInput{std::string{T::name} + "." + info.name + " " + *problem};
                detail::assign(made.*one.member, value);
            };
            (set(fields), ...);
        },
        T::fields());
    return made;
}

} // namespace knossos
