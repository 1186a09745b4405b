#include "file.hpp"

#include <knossos/core/error.hpp>
#include <knossos/core/files.hpp>

#include <fmt/format.h>

#include <fstream>
#include <ranges>

namespace knossos::render {

namespace {

namespace fs = std::filesystem;

void write_directly(const File& file) {
    std::ofstream stream{file.path, std::ios::binary};
    stream.write(file.bytes.data(), static_cast<std::streamsize>(file.bytes.size()));
    stream.close();
    if (!stream) throw InputOutputError{fmt::format("{}: writing failed", file.path.string())};
}

void write_one(const File& file) {
    std::error_code error;
    const fs::file_status status = fs::status(file.path, error);
    if (fs::is_directory(status))
        throw InputOutputError{fmt::format("{}: can't be written, it is a folder", file.path.string())};
    if (fs::exists(status) && !fs::is_regular_file(status)) return write_directly(file);
    const fs::path real =
        fs::is_symlink(file.path, error) ? fs::weakly_canonical(file.path, error) : file.path;
    const fs::path target = error || real.empty() ? file.path : real;
    if (target.has_parent_path() && !fs::is_directory(target.parent_path(), error))
        throw InputOutputError{fmt::format("{}: can't be written, there is no folder {}", file.path.string(),
                                           target.parent_path().string())};
    write_file(target, file.bytes);
}

} // namespace

void write_files(const std::vector<File>& files) {
    for (const File& file : files | std::views::reverse) write_one(file);
}

} // namespace knossos::render
