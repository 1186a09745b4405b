#include <knossos/core/error.hpp>
#include <knossos/core/files.hpp>
#include <knossos/render/formats.hpp>

#include <fmt/format.h>

#include <cstdio>
#include <ranges>

namespace knossos::render {

namespace {

namespace fs = std::filesystem;

void write_directly(const fs::path& path, const std::string& bytes) {
    std::FILE* const file = std::fopen(path.c_str(), "wb");
    bool is_written = file != nullptr && std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
    is_written = file != nullptr && std::fclose(file) == 0 && is_written;
    if (!is_written) throw InputOutputError{fmt::format("{}: writing failed", path.string())};
}

void write_one(const fs::path& path, const std::string& bytes) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (fs::is_directory(status))
        throw InputOutputError{fmt::format("{}: can't be written, it is a folder", path.string())};
    if (fs::exists(status) && !fs::is_regular_file(status)) return write_directly(path, bytes);
    const fs::path real = fs::is_symlink(path, error) ? fs::weakly_canonical(path, error) : path;
    const fs::path target = error || real.empty() ? path : real;
    if (target.has_parent_path() && !fs::is_directory(target.parent_path(), error))
        throw InputOutputError{fmt::format("{}: can't be written, there is no folder {}", path.string(),
                                           target.parent_path().string())};
    write_file(target, bytes);
}

} // namespace

void write_files(const fs::path& path, std::span<const NamedBytes> files) {
    for (const NamedBytes& file : files | std::views::reverse)
        write_one(file.name.empty() ? path : path.parent_path() / file.name, file.bytes);
}

} // namespace knossos::render
