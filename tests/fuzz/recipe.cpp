// Whatever the text, the recipe reader accepts it or refuses it with a RecipeError; what it accepts, it can
// write and read.
#include <knossos/core/error.hpp>
#include <knossos/run/recipe.hpp>

#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text{reinterpret_cast<const char*>(data), size};
    try {
        const knossos::Recipe recipe = knossos::Recipe::parse(text, "fuzz");
        const std::string written = recipe.to_toml();
        if (knossos::Recipe::parse(written, "again").to_toml() != written) std::abort();
    } catch (const knossos::InvalidInput&) {
    } catch (const std::bad_alloc&) {
    }
    return 0;
}
