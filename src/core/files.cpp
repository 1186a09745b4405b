#include "core/faults.hpp"

#include <knossos/core/error.hpp>
#include <knossos/core/files.hpp>

#include <fmt/format.h>

#include <cerrno>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>

namespace knossos {

namespace {

[[noreturn]] void fail(const std::filesystem::path& path, std::string_view action, int error) {
    throw InputOutputError{
        fmt::format("{}: {} failed: {}", path.string(), action, std::generic_category().message(error))};
}

// An open file that is closed whatever happens.
class File {
  public:
    File(const std::filesystem::path& path, int flags)
        : path_{path}, descriptor_{::open(path.c_str(), flags, 0644)} {
        if (descriptor_ < 0) fail(path, (flags & O_CREAT) != 0 ? "creating it" : "opening it", errno);
    }
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    ~File() {
        if (descriptor_ >= 0) ::close(descriptor_);
    }
    void write(std::span<const std::byte> content) const {
        while (!content.empty()) {
            const int injected = fault("file.write");
            const ssize_t written = injected != 0 ? -1 : ::write(descriptor_, content.data(), content.size());
            const int error = injected != 0 ? injected : errno;
            if (written < 0 && error == EINTR) continue;
            if (written < 0) fail(path_, "writing", error);
            content = content.subspan(static_cast<std::size_t>(written));
        }
    }
    void sync() const {
        if (::fsync(descriptor_) != 0) fail(path_, "flushing it to the disk", errno);
    }
    [[nodiscard]] std::size_t read(std::span<char> buffer) const {
        while (true) {
            const ssize_t got = ::read(descriptor_, buffer.data(), buffer.size());
            if (got >= 0) return static_cast<std::size_t>(got);
            if (errno != EINTR) fail(path_, "reading", errno);
        }
    }

  private:
    std::filesystem::path path_;
    int descriptor_;
};

} // namespace

std::string read_file(const std::filesystem::path& path, std::size_t limit) {
    const File file{path, O_RDONLY | O_CLOEXEC};
    std::string content;
    std::vector<char> buffer(65536);
    while (const std::size_t got = file.read(buffer)) {
        if (content.size() + got > limit)
            throw InputOutputError{fmt::format("{}: is larger than {} bytes", path.string(), limit)};
        content.append(buffer.data(), got);
    }
    return content;
}

void write_file(const std::filesystem::path& path, std::string_view content) {
    write_file(path, std::as_bytes(std::span{content.data(), content.size()}));
}

void write_file(const std::filesystem::path& path, std::span<const std::byte> content) {
    // The process number keeps two writers of one file out of each other's way.
    const std::filesystem::path temporary = fmt::format("{}.{}.tmp", path.string(), ::getpid());
    try {
        {
            const File file{temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC};
            file.write(content.first(content.size() / 2));
            (void)fault("file.half");
            file.write(content.subspan(content.size() / 2));
            file.sync();
        }
        (void)fault("file.written");
        if (::rename(temporary.c_str(), path.c_str()) != 0)
            fail(path, "renaming the new file over it", errno);
        (void)fault("file.renamed");
    } catch (...) {
        ::unlink(temporary.c_str());
        throw;
    }
    sync_folder(path.has_parent_path() ? path.parent_path() : ".");
}

void sync_folder(const std::filesystem::path& folder) {
    const File handle{folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC};
    handle.sync();
}

} // namespace knossos
