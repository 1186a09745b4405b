#pragma once

#include <knossos/core/text.hpp>
#include <knossos/render/printable.hpp>
#include <knossos/render/terminal.hpp>
#include <knossos/run/run.hpp>

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace knossos::app {

using render::printable;

/// "3.1 s", "12 ms", "0.63 ms", "2 min 5 s".
std::string duration(double seconds);

/// Columns of the terminal that standard error is, 80 if it is none.
std::size_t terminal_width();
/// The same of standard output.
std::size_t output_width();
/// Characters that a terminal shows, of a text in UTF-8.
std::size_t width_of(std::string_view text);
/// A text in lines of at most `width` columns, each behind the indent. Words that are longer than a line stay
/// whole, unless they are to be broken.
std::string wrapped(std::string_view text, std::string_view indent, std::size_t width = 80,
                    bool break_words = false);

/// A command in lines of at most `width` columns, which a shell takes as one: each part but the last goes on
/// in the next line behind a backslash. Parts that are longer than a line stay whole.
std::string wrapped_command(std::span<const std::string> parts, std::string_view indent,
                            std::size_t width = 80);

/// Whether standard error is a terminal on which a line can be redrawn.
bool is_live();

/// How boards and levels are to look on standard output: colours and Unicode only where they can be shown.
render::TerminalOptions terminal_options(bool ascii);

/// One line on standard error that is redrawn a few times a second; silent unless enabled.
class LiveLine {
  public:
    explicit LiveLine(bool enabled) : enabled_{enabled} {}
    LiveLine(const LiveLine&) = delete;
    LiveLine& operator=(const LiveLine&) = delete;
    ~LiveLine() { clear(); }

    /// Draws what text() returns, unless the last drawing was a moment ago.
    template <class Text>
    void show(Text text) {
        if (enabled_ && is_due()) draw(text());
    }
    void clear();

  private:
    bool is_due();
    void draw(const std::string& text);

    bool enabled_;
    bool drawn_ = false;
    std::chrono::steady_clock::time_point last_{};
};

/// The live line of a run: best, mean, generation, evaluations, speed, and the time left where a budget is
/// known.
class Progress {
  public:
    /// `unit` is what the algorithm counts beside generations, if anything.
    Progress(bool enabled, const StopRule& stop, std::string_view unit = {})
        : line_{enabled}, stop_{stop}, unit_{unit} {}
    void show(const Status& status) {
        line_.show([&] { return text(status); });
    }
    void clear() { line_.clear(); }

  private:
    [[nodiscard]] std::string text(const Status& status) const;
    [[nodiscard]] std::string time_left(const Status& status) const;

    LiveLine line_;
    StopRule stop_;
    std::string unit_;
};

} // namespace knossos::app
