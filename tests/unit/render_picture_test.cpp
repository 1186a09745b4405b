#include <knossos/render/picture.hpp>
#include <knossos/render/theme.hpp>

#include "render_support.hpp"

#include <cmath>

namespace knossos::render::picture_test {

using test::expect_mentions;
using test::message_of;
using test::XmlCheck;

namespace {

constexpr Colour black = rgb(0x000000);
constexpr Colour white = rgb(0xFFFFFF);

Picture canvas(std::vector<Shape> shapes) {
    return {
        .width = 40, .height = 30, .ground = white, .title = "a <b> & \"c\"", .shapes = std::move(shapes)};
}

// The area that a black shape covers on white, in pixels.
double covered(const Picture& picture) {
    const Pixels pixels = rasterise(picture);
    double sum = 0.0;
    for (std::size_t i = 0; i < pixels.rgb.size(); i += 3) sum += (255.0 - pixels.rgb[i]) / 255.0;
    return sum;
}

std::vector<Shape> one_of_each() {
    return {
        Fill{Path{}.add_rectangle({1, 1}, 8, 6, 2), rgb(0x123456)},
        Stroke{
            .path = Path{}.move_to({2, 20}).line_to({30, 25}), .colour = black, .width = 2, .dashes = {3, 2}},
        Disc{{20, 10}, 4, with_opacity(black, 0.5)},
        Ring{{30, 10}, 5, 1, black},
        Rectangle{{0, 0}, 3.456789, 2, black, "1 < 2"},
        Stamp{.path = Path{}.add_circle({0, 0}, 2), .colour = black, .places = {{5, 5}, {9.125, 9}}},
        Label{{10, 20}, "q & a", 12, black}};
}

} // namespace

TEST(Theme, TextIsReadableOnItsGround) {
    for (const Theme& theme : {light, dark})
        for (const Colour colour :
             {theme.ink, theme.quiet, theme.terracotta, theme.aegean, theme.ochre, theme.olive})
            EXPECT_GE(contrast(colour, theme.ground), 4.5) << theme.name << ' ' << hex(colour);
}

TEST(Theme, QueensAndAttacksAreReadableOnBothSquares) {
    for (const Theme& theme : {light, dark})
        for (const Colour floor : {theme.floor, theme.floor_shade}) {
            EXPECT_GE(contrast(theme.ink, floor), 7.0) << theme.name;
            EXPECT_GE(contrast(theme.terracotta, floor), 3.0) << theme.name;
            EXPECT_GE(contrast(theme.aegean, floor), 3.0) << theme.name;
        }
}

TEST(Theme, StyleSheetHoldsBothThemes) {
    const std::string css = css_properties();
    expect_mentions(
        css, {"--ground:#FAF6EE;", "--ground:#16181D;", "--floor-shade:", "prefers-color-scheme:dark"});
}

TEST(Theme, UnknownNameSaysWhatThereIs) {
    EXPECT_EQ(theme_named("dark").name, "dark");
    expect_mentions(message_of([] { theme_named("blue"); }), {"blue", "light", "dark"});
}

TEST(Cividis, GrowsLighterAllTheWayAndEndsWhereItShould) {
    EXPECT_EQ(cividis(0.0), rgb(0x00224E));
    EXPECT_EQ(cividis(1.0), rgb(0xFEE838));
    EXPECT_EQ(cividis(-3.0), cividis(0.0));
    EXPECT_EQ(cividis(7.0), cividis(1.0));
    EXPECT_EQ(cividis(std::nan("")), cividis(0.0));
    for (int i = 0; i < 100; ++i)
        EXPECT_LE(contrast(cividis(i / 100.0), black), contrast(cividis((i + 1) / 100.0), black) + 0.01);
}

TEST(Raster, AreasAreExact) {
    EXPECT_NEAR(covered(canvas({Rectangle{{3.25, 4.5}, 10.5, 7.25, black, {}}})), 10.5 * 7.25, 0.4);
    EXPECT_NEAR(covered(canvas({Disc{{20, 15}, 9, black}})), 254.47, 2.0);
    EXPECT_NEAR(covered(canvas({Ring{{20, 15}, 9, 2, black}})), 113.1, 1.0);
    EXPECT_NEAR(covered(canvas({Fill{Path{}.move_to({2, 2}).line_to({32, 2}).line_to({2, 22}), black}})),
                300.0, 1.0);
}

TEST(Raster, ShapesBeyondTheEdgeAreCut) {
    EXPECT_NEAR(covered(canvas({Rectangle{{-10, -10}, 500, 500, black, {}}})), 1200.0, 0.01);
    EXPECT_NEAR(covered(canvas({Rectangle{{38, 28}, 10, 10, black, {}}})), 4.0, 0.01);
    EXPECT_EQ(covered(canvas({Disc{{-50, 15}, 9, black}, Disc{{20, 95}, 9, black}})), 0.0);
}

TEST(Raster, FillRulesDifferWhereContoursOverlap) {
    const Path twice = Path{}.add_rectangle({5, 5}, 20, 20).add_rectangle({10, 10}, 10, 10);
    EXPECT_NEAR(covered(canvas({Fill{twice, black, FillRule::non_zero}})), 400.0, 0.1);
    EXPECT_NEAR(covered(canvas({Fill{twice, black, FillRule::even_odd}})), 300.0, 0.1);
}

TEST(Raster, StrokesHaveTheirWidthWhereverTheyTurn) {
    const Path line = Path{}.move_to({5, 5}).line_to({25, 5}).line_to({25, 25});
    const Picture picture = canvas({Stroke{.path = line, .colour = black, .width = 4}});
    // Two bars of 20 × 4 that share a quarter, and two half-round ends plus the rounded corner.
    EXPECT_NEAR(covered(picture), 160.0 - 4.0 + M_PI * 4.0 * 1.25, 1.0);
    const Picture overlap = canvas({Stroke{.path = line, .colour = with_opacity(black, 0.5), .width = 4}});
    EXPECT_NEAR(covered(overlap), covered(picture) / 2, 1.0) << "pieces of one line must not add up";
}

TEST(Raster, DashesCoverTheirShare) {
    const Stroke dashes{.path = Path{}.move_to({0, 10}).line_to({40, 10}),
                        .colour = black,
                        .width = 2,
                        .ends = LineEnd::flat,
                        .dashes = {3, 1}};
    EXPECT_NEAR(covered(canvas({dashes})), 60.0, 0.5);
}

TEST(Raster, DotsAreDiscs) {
    EXPECT_NEAR(covered(canvas({Stroke{.path = Path{}.add_dot({10, 10}), .colour = black, .width = 6}})),
                28.3, 0.5);
}

TEST(Png, ReadsBackAsItWasDrawn) {
    const Picture picture = canvas(one_of_each());
    const Pixels drawn = rasterise(picture);
    const DecodedPng read = decode_png(to_png(picture, "note"));
    EXPECT_EQ(read.pixels.width, 40U);
    EXPECT_EQ(read.pixels.height, 30U);
    EXPECT_EQ(read.pixels.rgb, drawn.rgb);
    EXPECT_EQ(read.note, "note");
    EXPECT_EQ(decode_png(to_png(picture)).note, "");
}

TEST(Png, SamePictureSameBytes) { EXPECT_EQ(to_png(canvas(one_of_each())), to_png(canvas(one_of_each()))); }

TEST(Png, TooLargeIsRefusedBeforeAnythingIsAllocated) {
    const Picture huge{.width = 4'000'000'000U, .height = 4'000'000'000U};
    expect_mentions(message_of([&] { to_png(huge); }), {"4000000000", "64 million", "SVG"});
    EXPECT_THROW(to_png(Picture{}), InvalidInput);
}

TEST(Png, LargerThanAllowedIsNotRead) {
    const std::string bytes = to_png(canvas({}));
    expect_mentions(message_of([&] { decode_png(bytes, 1199); }), {"40 × 30", "1199"});
    EXPECT_NO_THROW(decode_png(bytes, 1200));
}

TEST(Png, DamagedFilesAreRefused) {
    const std::string bytes = to_png(canvas(one_of_each()), "a note");
    for (std::size_t length = 0; length + 13 < bytes.size(); length += 7)
        EXPECT_THROW(decode_png(bytes.substr(0, length)), InvalidInput) << length;
    for (std::size_t place = 0; place < bytes.size(); ++place) {
        std::string bad = bytes;
        bad[place] = static_cast<char>(bad[place] ^ 0x55);
        try {
            decode_png(bad, 10'000);
        } catch (const InvalidInput&) {
        }
    }
}

TEST(Png, ChunksThatClaimMoreThanTheFileHoldsAreRefusedAtOnce) {
    std::string bytes = to_png(canvas({}));
    bytes[8] = '\x55'; // the header's length, now 1.4 GB
    expect_mentions(message_of([&] { decode_png(bytes); }), {"byte 8"});
}

TEST(Svg, IsWellFormedAndStandsAlone) {
    const std::string svg = to_svg(canvas(one_of_each()));
    EXPECT_EQ(XmlCheck::problem(svg), "");
    expect_mentions(svg, {"<title>a &lt;b&gt; &amp; &quot;c&quot;</title>", "viewBox=\"0 0 40 30\"",
                          "role=\"img\"", "<title>1 &lt; 2</title>", "q &amp; a"});
    std::string rest = svg;
    const std::string own = "http://www.w3.org/2000/svg";
    rest.erase(rest.find(own), own.size());
    EXPECT_EQ(rest.find("://"), std::string::npos);
}

TEST(Svg, NumbersHaveAtMostTwoDecimals) {
    const std::string svg = to_svg(canvas(one_of_each()));
    for (std::size_t dot = svg.find('.'); dot != std::string::npos; dot = svg.find('.', dot + 1)) {
        std::size_t digits = 0;
        while (dot + 1 + digits < svg.size() &&
               std::isdigit(static_cast<unsigned char>(svg[dot + 1 + digits])) != 0)
            ++digits;
        EXPECT_LE(digits, 2U) << svg.substr(dot - 4, 12);
    }
    EXPECT_NE(svg.find("width=\"3.46\""), std::string::npos);
}

TEST(Digits, EveryDigitIsDrawnWithinItsBox) {
    for (const char digit : std::string_view{"0123456789"}) {
        const std::string text(1, digit);
        const Picture picture =
            canvas({Stroke{.path = render::digits(text, {20, 15}, 18), .colour = black, .width = 2}});
        EXPECT_GT(covered(picture), 20.0) << digit;
        const Pixels pixels = rasterise(picture);
        for (std::uint32_t y = 0; y < 30; ++y)
            for (std::uint32_t x = 0; x < 40; ++x)
                EXPECT_TRUE((x >= 12 && x <= 28 && y >= 4 && y <= 26) || pixels.at(x, y) == white) << digit;
    }
}

TEST(Png, HasTheTextOfLabels) {
    const auto ink = [](const std::string& text) {
        return covered(canvas({Label{.place = {20, 15}, .text = text, .size = 12, .colour = black}}));
    };
    EXPECT_EQ(ink(""), 0.0);
    EXPECT_EQ(ink("   "), 0.0);
    EXPECT_EQ(ink("\x01\x7f"), 0.0) << "what is not known leaves a gap";
    for (const std::string known : {"A", "z", "7", "%", "_", "–", "×", ";"})
        EXPECT_GT(ink(known), 1.0) << known;
    EXPECT_GT(ink("path"), ink("pat"));
    // A text that is cut in the middle of a sign is drawn as far as it goes.
    EXPECT_GE(ink("path \xE2\x80"), ink("pat"));
    // Which side of its place a label stands on.
    const auto left_half = [](Anchor anchor) {
        const Pixels pixels = rasterise(
            canvas({Label{.place = {20, 15}, .text = "mm", .size = 12, .colour = black, .anchor = anchor}}));
        double sum = 0.0;
        for (std::uint32_t y = 0; y < pixels.height; ++y)
            for (std::uint32_t x = 0; x < 20; ++x) sum += 255 - pixels.at(x, y).red;
        return sum;
    };
    EXPECT_GT(left_half(Anchor::end), left_half(Anchor::middle));
    EXPECT_GT(left_half(Anchor::middle), left_half(Anchor::start));
}

} // namespace knossos::render::picture_test
