#pragma once

#include <knossos/recipe/gallery.hpp>
#include <knossos/run/run.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace knossos::studio {

struct Sampled {
    Quality quality{};
    std::vector<std::byte> genome;
    std::string name{}; ///< as what the algorithm wants it to be seen: "mutant"; usually nothing
};

/// What a run looked like after one generation: all that the page draws.
struct Frame {
    Statistics statistics;
    bool solved = false;
    std::string remark; ///< the algorithm's, of the only island
    std::vector<std::byte> best;
    std::vector<Sampled> sample; ///< some of the population, from the best to the worst
    /// Of several objectives, the values of those that none is better than in everything.
    std::vector<std::vector<double>> front;
};
using FramePtr = std::shared_ptr<const Frame>;

inline constexpr std::size_t most_front_points = 256;

/// The frame of a run as it is now, with at most `most` individuals of its population.
FramePtr frame_of(const Run& run, std::size_t most);
/// The only frame of a gallery that no run is known of: the best of all.
FramePtr frame_of(const MeasuredGallery& gallery);

/// Frames of a run for going back through it: as many between generations 1,000 and 2,000 as between 100,000
/// and 200,000, since that is how progress is spread. Their number grows with the logarithm of the
/// generations.
class Reel {
  public:
    /// `frame_bytes` is what a frame takes: of large ones fewer are kept, so that `budget` bytes suffice.
    Reel(std::size_t frame_bytes, std::size_t budget);

    [[nodiscard]] bool wants(std::uint64_t generation) const;
    void add(FramePtr frame);
    /// The last frame not after a generation, else the first; null if there is none.
    [[nodiscard]] FramePtr at(std::uint64_t generation) const;
    [[nodiscard]] const std::map<std::uint64_t, FramePtr>& frames() const { return frames_; }
    void clear() { frames_.clear(); }

  private:
    std::uint64_t per_octave_;
    std::map<std::uint64_t, FramePtr> frames_;
};

/// A reel as bytes, and back. Reading throws InvalidInput for what was not written for this space.
std::string pack_frames(const Reel& reel);
void unpack_frames(std::string_view bytes, const Space& space, Reel& reel);

} // namespace knossos::studio
