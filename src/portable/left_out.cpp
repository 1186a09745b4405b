// What is called of libraries that a portable build does without. Formats are not in the lists then; who asks
// for one all the same, or hands one in, is told so.
#include "tilemap/compression.hpp"
#include "tilemap/map_builder.hpp"

#include <knossos/core/error.hpp>
#include <knossos/device/generations.hpp>
#include <knossos/recipe/program_evaluator.hpp>
#include <knossos/render/formats.hpp>
#include <knossos/render/handout.hpp>
#include <knossos/tilemap/files.hpp>

#include <fmt/format.h>

namespace knossos {

namespace {

[[noreturn]] void not_here(std::string_view what) {
    throw InvalidInput{fmt::format("this build of Knossos {}", what)};
}

} // namespace

namespace render {

const std::vector<std::string>& left_out_formats() {
    static const std::vector<std::string> names{"pdf", "tmx"};
    return names;
}

std::string to_pdf(std::span<const Picture> /*pages*/) { not_here("writes no PDF"); }

} // namespace render

namespace tilemap {

TileMap read_tmx(std::string_view /*bytes*/, std::string_view source, const FileReader& /*files*/) {
    throw InvalidInput{
        fmt::format("{}: maps in XML can't be read here; save it as TMJ (JSON) in Tiled", source)};
}

Tileset read_tsx(std::string_view /*bytes*/, std::string_view source) {
    throw InvalidInput{
        fmt::format("{}: tilesets in XML can't be read here; embed it in the map in Tiled", source)};
}

std::string to_tmx(const TileMap& /*map*/, const TiledOptions& /*options*/) { not_here("writes no TMX"); }

std::string to_tsx(const Tileset& /*tileset*/) { not_here("writes no TSX"); }

std::string decompressed(std::string_view /*bytes*/, Encoding /*encoding*/, std::size_t /*size*/) {
    throw InvalidInput{
        "compressed tiles can't be read here; set the Tile Layer Format of the map to CSV in Tiled"};
}

std::string compressed(std::string_view /*bytes*/, Encoding /*encoding*/) { not_here("compresses no tiles"); }

} // namespace tilemap

namespace device {

Settings on_wanted(const Recipe& /*recipe*/, Settings settings, std::string_view wanted,
                   std::string& /*remark*/, std::optional<std::size_t> /*rank*/, RunsAtOnce* /*runs*/) {
    if (wanted != "cpu" && wanted != "auto") not_here("knows no devices");
    return settings;
}

} // namespace device

Schema schema_of(const ProgramEvaluator& /*evaluator*/) { not_here("starts no programs"); }

void require_program(const ProgramEvaluator& /*evaluator*/) { not_here("starts no programs"); }

void end_evaluator_programs() noexcept {}

Problem evaluated_by_program(const Problem& /*problem*/, const ProgramEvaluator& /*evaluator*/,
                             Description /*description*/) {
    not_here("starts no programs");
}

} // namespace knossos
