#include "support.hpp"
#include "unpacked.hpp"

#include <knossos/core/error.hpp>
#include <knossos/domain/artefact.hpp>
#include <knossos/dungeon/view/level.hpp>
#include <knossos/recipe/domains.hpp>
#include <knossos/render/handout.hpp>
#include <knossos/render/zip.hpp>

#include <fmt/format.h>

#include <array>
#include <string>
#include <string_view>
#include <zlib.h>

namespace knossos::render::handout_test {

namespace {

using test::unpacked;

Picture square() {
    Picture picture{.width = 100, .height = 100, .title = "square"};
    picture.shapes.emplace_back(Rectangle{{10, 10}, 80, 80, light.rock, {}});
    return picture;
}

// What begins there and was compressed with zlib; nothing if nothing was.
std::string inflated(std::string_view bytes) {
    z_stream stream{};
    inflateInit(&stream);
    std::string input{bytes};
    stream.next_in = reinterpret_cast<Bytef*>(input.data());
    stream.avail_in = static_cast<uInt>(input.size());
    std::string output;
    std::array<char, 4096> piece{};
    int status = Z_OK;
    while (status == Z_OK) {
        stream.next_out = reinterpret_cast<Bytef*>(piece.data());
        stream.avail_out = static_cast<uInt>(piece.size());
        status = inflate(&stream, Z_NO_FLUSH);
        output.append(piece.data(), piece.size() - stream.avail_out);
    }
    inflateEnd(&stream);
    return output;
}

// The list of pages stands in the file as it is or, from cairo 1.18 on, in a compressed stream.
std::size_t pages_in(const std::string& pdf) {
    std::string text = pdf;
    constexpr std::string_view begin = "stream\n";
    for (std::size_t at = pdf.find(begin); at != std::string::npos; at = pdf.find(begin, at + 1))
        text += inflated(std::string_view{pdf}.substr(at + begin.size()));
    const std::size_t at = text.find("/Count ");
    return at == std::string::npos ? 0 : static_cast<std::size_t>(text[at + 7] - '0');
}

} // namespace

TEST(Handout, HasAPageForThePictureAndAsManyAsTheLinesNeed) {
    Handout handout{.title = "Square", .caption = "four sides", .picture = square()};
    EXPECT_EQ(pages_of(handout).size(), 1U);
    handout.answers = square();
    EXPECT_EQ(pages_of(handout).size(), 2U);
    for (int i = 0; i < 500; ++i) handout.lines.push_back(fmt::format("line {}", i));
    const auto pages = pages_of(handout);
    EXPECT_GT(pages.size(), 2U);
    // Every line is somewhere, and on the page.
    std::size_t lines = 0;
    for (const Picture& page : pages)
        for (const Shape& shape : page.shapes)
            if (const auto* label = std::get_if<Label>(&shape)) {
                lines += label->text.starts_with("line ") ? 1U : 0U;
                EXPECT_GE(label->place.x, 0.0);
                EXPECT_LT(label->place.x, page.width);
                EXPECT_LT(label->place.y, page.height);
            }
    EXPECT_EQ(lines, 500U);
}

TEST(Handout, BreaksLinesThatAreTooLong) {
    Handout handout{.picture = square()};
    for (int i = 0; i < 300; ++i) handout.lines.resize(1), handout.lines[0] += fmt::format("e{} ", i);
    std::string seen;
    for (const Picture& page : pages_of(handout))
        for (const Shape& shape : page.shapes)
            if (const auto* label = std::get_if<Label>(&shape)) seen += label->text;
    for (int i = 0; i < 300; ++i) EXPECT_NE(seen.find(fmt::format("e{}", i)), std::string::npos);
}

TEST(Pdf, IsTheSameTwiceAndTellsNoTime) {
    const auto pages =
        pages_of({.title = "Square", .caption = "× 4", .picture = square(), .answers = square()});
    const std::string pdf = to_pdf(pages);
    EXPECT_TRUE(pdf.starts_with("%PDF-1.5"));
    EXPECT_EQ(to_pdf(pages), pdf);
    EXPECT_EQ(pdf.find("CreationDate"), std::string::npos);
    EXPECT_EQ(pages_in(pdf), 2U);
    EXPECT_THROW((void)to_pdf({}), InvalidInput);
}

TEST(Zip, HoldsTheFilesAndIsTheSameTwice) {
    const std::vector<NamedBytes> files{{.name = "level.txt", .bytes = std::string(10'000, '#')},
                                        {.name = "empty", .bytes = {}},
                                        {.name = "ä.bin", .bytes = {"\0\1", 2}}};
    const std::string bytes = to_zip(files);
    EXPECT_EQ(to_zip(files), bytes);
    EXPECT_LT(bytes.size(), 1'000U);
    const auto found = unpacked(bytes);
    ASSERT_EQ(found.size(), files.size());
    for (const NamedBytes& file : files) EXPECT_EQ(found.at(file.name), file.bytes);
}

TEST(Zip, OfALevelHoldsEveryFormat) {
    const dungeon::Level level = dungeon::parse_level("#####\n#E+X#\n#k###\n#####\n");
    const ArtefactPtr artefact = read_artefact(dungeon::level_json(level), "cellar.json");
    const auto found = unpacked(artefact->files("zip", {}, "cellar").front().bytes);
    for (const Format& format : artefact->formats())
        EXPECT_EQ(found.contains(fmt::format("cellar.{}", format.extensions.front())), format.name != "zip")
            << format.name;
    EXPECT_TRUE(found.contains("cellar-tiles.png"));
    // What is in it is the level.
    EXPECT_EQ(read_artefact(found.at("cellar.tmx"), "cellar.tmx")->json(), artefact->json());
}

} // namespace knossos::render::handout_test
