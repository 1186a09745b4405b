#pragma once

#include <knossos/core/random.hpp>
#include <knossos/core/record.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// What people wish for of things that can be measured, in words: "path 60..70, minimise pockets". Whatever
/// the things are, the words are the same.
namespace knossos {

enum class Aim : unsigned char { maximise, minimise, range };

/// What the values of a measure are: whole numbers, shares in 0..1, or other numbers from 0 on.
enum class MeasureKind : unsigned char { count, share, ratio };

/// A measure as wishes know it.
struct Wishable {
    std::string_view name;
    std::string_view short_name;
    MeasureKind kind = MeasureKind::count;
    std::string_view meaning{};
};

/// One wish: a measure to be made large or small, or to lie in low..high.
template <class Measure>
struct BasicWish {
    Measure measure{};
    Aim aim = Aim::maximise;
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
    double weight = 1.0;
    /// Of a range, where in it the search aims: it goes on until it is about there, though anywhere in the
    /// range will do.
    std::optional<double> near{};

    friend bool operator==(const BasicWish&, const BasicWish&) = default;
};

/// A wish about the measure in this place of a list.
using Wish = BasicWish<std::size_t>;

/// The same wish about a measure that is called otherwise.
template <class To, class From>
BasicWish<To> about(To measure, const BasicWish<From>& wish) {
    return {measure, wish.aim, wish.low, wish.high, wish.weight, wish.near};
}

/// What can be wished for, and examples for messages.
struct WishList {
    std::vector<Wishable> measures;
    std::string_view example = "path 60..70";
    std::string_view aim_example = "minimise path";
    std::string_view near_example = "path 60..80 near 72";
    /// Why nothing at all has what a range asks for, beyond what the kind of the measure says.
    std::function<std::optional<std::string>(const Wish&)> why_impossible{};
};

/// By name or short name; '-' and '_' are the same.
std::optional<std::size_t> find_measure(std::span<const Wishable> measures, std::string_view name);
/// What is wrong with a name that find_measure() does not know, and which one may be meant.
std::string why_no_measure(std::span<const Wishable> measures, std::string_view name);
/// All names, for messages.
std::string measure_names(std::span<const Wishable> measures);
/// "path, dead-ends" as places in the list and the names that they were called by; of equal ones only the
/// first. Throws InvalidInput that says which one is none, and which may be meant.
std::vector<std::pair<std::size_t, std::string>> parse_measures(std::span<const Wishable> measures,
                                                                std::string_view text);

/// Reads wishes, separated by commas, semicolons or newlines: a measure (any of its names), then a goal, then
/// perhaps "weight" and a number, and of a range "near" and a value in it. A goal is "maximise" or "minimise"
/// (before or after the measure), a value ("path 60"), a range ("culs-de-sac 5..9") or one open to a side
/// ("path 60..", "density ..0.4"). Throws InvalidInput with "source:line:column" for what can't be read, for
/// empty ranges and for those that the measure never lies in.
std::vector<Wish> parse_wishes(std::string_view text, std::string_view source, const WishList& list);

/// "path 60..70", "minimise pockets weight 2": parse_wishes() reads it back.
std::string to_text(const Wish& wish, std::string_view name);

/// Where in its range a wish shall be met, drawn evenly, if the range has two ends; else what it had.
std::optional<double> drawn_aim(const Wish& wish, MeasureKind kind, Stream& stream);

/// Adds a column under this name, or the name and a number if it is taken.
void add_named(std::vector<Column>& columns, Column column, std::string_view name);

/// What one part of a whole weighs as much as.
template <class Measure>
double scale_of(const BasicWish<Measure>& wish, MeasureKind kind) {
    if (wish.aim != Aim::range) return kind == MeasureKind::count ? 100.0 : 1.0;
    double largest = 1.0;
    if (kind != MeasureKind::share)
        for (const double bound : {wish.low, wish.high})
            if (std::isfinite(bound)) largest = std::max(largest, std::abs(bound));
    return largest / wish.weight;
}

/// How far a value lies from the range.
template <class Measure>
double gap(const BasicWish<Measure>& wish, double value) {
    if (value < wish.low) return wish.low - value;
    return value > wish.high ? value - wish.high : 0.0;
}

/// How far a value is from what lies about the place in a range where the search aims.
template <class Measure>
double from_the_aim(BasicWish<Measure> wish, MeasureKind kind, double value) {
    if (!wish.near) return 0.0;
    const double scale = scale_of(wish, kind);
    const bool is_finite = std::isfinite(wish.low) && std::isfinite(wish.high);
    const double width = is_finite ? wish.high - wish.low : std::abs(*wish.near);
    const double beside = std::max(kind == MeasureKind::count ? 1.0 : 0.0, width / 20.0);
    wish.low = std::max(wish.low, *wish.near - beside);
    wish.high = std::min(wish.high, *wish.near + beside);
    return gap(wish, value) / scale;
}

/// What a wish has to do with how good something is. A maximised measure counts weight · value, a minimised
/// one the same, negative. A range that is missed counts −weight · (distance to the range) / scale, where the
/// scale is its larger bound (at least 1), so that wishes of different size can be compared; for shares it
/// is 1.
template <class Measure>
double contribution(const BasicWish<Measure>& wish, MeasureKind kind, double value) {
    if (wish.aim == Aim::maximise) return wish.weight * value;
    if (wish.aim == Aim::minimise) return -wish.weight * value;
    const double missed = gap(wish, value);
    return missed == 0.0 ? 0.0 : -missed / scale_of(wish, kind);
}

} // namespace knossos
