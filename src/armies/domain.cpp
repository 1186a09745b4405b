#include "armies/view/board_artefact.hpp"

#include <knossos/armies/domain.hpp>
#include <knossos/armies/problem.hpp>
#include <knossos/armies/view/board.hpp>

#include <fmt/format.h>

namespace knossos::armies {

namespace {

struct Fields {
    std::uint32_t n = 12;
    std::uint32_t armies = 3;
    std::uint32_t tries = 100;

    static constexpr std::string_view name = "armies";
    static constexpr auto fields() {
        return std::tuple{
            field("n", &Fields::n, smallest_board, largest_board, "rows and columns of the board"),
            field("armies", &Fields::armies, fewest_armies, most_armies, "armies on the board"),
            field("tries", &Fields::tries, 1, 100'000,
                  "queens that a proposal tries on each square, at least; every second one tries twice as "
                  "many, "
                  "and so on to 16 times")};
    }
    [[nodiscard]] Problem make() const {
        return PeaceableArmies{.size = n, .armies = armies, .tries = tries};
    }
};

Decoder decoder_for(const Values& values) {
    return [fields = from_values<Fields>(values)](const Space& space, const std::byte* genome) {
        return board_artefact(with_equal_armies(decode(fields.n, fields.armies, space, genome)));
    };
}

// A generation can't be interrupted, so one that would take minutes is refused.
std::optional<std::string> why_unwatchable(const Values& values, std::uint64_t individuals) {
    const auto fields = from_values<Fields>(values);
    if (static_cast<double>(fields.n) * fields.n * fields.tries * static_cast<double>(individuals) <= 5e7)
        return std::nullopt;
    return "campaigns of this length take too long for the studio: fewer tries, squares or individuals";
}

std::vector<render::Format> formats() {
    std::vector<render::Format> all = render::common_formats();
    std::erase_if(all, [](const render::Format& format) { return format.name == "csv"; });
    return all;
}

} // namespace

Domain domain() {
    Domain domain = domain_of_fields<Fields>("armies of queens that leave each other in peace");
    domain.title = "Armies";
    domain.things = "boards";
    domain.decoder = decoder_for;
    domain.formats = formats();
    domain.read = [](std::string_view bytes, const std::filesystem::path& file) -> ArtefactPtr {
        auto board = parse_board(bytes, file.string());
        return board ? board_artefact(std::move(*board)) : nullptr;
    };
    domain.why_unwatchable = why_unwatchable;
    domain.shown_beside = [](const Values&, const Space&) -> std::size_t { return 8; };
    domain.temperatures = [](const Values&) -> Temperatures { return {0.3, 0.1}; };
    domain.size_fields = {"n"};
    domain.notation_fields = {"tries"};
    domain.describe = [](const Values& values) {
        const auto fields = from_values<Fields>(values);
        return fmt::format("armies, {0} on {1} × {1}", fields.armies, fields.n);
    };
    domain.logged_as = [](const Values& values) -> LoggedFunction {
        const auto fields = from_values<Fields>(values);
        return {.id = 1300U + fields.armies, .name = fmt::format("armies-{}", fields.armies)};
    };
    return domain;
}

} // namespace knossos::armies
