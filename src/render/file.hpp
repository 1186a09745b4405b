#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace knossos::render {

struct File {
    std::filesystem::path path{};
    std::string bytes{};
};

/// Writes all files or none: each goes to a temporary name in its folder, and only when all are complete
/// are they renamed, the first of the list last. What is not a regular file (a pipe, a terminal) is written
/// to directly. Throws InputOutputError that names the path and the cause.
void write_files(const std::vector<File>& files);

/// The content of a file of at most max_bytes. Throws InputOutputError if it can't be read, InvalidInput if
/// it is larger.
std::string read_file(const std::filesystem::path& path, std::size_t max_bytes);

} // namespace knossos::render
