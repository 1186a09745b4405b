// Preloaded into a studio, keeps a file ($LEAK=file) or a quarter of a megabyte (memory) of every connection.
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <sys/socket.h>
#include <unistd.h>

namespace {

void* volatile kept = nullptr; // or the compiler leaves out what nobody reads

void leak() {
    const char* what = std::getenv("LEAK");
    if (what == nullptr) return;
    if (std::strcmp(what, "file") == 0 && dup(STDIN_FILENO) < 0) std::abort();
    if (std::strcmp(what, "memory") == 0) kept = std::memset(std::malloc(1U << 18U), 1, 1U << 18U);
}

} // namespace

extern "C" int accept(int descriptor, sockaddr* address, socklen_t* size) noexcept(false) {
    static const auto real =
        reinterpret_cast<int (*)(int, sockaddr*, socklen_t*)>(dlsym(RTLD_NEXT, "accept"));
    const int connection = real(descriptor, address, size);
    if (connection >= 0) leak();
    return connection;
}
