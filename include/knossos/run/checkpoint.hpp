#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace knossos {

/// Wraps a snapshot into the checkpoint format: magic, format version, hash of the recipe, length, content,
/// checksum.
std::vector<std::byte> pack_checkpoint(std::span<const std::byte> snapshot, std::uint64_t recipe_hash);

/// What a recipe is, as a number: that may depend on the generation.
using RecipeHash = std::function<std::uint64_t(std::uint64_t generation)>;

/// Takes the snapshot out again. Throws InvalidInput that says what is wrong: not a checkpoint, a newer
/// format, another recipe's, truncated, or damaged.
std::vector<std::byte> unpack_checkpoint(std::span<const std::byte> checkpoint, std::uint64_t recipe_hash);

/// Writes `checkpoint.bin` in the folder; the one before it stays as `checkpoint.previous.bin`.
void write_checkpoint(const std::filesystem::path& folder, std::span<const std::byte> snapshot,
                      std::uint64_t recipe_hash);

/// The checkpoints that a folder holds, the newest first.
std::vector<std::filesystem::path> checkpoint_files(const std::filesystem::path& folder);

/// The snapshot in one of them. Throws InvalidInput that says what is wrong with which file.
std::vector<std::byte> read_checkpoint(const std::filesystem::path& file, std::uint64_t recipe_hash);
std::vector<std::byte> read_checkpoint(const std::filesystem::path& file, const RecipeHash& recipe_hash);

/// A 64-bit hash that is the same on every system (FNV-1a with a final mix).
std::uint64_t stable_hash(std::span<const std::byte> bytes);
std::uint64_t stable_hash(std::string_view text);

} // namespace knossos
