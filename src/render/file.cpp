#include "file.hpp"

#include "text.hpp"

#include <knossos/core/error.hpp>

#include <fmt/format.h>

#include <cerrno>
#include <fcntl.h>
#include <string_view>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace knossos::render {

namespace {

[[noreturn]] void fail(std::string_view action, const std::filesystem::path& path, int error) {
    throw InputOutputError{
        fmt::format("{} {}: {}", action, path.string(), std::generic_category().message(error))};
}

class Descriptor {
  public:
    explicit Descriptor(int number) : number_{number} {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() {
        if (number_ >= 0) ::close(number_);
    }
    [[nodiscard]] bool valid() const { return number_ >= 0; }
    [[nodiscard]] int number() const { return number_; }
    // Some file systems report a full disk only here.
    int close() { return ::close(std::exchange(number_, -1)); }

  private:
    int number_;
};

void write_all(Descriptor& file, std::string_view bytes, const std::filesystem::path& path) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(file.number(), bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) fail("cannot write", path, errno);
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    if (file.close() != 0) fail("cannot write", path, errno);
}

bool is_special(const std::filesystem::path& path) {
    struct stat status{};
    return ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

// A file under a temporary name, removed again unless it is put in its place.
class Pending {
  public:
    explicit Pending(const File& file) : target_{resolved(file.path)} {
        temporary_ =
            target_.parent_path() / fmt::format(".{}.{}.part", target_.filename().string(), ::getpid());
        Descriptor descriptor{::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)};
        if (!descriptor.valid()) {
            const int error = errno;
            temporary_.clear();
            fail("cannot write", file.path, error);
        }
        try {
            write_all(descriptor, file.bytes, file.path);
        } catch (...) {
            discard();
            throw;
        }
    }
    Pending(Pending&& other) noexcept
        : target_{std::move(other.target_)}, temporary_{std::exchange(other.temporary_, {})} {}
    Pending(const Pending&) = delete;
    Pending& operator=(const Pending&) = delete;
    Pending& operator=(Pending&&) = delete;
    ~Pending() { discard(); }

    void finish() {
        if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail("cannot write", target_, errno);
        temporary_.clear();
    }

  private:
    // Where a link points, so that the link itself stays.
    static std::filesystem::path resolved(const std::filesystem::path& path) {
        if (std::filesystem::is_directory(path)) fail("cannot write", path, EISDIR);
        std::error_code error;
        if (!std::filesystem::is_symlink(path, error)) return path;
        const std::filesystem::path real = std::filesystem::weakly_canonical(path, error);
        return error ? path : real;
    }
    void discard() {
        if (!temporary_.empty()) ::unlink(temporary_.c_str());
        temporary_.clear();
    }

    std::filesystem::path target_;
    std::filesystem::path temporary_;
};

} // namespace

void write_files(const std::vector<File>& files) {
    std::vector<Pending> pending;
    for (const File& file : files) {
        if (!is_special(file.path)) {
            pending.emplace_back(file);
            continue;
        }
        Descriptor descriptor{::open(file.path.c_str(), O_WRONLY | O_CLOEXEC)};
        if (!descriptor.valid()) fail("cannot write", file.path, errno);
        write_all(descriptor, file.bytes, file.path);
    }
    for (auto file = pending.rbegin(); file != pending.rend(); ++file) file->finish();
}

std::string read_file(const std::filesystem::path& path, std::size_t max_bytes) {
    const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
    if (!file.valid()) fail("cannot read", path, errno);
    std::string bytes;
    std::string part(std::size_t{1} << 16U, '\0');
    while (true) {
        const ssize_t count = ::read(file.number(), part.data(), part.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) fail("cannot read", path, errno);
        if (count == 0) return bytes;
        bytes.append(part, 0, static_cast<std::size_t>(count));
        if (bytes.size() > max_bytes)
            throw InvalidInput{fmt::format("{} is larger than {} bytes, the most that is read", path.string(),
                                           thousands(max_bytes))};
    }
}

} // namespace knossos::render
