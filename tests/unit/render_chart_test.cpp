#include "render_support.hpp"
#include "support.hpp"

#include <knossos/render/chart.hpp>
#include <knossos/render/terminal.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <sstream>

namespace knossos::render::chart_test {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
    std::istringstream in{text};
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

Chart falling_line(std::size_t points) {
    Chart chart{.title = "Falling", .x_name = "evaluations", .y_name = "best"};
    Series series{.name = "one run"};
    for (std::size_t i = 0; i < points; ++i)
        series.points.push_back({static_cast<double>(i), static_cast<double>(points - i)});
    chart.series.push_back(series);
    return chart;
}

TEST(ChartText, ShowsACurveFromItsFirstToItsLastPoint) {
    const TerminalOptions ascii{.unicode = false, .columns = 60};
    const auto lines = lines_of(chart_text(falling_line(100), ascii, 12));
    ASSERT_EQ(lines.size(), 1U + 12 + 2);
    EXPECT_NE(lines.front().find("best"), std::string::npos);
    EXPECT_NE(lines[13].find("evaluations"), std::string::npos);
    EXPECT_NE(lines.back().find("* one run"), std::string::npos);
    // It falls: the first mark of each row stands further right than that of the row above.
    std::size_t last = 0;
    for (std::size_t row = 1; row <= 12; ++row) {
        const std::size_t mark = lines[row].find('*');
        ASSERT_NE(mark, std::string::npos) << lines[row];
        EXPECT_GT(mark, last);
        last = mark;
    }
}

TEST(ChartText, IsNeverWiderThanTheTerminal) {
    for (const std::uint32_t columns : {30U, 40U, 80U, 200U})
        for (const bool logarithmic : {false, true}) {
            Chart chart = falling_line(50);
            chart.log_y = logarithmic;
            for (const std::string& line :
                 lines_of(chart_text(chart, {.unicode = false, .columns = columns})))
                EXPECT_LE(line.size(), columns) << line;
        }
}

TEST(ChartText, TellsSeriesApartWithoutColour) {
    Chart chart = falling_line(40);
    chart.series.push_back({.name = "rising", .points = {{0.0, 1.0}, {39.0, 40.0}}});
    chart.series.push_back({.name = "level", .points = {{0.0, 5.0}, {39.0, 5.0}}});
    const std::string ascii = chart_text(chart, {.unicode = false});
    for (const auto* mark : {"* one run", "o rising", ". level"})
        EXPECT_NE(ascii.find(mark), std::string::npos) << mark;
    EXPECT_EQ(ascii.find('\x1b'), std::string::npos);
    EXPECT_TRUE(std::ranges::all_of(ascii, [](char c) { return static_cast<unsigned char>(c) < 128; }));
    EXPECT_NE(chart_text(chart).find("○ rising"), std::string::npos);
    EXPECT_NE(chart_text(chart, {.colours = ColourDepth::full}).find("\x1b[38;2;"), std::string::npos);
}

TEST(ChartText, TakesAChartOfOnePointOrNone) {
    EXPECT_NE(chart_text(falling_line(1)).find("one run"), std::string::npos);
    EXPECT_NE(chart_text(falling_line(0)).find("best"), std::string::npos);
}

TEST(Chart, TakesWhateverNumbersATraceHolds) {
    const double infinity = std::numeric_limits<double>::infinity();
    const double most = std::numeric_limits<double>::max();
    const double least = std::numeric_limits<double>::denorm_min();
    const std::vector<double> values{0.0,      -0.0, 1.0,   -1.0,   1e17,         std::nextafter(1e17, most),
                                     least,    most, -most, 1e-300, std::nan(""), infinity,
                                     -infinity};
    for (const double first : values)
        for (const double second : values)
            for (const bool logarithmic : {false, true}) {
                Chart chart{.x_name = "x", .y_name = "y", .log_x = logarithmic, .log_y = logarithmic};
                chart.series.push_back(
                    {.name = "s", .points = {{first, second}, {second, first}}, .steps = true});
                chart.target = second;
                EXPECT_FALSE(chart_text(chart).empty());
                for (const Shape& shape : chart_picture(chart).shapes)
                    if (const auto* label = std::get_if<Label>(&shape)) {
                        EXPECT_TRUE(std::isfinite(label->place.x) && std::isfinite(label->place.y))
                            << first << " and " << second;
                    }
            }
}

TEST(Chart, HasFewTicksWhateverItsEnds) {
    const double most = std::numeric_limits<double>::max();
    for (const auto& [low, high] :
         {std::pair{0.0, 1.0}, std::pair{1e17, std::nextafter(1e17, most)}, std::pair{-most, most},
          std::pair{1e-300, 1e300}, std::pair{0.0, std::numeric_limits<double>::denorm_min()}})
        for (const bool logarithmic : {false, true})
            if (!logarithmic || low > 0.0) {
                EXPECT_LE(ticks(low, high, logarithmic, 8).size(), 10U) << low;
            }
}

TEST(Colours, AreGivenAsExactlyAsTheTerminalKnowsThem) {
    constexpr Colour orange{255, 135, 0};
    EXPECT_EQ(foreground(orange, ColourDepth::full), "\x1b[38;2;255;135;0m");
    EXPECT_EQ(background(orange, ColourDepth::full), "\x1b[48;2;255;135;0m");
    EXPECT_EQ(foreground(orange, ColourDepth::palette), "\x1b[38;5;208m"); // the palette has this very one
    EXPECT_EQ(background({8, 8, 8}, ColourDepth::palette), "\x1b[48;5;232m");
    EXPECT_EQ(background({0, 0, 0}, ColourDepth::palette), "\x1b[48;5;16m");
    EXPECT_EQ(background({254, 254, 254}, ColourDepth::palette), "\x1b[48;5;231m");
    EXPECT_EQ(plain(ColourDepth::palette), "\x1b[0m");
    for (const std::string& nothing : {foreground(orange, ColourDepth::none),
                                       background(orange, ColourDepth::none), plain(ColourDepth::none)})
        EXPECT_EQ(nothing, "");
}

// The environment of these tests while it lives; what was there comes back.
class Environment {
  public:
    explicit Environment(const std::map<std::string, std::string>& values) {
        for (const auto* name : {"LC_ALL", "LC_CTYPE", "LANG", "TERM", "NO_COLOR", "COLORTERM"}) {
            const char* const old = std::getenv(name);
            if (old != nullptr) before_[name] = old;
            unsetenv(name);
        }
        for (const auto& [name, value] : values) setenv(name.c_str(), value.c_str(), 1);
        for (const auto& [name, value] : values) set_.push_back(name);
    }
    ~Environment() {
        for (const std::string& name : set_) unsetenv(name.c_str());
        for (const auto& [name, value] : before_) setenv(name.c_str(), value.c_str(), 1);
    }
    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;

  private:
    std::map<std::string, std::string> before_;
    std::vector<std::string> set_;
};

TEST(TerminalOptions, FollowTheEnvironment) {
    struct Case {
        std::map<std::string, std::string> environment;
        bool is_terminal;
        ColourDepth colours;
        bool unicode;
    };
    const std::vector<Case> cases{
        {{}, true, ColourDepth::none, false},
        {{{"TERM", "xterm"}}, true, ColourDepth::palette, false},
        {{{"TERM", "xterm"}}, false, ColourDepth::none, false},
        {{{"TERM", "dumb"}}, true, ColourDepth::none, false},
        {{{"TERM", "xterm"}, {"NO_COLOR", "1"}}, true, ColourDepth::none, false},
        {{{"TERM", "xterm"}, {"NO_COLOR", ""}}, true, ColourDepth::palette, false},
        {{{"TERM", "xterm"}, {"COLORTERM", "truecolor"}}, true, ColourDepth::full, false},
        {{{"TERM", "xterm"}, {"COLORTERM", "24bit"}}, true, ColourDepth::full, false},
        {{{"LANG", "de_DE.UTF-8"}}, false, ColourDepth::none, true},
        {{{"LANG", "C.utf8"}}, false, ColourDepth::none, true},
        {{{"LANG", "de_DE.UTF-8"}, {"LC_ALL", "C"}}, false, ColourDepth::none, false},
        {{{"LANG", "C"}, {"LC_CTYPE", "C.UTF-8"}}, false, ColourDepth::none, true},
    };
    for (std::size_t i = 0; i < cases.size(); ++i) {
        const Environment environment{cases[i].environment};
        const TerminalOptions options = terminal_options(cases[i].is_terminal);
        EXPECT_EQ(options.colours, cases[i].colours) << "case " << i;
        EXPECT_EQ(options.unicode, cases[i].unicode) << "case " << i;
    }
}

} // namespace
} // namespace knossos::render::chart_test
