#include "device/gallery_engine.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

namespace knossos::device {

namespace {

constexpr std::array<std::string_view, 3> gallery_kernels{"vary", "measure_all", "gather"};
enum GalleryKernel : std::size_t { vary_children, measure_children, gather_children };

// Whether somebody might come into the hall of fame.
bool may_be_remembered(const Context& context, const Island& island, const Quality& quality) {
    const Objective objective = context.problem.objective();
    return island.hall.size() < context.hall_size || better(objective, quality, island.era_best) ||
           better(objective, quality, island.hall.back().quality);
}

} // namespace

GalleryEngine::GalleryEngine(const Device& device, GenerationPlan plan)
    : queue_{device}, plan_{std::move(plan)},
      kernels_{queue_.build(generation_source(plan_.variation, plan_.evaluation), gallery_kernels)},
      table_{queue_.make_buffer_of(plan_.evaluation.table)},
      cross_table_{queue_.make_buffer_of(plan_.skips_of(plan_.crossed_genes))},
      mutate_table_{queue_.make_buffer_of(plan_.skips_of(plan_.mutated_genes))},
      fitness_{queue_.make_buffer(sizeof(std::int32_t))}, keys_{queue_.make_buffer(3 * sizeof(StreamKey))} {}

std::size_t GalleryEngine::bytes_needed(std::size_t elites, std::size_t children, std::size_t genome_bytes,
                                        std::size_t numbers) {
    return elites * genome_bytes +
           children * (2 * genome_bytes + numbers * sizeof(std::int16_t) + sizeof(std::uint32_t) + 1);
}

void GalleryEngine::make_room(const Island& island) {
    const std::size_t genome = island.current.stride();
    if (island.current.size() > elites_) {
        elites_ = std::bit_ceil(island.current.size());
        current_ = queue_.make_buffer(elites_ * genome);
    }
    const std::size_t children = island.offspring.size();
    if (children == children_) return;
    children_ = children;
    parents_ = queue_.make_buffer((children + 1) * sizeof(std::uint32_t));
    offspring_ = queue_.make_buffer(children * genome);
    evaluated_ = queue_.make_buffer(children);
    const std::size_t numbers = children * plan_.evaluation.numbers;
    measured_ = queue_.make_buffer(numbers * sizeof(std::int16_t));
    read_ = queue_.make_host_memory(numbers * sizeof(std::int16_t));
    numbers_ = {reinterpret_cast<const std::int16_t*>(read_.bytes().data()), numbers};
}

void GalleryEngine::step(const MapElites& algorithm, const Context& context, Island& island) {
    const std::scoped_lock lock{mutex_};
    algorithm.step_by(
        context, island,
        {.breed = [&](std::span<const std::uint32_t> parents) { breed(context, island, parents); },
         .bring = [&](std::span<const std::uint32_t> children) { bring(island, children); }});
}

void GalleryEngine::breed(const Context& context, Island& island, std::span<const std::uint32_t> parents) {
    make_room(island);
    const auto short_number = [](std::uint64_t number) { return static_cast<std::uint32_t>(number); };
    std::array<StreamKey, 3> keys{};
    std::size_t key = 0;
    for (const Purpose purpose : {Purpose::select, Purpose::recombine, Purpose::mutate}) {
        const PhiloxKey its = island.streams(purpose).key;
        keys[key++] = {its[0], its[1]};
    }
    queue_.write(keys_, std::as_bytes(std::span{keys}));
    queue_.write(current_, std::as_const(island.current).bytes());
    queue_.write(parents_, std::as_bytes(parents));
    const std::uint32_t children = short_number(children_);
    queue_.run(kernels_[vary_children].with(
                   current_, fitness_, std::uint32_t{1}, short_number(island.current.size()), children,
                   parents_, offspring_, evaluated_, short_number(island.generation),
                   short_number(island.generation >> 32U), keys_, cross_table_, mutate_table_, table_),
               (children_ + 1) / 2, plan_.variation.group);
    queue_.run(kernels_[measure_children].with(offspring_, evaluated_, children, measured_, table_),
               children_);
    island.evaluated.resize(children_);
    queue_.read_into(evaluated_, std::span{island.evaluated});
    queue_.read(measured_, read_.bytes().first(numbers_.size_bytes()));
    SelectionMeter meter{context.problem.schema(), island.current};
    meter.add(island.current, parents);
    island.selection_intensity = meter.intensity();
    take_records(context, island);
    note_finds(context, island);
}

// What was measured becomes the records of the children.
void GalleryEngine::take_records(const Context& context, Island& island) {
    constexpr std::size_t together = 1024;
    is_notable_.assign(children_, 0);
    const auto take = [&](std::size_t tile, std::size_t worker_index) {
        Worker& worker = context.workers[worker_index];
        worker.rows.clear();
        const std::size_t end = std::min(children_, (tile + 1) * together);
        for (std::size_t slot = tile * together; slot < end; ++slot)
            if (island.evaluated[slot] != 0) worker.rows.push_back(static_cast<std::uint32_t>(slot));
        if (worker.rows.empty()) return;
        worker.values.resize(worker.rows.size() * context.problem.schema().size());
        plan_.evaluation.records(numbers_, worker.rows, worker.values);
        take_values(context, island, island.offspring, worker);
        for (const std::uint32_t slot : worker.rows)
            is_notable_[slot] =
                may_be_remembered(context, island, quality_of(island.offspring, slot)) ? 1 : 0;
    };
    const std::size_t tiles = (children_ + together - 1) / together;
    if (context.pool != nullptr)
        context.pool->for_each(tiles, take);
    else
        for (std::size_t tile = 0; tile < tiles; ++tile) take(tile, 0);
}

// As account() does, with the genomes of those alone who may come into the hall of fame.
void GalleryEngine::note_finds(const Context& context, Island& island) {
    std::vector<std::uint32_t> notable;
    for (auto at = is_notable_.begin(); (at = std::find(at, is_notable_.end(), 1)) != is_notable_.end(); ++at)
        notable.push_back(static_cast<std::uint32_t>(at - is_notable_.begin()));
    bring(island, notable);
    const auto counted = [&](std::size_t first, std::size_t end) {
        return static_cast<std::uint64_t>(
            std::count(island.evaluated.begin() + static_cast<std::ptrdiff_t>(first),
                       island.evaluated.begin() + static_cast<std::ptrdiff_t>(end), std::uint8_t{1}));
    };
    std::size_t done = 0;
    for (const std::uint32_t slot : notable) {
        island.evaluations += counted(done, slot + std::size_t{1});
        done = slot + std::size_t{1};
        remember(context, island, island.offspring, slot, island.evaluations);
    }
    island.evaluations += counted(done, children_);
}

// Their genomes.
void GalleryEngine::bring(Island& island, std::span<const std::uint32_t> children) {
    if (children.empty()) return;
    const std::size_t genome = island.offspring.stride();
    if (children.size() * 2 > children_) return queue_.read(offspring_, island.offspring.bytes());
    const Buffer wanted = queue_.make_buffer(children.size_bytes());
    queue_.write(wanted, std::as_bytes(children));
    const Buffer out = queue_.make_buffer(children.size() * genome);
    queue_.run(
        kernels_[gather_children].with(offspring_, wanted, static_cast<std::uint32_t>(children.size()), out),
        children.size() * genome / 4);
    rows_.resize(children.size() * genome);
    queue_.read(out, rows_);
    for (std::size_t i = 0; i < children.size(); ++i)
        std::memcpy(island.offspring.genome(children[i]), rows_.data() + i * genome, genome);
}

} // namespace knossos::device
