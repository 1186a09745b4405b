// Whatever the text, the recipe reader accepts it or refuses it with InvalidInput; what it accepts, it can
// write and read.
#include "support.hpp"

#include <knossos/core/error.hpp>
#include <knossos/recipe/recipe.hpp>

using namespace knossos;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = fuzz::text_of(data, size);
    try {
        const Recipe recipe = Recipe::parse(text, "fuzz");
        if (!fuzz::is_one_in(16, text)) return 0;
        const std::string written = recipe.to_toml();
        try {
            const Recipe again = Recipe::parse(written, "again");
            fuzz::require(again.to_toml() == written, "a recipe is the same when written and read again");
            fuzz::require(again.hash() == recipe.hash(), "… and so is its hash");
        } catch (const Error& error) {
            std::fprintf(stderr, "%s\n%s\n", written.c_str(), error.what());
            fuzz::require(false, "a recipe that was written can be read");
        }
    } catch (const InvalidInput&) {
        return 0;
    } catch (const std::bad_alloc&) { // a recipe may ask for more than there is
        return 0;
    }
    return 0;
}
