#include "terminal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <sys/ioctl.h>
#include <unistd.h>

namespace knossos::app {

namespace {

std::size_t columns_of(int terminal) {
    struct winsize size{};
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg): there is no other way to ask
    if (ioctl(terminal, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
    return size.ws_col;
}

// The bytes of the first characters of a text in UTF-8.
std::size_t bytes_of(std::string_view text, std::size_t characters) {
    std::size_t end = 0;
    for (; end < text.size(); ++end) {
        const bool begins = (static_cast<unsigned char>(text[end]) & 0xC0U) != 0x80U;
        if (begins && characters-- == 0) break;
    }
    return end;
}

} // namespace

std::string duration(double seconds) {
    // No microseconds: their sign is missing in some terminals.
    if (seconds < 0.01) return fmt::format("{:.2g} ms", seconds * 1e3);
    if (seconds < 1.0) return fmt::format("{:.0f} ms", seconds * 1e3);
    if (seconds < 60.0) return fmt::format("{:.1f} s", seconds);
    const auto whole = static_cast<std::uint64_t>(seconds);
    if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
    return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

std::size_t terminal_width() { return columns_of(STDERR_FILENO); }
std::size_t output_width() { return columns_of(STDOUT_FILENO); }

std::size_t width_of(std::string_view text) {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string wrapped(std::string_view text, std::string_view indent, std::size_t width, bool break_words) {
    std::string result{indent};
    std::size_t column = indent.size();
    bool first = true; // in its line
    while (!text.empty()) {
        std::size_t end = std::min(text.find(' '), text.size());
        std::size_t length = width_of(text.substr(0, end));
        if (!first && column + 1 + length > width) {
            result += "\n" + std::string{indent};
            column = indent.size();
            first = true;
        }
        if (!first) {
            result += ' ';
            ++column;
        }
        const bool broken = break_words && column + length > width && width > column;
        if (broken) {
            end = bytes_of(text, width - column);
            // At a hyphen, if there is one, as in names of recipes, or before a value.
            const std::size_t sign = text.substr(0, end).find_last_of("-=");
            if (sign != std::string_view::npos && sign > 0) end = sign + 1;
            length = width_of(text.substr(0, end));
        }
        result += text.substr(0, end);
        column += length;
        first = false;
        text.remove_prefix(broken ? end : std::min(end + 1, text.size()));
        if (broken) {
            result += "\n" + std::string{indent};
            column = indent.size();
            first = true;
        }
    }
    return result;
}

namespace {

// A quoted word that is longer than a line: quotes that meet across an escaped line end are one word to a
// shell. Where lists and levels have ends of their own, else anywhere.
std::string broken_word(std::string_view word, std::size_t column, std::size_t width) {
    constexpr std::string_view cut = "'\\\n'";
    constexpr std::size_t behind = 3; // a quote, and that the command goes on
    if (word.find("'\\''") != std::string_view::npos) return std::string{word}; // not all of it is in quotes
    std::string text;
    std::size_t opened = word.find('\'');
    while (opened < word.size() && column + word.size() + behind > width) {
        std::size_t end = 0;
        std::size_t good_end = 0;
        for (std::size_t i = opened + 2; i + 1 < word.size() && column + i + 2 <= width; ++i) {
            if ((static_cast<unsigned char>(word[i]) & 0xC0U) == 0x80U) continue;
            end = i;
            if (word.substr(0, i).ends_with(", ") || word.substr(0, i).ends_with("\\u000A")) good_end = i;
        }
        if (end == 0) break;
        end = good_end != 0 ? good_end : end;
        text.append(word.substr(0, end)).append(cut);
        word.remove_prefix(end);
        column = 1;
        opened = 0;
    }
    return text.append(word);
}

} // namespace

std::string wrapped_command(std::span<const std::string> parts, std::string_view indent, std::size_t width) {
    constexpr std::string_view goes_on = " \\";
    std::string text{indent};
    std::size_t column = indent.size();
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::size_t length = width_of(parts[i]);
        const std::size_t behind = i + 1 == parts.size() ? 0 : goes_on.size();
        if (i != 0 && column + 1 + length + behind > width) {
            text += fmt::format("{}\n{}    ", goes_on, indent);
            column = indent.size() + 4;
        } else if (i != 0) {
            text += ' ';
            ++column;
        }
        text += broken_word(parts[i], column, width);
        column = width_of(std::string_view{text}.substr(text.rfind('\n') + 1));
    }
    return text;
}

bool is_live() {
    const char* kind =
        std::getenv("TERM"); // NOLINT(concurrency-mt-unsafe): read before any thread is started
    return isatty(STDERR_FILENO) != 0 && kind != nullptr && std::string_view{kind} != "dumb";
}

render::TerminalOptions terminal_options(bool ascii) {
    render::TerminalOptions options = render::terminal_options(isatty(STDOUT_FILENO) != 0);
    if (ascii) {
        options.unicode = false;
        options.colours = render::ColourDepth::none;
    }
    return options;
}

bool LiveLine::is_due() {
    const auto now = std::chrono::steady_clock::now();
    if (drawn_ && now - last_ < std::chrono::milliseconds{100}) return false;
    last_ = now;
    return true;
}

void LiveLine::draw(const std::string& text) {
    fmt::print(stderr, "\r\033[K{}", text.substr(0, terminal_width() - 1));
    (void)std::fflush(stderr);
    drawn_ = true;
}

void LiveLine::clear() {
    if (!drawn_) return;
    fmt::print(stderr, "\r\033[K");
    (void)std::fflush(stderr);
    drawn_ = false;
}

std::string Progress::text(const Status& status) const {
    const Statistics& now = status.statistics;
    const double rate = now.seconds > 0.0 ? static_cast<double>(now.evaluations) / now.seconds : 0.0;
    const auto line = [&](std::string_view generation, std::string_view evaluations) {
        return fmt::format("best {}{}  mean {}  {} {}  {} {}  {} ev/s{}", short_number(now.best_ever),
                           now.violation > 0.0 ? fmt::format(" (misses {})", short_number(now.violation))
                           : now.merit != now.best_ever ? fmt::format("  volume {:.4f}", now.merit)
                                                        : "",
                           short_number(now.mean), unit_.empty() ? generation : std::string_view{unit_},
                           short_number(static_cast<double>(unit_.empty() ? now.generation : now.steps)),
                           short_number(static_cast<double>(now.evaluations)), evaluations,
                           short_number(rate), time_left(status));
    };
    std::string text = line("generation", "evaluations");
    return text.size() < terminal_width() ? text : line("gen", "evals");
}

std::string Progress::time_left(const Status& status) const {
    const Statistics& now = status.statistics;
    double left = std::numeric_limits<double>::infinity();
    const auto consider = [&](StopKind kind, double done) {
        const auto limit = stop_.limit(kind);
        if (limit && done > 0.0) left = std::min(left, now.seconds * std::max(0.0, *limit - done) / done);
    };
    consider(StopKind::evaluations, static_cast<double>(now.evaluations));
    consider(StopKind::generations, static_cast<double>(now.generation));
    consider(StopKind::seconds, now.seconds);
    if (std::isinf(left)) return "";
    // It is an estimate: a unit is enough.
    if (left >= 3600.0) return fmt::format("  {:.1f} h left", left / 3600.0);
    return left >= 60.0 ? fmt::format("  {:.0f} min left", left / 60.0)
                        : fmt::format("  {:.0f} s left", std::ceil(left));
}

} // namespace knossos::app
