#include "reel.hpp"

#include <knossos/core/bytes.hpp>
#include <knossos/core/fronts.hpp>
#include <knossos/core/population.hpp>

#include <algorithm>
#include <bit>
#include <numeric>

namespace knossos::studio {

namespace {

constexpr std::uint64_t magic = 0x35304D415246534BU; // "KSFRAM05"
constexpr std::size_t most_ranked = 4096;            // individuals looked at for a sample
constexpr std::size_t most_objectives = 1000;

std::string get_short_text(ByteReader& in) {
    constexpr std::size_t longest = 1000;
    std::string text = in.get_text();
    if (text.size() > longest) throw InvalidInput{"the frames are damaged: a text is too long"};
    return text;
}

std::vector<std::byte> get_genome(ByteReader& in, const Space& space) {
    const auto raw = in.take(space.genome_bytes());
    std::vector<std::byte> genome{raw.begin(), raw.end()};
    if (!is_valid(space, genome.data()))
        throw InvalidInput{"the frames are damaged: a genome makes no sense"};
    return genome;
}

Sampled sampled(const Population& population, std::size_t index) {
    const std::byte* genome = population.genome(index);
    return {quality_of(population, index), {genome, genome + population.space().genome_bytes()}, {}};
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
    const auto contestants = run.contestants(); // of the only island, if there are any
    std::vector<Sampled> sample;
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t rank = count == 1 ? 0 : i * (members.size() - 1) / (count - 1);
        sample.push_back(sampled(*members[rank].first, members[rank].second));
        for (const Contestant& one : contestants)
            if (one.individual == members[rank].second) sample.back().name = one.name;
    }
    return sample;
}

std::vector<std::vector<double>> front_of(const Run& run) {
    const Schema& schema = run.problem().schema();
    if (schema.objectives().size() < 2) return {};
    struct Point {
        std::vector<double> record;
    };
    std::vector<Point> points;
    Front<Point> front{schema, points, most_front_points};
    for (const Island& island : run.islands())
        for (const Found& one : island.finds().hall)
            if (one.quality.violation == 0.0)
                (void)front.enter(one.record, [&] { return Point{one.record}; });
    std::vector<std::vector<double>> values;
    for (const Point& point : points) {
        auto& objectives = values.emplace_back();
        for (const std::size_t column : schema.objectives()) objectives.push_back(point.record[column]);
    }
    return values;
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
    frame->remark = run.remark();
    frame->best = best_of(run).genome;
    if (most != 0) frame->sample = sample_of(run, most);
    frame->front = front_of(run);
    return frame;
}

FramePtr frame_of(const MeasuredGallery& gallery) {
    const Objective objective = gallery.recipe.problem().objective();
    const Elite& best = *std::ranges::min_element(
        gallery.elites, [&](const Quality& a, const Quality& b) { return better(objective, a, b); },
        [&](const Elite& one) { return gallery.quality(one); });
    auto frame = std::make_shared<Frame>();
    const Quality quality = gallery.quality(best);
    frame->statistics.violation = quality.violation;
    frame->statistics.best_ever = frame->statistics.best = frame->statistics.merit = quality.fitness;
    frame->best = best.genome;
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
    ByteWriter out;
    out.put(magic);
    out.put(std::uint64_t{reel.frames().size()});
    for (const auto& [generation, frame] : reel.frames()) {
        out.put(frame->statistics);
        out.put(static_cast<std::uint8_t>(frame->solved));
        out.put_text(frame->remark);
        out.put_bytes(frame->best);
        out.put(std::uint64_t{frame->sample.size()});
        for (const Sampled& one : frame->sample) {
            out.put(one.quality);
            out.put_bytes(one.genome);
            out.put_text(one.name);
        }
        out.put(static_cast<std::uint32_t>(frame->front.size()));
        out.put(static_cast<std::uint32_t>(frame->front.empty() ? 0 : frame->front.front().size()));
        for (const auto& point : frame->front)
            for (const double value : point) out.put(value);
    }
    const auto bytes = out.take();
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void unpack_frames(std::string_view bytes, const Space& space, Reel& reel) {
    ByteReader in{std::as_bytes(std::span{bytes}), "the file of frames"};
    if (in.get<std::uint64_t>() != magic) throw InvalidInput{"these are no frames of a run"};
    const auto count = in.get<std::uint64_t>();
    for (std::uint64_t i = 0; i < count; ++i) {
        auto frame = std::make_shared<Frame>();
        frame->statistics = in.get<Statistics>();
        frame->solved = in.get<std::uint8_t>() != 0;
        frame->remark = get_short_text(in);
        frame->best = get_genome(in, space);
        const auto individuals = in.get<std::uint64_t>();
        for (std::uint64_t k = 0; k < individuals; ++k) {
            const auto quality = in.get<Quality>();
            auto genome = get_genome(in, space);
            frame->sample.push_back({quality, std::move(genome), get_short_text(in)});
        }
        const auto points = in.get<std::uint32_t>();
        const auto objectives = in.get<std::uint32_t>();
        if (points > most_front_points || (points > 0 && objectives < 2) || objectives > most_objectives)
            throw InvalidInput{"the frames are damaged: a front makes no sense"};
        frame->front.assign(points, std::vector<double>(objectives));
        for (auto& point : frame->front)
            for (double& value : point) value = in.get<double>();
        reel.add(std::move(frame));
    }
}

} // namespace knossos::studio
