#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace knossos::render {

struct File {
    std::filesystem::path path{};
    std::string bytes{};
};

/// Writes the files, each complete or not at all, the first of the list last: whoever sees it finds the
/// others. Links stay links, and what is not a regular file (a pipe, a terminal) is written to directly.
/// Throws InputOutputError that names the path and the cause.
void write_files(const std::vector<File>& files);

} // namespace knossos::render
