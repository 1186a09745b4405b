#include "armies/view/board_artefact.hpp"

#include <knossos/armies/view/board.hpp>

#include <numeric>

namespace knossos::armies {

namespace {

class BoardArtefact final : public Artefact {
  public:
    explicit BoardArtefact(Board board) : board_{std::move(board)} {}

    [[nodiscard]] std::string json() const override { return board_json(board_); }
    [[nodiscard]] std::string text(const render::TerminalOptions& options) const override {
        return board_text(board_, options);
    }
    [[nodiscard]] render::Picture picture(const render::FormatOptions& options) const override {
        return board_picture(board_, options);
    }
    [[nodiscard]] bool is_reached() const override { return is_peaceable(board_); }
    [[nodiscard]] std::string caption() const override { return board_caption(board_); }
    [[nodiscard]] std::vector<Measured> measures() const override {
        const auto sizes = army_sizes(board_);
        return {{"smallest", static_cast<double>(smallest_army(board_)), "queens of the smallest army"},
                {"queens", std::accumulate(sizes.begin(), sizes.end(), 0.0), "queens on the board"},
                {"attacks", static_cast<double>(attacks(board_).size()),
                 "pairs of queens of different armies on one line"}};
    }
    [[nodiscard]] std::size_t cells_per_row() const override { return board_.size; }
    [[nodiscard]] std::vector<std::uint8_t> cells() const override { return board_.squares; }

  private:
    Board board_;
};

} // namespace

ArtefactPtr board_artefact(Board board) { return std::make_unique<BoardArtefact>(std::move(board)); }

} // namespace knossos::armies
