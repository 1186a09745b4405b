#include "core/faults.hpp"
#include <knossos/core/bytes.hpp>

#include <knossos/core/error.hpp>
#include <knossos/core/files.hpp>
#include <knossos/run/checkpoint.hpp>
#include <knossos/run/run.hpp>

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <system_error>

namespace knossos {

namespace {

constexpr std::array<char, 8> magic{'K', 'N', 'O', 'S', 'S', 'O', 'S', 'C'};
constexpr std::uint32_t format_version = 1;

} // namespace

std::uint64_t stable_hash(std::span<const std::byte> bytes) {
    std::uint64_t hash = 0xCBF29CE484222325U;
    // Eight bytes at a time, then the rest one by one.
    std::size_t i = 0;
    for (; i + 8 <= bytes.size(); i += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data() + i, 8);
        hash = (hash ^ word) * 0x9E3779B97F4A7C15U;
        hash ^= hash >> 29U;
    }
    for (; i < bytes.size(); ++i) hash = (hash ^ std::to_integer<std::uint64_t>(bytes[i])) * 0x100000001B3U;
    hash ^= bytes.size();
    hash = (hash ^ hash >> 33U) * 0xFF51AFD7ED558CCDU;
    return hash ^ hash >> 33U;
}

std::uint64_t stable_hash(std::string_view text) { return stable_hash(std::as_bytes(std::span{text})); }

std::vector<std::byte> pack_checkpoint(std::span<const std::byte> snapshot, std::uint64_t recipe_hash) {
    ByteWriter out{snapshot.size() + 64};
    out.put(magic);
    out.put(format_version);
    out.put(std::uint32_t{0});
    out.put(recipe_hash);
    out.put(std::uint64_t{snapshot.size()});
    out.put_bytes(snapshot);
    auto bytes = out.take();
    const std::uint64_t checksum = stable_hash(bytes);
    const auto tail = std::as_bytes(std::span{&checksum, 1});
    bytes.insert(bytes.end(), tail.begin(), tail.end());
    return bytes;
}

namespace {

struct Unpacked {
    std::span<const std::byte> snapshot;
    std::uint64_t recipe_hash;
};

Unpacked unpack(std::span<const std::byte> checkpoint) {
    ByteReader in{checkpoint};
    if (checkpoint.size() < magic.size() || in.get<std::array<char, 8>>() != magic)
        throw InvalidInput{"this is not a Knossos checkpoint"};
    const auto version = in.get<std::uint32_t>();
    if (version > format_version)
        throw InvalidInput{
            fmt::format("the checkpoint has format {}, which is newer than this program (format {}): use "
                        "the version that wrote it",
                        version, format_version)};
    (void)in.get<std::uint32_t>();
    const auto hash = in.get<std::uint64_t>();
    const auto size = in.get<std::uint64_t>();
    if (size > checkpoint.size()) throw InvalidInput{"the checkpoint is truncated"};
    const auto snapshot = in.take(size);
    const auto checksum = in.get<std::uint64_t>();
    if (!in.empty() || checksum != stable_hash(checkpoint.first(checkpoint.size() - sizeof(checksum))))
        throw InvalidInput{"the checkpoint is damaged: its checksum does not fit"};
    return {snapshot, hash};
}

void require_same(std::uint64_t hash, std::uint64_t recipe_hash) {
    if (hash != recipe_hash)
        throw InvalidInput{"the checkpoint belongs to another recipe or seed, or its problem had other data"};
}

} // namespace

std::vector<std::byte> unpack_checkpoint(std::span<const std::byte> checkpoint, std::uint64_t recipe_hash) {
    const auto [snapshot, hash] = unpack(checkpoint);
    require_same(hash, recipe_hash);
    return {snapshot.begin(), snapshot.end()};
}

void write_checkpoint(const std::filesystem::path& folder, std::span<const std::byte> snapshot,
                      std::uint64_t recipe_hash) {
    const auto newest = folder / "checkpoint.bin";
    const auto fresh = folder / "checkpoint.next.bin";
    write_file(fresh, pack_checkpoint(snapshot, recipe_hash));
    (void)fault("checkpoint.fresh");
    std::error_code error;
    if (std::filesystem::exists(newest, error))
        std::filesystem::rename(newest, folder / "checkpoint.previous.bin", error);
    (void)fault("checkpoint.between");
    if (!error) std::filesystem::rename(fresh, newest, error);
    if (error)
        throw InputOutputError{fmt::format("{}: renaming failed: {}", newest.string(), error.message())};
    sync_folder(folder);
}

std::vector<std::filesystem::path> checkpoint_files(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> files;
    // A crash between the two renames leaves the newest under its first name.
    for (const char* name : {"checkpoint.next.bin", "checkpoint.bin", "checkpoint.previous.bin"})
        if (std::error_code error; std::filesystem::exists(folder / name, error))
            files.push_back(folder / name);
    return files;
}

namespace {

// `hash_for` says what the hash of the recipe should be for a snapshot.
std::vector<std::byte> read_for(const std::filesystem::path& file, auto hash_for) {
    try {
        const std::string content = read_file(file);
        const auto [snapshot, hash] = unpack(std::as_bytes(std::span{content}));
        require_same(hash, hash_for(snapshot));
        return {snapshot.begin(), snapshot.end()};
    } catch (const Error& error) {
        const std::string message = error.what();
        throw InvalidInput{
            message.starts_with(file.string()) ? message : fmt::format("{}: {}", file.string(), message)};
    }
}

} // namespace

std::vector<std::byte> read_checkpoint(const std::filesystem::path& file, std::uint64_t recipe_hash) {
    return read_for(file, [&](std::span<const std::byte> /*snapshot*/) { return recipe_hash; });
}

std::vector<std::byte> read_checkpoint(const std::filesystem::path& file, const RecipeHash& recipe_hash) {
    return read_for(
        file, [&](std::span<const std::byte> snapshot) { return recipe_hash(generation_of(snapshot)); });
}

} // namespace knossos
