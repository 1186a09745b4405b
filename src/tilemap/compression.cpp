#include "tilemap/compression.hpp"

#include <knossos/core/error.hpp>

#include <fmt/format.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <limits>

namespace knossos::tilemap {

namespace {

constexpr int gzip_window = 15 + 16; // what zlib calls a gzip header around the largest window
constexpr int any_window = 15 + 32;  // either header, whichever is there

[[noreturn]] void refuse_size(std::size_t size) {
    throw InvalidInput{fmt::format("the compressed tiles are not the {} bytes that the layer has", size)};
}

std::string inflated(std::string_view bytes, std::size_t size) {
    std::string result(size + 1, '\0'); // one byte more, to see whether there is one
    z_stream stream{};
    if (inflateInit2(&stream, any_window) != Z_OK) throw InvalidInput{"zlib has no memory"};
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data())); // never written to
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(result.data());
    stream.avail_out = static_cast<uInt>(result.size());
    const int state = inflate(&stream, Z_FINISH);
    const std::size_t made = stream.total_out;
    inflateEnd(&stream);
    if (made > size || (state == Z_STREAM_END && made != size)) refuse_size(size);
    if (state != Z_STREAM_END) throw InvalidInput{"the compressed tiles are damaged"};
    result.resize(size);
    return result;
}

std::string unpacked_zstd(std::string_view bytes, std::size_t size) {
    std::string result(size, '\0');
    const std::size_t made = ZSTD_decompress(result.data(), result.size(), bytes.data(), bytes.size());
    if (ZSTD_isError(made) == 0U && made == size) return result;
    if (ZSTD_isError(made) == 0U || ZSTD_getErrorCode(made) == ZSTD_error_dstSize_tooSmall) refuse_size(size);
    throw InvalidInput{"the compressed tiles are damaged"};
}

std::string deflated(std::string_view bytes, int window) {
    z_stream stream{};
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        throw InputOutputError{"zlib has no memory"};
    std::string result(deflateBound(&stream, bytes.size()), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data())); // never written to
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(result.data());
    stream.avail_out = static_cast<uInt>(result.size());
    const int state = deflate(&stream, Z_FINISH);
    result.resize(stream.total_out);
    deflateEnd(&stream);
    if (state != Z_STREAM_END) throw InputOutputError{"zlib can't compress the tiles"};
    return result;
}

std::string packed_zstd(std::string_view bytes) {
    std::string result(ZSTD_compressBound(bytes.size()), '\0');
    const std::size_t made =
        ZSTD_compress(result.data(), result.size(), bytes.data(), bytes.size(), ZSTD_CLEVEL_DEFAULT);
    if (ZSTD_isError(made) != 0U) throw InputOutputError{"zstd can't compress the tiles"};
    result.resize(made);
    return result;
}

} // namespace

std::string decompressed(std::string_view bytes, Encoding encoding, std::size_t size) {
    if (bytes.size() >= std::numeric_limits<uInt>::max() || size >= std::numeric_limits<uInt>::max())
        refuse_size(size);
    return encoding == Encoding::zstd ? unpacked_zstd(bytes, size) : inflated(bytes, size);
}

std::string compressed(std::string_view bytes, Encoding encoding) {
    if (encoding == Encoding::zstd) return packed_zstd(bytes);
    return deflated(bytes, encoding == Encoding::gzip ? gzip_window : MAX_WBITS);
}

} // namespace knossos::tilemap
