#include "core/faults.hpp"

#include <knossos/core/error.hpp>
#include <knossos/core/files.hpp>

#include <fmt/format.h>

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
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
    // `shown` is what messages call it.
    File(const std::filesystem::path& path, int flags, const std::filesystem::path& shown)
        : path_{shown}, descriptor_{::open(path.c_str(), flags, 0644)} {
        if (descriptor_ >= 0) return;
        const bool reading = (flags & (O_CREAT | O_DIRECTORY)) == 0;
        if (reading && (errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG))
            throw InvalidInput{fmt::format("{}: there is no such file", shown.string())};
        fail(shown, (flags & O_CREAT) != 0 ? "creating it" : "opening it", errno);
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
            if (errno == EISDIR)
                throw InvalidInput{fmt::format("{}: is a folder; it must be a file", path_.string())};
            if (errno != EINTR) fail(path_, "reading", errno);
        }
    }

  private:
    std::filesystem::path path_;
    int descriptor_;
};

} // namespace

std::string read_file(const std::filesystem::path& path, std::uint64_t limit) {
    const File file{path, O_RDONLY | O_CLOEXEC, path};
    std::string content;
    std::vector<char> buffer(65536);
    while (const std::size_t got = file.read(buffer)) {
        if (content.size() + got > limit)
            throw InvalidInput{
                fmt::format("{}: is larger than {} bytes, the most that is read here", path.string(), limit)};
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
            const File file{temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, path};
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

FolderLock::FolderLock(const std::filesystem::path& folder)
    : descriptor_{::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)} {
    if (descriptor_ < 0) fail(folder, "opening it", errno);
    // A file system that knows no locks is no reason to refuse the work.
    if (::flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
    ::close(descriptor_);
    throw InvalidInput{fmt::format("{}: another process is at work in this folder; wait for its end or "
                                   "choose another folder",
                                   folder.string())};
}

FolderLock::~FolderLock() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

bool is_leftover(const std::filesystem::path& file) {
    // NAME.PROCESS.tmp, as write_file() makes them.
    const std::string process = file.stem().extension().string();
    return file.extension() == ".tmp" && process.size() > 1 &&
           process.find_first_not_of("0123456789", 1) == std::string::npos;
}

void remove_leftovers(const std::filesystem::path& folder) {
    std::error_code ignored; // what can't be removed does no harm
    std::vector<std::filesystem::path> found;
    for (const auto& entry : std::filesystem::directory_iterator{folder, ignored})
        if (is_leftover(entry.path())) found.push_back(entry.path());
    for (const auto& path : found) std::filesystem::remove(path, ignored);
}

void sync_folder(const std::filesystem::path& folder) {
    const File handle{folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC, folder};
    handle.sync();
}

bool is_no_folder(const std::filesystem::path& path) {
    std::error_code unknown;
    const std::filesystem::file_type type = std::filesystem::status(path, unknown).type();
    return type != std::filesystem::file_type::none && type != std::filesystem::file_type::directory;
}

} // namespace knossos
