#include "queens/view/board_artefact.hpp"

#include <knossos/queens/view/board_files.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace knossos::queens {

namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson squares_json(const Board& board) {
    auto squares = OrderedJson::array();
    for (const Square square : board.queens) squares.push_back({square.row, square.column});
    return squares;
}

// How many queens stand in each part of a board that is too large to be sent queen by queen.
OrderedJson density_json(const Board& board) {
    constexpr std::uint32_t side = 64;
    return {{"side", side}, {"counts", count_in_parts(board, side, side)}};
}

OrderedJson attacks_json(const Board& board) {
    constexpr std::size_t most_attacks = 400;
    auto attacks = OrderedJson::array();
    for (const auto& [a, b] : capturing_pairs(board)) {
        if (attacks.size() == most_attacks) break;
        attacks.push_back({a, b});
    }
    return attacks;
}

class BoardArtefact final : public Artefact {
  public:
    explicit BoardArtefact(Board board) : board_{std::move(board)} {}

    [[nodiscard]] std::string json() const override {
        const auto columns = to_columns(board_);
        OrderedJson json{{"board", columns.empty() ? squares_json(board_) : OrderedJson(columns)}};
        if (!is_solution(board_)) json["collisions"] = collisions(board_);
        return json.dump();
    }
    [[nodiscard]] std::string text(const render::TerminalOptions& options) const override {
        return board_text(board_, options);
    }
    [[nodiscard]] render::Picture picture(const render::FormatOptions& options) const override {
        return board_picture(board_, board_options(options));
    }
    [[nodiscard]] std::vector<render::NamedBytes> files(std::string_view format,
                                                        const render::FormatOptions& options,
                                                        std::string_view /*stem*/) const override {
        return {{.name = {}, .bytes = render_board(board_, format, board_options(options))}};
    }
    [[nodiscard]] bool is_reached() const override { return is_solution(board_); }
    [[nodiscard]] std::string caption() const override { return board_caption(board_); }
    [[nodiscard]] std::vector<Measured> measures() const override {
        return {{"queens", static_cast<double>(board_.queens.size()), "queens on the board"},
                {"conflicts", static_cast<double>(board_conflicts(board_)), "pairs of queens on one line"}};
    }
    [[nodiscard]] std::string view(bool brief) const override {
        OrderedJson board{{"size", board_.size}};
        const bool is_listed = board_.size <= largest_full_board;
        if (!is_listed)
            board["density"] = density_json(board_);
        else if (const auto columns = to_columns(board_); !columns.empty())
            board["columns"] = columns;
        else
            board["squares"] = squares_json(board_);
        if (brief) return OrderedJson{{"board", board}}.dump();
        const std::uint64_t conflicts = board_conflicts(board_);
        board["conflicts"] = conflicts;
        if (is_listed) board["attacks"] = attacks_json(board_);
        if (is_listed) board["collisions"] = collisions(board_);
        return OrderedJson{{"board", board}, {"caption", board_caption(board_, conflicts)}}.dump();
    }

  private:
    static BoardOptions board_options(const render::FormatOptions& options) {
        return {.theme = options.theme, .cell = options.cell, .max_side = options.max_side};
    }

    Board board_;
};

} // namespace

ArtefactPtr board_artefact(Board board) { return std::make_unique<BoardArtefact>(std::move(board)); }

std::string board_page() {
    constexpr double large = 100.0; // with every detail
    std::string path;               // in a square of 1 × 1
    for (const auto& segment : queen_outline(large).segments()) {
        using Kind = render::Path::Kind;
        if (segment.kind == Kind::move) path += fmt::format("M{:.3f} {:.3f}", segment.end.x, segment.end.y);
        if (segment.kind == Kind::line) path += fmt::format("L{:.3f} {:.3f}", segment.end.x, segment.end.y);
        if (segment.kind == Kind::curve)
            path +=
                fmt::format("C{:.3f} {:.3f} {:.3f} {:.3f} {:.3f} {:.3f}", segment.first.x, segment.first.y,
                            segment.second.x, segment.second.y, segment.end.x, segment.end.y);
        if (segment.kind == Kind::close) path += "Z";
    }
    return OrderedJson{{"queen", path}}.dump();
}

} // namespace knossos::queens
