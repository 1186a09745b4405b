#include <knossos/maze/fitness.hpp>

#include <fmt/format.h>

namespace knossos::maze {

namespace {

Wish as_wish(const Term& term) { return about(static_cast<std::size_t>(term.measure), term); }

std::optional<std::string> why_never(const Wish& wish) {
    const auto measure = static_cast<Measure>(wish.measure);
    if ((measure == Measure::exit_members || measure == Measure::on_one_way) && wish.low > most_checkpoints)
        return fmt::format("is at most {}, the most checkpoints that are possible", most_checkpoints);
    return std::nullopt;
}

} // namespace

std::string to_text(const Term& term) { return to_text(as_wish(term), info(term.measure).name); }

std::string to_text(const std::vector<Term>& terms) {
    std::string all;
    for (const Term& term : terms) all += (all.empty() ? "" : ", ") + to_text(term);
    return all;
}

std::vector<Term> aimed_inside(std::vector<Term> terms, Stream& stream) {
    for (Term& term : terms) term.near = drawn_aim(as_wish(term), kind_of(term.measure), stream);
    return terms;
}

WishList wish_list() {
    return {.measures = wishables(), .aim_example = "minimise pockets", .why_impossible = why_never};
}

std::vector<Term> parse_terms(std::string_view text, std::string_view source) {
    std::vector<Term> terms;
    for (const Wish& wish : parse_wishes(text, source, wish_list()))
        terms.push_back(about(static_cast<Measure>(wish.measure), wish));
    return terms;
}

} // namespace knossos::maze
