#include "render/png_codec.hpp"

#include <knossos/render/zip.hpp>

#include <cstdint>

namespace knossos::render {

namespace {

std::string little_endian(std::uint32_t value, unsigned bytes) {
    std::string result;
    for (unsigned i = 0; i < bytes; ++i) result += static_cast<char>(value >> 8U * i & 0xFFU);
    return result;
}

// What the record in front of a file and the one in the list at the end have in common.
std::string about(const NamedBytes& file) {
    constexpr std::uint32_t names_are_utf8 = 0x800;
    constexpr std::uint32_t first_date = 1U << 5U | 1U; // no file tells when it was made
    const auto size = static_cast<std::uint32_t>(file.bytes.size());
    return little_endian(10, 2) + little_endian(names_are_utf8, 2) + little_endian(0, 2) +
           little_endian(0, 2) + little_endian(first_date, 2) + little_endian(checksum_of(file.bytes), 4) +
           little_endian(size, 4) + little_endian(size, 4) +
           little_endian(static_cast<std::uint32_t>(file.name.size()), 2) + little_endian(0, 2);
}

} // namespace

// Not compressed.
std::string to_zip(std::span<const NamedBytes> files) {
    std::string archive;
    std::string list;
    for (const NamedBytes& file : files) {
        list += "PK\x01\x02" + little_endian(10, 2) + about(file) + std::string(10, '\0') +
                little_endian(static_cast<std::uint32_t>(archive.size()), 4) + file.name;
        archive += "PK\x03\x04" + about(file) + file.name + file.bytes;
    }
    const auto count = static_cast<std::uint32_t>(files.size());
    const auto begin = static_cast<std::uint32_t>(archive.size());
    return archive + list + "PK\x05\x06" + std::string(4, '\0') + little_endian(count, 2) +
           little_endian(count, 2) + little_endian(static_cast<std::uint32_t>(list.size()), 4) +
           little_endian(begin, 4) + little_endian(0, 2);
}

} // namespace knossos::render
