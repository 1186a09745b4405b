// Galleries are read or refused with InvalidInput; one that is read can be laid out and searched, and is the
// same when written and read again.
#include "support.hpp"

#include <knossos/core/error.hpp>
#include <knossos/recipe/gallery.hpp>
#include <knossos/recipe/spread.hpp>

using namespace knossos;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = fuzz::text_of(data, size);
    try {
        const MeasuredGallery gallery = read_gallery(text, "fuzz");
        if (gallery.recipe.problem().space().length > 4096 || gallery.elites.size() > 16) return 0;
        const std::string written = gallery_json(gallery);
        // What the artefacts say is made anew, so a file may differ the first time; never the second.
        const MeasuredGallery again = read_gallery(written, "again");
        fuzz::require(again.elites.size() == gallery.elites.size(), "no elite is lost");
        fuzz::require(gallery_json(again) == written, "a gallery is the same when written and read again");
        if (gallery.measures.empty() || gallery.elites.empty()) return 0;
        const auto axes = parse_axes(gallery.measures.front().name, gallery, "axes");
        const MeasuredGallery other = best_of_cells(laid_out(gallery, axes));
        const auto looks = appearances(other, {}, true);
        fuzz::require(farthest_apart(looks, {.count = 3}).chosen.size() <= 3, "no more than were asked for");
    } catch (const InvalidInput&) {
        return 0;
    }
    return 0;
}
