#include "recipe/start.hpp"

#include <knossos/core/values.hpp>
#include <knossos/recipe/domains.hpp>
#include <knossos/recipe/gallery.hpp>
#include <knossos/run/checkpoint.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace knossos {

namespace {

[[noreturn]] void refuse_start(const std::string& fault) {
    throw InvalidSetting{"start", "start", "gallery", fault};
}

MeasuredGallery read_gallery_of(const Recipe& recipe, const std::string& path) {
    if (path.empty())
        refuse_start("names no gallery; it is a gallery.json, or the folder of a run that keeps one");
    std::error_code ignored;
    std::filesystem::path file{path};
    if (std::filesystem::is_directory(file, ignored)) file /= "gallery.json";
    // A pipe would be waited for, for ever.
    if (std::filesystem::exists(file, ignored) && !std::filesystem::is_regular_file(file, ignored))
        refuse_start(fmt::format("is {}, which is no file", path));
    try {
        return load_gallery(path, recipe.registry());
    } catch (const InvalidInput& error) {
        refuse_start(fmt::format("can't be read: {}", error.what()));
    }
}

// Genomes mean the same only if they are written alike, of things of one size.
void require_same_things(const Recipe& recipe, const MeasuredGallery& gallery, const std::string& path) {
    const Recipe::Choice& problem = *recipe.choice("problem");
    const Recipe::Choice& its = *gallery.recipe.choice("problem");
    if (its.kind != problem.kind)
        refuse_start(
            fmt::format("is {}, a gallery of {}; this recipe is about {}", path, its.kind, problem.kind));
    const Domain& domain = domain_of(recipe);
    for (const auto* fields : {&domain.size_fields, &domain.notation_fields})
        for (const std::string& field : *fields)
            if (its.values.at(field) != problem.values.at(field))
                refuse_start(fmt::format("is {}, whose problem.{} is {}; here it is {}", path, field,
                                         to_text(its.values.at(field)), to_text(problem.values.at(field))));
    if (gallery.recipe.problem().space() != recipe.problem().space())
        refuse_start(fmt::format("is {}, whose genomes are {}; here they are {}", path,
                                 describe(gallery.recipe.problem().space()),
                                 describe(recipe.problem().space())));
}

} // namespace

std::shared_ptr<const Start> read_start(const Recipe& recipe) {
    const auto fields = from_values<StartFields>(recipe.choice("start")->values);
    const MeasuredGallery gallery = read_gallery_of(recipe, fields.gallery);
    require_same_things(recipe, gallery, fields.gallery);
    if (gallery.elites.empty()) refuse_start(fmt::format("is {}, which holds no elites", fields.gallery));
    std::vector<const Elite*> order;
    for (const Elite& elite : gallery.elites) order.push_back(&elite);
    const Objective objective = gallery.recipe.problem().objective();
    std::ranges::stable_sort(order, [&](const Elite* a, const Elite* b) {
        return better(objective, gallery.quality(*a), gallery.quality(*b));
    });
    auto start = std::make_shared<Start>();
    std::vector<std::byte> all;
    for (const Elite* const elite : order) {
        start->genomes.push_back({.space = recipe.problem().space(), .bytes = elite->genome});
        all.insert(all.end(), elite->genome.begin(), elite->genome.end());
    }
    start->fingerprint = stable_hash(all);
    return start;
}

} // namespace knossos
