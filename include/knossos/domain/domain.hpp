#pragma once

#include <knossos/core/problem.hpp>
#include <knossos/core/values.hpp>
#include <knossos/domain/artefact.hpp>
#include <knossos/domain/device_kernel.hpp>
#include <knossos/domain/wishes.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace knossos {

/// Turns the genomes of one problem into what they stand for.
using Decoder = std::function<ArtefactPtr(const Space& space, const std::byte* genome)>;

/// Between which temperatures a problem is annealed, where a recipe does not say.
struct Temperatures {
    double start;
    double end;
};

/// How logs in IOHprofiler's layout call what is optimised. Functions that IOHprofiler knows keep its numbers
/// and their suite.
struct LoggedFunction {
    std::uint32_t id = 0;
    std::string name{};
    std::string suite = "knossos";
};

/// How surely a file holds something of one kind, as some say nothing else than what their cells are.
enum class Claim : std::uint8_t { no, perhaps, likely, certain };

/// Everything about a kind of thing that is evolved. Recipes, run folders, studies, the command line and the
/// studio ask it, and know no kind by name. A function that is empty is not offered; what that means stands
/// beside it. `Values` are the fields of a recipe's [problem], complete and each within its range.
struct Domain {
    PartInfo info;       ///< what recipes call it, and its fields
    std::string title{}; ///< what people call it: "Queens"
    std::function<Problem(const Values&)> make;
    bool needs_evaluator =
        false; ///< the problem is nothing but genomes: a recipe has to say who evaluates them

    // --- what its genomes stand for: without a decoder, there is nothing to be seen but the genome ---
    std::string things{}; ///< what its artefacts are called: "boards"
    std::function<Decoder(const Values&)> decoder{};
    std::vector<render::Format> formats{}; ///< in which its artefacts can be written
    /// Reads what a file holds; null if it holds nothing of this kind. Throws InvalidInput if it is of this
    /// kind and can't be read. Without it, its files are only written.
    std::function<ArtefactPtr(std::string_view bytes, const std::filesystem::path& file)> read{};

    /// Whose file it is: of those who can read one, the surest is asked first. Without it, perhaps.
    std::function<Claim(std::string_view bytes, const std::filesystem::path& file)> claims{};

    // --- limits ---
    /// Why nobody can reach the target, if that is known.
    std::function<std::optional<std::string>(const Values&)> why_hopeless{};
    /// Why so many individuals are more than can be watched: too large to be drawn, or too slow for a
    /// generation that can't be interrupted.
    std::function<std::optional<std::string>(const Values&, std::uint64_t individuals)> why_unwatchable{};
    /// How many individuals of a population are shown beside the best. Without it eight, if a genome takes no
    /// more than 2,048 bytes.
    std::function<std::size_t(const Values&, const Space&)> shown_beside{};

    // --- for those who run it ---
    /// The field that lists by commas which descriptors a record has; without it they are what they are.
    std::string descriptors_field{};
    /// Without it, annealing keeps its own defaults.
    std::function<Temperatures(const Values&)> temperatures{};

    /// How a device evaluates its genomes. Throws InvalidInput, which says what would have a kernel, where
    /// these fields have none. Without it, no device does.
    std::function<DeviceKernel(const Values&)> device_kernel{};

    // --- for studies ---
    std::vector<std::string> size_fields{}; ///< those whose product is the size of the problem
    /// Fields that say how genomes are written and what they start as: runs that differ in these are
    /// compared.
    std::vector<std::string> notation_fields{};
    /// What a fitness counts, if fields of the notation decide that: only equal ones are on one scale.
    std::function<std::string(const Values&)> scale{};
    /// What groups of runs are called: "maze, exit-path, 20 × 20". Without it, the name and the sizes.
    std::function<std::string(const Values&)> describe{};
    /// Without it, a function of our own that has its name.
    std::function<LoggedFunction(const Values&)> logged_as{};

    // --- for the studio ---
    /// What can be wished for of its artefacts, and the field that holds such wishes; without it, nothing.
    std::function<WishList()> wishes{};
    std::string wishes_field{};
    /// What its own editor on the page needs to know: a JSON object as text, whose members stand in the
    /// registry of the API. A domain without an editor needs none.
    std::function<std::string()> page{};

    [[nodiscard]] bool writes(const render::Format& format) const;
    /// The size of the problem, if the domain knows one.
    [[nodiscard]] std::optional<double> size_of(const Values& values) const;
    [[nodiscard]] std::string description_of(const Values& values) const;
    [[nodiscard]] LoggedFunction logged_function(const Values& values) const;
};

/// A domain whose fields are described by a type: made by its make(), called as it is named.
template <Described Fields>
Domain domain_of_fields(std::string_view summary) {
    return {.info = {.name = std::string{Fields::name},
                     .summary = std::string{summary},
                     .fields = fields_of<Fields>()},
            .title = {},
            .make = [](const Values& values) { return from_values<Fields>(values).make(); }};
}

} // namespace knossos
