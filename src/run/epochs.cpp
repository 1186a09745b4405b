#include <knossos/core/bytes.hpp>

#include <knossos/core/files.hpp>
#include <knossos/run/checkpoint.hpp>
#include <knossos/run/epochs.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <map>
#include <span>
#include <system_error>

namespace knossos {

namespace fs = std::filesystem;

namespace {

struct EpochFile {
    fs::path path;
    std::uint64_t generation = 0;
    IslandRange range;
};

// GENERATION.FIRST-LAST.bin
std::optional<EpochFile> named_epoch(const fs::path& path) {
    const std::string name = path.filename().string();
    const char* at = name.data();
    const char* const end = at + name.size();
    EpochFile file{.path = path};
    std::uint32_t last = 0;
    const auto number = [&](auto& value, std::string_view then) {
        const auto [stop, error] = std::from_chars(at, end, value);
        if (error != std::errc{} || !std::string_view{stop, end}.starts_with(then)) return false;
        at = stop + then.size();
        return true;
    };
    if (!number(file.generation, ".") || !number(file.range.first, "-") || !number(last, ".bin") ||
        at != end || last < file.range.first)
        return std::nullopt;
    file.range.count = last - file.range.first + 1;
    return file;
}

// By generation, those of one in the order of the islands.
std::map<std::uint64_t, std::vector<EpochFile>, std::greater<>> epoch_files(const fs::path& folder) {
    std::map<std::uint64_t, std::vector<EpochFile>, std::greater<>> files;
    std::error_code error;
    for (fs::directory_iterator entry{folder / "epochs", error}, end; !error && entry != end;
         entry.increment(error))
        if (auto file = named_epoch(entry->path())) files[file->generation].push_back(std::move(*file));
    for (auto& [generation, some] : files)
        std::ranges::sort(some, {}, [](const EpochFile& file) { return file.range.first; });
    return files;
}

bool holds_all(const std::vector<EpochFile>& files, IslandRange range) {
    std::uint32_t next = range.first;
    for (const EpochFile& file : files)
        if (file.range.first <= next) next = std::max(next, file.range.first + file.range.count);
    return next >= range.first + range.count;
}

} // namespace

std::vector<std::byte> pack_parts(const SnapshotParts& parts) {
    ByteWriter out;
    const auto block = [&](std::span<const std::byte> bytes) {
        out.put(std::uint64_t{bytes.size()});
        out.put_bytes(bytes);
    };
    block(parts.head);
    out.put(parts.first);
    out.put(static_cast<std::uint32_t>(parts.islands.size()));
    for (const auto& island : parts.islands) block(island);
    return out.take();
}

SnapshotParts unpack_parts(std::span<const std::byte> bytes) {
    ByteReader in{bytes};
    const auto block = [&] {
        const auto taken = in.take(in.get<std::uint64_t>());
        return std::vector<std::byte>{taken.begin(), taken.end()};
    };
    SnapshotParts parts;
    parts.head = block();
    parts.first = in.get<std::uint32_t>();
    for (auto left = in.get<std::uint32_t>(); left > 0; --left) parts.islands.push_back(block());
    if (!in.empty()) throw InvalidInput{"the snapshot is longer than it should be: it is damaged"};
    return parts;
}

void write_epoch(const fs::path& folder, const SnapshotParts& parts, std::uint64_t generation,
                 std::uint64_t recipe_hash) {
    std::error_code error;
    fs::create_directories(folder / "epochs", error); // if it failed, writing says why
    write_file(
        folder / "epochs" /
            fmt::format("{}.{}-{}.bin", generation, parts.first, parts.first + parts.islands.size() - 1),
        pack_checkpoint(pack_parts(parts), recipe_hash));
}

std::vector<std::uint64_t> complete_epochs(const fs::path& folder, std::uint32_t islands) {
    std::vector<std::uint64_t> generations;
    for (const auto& [generation, files] : epoch_files(folder))
        if (holds_all(files, {0, islands})) generations.push_back(generation);
    return generations;
}

SnapshotParts load_epoch(const fs::path& folder, std::uint64_t generation, IslandRange range,
                         std::uint64_t recipe_hash) {
    SnapshotParts wanted;
    wanted.first = range.first;
    wanted.islands.resize(range.count);
    std::vector<bool> found(range.count, false);
    const auto files = std::move(epoch_files(folder)[generation]);
    for (const EpochFile& file : files) {
        const std::uint32_t begin = std::max(range.first, file.range.first);
        const std::uint32_t end = std::min(range.first + range.count, file.range.first + file.range.count);
        // Whoever has no islands still needs the head.
        if (begin >= end && !(range.count == 0 && wanted.head.empty())) continue;
        try {
            const std::string content = read_file(file.path);
            SnapshotParts parts =
                unpack_parts(unpack_checkpoint(std::as_bytes(std::span{content}), recipe_hash));
            if (parts.first != file.range.first || parts.islands.size() != file.range.count)
                throw InvalidInput{"holds other islands than its name says"};
            wanted.head = std::move(parts.head);
            for (std::uint32_t island = begin; island < end; ++island) {
                wanted.islands[island - range.first] = std::move(parts.islands[island - parts.first]);
                found[island - range.first] = true;
            }
        } catch (const InvalidInput& error) {
            throw InvalidInput{fmt::format("{}: {}", file.path.string(), error.what())};
        }
    }
    if (wanted.head.empty() || std::ranges::find(found, false) != found.end())
        throw InvalidInput{fmt::format("{}: some islands of generation {} are missing",
                                       (folder / "epochs").string(), generation)};
    return wanted;
}

void remove_old_epochs(const fs::path& folder, std::uint32_t islands, bool unfinished_too) {
    if (unfinished_too) remove_leftovers(folder / "epochs");
    const auto complete = complete_epochs(folder, islands);
    if (complete.empty()) return;
    const std::uint64_t newest = complete.front();
    const std::uint64_t oldest = complete.size() > 1 ? complete[1] : newest;
    std::error_code ignored; // what can't be removed does no harm
    for (const auto& [generation, files] : epoch_files(folder))
        if (generation < oldest || (generation > newest && unfinished_too) ||
            (generation < newest && generation != oldest))
            for (const EpochFile& file : files) fs::remove(file.path, ignored);
}

} // namespace knossos
