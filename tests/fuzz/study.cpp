// Whatever the text, the reader of study files accepts it or refuses it with InvalidInput. What it accepts
// makes configurations that differ, each with a recipe that can be written and read.
#include "support.hpp"

#include <knossos/core/error.hpp>
#include <knossos/study/study.hpp>

#include <algorithm>
#include <set>

using namespace knossos;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = fuzz::text_of(data, size);
    // A grid of thousands takes seconds, rightly; and recipes in files are no matter of the text.
    if (std::ranges::count(text, ',') > 6 || text.find(".toml") != std::string_view::npos ||
        text.find('/') != std::string_view::npos || text.find('\\') != std::string_view::npos)
        return 0;
    try {
        const study::Study study = study::Study::parse(text, "fuzz");
        std::set<std::string> labels;
        for (const study::Configuration& one : study.configurations) {
            fuzz::require(labels.insert(one.label).second, "labels differ");
            fuzz::require(one.recipe.stop().is_bounded(), "every run ends");
            if (fuzz::is_one_in(64, text))
                fuzz::require(study::identity_of(Recipe::parse(one.recipe.to_toml(), "again")) ==
                                  study::identity_of(one.recipe),
                              "a configuration is the same when written and read again");
        }
    } catch (const InvalidInput&) {
        return 0;
    } catch (const std::bad_alloc&) { // a recipe may ask for more than there is
        return 0;
    }
    return 0;
}
