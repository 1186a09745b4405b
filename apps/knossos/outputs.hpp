#pragma once

#include <knossos/recipe/recipe.hpp>
#include <knossos/render/contact_sheet.hpp>
#include <knossos/render/formats.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace knossos::app {

/// Shows what the best genome stands for on the terminal; `names` is how wide the names of a summary's lines
/// are.
void print_best(const Recipe& recipe, const Result& result, std::size_t names, bool ascii);

/// Shows on the terminal whom the algorithm wants to be seen, under their names.
void print_contestants(const Recipe& recipe, const Result& result, bool ascii);

/// Throws InvalidInput if a file can't be written because of its name: it is a folder, or its folder does not
/// exist. Before the run, so that nothing is lost.
void check_place(const std::string& output);

/// Throws InvalidInput if a file's place is none or its extension is not one that this kind of result can be
/// written as: before the run.
void check_outputs(const Recipe& recipe, const std::vector<std::string>& outputs);

/// Whether a result may be written as these files. If not, says why on stderr.
bool may_be_written(const Artefact& artefact, const std::vector<std::string>& outputs,
                    const Registry& registry);

/// Writes the best as each of the files, by their extensions. Returns whether it might be written.
bool write_outputs(const Recipe& recipe, const Result& result, const std::vector<std::string>& outputs,
                   const render::FormatOptions& options = {});

/// The name of one of several files, so that they sort as they count: "level.tmj" → "level-003.tmj" of 100.
std::string numbered(const std::string& path, std::size_t number, std::size_t count);

/// Several of a kind, for each of the files that were asked for: numbered files, but one ZIP with all of them
/// and a contact sheet.
class SeveralOutputs {
  public:
    /// `count` says how many there may be, and so how wide numbers are.
    SeveralOutputs(std::vector<std::string> outputs, std::size_t count, const Registry& registry,
                   render::FormatOptions options = {});

    /// Takes one more, in memory. Returns the names of its files. Throws InvalidInput if a format can't hold
    /// it.
    std::vector<std::string> add(const Artefact& artefact);
    /// Leaves a number out.
    void skip() { ++taken_; }
    /// Writes what was taken since, but for ZIPs.
    void write();
    /// Writes what is left, and ZIPs.
    void finish();

  private:
    struct Output {
        std::string path;
        std::string format;
        std::vector<render::NamedBytes> packed{};
    };
    std::vector<Output> outputs_{};
    std::vector<std::pair<std::string, std::vector<render::NamedBytes>>> waiting_{};
    std::vector<render::SheetItem> sheet_{};
    std::size_t count_;
    std::size_t taken_ = 0;
    std::uint32_t side_ = 0; ///< of a picture on the sheet
    render::FormatOptions options_;
};

/// Puts the usual pictures of the best into a run folder.
void write_pictures(const Recipe& recipe, const Result& result, const std::filesystem::path& folder);

/// Why the recipe's problem can't be solved by anybody, if that is known.
std::optional<std::string> why_hopeless(const Recipe& recipe);

} // namespace knossos::app
