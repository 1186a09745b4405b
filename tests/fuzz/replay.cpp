// Gives the fuzzers the files of their corpora, one after the other, in builds without libFuzzer: what was
// found once stays found. KNOSSOS_FUZZERS lists them, as fuzzer(recipe) fuzzer(level) …
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace fs = std::filesystem;

using Fuzzer = int(const std::uint8_t* data, std::size_t size);

#define fuzzer(name) extern "C" Fuzzer replay_##name;
KNOSSOS_FUZZERS
#undef fuzzer

namespace {

struct Named {
    const char* name;
    Fuzzer* fuzzer;
};

#define fuzzer(name) Named{#name, replay_##name},
constexpr Named fuzzers[]{KNOSSOS_FUZZERS};
#undef fuzzer

// Returns how many files there were.
int replay(const Named& one, const fs::path& corpus) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator{corpus / one.name}) files.push_back(entry.path());
    std::ranges::sort(files);
    for (const fs::path& path : files) {
        std::printf("%s\n", path.c_str());
        std::fflush(stdout); // the last line names the file that ends the program
        std::ifstream file{path, std::ios::binary};
        const std::string content{std::istreambuf_iterator<char>{file}, {}};
        (void)one.fuzzer(reinterpret_cast<const std::uint8_t*>(content.data()), content.size());
    }
    return static_cast<int>(files.size());
}

} // namespace

int main(int count, char** arguments) {
    if (count < 2 || count > 3) {
        std::fputs("usage: replay CORPUS [FUZZER]\n", stderr);
        return 2;
    }
    int files = 0;
    for (const Named& one : fuzzers)
        if (count == 2 || std::string{arguments[2]} == one.name) files += replay(one, arguments[1]);
    return files > 0 ? 0 : 1;
}
