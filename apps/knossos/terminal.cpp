#include "terminal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

namespace knossos::app {

std::string thousands(std::uint64_t number) {
    std::string digits = std::to_string(number);
    for (std::ptrdiff_t i = std::ssize(digits) - 3; i > 0; i -= 3)
        digits.insert(static_cast<std::size_t>(i), ",");
    return digits;
}

std::string short_number(double number) {
    constexpr std::array<const char*, 5> units{"", " k", " M", " G", " T"};
    std::size_t unit = 0;
    double scaled = number;
    while (std::abs(scaled) >= 999.5 && unit + 1 < units.size()) {
        scaled /= 1000.0;
        ++unit;
    }
    if (unit == 0 && scaled == std::floor(scaled)) return fmt::format("{:.0f}", scaled);
    const int decimals = std::abs(scaled) >= 99.95 ? 0 : std::abs(scaled) >= 9.995 ? 1 : 2;
    return fmt::format("{:.{}f}{}", scaled, decimals, units[unit]);
}

std::string duration(double seconds) {
    if (seconds < 0.001) return fmt::format("{:.0f} µs", seconds * 1e6);
    if (seconds < 1.0) return fmt::format("{:.0f} ms", seconds * 1e3);
    if (seconds < 60.0) return fmt::format("{:.1f} s", seconds);
    const auto whole = static_cast<std::uint64_t>(seconds);
    if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
    return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
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
    fmt::print(stderr, "\r\033[K{}", text.substr(0, 79));
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
    return fmt::format("best {}  mean {}  generation {}  {} evaluations  {} ev/s{}",
                       short_number(now.best_ever), short_number(now.mean), thousands(now.generation),
                       short_number(static_cast<double>(now.evaluations)), short_number(rate),
                       time_left(status));
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
    return std::isinf(left) ? "" : fmt::format("  {} left", duration(left));
}

} // namespace knossos::app
