#include <knossos/render/printable.hpp>

#include <gtest/gtest.h>

namespace knossos::render::printable_test {

TEST(Printable, TextStaysAsItIs) {
    for (const std::string_view text : {"", "maze: 'x' is none\n\tdo this", "20 × 20, ü, →, 字, 🙂"})
        EXPECT_EQ(printable(text), text);
}

TEST(Printable, WhatSteersATerminalIsSpeltOut) {
    EXPECT_EQ(printable("\x1b[31mred\x07\x7f\r"), "\\x1b[31mred\\x07\\x7f\\x0d");
    EXPECT_EQ(printable("\xc2\x9b"
                        "2J"),
              "\\xc2\\x9b2J"); // the same command in one character
    EXPECT_EQ(printable("a\xe2\x80\xae"
                        "b"),
              "a\\xe2\\x80\\xaeb"); // turns what follows around
    EXPECT_EQ(printable({"a\0b", 3}), "a\\x00b");
}

TEST(Printable, WhatIsNoTextIsSpeltOut) {
    EXPECT_EQ(printable("\x9b"
                        "2J"),
              "\\x9b2J");
    EXPECT_EQ(printable("\xc3"), "\\xc3");
    EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf");
    EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");
    EXPECT_EQ(printable("\xf8\x88\x80\x80\x80"), "\\xf8\\x88\\x80\\x80\\x80");
}

} // namespace knossos::render::printable_test
