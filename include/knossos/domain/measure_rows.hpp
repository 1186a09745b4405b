#pragma once

#include <knossos/domain/wishes.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

/// What domains share whose measures are an enum and a table of rows, one for each in their order.
namespace knossos {

/// One row: the key used everywhere, the short name that designers may write instead, and what it is.
template <class Measure>
struct BasicMeasureInfo {
    Measure measure;
    std::string_view name;
    std::string_view short_name;
    MeasureKind kind;
    std::string_view meaning;
};

/// Whether each row stands where its measure is looked up.
template <class Rows>
constexpr bool are_in_order(const Rows& rows) {
    std::size_t place = 0;
    for (const auto& row : rows)
        if (static_cast<std::size_t>(row.measure) != place++) return false;
    return true;
}

/// The rows as wishes know them.
template <class Rows>
std::vector<Wishable> wishables_of(const Rows& rows) {
    std::vector<Wishable> all;
    for (const auto& row : rows) all.push_back({row.name, row.short_name, row.kind, row.meaning});
    return all;
}

/// Which measures somebody wants; there are 64 at most.
template <class Measure>
class BasicMeasureSet {
  public:
    constexpr BasicMeasureSet() = default;
    constexpr BasicMeasureSet(std::initializer_list<Measure> measures) {
        for (const Measure measure : measures) add(measure);
    }
    static constexpr BasicMeasureSet all() {
        BasicMeasureSet set;
        set.bits_ = ~std::uint64_t{0};
        return set;
    }

    constexpr void add(Measure measure) { bits_ |= std::uint64_t{1} << static_cast<unsigned>(measure); }
    [[nodiscard]] constexpr bool has(Measure measure) const {
        return (bits_ >> static_cast<unsigned>(measure) & 1U) != 0;
    }
    [[nodiscard]] constexpr bool has_any(BasicMeasureSet of) const { return (bits_ & of.bits_) != 0; }
    [[nodiscard]] constexpr bool empty() const { return bits_ == 0; }
    [[nodiscard]] constexpr BasicMeasureSet without(BasicMeasureSet others) const {
        BasicMeasureSet rest;
        rest.bits_ = bits_ & ~others.bits_;
        return rest;
    }
    friend constexpr BasicMeasureSet operator|(BasicMeasureSet a, BasicMeasureSet b) {
        a.bits_ |= b.bits_;
        return a;
    }
    /// Whether nothing else is in it.
    [[nodiscard]] constexpr bool is_within(BasicMeasureSet others) const {
        return (bits_ & ~others.bits_) == 0;
    }
    friend constexpr bool operator==(BasicMeasureSet, BasicMeasureSet) = default;

  private:
    std::uint64_t bits_ = 0;
};

} // namespace knossos
