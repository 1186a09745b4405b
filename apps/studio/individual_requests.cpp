#include "individual_requests.hpp"

#include "requests.hpp"
#include "views.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace knossos::studio {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::size_t most_individuals = 10'000;
constexpr std::size_t longest_genome = 4000; // letters

struct Individual {
    Quality quality;
    std::string name;
    const std::vector<std::byte>* genome;
};

// "best", or the place among those that the frame shows, from 1.
Individual individual_in(const Frame& frame, std::string_view which) {
    if (which == "best")
        return {{frame.statistics.violation, frame.statistics.best_ever}, "best", &frame.best};
    const auto number = number_of(which, "the individual", most_individuals);
    if (number == 0 || number > frame.sample.size())
        throw Refusal{404, frame.sample.empty()
                               ? "of this run the best alone is kept"
                               : fmt::format("the individual must be best or 1 to {}", frame.sample.size())};
    const Sampled& one = frame.sample[number - 1];
    return {one.quality, one.name, &one.genome};
}

Json facts_of(const Session& session, const Frame& frame, const Individual& one) {
    std::string genome = to_text(session.space(), one.genome->data());
    const bool is_whole = genome.size() <= longest_genome;
    if (!is_whole) genome.resize(longest_genome);
    const ArtefactPtr artefact = session.artefact(*one.genome);
    auto measures = Json::array();
    if (artefact)
        for (const Measured& measured : artefact->measures())
            measures.push_back(
                {{"name", measured.name}, {"value", number(measured.value)}, {"meaning", measured.meaning}});
    return {{"generation", frame.statistics.generation},
            {"name", one.name},
            {"fitness", number(one.quality.fitness)},
            {"violation", number(one.quality.violation)},
            {"genome", genome},
            {"whole", is_whole},
            {"caption", artefact ? artefact->caption() : ""},
            {"measures", measures},
            {"stages", artefact ? artefact->stages().size() : 0}};
}

Response file_of(const Session& session, const Request& request, std::string_view which,
                 const Individual& one) {
    const Wanted how = wanted(request, session.recipe().registry());
    ArtefactPtr artefact = session.artefact(*one.genome);
    if (!artefact) throw Refusal{404, "there is no picture of this problem"};
    std::string stem = fmt::format("{}-{}", session.id(), which);
    if (const std::string wish = query(request, "stage"); !wish.empty()) {
        auto stages = artefact->stages();
        const auto stage = number_of(wish, "stage", stages.size());
        stem += fmt::format("-{}", stage);
        if (stage < stages.size()) artefact = std::move(stages[stage]); // else it is done
    }
    return file_response(artefact->files(how.format->name, how.options, stem), how, stem);
}

} // namespace

std::optional<Response> answer_individual(const Request& request, const Session& session,
                                          std::string_view rest) {
    constexpr std::string_view under = "individuals/";
    if (!rest.starts_with(under)) return std::nullopt;
    rest.remove_prefix(under.size());
    const std::string_view which = rest.substr(0, rest.find('/'));
    const bool is_file = rest.substr(which.size()) == "/export";
    if (!is_file && which.size() != rest.size()) return std::nullopt;
    only(request, "GET");
    constexpr std::uint64_t latest = std::uint64_t{1} << 53U;
    const FramePtr frame = session.frame_at(
        number_of(query(request, "generation", std::to_string(latest)), "generation", latest));
    if (!frame) throw Refusal{404, "there is no frame yet"};
    const Individual one = individual_in(*frame, which);
    return is_file ? file_of(session, request, which, one) : json_response(facts_of(session, *frame, one));
}

} // namespace knossos::studio
