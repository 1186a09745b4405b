#include "reel.hpp"

#include <knossos/core/error.hpp>
#include <knossos/core/population.hpp>

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>
#include <type_traits>

namespace knossos::studio {

namespace {

constexpr std::uint64_t magic = 0x32304D415246534BU; // "KSFRAM02"
constexpr std::size_t most_ranked = 4096;            // individuals looked at for a sample

template <class T>
void put(std::string& out, const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    char raw[sizeof(T)];
    std::memcpy(raw, &value, sizeof(T));
    out.append(raw, sizeof(T));
}

void put(std::string& out, const std::vector<std::byte>& bytes) {
    for (const std::byte byte : bytes) out.push_back(static_cast<char>(byte));
}

std::string_view take(std::string_view& in, std::size_t count) {
    if (in.size() < count) throw InvalidInput{"the frames are truncated"};
    const std::string_view taken = in.substr(0, count);
    in.remove_prefix(count);
    return taken;
}

template <class T>
T get(std::string_view& in) {
    T value;
    const std::string_view raw = take(in, sizeof(T));
    std::memcpy(&value, raw.data(), raw.size());
    return value;
}

std::vector<std::byte> get_genome(std::string_view& in, const Space& space) {
    const std::string_view raw = take(in, space.genome_bytes());
    std::vector<std::byte> genome(raw.size());
    std::memcpy(genome.data(), raw.data(), raw.size());
    if (!is_valid(space, genome.data()))
        throw InvalidInput{"the frames are damaged: a genome makes no sense"};
    return genome;
}

Sampled sampled(const Population& population, std::size_t index) {
    const std::byte* genome = population.genome(index);
    return {quality_of(population, index), {genome, genome + population.space().genome_bytes()}};
}

// Evenly spaced ranks, so that the row shows the spread and not only the top.
std::vector<Sampled> sample_of(const Run& run, std::size_t most) {
    std::vector<std::pair<const Population*, std::size_t>> members;
    std::size_t total = 0;
    for (const Island& island : run.islands()) total += island.current.size();
    const std::size_t stride = std::max<std::size_t>(1, total / most_ranked);
    for (const Island& island : run.islands())
        for (std::size_t i = 0; i < island.current.size(); i += stride)
            members.emplace_back(&island.current, i);
    const auto quality = [](const auto& member) { return quality_of(*member.first, member.second); };
    std::ranges::stable_sort(members, [&](const auto& a, const auto& b) {
        return better(run.problem().objective(), quality(a), quality(b));
    });
    const std::size_t count = std::min(most, members.size());
    std::vector<Sampled> sample;
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t rank = count == 1 ? 0 : i * (members.size() - 1) / (count - 1);
        sample.push_back(sampled(*members[rank].first, members[rank].second));
    }
    return sample;
}

const Found& best_of(const Run& run) {
    const Found* best = &run.islands().front().finds().hall.front();
    for (const Island& island : run.islands())
        if (better(run.problem().objective(), island.finds().hall.front().quality, best->quality))
            best = &island.finds().hall.front();
    return *best;
}

} // namespace

FramePtr frame_of(const Run& run, std::size_t most) {
    auto frame = std::make_shared<Frame>();
    frame->statistics = run.status().statistics;
    frame->solved = run.status().solved;
    frame->best = best_of(run).genome;
    if (most != 0) frame->sample = sample_of(run, most);
    return frame;
}

Reel::Reel(std::size_t frame_bytes, std::size_t budget) {
    constexpr std::size_t octaves = 40; // more than any run lives to see
    const std::size_t affordable = budget / (std::max<std::size_t>(frame_bytes, 1) * octaves);
    per_octave_ = std::bit_floor(std::clamp<std::size_t>(affordable, 1, 32));
}

bool Reel::wants(std::uint64_t generation) const {
    const std::uint64_t apart = std::max<std::uint64_t>(1, std::bit_floor(generation) / per_octave_);
    return generation % apart == 0;
}

void Reel::add(FramePtr frame) {
    const std::uint64_t generation = frame->statistics.generation;
    frames_[generation] = std::move(frame);
}

FramePtr Reel::at(std::uint64_t generation) const {
    if (frames_.empty()) return nullptr;
    const auto after = frames_.upper_bound(generation);
    return after == frames_.begin() ? after->second : std::prev(after)->second;
}

std::string pack_frames(const Reel& reel) {
    std::string out;
    put(out, magic);
    put(out, std::uint64_t{reel.frames().size()});
    for (const auto& [generation, frame] : reel.frames()) {
        put(out, frame->statistics);
        put(out, static_cast<std::uint8_t>(frame->solved));
        put(out, frame->best);
        put(out, std::uint64_t{frame->sample.size()});
        for (const Sampled& one : frame->sample) {
            put(out, one.quality);
            put(out, one.genome);
        }
    }
    return out;
}

void unpack_frames(std::string_view bytes, const Space& space, Reel& reel) {
    if (get<std::uint64_t>(bytes) != magic) throw InvalidInput{"these are no frames of a run"};
    const auto count = get<std::uint64_t>(bytes);
    for (std::uint64_t i = 0; i < count; ++i) {
        auto frame = std::make_shared<Frame>();
        frame->statistics = get<Statistics>(bytes);
        frame->solved = get<std::uint8_t>(bytes) != 0;
        frame->best = get_genome(bytes, space);
        const auto individuals = get<std::uint64_t>(bytes);
        for (std::uint64_t k = 0; k < individuals; ++k) {
            const auto quality = get<Quality>(bytes);
            frame->sample.push_back({quality, get_genome(bytes, space)});
        }
        reel.add(std::move(frame));
    }
}

} // namespace knossos::studio
