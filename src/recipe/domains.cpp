#include <knossos/recipe/domains.hpp>

#include <algorithm>
#include <exception>
#include <functional>
#include <utility>
#include <vector>

namespace knossos {

const Domain& domain_of(const Recipe& recipe) {
    const Recipe::Choice* problem = recipe.choice("problem");
    if (problem == nullptr)
        throw InvalidInput{"the recipe has no [problem] section, so there is nothing to run"};
    return *std::ranges::find(recipe.registry().domains(), problem->kind,
                              [](const Domain& domain) { return domain.info.name; });
}

ArtefactPtr artefact_of(const Recipe& recipe, const Genome& genome) {
    return recipe.decoder() ? recipe.decoder()(genome.space, genome.bytes.data()) : nullptr;
}

ArtefactPtr read_artefact(std::string_view bytes, const std::filesystem::path& file,
                          const Registry& registry) {
    // Files don't always say what they hold: whoever recognises one and can't read it is heard only if
    // nobody else can.
    std::vector<std::pair<Claim, const Domain*>> readers;
    for (const Domain& domain : registry.domains())
        if (domain.read)
            readers.emplace_back(domain.claims ? domain.claims(bytes, file) : Claim::perhaps, &domain);
    std::ranges::stable_sort(readers, std::greater{}, &std::pair<Claim, const Domain*>::first);
    std::exception_ptr first_refusal;
    for (const auto& [claim, domain] : readers) {
        if (claim == Claim::no) break;
        try {
            if (ArtefactPtr artefact = domain->read(bytes, file)) return artefact;
        } catch (const InvalidInput&) {
            if (!first_refusal) first_refusal = std::current_exception();
        }
    }
    if (first_refusal) std::rethrow_exception(first_refusal);
    throw InvalidInput{file.string() + ": holds nothing that can be shown"};
}

const render::Format& format_named(std::string_view name, const Registry& registry) {
    return render::format_named(registry.formats(), name);
}

const render::Format& format_of(std::string_view path, const Registry& registry) {
    return render::format_of(registry.formats(), path);
}

} // namespace knossos
