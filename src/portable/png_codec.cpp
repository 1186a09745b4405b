#include "render/png_codec.hpp"

#include <knossos/core/error.hpp>

#include <algorithm>
#include <array>

namespace knossos::render {

namespace {

// Bits of a deflate stream, the lowest first; codes the highest first.
class BitWriter {
  public:
    void put(std::uint32_t value, unsigned count) {
        for (unsigned i = 0; i < count; ++i) {
            if (used_ == 0) bytes_ += '\0';
            bytes_.back() =
                static_cast<char>(static_cast<unsigned char>(bytes_.back()) | (value >> i & 1U) << used_);
            used_ = (used_ + 1) % 8;
        }
    }
    void put_code(std::uint32_t code, unsigned count) {
        while (count > 0) put(code >> --count & 1U, 1);
    }
    [[nodiscard]] std::string take() { return std::move(bytes_); }

  private:
    std::string bytes_;
    unsigned used_ = 0;
};

// The fixed codes of RFC 1951.
void put_symbol(BitWriter& out, std::uint32_t symbol) {
    if (symbol < 144)
        out.put_code(0x30 + symbol, 8);
    else if (symbol < 256)
        out.put_code(0x190 + symbol - 144, 9);
    else if (symbol < 280)
        out.put_code(symbol - 256, 7);
    else
        out.put_code(0xC0 + symbol - 280, 8);
}

// So many times the byte before: a match at distance 1.
void put_repeats(BitWriter& out, std::uint32_t length) {
    constexpr std::uint32_t longest = 258;
    if (length == longest) {
        put_symbol(out, 285);
    } else {
        std::uint32_t extra = 0;
        while (length - 3 >= std::uint32_t{8} << extra) ++extra;
        const std::uint32_t step = (length - 3) >> extra;
        put_symbol(out, 257 + 4 * extra + step);
        out.put((length - 3) & ((1U << extra) - 1U), extra);
    }
    out.put_code(0, 5);
}

// A zlib stream whose only matches are repeated bytes: rows that look like the one above are that already.
std::string packed(std::string_view bytes) {
    BitWriter out;
    out.put(1, 1); // the last block
    out.put(1, 2); // of fixed codes
    for (std::size_t i = 0; i < bytes.size();) {
        std::size_t repeats = 0;
        if (i > 0)
            while (repeats < 258 && i + repeats < bytes.size() && bytes[i + repeats] == bytes[i - 1])
                ++repeats;
        if (repeats < 3) {
            put_symbol(out, static_cast<unsigned char>(bytes[i++]));
        } else {
            put_repeats(out, static_cast<std::uint32_t>(repeats));
            i += repeats;
        }
    }
    put_symbol(out, 256);
    constexpr std::uint32_t base = 65521;
    std::uint32_t low = 1;
    std::uint32_t high = 0;
    for (const char byte : bytes) {
        low = (low + static_cast<unsigned char>(byte)) % base;
        high = (high + low) % base;
    }
    std::string stream = "\x78\x01" + out.take();
    for (const std::uint32_t half : {high, low}) {
        stream += static_cast<char>(half >> 8U);
        stream += static_cast<char>(half & 0xFFU);
    }
    return stream;
}

std::string big_endian_word(std::uint32_t value) {
    std::string bytes;
    for (unsigned shift = 32; shift > 0;) bytes += static_cast<char>(value >> (shift -= 8U) & 0xFFU);
    return bytes;
}

std::string chunk(const std::string& kind, const std::string& data) {
    return big_endian_word(static_cast<std::uint32_t>(data.size())) + kind + data +
           big_endian_word(checksum_of(kind + data));
}

} // namespace

std::uint32_t checksum_of(std::string_view bytes) {
    static const auto table = [] {
        std::array<std::uint32_t, 256> values{};
        for (std::uint32_t i = 0; i < values.size(); ++i) {
            std::uint32_t value = i;
            for (int bit = 0; bit < 8; ++bit)
                value = (value & 1U) != 0U ? 0xEDB88320U ^ value >> 1U : value >> 1U;
            values[i] = value;
        }
        return values;
    }();
    std::uint32_t sum = ~std::uint32_t{0};
    for (const char byte : bytes) sum = table[(sum ^ static_cast<unsigned char>(byte)) & 0xFFU] ^ sum >> 8U;
    return ~sum;
}

std::string pack_png(std::uint32_t width, std::uint32_t height, unsigned channels,
                     const std::vector<std::uint8_t>& pixels) {
    const std::size_t row = std::size_t{width} * channels;
    std::string rows;
    rows.reserve((row + 1) * height);
    for (std::size_t y = 0; y < height; ++y) {
        rows += '\x02'; // each byte is told by how much it differs from the one above
        for (std::size_t i = y * row; i < (y + 1) * row; ++i)
            rows += static_cast<char>(pixels[i] - (y > 0 ? pixels[i - row] : 0));
    }
    const std::string head = big_endian_word(width) + big_endian_word(height) + '\x08' +
                             (channels == 4 ? '\x06' : '\x02') + std::string(3, '\0');
    return "\x89PNG\r\n\x1a\n" + chunk("IHDR", head) + chunk("IDAT", packed(rows)) + chunk("IEND", "");
}

Pixels unpack_png(std::string_view /*bytes*/, std::uint64_t /*max_pixels*/) {
    throw InvalidInput{"pictures can't be read here; give the level as text, JSON, TMJ or LDtk"};
}

} // namespace knossos::render
