#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace knossos::studio {

/// Something that somebody drew, as an editor has it.
struct Drawn {
    std::string domain;           ///< which kind of thing it is, as recipes call it
    nlohmann::ordered_json level; ///< what the artefact's drawing() is like
    std::int64_t modified = 0;    ///< seconds since 1970
};

/// What is kept under one name: what was saved, what is being drawn and not saved yet, or both.
struct Drawing {
    std::optional<Drawn> saved{};
    std::optional<Drawn> draft{};
};

/// A row of the list.
struct DrawingNote {
    std::string name;
    std::string domain;
    std::int64_t modified = 0;
    bool saved = false;
    bool draft = false;
};

/// Drawings in a folder, two files each at most. Every change is on the disk, whole, before it is answered.
/// May be called from any thread.
class Drawings {
  public:
    static constexpr std::size_t most_drawings = 1000;
    static constexpr std::size_t most_bytes = std::size_t{2} << 20U; ///< of a file

    /// Finds what is there; what can't be read is left out, and said. The folder is made with the first file.
    Drawings(std::filesystem::path folder, std::string_view program);

    /// Newest first.
    [[nodiscard]] std::vector<DrawingNote> list() const;
    [[nodiscard]] std::optional<Drawing> find(const std::string& name) const;
    /// Grows with every change.
    [[nodiscard]] std::uint64_t version() const;

    /// Saves, after which there is no draft any more; true if the name is new. Throws Busy if there are too
    /// many, InvalidInput if it can't be a name.
    bool save(const std::string& name, Drawn drawn);
    /// Keeps what is being drawn beside what was saved.
    void keep_draft(const std::string& name, Drawn drawn);
    /// Goes back to what was saved; a drawing that never was is gone. False if there is no draft.
    bool drop_draft(const std::string& name);
    /// The saved one and the draft under another name. False if that is taken, or there is none.
    bool duplicate(const std::string& name, const std::string& copy);
    bool rename(const std::string& name, const std::string& other);
    bool remove(const std::string& name);

  private:
    [[nodiscard]] std::filesystem::path file_of(const std::string& name, bool draft) const;
    void write(const std::string& name, const Drawn& drawn, bool draft);
    void require_room(const std::string& name) const;

    std::filesystem::path folder_;
    mutable std::mutex mutex_;
    std::map<std::string, Drawing> all_;
    std::uint64_t version_ = 1;
};

/// 1 to 80 bytes of UTF-8 without / and control characters, neither beginning nor ending with a space. Throws
/// InvalidInput that says so.
void check_name(std::string_view name);

} // namespace knossos::studio
