#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace knossos {

/// Reads a whole file. What can't be an input (there is no such file, it is a folder, it is larger than
/// `limit`) throws InvalidInput, a failure of reading InputOutputError; both name the path and the cause.
std::string read_file(const std::filesystem::path& path, std::uint64_t limit = std::uint64_t{1} << 32U);

/// Replaces a file as a whole or not at all: writes a temporary file beside it, flushes it to the disk,
/// renames it over the old one and flushes the folder. Whoever looks, at any moment and after any crash, sees
/// the old content or the new. Throws InputOutputError that names the path and the cause.
void write_file(const std::filesystem::path& path, std::string_view content);
void write_file(const std::filesystem::path& path, std::span<const std::byte> content);

/// Keeps every other process that asks out of a folder, until it is destroyed or the process ends, however
/// that happens. Leaves nothing in the folder.
class FolderLock {
  public:
    /// Throws InvalidInput if another process holds the lock.
    explicit FolderLock(const std::filesystem::path& folder);
    FolderLock(FolderLock&& other) noexcept : descriptor_{std::exchange(other.descriptor_, -1)} {}
    FolderLock& operator=(FolderLock&&) = delete;
    ~FolderLock();

  private:
    int descriptor_;
};

/// Removes what a write_file() that was killed left in a folder. Only for who holds its lock.
void remove_leftovers(const std::filesystem::path& folder);
bool is_leftover(const std::filesystem::path& file);

/// Whether there is something else at this path, or nothing. False where that can't be told, as without
/// permission: then who writes there will hear it.
bool is_no_folder(const std::filesystem::path& path);

/// Flushes a folder's entries to the disk, so that a rename in it survives a power cut.
void sync_folder(const std::filesystem::path& folder);

} // namespace knossos
