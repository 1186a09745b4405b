#include "render/png_codec.hpp"

#include <knossos/core/error.hpp>
#include <knossos/render/picture.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace knossos::render {

namespace {

// libpng's simplified interface knows nothing of text chunks, and its full one answers errors with longjmp:
// the one text chunk is handled here.
constexpr std::string_view note_key = "knossos";
constexpr std::size_t signature_bytes = 8;
constexpr std::size_t chunk_frame = 12; // length, kind and checksum around the data

std::string big_endian(std::uint32_t value) {
    std::string bytes;
    for (unsigned shift = 32; shift > 0;) bytes += static_cast<char>(value >> (shift -= 8U) & 0xFFU);
    return bytes;
}

std::uint32_t big_endian_at(std::string_view bytes, std::size_t place) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) value = value << 8U | static_cast<unsigned char>(bytes[place + i]);
    return value;
}

std::string note_chunk(std::string_view note) {
    const std::string content = "tEXt" + std::string{note_key} + '\0' + std::string{note};
    return big_endian(static_cast<std::uint32_t>(content.size() - 4)) + content +
           big_endian(checksum_of(content));
}

struct Parts {
    std::string picture; // the file without anything but the picture
    std::string note;    // the data of our text chunk, if there is one
};

// Takes a file apart before libpng sees it: libpng allocates what a chunk claims to hold, or to unpack to,
// whether or not the file is that long. Colour profiles and the like are left out.
Parts take_apart(std::string_view bytes) {
    constexpr std::string_view signature = "\x89PNG\r\n\x1a\n";
    if (!bytes.starts_with(signature)) throw InvalidInput{"this is not a PNG"};
    const std::string wanted = "tEXt" + std::string{note_key} + '\0';
    Parts parts{.picture = std::string{signature}, .note = {}};
    std::string_view kind;
    for (std::size_t place = signature_bytes; kind != "IEND";) {
        const std::size_t left = bytes.size() - place;
        if (left < chunk_frame || big_endian_at(bytes, place) > left - chunk_frame)
            throw InvalidInput{fmt::format("the PNG is cut short or damaged at byte {}", place)};
        const std::size_t length = big_endian_at(bytes, place);
        const std::string_view content = bytes.substr(place + 4, length + 4);
        kind = content.substr(0, 4);
        if (kind == "IHDR" || kind == "PLTE" || kind == "tRNS" || kind == "IDAT" || kind == "IEND")
            parts.picture += bytes.substr(place, length + chunk_frame);
        if (content.starts_with(wanted) && checksum_of(content) == big_endian_at(bytes, place + 8 + length))
            parts.note = content.substr(wanted.size());
        place += length + chunk_frame;
    }
    return parts;
}

} // namespace

std::string encode_png(const Pixels& pixels, std::string_view note) {
    std::string bytes = pack_png(pixels.width, pixels.height, 3, pixels.rgb);
    // The text goes between the header, which is always 13 bytes of data, and the pixels.
    if (!note.empty()) bytes.insert(signature_bytes + chunk_frame + 13, note_chunk(note));
    return bytes;
}

std::string to_transparent_png(const Picture& picture) {
    // What differs between a black and a white ground is what shows through.
    Picture ground = picture;
    ground.ground = rgb(0x000000);
    const Pixels on_black = rasterise(ground);
    ground.ground = rgb(0xFFFFFF);
    const Pixels on_white = rasterise(ground);
    std::vector<std::uint8_t> rgba;
    rgba.reserve(on_black.rgb.size() / 3 * 4);
    for (std::size_t i = 0; i < on_black.rgb.size(); i += 3) {
        const int alpha = 255 - (on_white.rgb[i] - on_black.rgb[i]);
        for (std::size_t channel = 0; channel < 3; ++channel) {
            const int colour = alpha == 0 ? 0 : on_black.rgb[i + channel] * 255 / alpha;
            rgba.push_back(static_cast<std::uint8_t>(std::min(colour, 255)));
        }
        rgba.push_back(static_cast<std::uint8_t>(alpha));
    }
    return pack_png(picture.width, picture.height, 4, rgba);
}

std::string to_png(const Picture& picture, std::string_view note) {
    return encode_png(rasterise(picture), note);
}

DecodedPng decode_png(std::string_view bytes, std::uint64_t max_pixels) {
    Parts parts = take_apart(bytes);
    return {.pixels = unpack_png(parts.picture, max_pixels), .note = std::move(parts.note)};
}

} // namespace knossos::render
