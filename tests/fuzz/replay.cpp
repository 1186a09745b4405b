// Gives a fuzzer the files of its corpus, one after the other, in builds without libFuzzer: what was found
// once stays found.
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int main(int count, char** arguments) {
    if (count != 2) {
        std::fputs("usage: replay CORPUS\n", stderr);
        return 2;
    }
    int files = 0;
    for (const auto& entry : std::filesystem::directory_iterator{arguments[1]}) {
        std::printf("%s\n", entry.path().c_str());
        std::ifstream file{entry.path(), std::ios::binary};
        const std::string content{std::istreambuf_iterator<char>{file}, {}};
        (void)LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(content.data()), content.size());
        ++files;
    }
    return files > 0 ? 0 : 1;
}
