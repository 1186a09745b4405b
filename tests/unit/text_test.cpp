#include "support.hpp"

#include <knossos/core/text.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace knossos::text_test {
namespace {

TEST(Text, GroupsDigitsByThousands) {
    EXPECT_EQ(thousands(0), "0");
    EXPECT_EQ(thousands(999), "999");
    EXPECT_EQ(thousands(1000), "1,000");
    EXPECT_EQ(thousands(12345678), "12,345,678");
    EXPECT_EQ(thousands(18446744073709551615U), "18,446,744,073,709,551,615");
}

TEST(Text, OneIsNotPlural) {
    EXPECT_EQ(counted(0, "queen", "queens"), "0 queens");
    EXPECT_EQ(counted(1, "queen", "queens"), "1 queen");
    EXPECT_EQ(counted(2000, "queen", "queens"), "2,000 queens");
}

TEST(Text, ShortNumbersHaveThreeDigitsAndAUnit) {
    EXPECT_EQ(short_number(0.0), "0");
    EXPECT_EQ(short_number(-0.0), "0");
    EXPECT_EQ(short_number(0.05), "0.05");
    EXPECT_EQ(short_number(12), "12");
    EXPECT_EQ(short_number(999.4), "999");
    EXPECT_EQ(short_number(999.6), "1 k");
    EXPECT_EQ(short_number(870'000), "870 k");
    EXPECT_EQ(short_number(-1'236'000), "-1.24 M");
    EXPECT_EQ(short_number(2e15), "2e+03 T");
}

TEST(Text, AsTomlEscapesWhatMustNotStandThere) {
    EXPECT_EQ(toml_text("a maze"), "\"a maze\"");
    EXPECT_EQ(toml_text("\"\\"), R"("\"\\")");
    EXPECT_EQ(toml_text("a\n\tb\x7f"), R"("a\u000A\u0009b\u007F")");
    EXPECT_EQ(toml_text("ü"), "\"ü\"");
}

TEST(Text, FindsWhatWasMeant) {
    const std::vector<std::string> names{"png", "json", "svg", "maze"};
    EXPECT_EQ(nearest("pgn", names), "png");
    EXPECT_EQ(nearest("jsno", names), "json");
    EXPECT_EQ(nearest("mazes", names), "maze");
    EXPECT_EQ(nearest("sv", names), std::nullopt);
    EXPECT_EQ(nearest("mp3", names), std::nullopt);
    EXPECT_EQ(nearest("", names), std::nullopt);
}

// By the definition, however long it takes.
std::size_t plain_distance(std::string_view a, std::string_view b) {
    if (a.empty() || b.empty()) return a.size() + b.size();
    const std::string_view shorter_a = a.substr(1);
    const std::string_view shorter_b = b.substr(1);
    std::size_t least = std::min({plain_distance(shorter_a, b) + 1, plain_distance(a, shorter_b) + 1,
                                  plain_distance(shorter_a, shorter_b) + (a[0] == b[0] ? 0U : 1U)});
    if (a.size() > 1 && b.size() > 1 && a[0] == b[1] && a[1] == b[0])
        least = std::min(least, plain_distance(a.substr(2), b.substr(2)) + 1);
    return least;
}

TEST(Text, FindsTheNearestOfManyWords) {
    const auto word = [](Stream& stream) {
        std::string letters(stream.below(6), ' ');
        for (char& letter : letters) letter = static_cast<char>('a' + stream.below(3));
        return letters;
    };
    const std::uint64_t seeds = test::seeds(300);
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        Stream stream = test::stream_for(seed);
        const std::string name = word(stream);
        const std::vector<std::string> candidates{word(stream), word(stream), word(stream), word(stream)};
        std::optional<std::string> expected;
        std::size_t shortest = std::max<std::size_t>(name.size() > 2 ? 2 : 1, (name.size() + 1) / 2);
        for (const std::string& candidate : candidates) {
            if (const std::size_t distance = plain_distance(name, candidate); distance < shortest) {
                shortest = distance;
                expected = candidate;
            }
        }
        EXPECT_EQ(nearest(name, candidates), expected) << name;
    }
}

TEST(Text, IsOneWordOfAShell) {
    EXPECT_EQ(shell_word("problem.n=12"), "problem.n=12");
    EXPECT_EQ(shell_word(""), "''");
    EXPECT_EQ(shell_word("path 60..80"), "'path 60..80'");
    EXPECT_EQ(shell_word("it's; $x"), "'it'\\''s; $x'");
}

TEST(Text, IsTakenApartWordByWord) {
    std::string_view text = "  path\t0..262 \r\n by  2 ";
    EXPECT_EQ(trimmed(text), "path\t0..262 \r\n by  2");
    EXPECT_EQ(take_word(text), "path");
    EXPECT_EQ(take_word(text), "0..262");
    EXPECT_EQ(text, "by  2");
    EXPECT_EQ(take_word(text), "by");
    EXPECT_EQ(take_word(text), "2");
    EXPECT_EQ(take_word(text), "");
    EXPECT_EQ(trimmed(" \n"), "");
}

TEST(Text, IsANumberAsAWhole) {
    EXPECT_EQ(finite_number("-2.5e1"), -25.0);
    for (const char* const other : {"", " 1", "1 ", "1x", "inf", "nan", "1e999"})
        EXPECT_EQ(finite_number(other), std::nullopt) << other;
}

// Both must come to the same, as a recipe must mean the same wherever it is read.
TEST(Text, RealsAreReadAsFromCharsReadsThemWithOrWithoutIt) {
    for (const std::string_view text : {"0",
                                        "-0.0",
                                        "1",
                                        "1.5",
                                        "-2.5e1",
                                        "1e308",
                                        "4.9e-324",
                                        "2.2250738585072011e-308",
                                        "0.1",
                                        "1e400",
                                        "-1e400",
                                        "1e-400",
                                        "17976931348623157081452742373170435679807056752584499659891747680315"
                                        "7260780028538760589558632766878",
                                        ".5",
                                        "5.",
                                        "inf",
                                        "-inf",
                                        "-Infinity",
                                        "nan",
                                        "",
                                        "-",
                                        "+1",
                                        " 1",
                                        ".",
                                        "-.",
                                        "e5",
                                        "1e",
                                        "1e+",
                                        "1e+5x",
                                        "0x10",
                                        "-0x1p3",
                                        "1,5",
                                        "12 34",
                                        "1_000",
                                        "infi",
                                        "--1",
                                        "0.30000000000000004"}) {
        double expected = -7.0;
        double read = -7.0;
        const char* const last = text.data() + text.size();
        const auto [end, error] = std::from_chars(text.data(), last, expected);
        const auto [own_end, own_error] = read_real(text.data(), last, read);
        EXPECT_EQ(own_error, error) << text;
        EXPECT_EQ(own_end - text.data(), end - text.data()) << text;
        EXPECT_EQ(std::bit_cast<std::uint64_t>(read), std::bit_cast<std::uint64_t>(expected)) << text;
    }
    // What stands behind the end is not looked at.
    double read = 0.0;
    const std::string_view whole = "123456";
    EXPECT_EQ(read_real(whole.data(), whole.data() + 3, read).ptr, whole.data() + 3);
    EXPECT_EQ(read, 123.0);
}

} // namespace
} // namespace knossos::text_test
