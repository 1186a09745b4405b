#pragma once

#include <knossos/recipe/gallery.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace knossos::studio {

/// An elite of a run that may still go on.
struct LiveElite {
    Elite elite;
    std::uint64_t version = 0; ///< the gallery's when it had come to its cell; no two have the same
    /// Its measures, worked out when they are first asked for. May be called from any thread.
    const std::vector<double>& measures(const Decoder& decoder, const Space& space) const;

  private:
    mutable std::once_flag measured_{};
    mutable std::vector<double> measures_{};
};
using LiveElitePtr = std::shared_ptr<const LiveElite>;

/// What a run's archives hold, cell by cell, and when that came there, so that whoever watches need be told
/// only what is new. May be called from any thread.
class LiveGallery {
  public:
    struct Seen {
        std::uint64_t version = 0; ///< 0: there is no gallery
        bool whole = false;        ///< everything, not only what is new
        std::vector<Axis> axes{};
        bool is_grid = true;
        std::uint64_t cells = 0;
        double coverage = 0.0;
        double qd_score = 0.0;
        std::vector<std::pair<std::uint32_t, LiveElitePtr>> elites{}; ///< by cell
    };

    void update(const Gallery& gallery);
    /// Holds one that comes from elsewhere, whole.
    void open(const MeasuredGallery& gallery);
    /// What came after a version; 0 means all. Of more than `most` the earliest, with the version of the last
    /// of them: whoever asks again gets the rest.
    [[nodiscard]] Seen since(std::uint64_t version,
                             std::size_t most = std::numeric_limits<std::size_t>::max()) const;
    [[nodiscard]] std::uint64_t version() const;
    /// Null if the cell is empty.
    [[nodiscard]] LiveElitePtr in_cell(std::uint32_t cell) const;
    void clear();
    /// Counts on from the latest version that somebody was told elsewhere.
    void begin_after(std::uint64_t version);
    /// The latest that somebody was told here or before.
    [[nodiscard]] std::uint64_t latest() const;

  private:
    mutable std::mutex mutex_;
    Seen last_;                                    // without its elites
    std::map<std::uint32_t, LiveElitePtr> elites_; // by cell
    std::uint64_t forgotten_ = 0;                  // whoever had an older version must be told everything
};

} // namespace knossos::studio
