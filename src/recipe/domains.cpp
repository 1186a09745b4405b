#include <knossos/recipe/domains.hpp>

#include <algorithm>
#include <exception>

namespace knossos {

const Domain& domain_of(const Recipe& recipe) {
    const Recipe::Choice* problem = recipe.choice("problem");
    if (problem == nullptr)
        throw InvalidInput{"the recipe has no [problem] section, so there is nothing to run"};
    return *std::ranges::find(domains(), problem->kind,
                              [](const Domain& domain) { return domain.info.name; });
}

Decoder decoder_of(const Recipe& recipe) {
    const Domain& domain = domain_of(recipe);
    return domain.decoder ? domain.decoder(recipe.choice("problem")->values) : Decoder{};
}

ArtefactPtr artefact_of(const Recipe& recipe, const Genome& genome) {
    const Decoder decoder = decoder_of(recipe);
    return decoder ? decoder(genome.space, genome.bytes.data()) : nullptr;
}

ArtefactPtr read_artefact(std::string_view bytes, const std::filesystem::path& file) {
    // Files don't always say what they hold: whoever recognises one and can't read it is heard only if
    // nobody else can.
    std::exception_ptr first_refusal;
    for (const Domain& domain : domains()) {
        if (!domain.read) continue;
        try {
            if (ArtefactPtr artefact = domain.read(bytes, file)) return artefact;
        } catch (const InvalidInput&) {
            if (!first_refusal) first_refusal = std::current_exception();
        }
    }
    if (first_refusal) std::rethrow_exception(first_refusal);
    throw InvalidInput{file.string() + ": holds nothing that can be shown"};
}

std::span<const render::Format> formats() {
    static const std::vector<render::Format> all = [] {
        std::vector<render::Format> found;
        for (const Domain& domain : domains())
            for (const render::Format& format : domain.formats)
                if (std::ranges::find(found, format.name, &render::Format::name) == found.end())
                    found.push_back(format);
        return found;
    }();
    return all;
}

const render::Format& format_named(std::string_view name) { return render::format_named(formats(), name); }

const render::Format& format_of(std::string_view path) { return render::format_of(formats(), path); }

} // namespace knossos
