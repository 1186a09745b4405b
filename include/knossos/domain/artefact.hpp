#pragma once

#include <knossos/core/erased.hpp>
#include <knossos/render/formats.hpp>
#include <knossos/render/handout.hpp>
#include <knossos/render/picture.hpp>
#include <knossos/render/terminal.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace knossos {

/// One figure that says what an artefact is like, with its meaning for people.
struct Measured {
    std::string name;
    double value = 0.0;
    std::string meaning{};
    std::string short_name{}; ///< what people may write instead
};

/// What a genome stands for, or what a file holds: a board, a level. A domain makes it; whoever shows, writes
/// or judges it does not know what it is.
class Artefact : public Erased {
  public:
    /// What the result of a run says of it: a JSON object as text, in one line.
    [[nodiscard]] virtual std::string json() const = 0;

    /// For people, at most options.columns wide, ending with a line break; also how it scored, if it was
    /// made by a run.
    [[nodiscard]] virtual std::string text(const render::TerminalOptions& options) const = 0;

    [[nodiscard]] virtual render::Picture picture(const render::FormatOptions& options) const = 0;

    /// In a format of its domain, by its name: the file itself first, then those that go beside it, which
    /// are named after `stem`, its name without the extension. Throws InvalidInput if the format can't hold
    /// it. Without a body of its own it knows the formats that follow from what else is here: svg, png,
    /// ascii, unicode, json, pdf and zip.
    [[nodiscard]] virtual std::vector<render::NamedBytes>
    files(std::string_view format, const render::FormatOptions& options, std::string_view stem) const;

    /// The formats that it is written in where somebody wants them all in one ZIP.
    [[nodiscard]] virtual std::span<const render::Format> formats() const;

    /// What is printed of it on paper. By default its picture and its caption.
    [[nodiscard]] virtual render::Handout handout(const render::FormatOptions& options) const;

    /// Whether it is what was asked for, as far as it can be told from itself alone.
    [[nodiscard]] virtual bool is_reached() const { return true; }

    /// What the studio's page is sent of it: a JSON object as text, in one line. Brief for one individual of
    /// many, else with a `caption` and whatever is to be said about the best. By default the caption and the
    /// measures, which suits a page that shows the picture.
    [[nodiscard]] virtual std::string view(bool brief) const;

    /// What an editor draws: a JSON object as text, in one line, that its domain reads back. Empty if nobody
    /// edits such things.
    [[nodiscard]] virtual std::string drawing() const { return {}; }

    /// In one line, for people.
    [[nodiscard]] virtual std::string caption() const { return {}; }

    /// What it is like, in numbers.
    [[nodiscard]] virtual std::vector<Measured> measures() const { return {}; }

    /// What it is like in each of its cells, so that two of one size can be told apart cell by cell. Empty
    /// if there is nothing of the kind.
    [[nodiscard]] virtual std::vector<std::uint8_t> cells() const { return {}; }

    /// How many of those cells lie side by side; 0 if there are none.
    [[nodiscard]] virtual std::size_t cells_per_row() const { return 0; }

    /// The same cells in each way in which it can be mirrored and turned onto its own size, itself first.
    [[nodiscard]] virtual std::vector<std::vector<std::uint8_t>> turned_cells() const { return {cells()}; }

    /// What its files hold, where that is not quite itself; else null.
    [[nodiscard]] virtual std::unique_ptr<const Artefact> as_written() const { return nullptr; }

    /// What it was before it was done, first to last, where its genome is a rule that is applied step by
    /// step; it itself is not among them. Empty if it came about at once.
    [[nodiscard]] virtual std::vector<std::unique_ptr<const Artefact>> stages() const { return {}; }

    /// Why a run must not hand it out, in words that follow its name: it breaks what is promised of every
    /// file of its kind. Empty if it may, as of all that are read from files.
    [[nodiscard]] virtual std::string why_withheld() const { return {}; }
};

using ArtefactPtr = std::unique_ptr<const Artefact>;

/// One JSON object with the members of several, in order, from text to text.
std::string joined_objects(std::initializer_list<std::string_view> objects);

/// An artefact in all its formats, as files that a ZIP holds, named after `stem`.
std::vector<render::NamedBytes> all_files(const Artefact& artefact, const render::FormatOptions& options,
                                          std::string_view stem);

/// Writes an artefact as a format, and what belongs to it. The files appear complete or not at all. Throws
/// InvalidInput if the format can't hold it, InputOutputError if a file can't be written.
void write_artefact(const std::filesystem::path& path, const Artefact& artefact, const render::Format& format,
                    const render::FormatOptions& options = {});

} // namespace knossos
