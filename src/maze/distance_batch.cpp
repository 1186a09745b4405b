#include "maze/flood.hpp"
#include "maze/tile.hpp"

#include <knossos/core/error.hpp>
#include <knossos/maze/distance_batch.hpp>
#include <knossos/maze/representation.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace knossos::maze {

namespace {

// Fewer mazes than this in a tile are faster one by one (measured).
constexpr std::size_t smallest_tile = 3;

constexpr MeasureSet of_cells{Measure::open_cells, Measure::rock_cells, Measure::wall_density};
constexpr MeasureSet symmetries{Measure::symmetry_left_right, Measure::symmetry_top_bottom,
                                Measure::symmetry_rotation};
constexpr MeasureSet of_shape{Measure::branching_cells, Measure::dead_ends, Measure::loops,
                              Measure::open_squares, Measure::openness};
// What any search of a maze knows at its end.
constexpr MeasureSet of_any_search{Measure::exit_path, Measure::farthest, Measure::reachable_cells};
constexpr MeasureSet of_the_queue =
    of_any_search | MeasureSet{Measure::exit_members, Measure::reconvergence, Measure::isolated_reconvergence,
                               Measure::culs_de_sac, Measure::cul_de_sac_length};
constexpr MeasureSet in_lanes = of_cells | symmetries | of_shape | of_any_search |
                                MeasureSet{Measure::pockets, Measure::pocket_cells, Measure::rooms};

unsigned wishes_for(MeasureSet wanted) {
    unsigned wishes = 0;
    if (wanted.has_any(of_shape)) wishes |= wish_shape;
    if (wanted.has(Measure::pockets)) wishes |= wish_pockets;
    if (wanted.has(Measure::rooms)) wishes |= wish_rooms;
    if (wanted.has_any(symmetries)) wishes |= wish_symmetry;
    return wishes;
}

double share_of(std::uint64_t part, std::uint64_t whole, double of_nothing) {
    return whole == 0 ? of_nothing : static_cast<double>(part) / static_cast<double>(whole);
}

} // namespace

class BatchMeasurer::Memory {
  public:
    explicit Memory(Places places) : places_{std::move(places)} {
        if (std::size_t{places_.width} * places_.height == 0 || places_.width > largest_drawn_side ||
            places_.height > largest_drawn_side)
            throw InvalidInput{fmt::format("the mazes are {}×{}; both sides lie in 1..{}", places_.width,
                                           places_.height, largest_drawn_side)};
        check_places(places_.width, places_.height, places_.entrance, places_.exit, places_.checkpoints);
        with_flood([&](auto& flood) {
            flood.prepare(places_.width, places_.height, places_.entrance, places_.exit, places_.checkpoints);
        });
    }

    void exit_paths(const Batch& batch, std::span<std::int32_t> out) {
        check_batch(batch, out.size());
        const std::size_t tile = places_.entrance == places_.exit ? 0 : lanes();
        const std::size_t done = for_each_tile(batch, tile, [&](std::size_t first, std::size_t filled) {
            std::int32_t paths[largest_tile];
            tile_exit_paths(shape(), tile_memory_, paths);
            std::copy_n(paths, filled, out.begin() + static_cast<std::ptrdiff_t>(first));
        });
        one_by_one(batch, done, batch.count, [&](auto& flood, std::size_t i) { out[i] = flood.exit_path(); });
    }

    void fitness_values(const Batch& batch, std::span<FitnessValues> out) {
        check_batch(batch, out.size());
        one_by_one(batch, 0, batch.count,
                   [&](auto& flood, std::size_t i) { out[i] = flood.fitness_values(); });
    }

    void measure(const Batch& batch, MeasureSet wanted, std::span<Measures> out) {
        check_batch(batch, out.size());
        const MeasureSet others = wanted.without(in_lanes);
        // Where each maze is searched anyway, lanes are for what such a search does not say.
        const MeasureSet counted =
            others.empty() ? wanted : wanted.without(others | of_any_search | of_cells);
        const std::size_t tile = counted.is_within(of_cells) ? 0 : lanes();
        const std::size_t done = for_each_tile(batch, tile, [&](std::size_t first, std::size_t filled) {
            if (!others.empty()) survey_each(batch, first, first + filled, others | of_any_search, out);
            count_tile(counted, out.subspan(first, filled));
        });
        survey_each(batch, done, batch.count, wanted, out);
        if (wanted.has_any(of_cells))
            for (std::size_t i = 0; i < batch.count; ++i) note_rock(rock_in(words(batch, i)), out[i]);
    }

    [[nodiscard]] const Places& places() const { return places_; }

  private:
    [[nodiscard]] std::size_t area() const { return std::size_t{places_.width} * places_.height; }

    void check_batch(const Batch& batch, std::size_t room) const {
        if (batch.space->kind != GenomeKind::bits || batch.space->length != area())
            throw InvalidInput{fmt::format("mazes of {}×{} cells are {} bits, not {}", places_.width,
                                           places_.height, area(), describe(*batch.space))};
        if (room < batch.count)
            throw InvalidInput{
                fmt::format("there is room for {} of the {} results of the batch", room, batch.count)};
    }

    [[nodiscard]] std::size_t lanes() const {
        return places_.width <= widest_lane_row ? tile_size(places_.width) : 0;
    }
    [[nodiscard]] TileShape shape() const {
        return {places_.width, places_.height, places_.entrance, places_.exit};
    }

    // Calls work(first, filled) for the mazes of a batch, tile by tile, each of which is loaded; says how
    // many mazes that were. The rest is too little for a tile.
    template <class Work>
    std::size_t for_each_tile(const Batch& batch, std::size_t tile, Work work) {
        std::size_t done = 0;
        while (tile != 0 && done + smallest_tile <= batch.count) {
            const std::size_t filled = std::min(tile, batch.count - done);
            load_tile(batch, done, filled, tile);
            work(done, filled);
            done += filled;
        }
        return done;
    }

    // What is wanted of the mazes of the tile that is loaded.
    void count_tile(MeasureSet wanted, std::span<Measures> out) {
        const bool to_the_exit = wanted.is_within(of_cells | symmetries | MeasureSet{Measure::exit_path}) &&
                                 places_.entrance != places_.exit;
        if (to_the_exit) {
            if (wanted.has(Measure::exit_path)) tile_exit_paths(shape(), tile_memory_, counts_.exit_path);
            if (wanted.has_any(symmetries)) tile_symmetry(shape(), tile_memory_, counts_);
        } else {
            tile_counts(shape(), tile_memory_, wishes_for(wanted), counts_);
        }
        for (std::size_t i = 0; i < out.size(); ++i) {
            if (wanted.has(Measure::exit_path)) out[i].exit_path = counts_.exit_path[i];
            if (wanted.has_any(symmetries)) note_symmetry(i, out[i]);
            if (!to_the_exit) note_counts(wanted, i, out[i]);
        }
    }

    void note_counts(MeasureSet wanted, std::size_t i, Measures& out) const {
        out.farthest = counts_.farthest[i];
        out.reachable_cells = counts_.reachable[i];
        out.pocket_cells = counts_.unreached[i];
        if (wanted.has(Measure::pockets)) out.pockets = counts_.pockets[i];
        if (wanted.has(Measure::rooms)) out.rooms = counts_.rooms[i];
        if (!wanted.has_any(of_shape)) return;
        out.branching_cells = counts_.branching[i];
        out.dead_ends = counts_.ends[i];
        out.open_squares = counts_.squares[i];
        out.loops =
            out.reachable_cells == 0 ? 0 : counts_.steps[i] + 1 - out.reachable_cells - out.open_squares;
        out.openness = share_of(counts_.in_squares[i], out.reachable_cells, 0.0);
    }

    void note_symmetry(std::size_t i, Measures& out) const {
        const std::uint64_t width = places_.width;
        const std::uint64_t height = places_.height;
        const auto agreement = [](std::uint64_t pairs, std::uint64_t different_cells) {
            return share_of(pairs - different_cells / 2, pairs, 1.0);
        };
        out.symmetry_left_right = agreement(height * (width / 2), counts_.left_right[i]);
        out.symmetry_top_bottom = agreement(height / 2 * width, counts_.top_bottom[i]);
        out.symmetry_rotation = agreement(width * height / 2, counts_.rotation[i]);
    }

    void note_rock(std::uint32_t rock, Measures& out) const {
        out.rock_cells = rock;
        out.open_cells = static_cast<std::uint32_t>(area()) - rock;
        out.wall_density = share_of(rock, area(), 0.0);
    }

    // Mazes one by one.
    void survey_each(const Batch& batch, std::size_t first, std::size_t last, MeasureSet wanted,
                     std::span<Measures> out) {
        if (wanted.is_within(of_the_queue | of_cells)) {
            one_by_one(batch, first, last, [&](auto& flood, std::size_t i) {
                const FitnessValues values = flood.fitness_values();
                out[i].exit_path = values.exit_path;
                out[i].exit_members = values.exit_members;
                out[i].reconvergence = values.reconvergence;
                out[i].isolated_reconvergence = values.isolated_reconvergence;
                out[i].culs_de_sac = values.culs_de_sac;
                out[i].cul_de_sac_length = values.cul_de_sac_length;
                out[i].reachable_cells = static_cast<std::uint32_t>(flood.reached());
                out[i].farthest = flood.farthest();
            });
            return;
        }
        level_.entrance = places_.entrance;
        level_.exit = places_.exit;
        level_.checkpoints = places_.checkpoints;
        for (std::size_t i = first; i < last; ++i) {
            rock_from_bits(view_as<BitView>(*batch.space, batch[i]), places_.width, places_.height,
                           level_.grid);
            out[i] = surveyor_.measure(level_, wanted);
        }
    }

    [[nodiscard]] std::uint32_t rock_in(const std::uint64_t* bits) const {
        std::uint32_t rock = 0;
        for (std::size_t first = 0; first < area(); first += 64)
            rock += static_cast<std::uint32_t>(std::popcount(
                bits_at(bits, first, static_cast<std::uint32_t>(std::min<std::size_t>(64, area() - first)))));
        return rock;
    }

    template <class Work>
    void with_flood(Work work) {
        flood_.visit(area(), places_.checkpoints.size(), work);
    }

    static const std::uint64_t* words(const Batch& batch, std::size_t i) {
        return reinterpret_cast<const std::uint64_t*>(batch[i]);
    }

    template <class Work>
    void one_by_one(const Batch& batch, std::size_t first, std::size_t last, Work work) {
        with_flood([&](auto& flood) {
            for (std::size_t i = first; i < last; ++i) {
                flood.load(words(batch, i));
                work(flood, i);
            }
        });
    }

    void load_tile(const Batch& batch, std::size_t first, std::size_t filled, std::size_t tile) {
        const std::size_t row_bytes = places_.width <= 32 ? 4 : 8;
        allocate(row_bytes * tile);
        if (row_bytes == 4)
            load_rows<std::uint32_t>(batch, first, filled, tile);
        else
            load_rows<std::uint64_t>(batch, first, filled, tile);
    }

    // A tile that isn't full has mazes of solid rock in its other lanes.
    template <class Row>
    void load_rows(const Batch& batch, std::size_t first, std::size_t filled, std::size_t tile) {
        Row* const rows = reinterpret_cast<Row*>(tile_memory_.rows);
        // Copies, because the compiler can't know that writing rows leaves the places alone.
        const std::uint32_t width = places_.width;
        const std::size_t height = places_.height;
        if (filled < tile) std::fill_n(rows, height * tile, static_cast<Row>(~Row{0}));
        for (std::size_t maze = 0; maze < filled; ++maze) {
            const std::uint64_t* const bits = words(batch, first + maze);
            std::size_t bit = 0;
            for (std::size_t y = 0; y < height; ++y, bit += width)
                rows[y * tile + maze] = static_cast<Row>(bits_at(bits, bit, width));
        }
    }

    void allocate(std::size_t row_of_all) {
        if (tile_memory_.rows != nullptr) return;
        const std::size_t part = row_of_all * (places_.height + 4);
        bytes_.resize(6 * part + 64);
        const auto address = reinterpret_cast<std::uintptr_t>(bytes_.data());
        std::byte* const aligned = bytes_.data() + (64 - address % 64) % 64;
        tile_memory_ = {
            aligned,           aligned + part, aligned + 2 * part, aligned + 3 * part, aligned + 4 * part,
            aligned + 5 * part};
    }

    Places places_;
    AnyFlood flood_;
    Surveyor surveyor_;
    Level level_;
    std::vector<std::byte> bytes_;
    TileMemory tile_memory_{};
    TileCounts counts_{};
};

BatchMeasurer::BatchMeasurer(Places places) : memory_{std::make_unique<Memory>(std::move(places))} {}
BatchMeasurer::BatchMeasurer(BatchMeasurer&&) noexcept = default;
BatchMeasurer& BatchMeasurer::operator=(BatchMeasurer&&) noexcept = default;
BatchMeasurer::~BatchMeasurer() = default;

void BatchMeasurer::exit_paths(const Batch& batch, std::span<std::int32_t> out) {
    memory_->exit_paths(batch, out);
}

void BatchMeasurer::fitness_values(const Batch& batch, std::span<FitnessValues> out) {
    memory_->fitness_values(batch, out);
}

void BatchMeasurer::measure(const Batch& batch, MeasureSet wanted, std::span<Measures> out) {
    memory_->measure(batch, wanted, out);
}

const Places& BatchMeasurer::places() const { return memory_->places(); }

} // namespace knossos::maze
