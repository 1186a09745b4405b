#include "device/gallery_engine.hpp"

#include "device/each_of.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

namespace knossos::device {

namespace {

constexpr std::array<std::string_view, 10> gallery_kernels{
    "vary",        "measure_all", "gather",  "spread_parents", "draw_kinds",
    "clear_cells", "seat_elites", "compare", "choose",         "collect"};
enum GalleryKernel : std::size_t {
    vary_children,
    measure_children,
    gather_children,
    spread_parents,
    draw_kinds,
    clear_cells,
    seat_elites,
    compare_children,
    choose_children,
    collect_children,
};
constexpr std::size_t kernels_of_archives = 5; // the last of them

// The counts that `compare` and `collect` write.
enum Count : std::size_t { evaluated_count, clamped_count, collected_count, first_kind };

// What comes back of a child that somebody asks for; numbers and genome follow.
enum Entry : std::size_t { entry_child, entry_cell, entry_kind, entry_reasons, entry_numbers };
constexpr std::uint32_t is_best_there = 1;
constexpr std::uint32_t is_find = 2;

StreamKey key_of(const Island& island, Purpose purpose) {
    const PhiloxKey its = island.streams(purpose).key;
    return {its[0], its[1]};
}

std::string source_of(const GenerationPlan& plan, const std::optional<ArchiveTables>& tables) {
    std::string text = generation_source(plan.variation, plan.evaluation);
    text += lots_source();
    if (tables) text.append(tables->source()).append(archive_source());
    return text;
}

std::span<const std::string_view> kernels_for(const std::optional<ArchiveTables>& tables) {
    return std::span{gallery_kernels}.first(gallery_kernels.size() - (tables ? 0 : kernels_of_archives));
}

std::size_t entry_size(const GenerationPlan& plan) {
    return entry_numbers + plan.evaluation.numbers + plan.variation.genome_bytes / sizeof(std::uint32_t);
}

// Whether somebody might come into the hall of fame.
bool may_be_remembered(const Context& context, const Island& island, const Quality& quality) {
    const Objective objective = context.problem.objective();
    return island.hall.size() < context.hall_size || better(objective, quality, island.era_best) ||
           better(objective, quality, island.hall.back().quality);
}

} // namespace

GalleryEngine::GalleryEngine(const Device& device, GenerationPlan plan, std::shared_ptr<const Cells> cells,
                             std::optional<ArchiveTables> tables)
    : queue_{device}, plan_{std::move(plan)}, cells_{std::move(cells)}, tables_{std::move(tables)},
      kernels_{queue_.build(source_of(plan_, tables_), kernels_for(tables_))},
      table_{queue_.make_buffer_of(plan_.evaluation.table)},
      cross_table_{queue_.make_buffer_of(plan_.skips_of(plan_.crossed_genes))},
      mutate_table_{queue_.make_buffer_of(plan_.skips_of(plan_.mutated_genes))},
      fitness_{queue_.make_buffer(sizeof(std::int32_t))}, kinds_{queue_.make_buffer(1)},
      keys_{queue_.make_buffer(3 * sizeof(StreamKey))} {
    if (!tables_) return;
    tables_there_ = queue_.make_buffer_of(tables_->content());
    best_ = queue_.make_buffer(tables_->cells() * sizeof(std::uint32_t));
    first_ = queue_.make_buffer(tables_->cells() * sizeof(std::uint32_t));
    counted_.resize(first_kind + plan_.variation.moves.size());
    counts_ = queue_.make_buffer(counted_.size() * sizeof(std::uint32_t));
    least_draws_ = queue_.make_buffer((plan_.variation.moves.size() + 1) * sizeof(std::uint64_t));
}

RunMemory GalleryEngine::memory_of(const GenerationPlan& plan, const Device& device, const Cells& cells,
                                   const std::optional<ArchiveTables>& tables, std::size_t children) {
    const std::size_t genome = plan.variation.genome_bytes;
    constexpr std::size_t word = sizeof(std::uint32_t);
    RunMemory memory{.tables = plan.tables()};
    for (const std::size_t bytes : {sizeof(std::int32_t), std::size_t{1}, 3 * sizeof(StreamKey)})
        memory.tables.add(bytes);
    const std::size_t elites = std::bit_ceil(cells.count());
    memory.kept.add(elites * genome);
    memory.kept.add((children + 1) * word);
    memory.kept.add(children * genome);
    for (std::size_t times = 0; times < 2; ++times) memory.kept.add(children);
    memory.kept.add(children * plan.evaluation.numbers * sizeof(std::int16_t),
                    device.has_host_memory ? 2 : 1);
    Gathering::add_to(memory.kept, children / 2, genome);
    if (!tables) return memory;
    memory.tables.add(tables->content().size() * word);
    memory.tables.add(tables->cells() * word, 2);
    memory.tables.add((first_kind + plan.variation.moves.size()) * word);
    memory.tables.add((plan.variation.moves.size() + 1) * sizeof(std::uint64_t));
    memory.kept.add((elites + 1) * word);
    memory.kept.add(2 * elites * word);
    memory.kept.add(children * word, 2);
    memory.kept.add(children * entry_size(plan) * word);
    return memory;
}

void GalleryEngine::try_memory(const RunMemory& memory) {
    give_back_elites();
    give_back_children();
    gathering_ = {};
    queue_.try_memory(memory.kept);
}

void GalleryEngine::give_back_elites() {
    elites_ = 0;
    current_ = lots_ = seats_ = {};
}

void GalleryEngine::give_back_children() {
    children_ = 0;
    parents_ = kinds_ = offspring_ = evaluated_ = measured_ = cell_ = key_ = collected_ = {};
    read_ = {};
}

// What there was is given back first, so that both are never there at once.
void GalleryEngine::make_room(const Island& island) {
    const std::size_t genome = island.current.stride();
    if (island.current.size() > elites_) {
        give_back_elites();
        elites_ = std::bit_ceil(island.current.size());
        current_ = queue_.make_buffer(elites_ * genome);
        if (tables_) lots_ = queue_.make_buffer((elites_ + 1) * sizeof(std::uint32_t));
        if (tables_) seats_ = queue_.make_buffer(2 * elites_ * sizeof(std::uint32_t));
    }
    const std::size_t children = island.offspring.size();
    if (children == children_) return;
    give_back_children();
    children_ = children;
    parents_ = queue_.make_buffer((children + 1) * sizeof(std::uint32_t));
    kinds_ = queue_.make_buffer(children);
    offspring_ = queue_.make_buffer(children * genome);
    evaluated_ = queue_.make_buffer(children);
    const std::size_t numbers = children * plan_.evaluation.numbers;
    measured_ = queue_.make_buffer(numbers * sizeof(std::int16_t));
    if (!tables_) return;
    cell_ = queue_.make_buffer(children * sizeof(std::uint32_t));
    key_ = queue_.make_buffer(children * sizeof(std::uint32_t));
    collected_ = queue_.make_buffer(children * entry_size(plan_) * sizeof(std::uint32_t));
}

void GalleryEngine::step(const MapElites& algorithm, const Context& context, Island& island) {
    const std::scoped_lock lock{mutex_};
    make_room(island);
    send_elites(island);
    if (seat(context, island))
        return algorithm.step_by_lots(
            context, island, [&](const MapElites::Lots& lots) { return harvest(context, island, lots); });
    algorithm.step_by(
        context, island,
        {.breed = [&](std::span<const std::uint32_t> parents) { breed(context, island, parents); },
         .bring = [&](std::span<const std::uint32_t> children) { bring(island, children); }});
}

void GalleryEngine::send_elites(const Island& island) {
    const std::array keys{key_of(island, Purpose::select), key_of(island, Purpose::recombine),
                          key_of(island, Purpose::mutate)};
    queue_.write(keys_, std::as_bytes(std::span{keys}));
    queue_.write(current_, island.current.bytes());
}

void GalleryEngine::vary_and_measure(const Island& island) {
    const std::uint32_t children = narrow(children_);
    queue_.run(kernels_[vary_children].with(
                   current_, fitness_, std::uint32_t{1}, narrow(island.current.size()), children, parents_,
                   offspring_, evaluated_, narrow(island.generation), narrow(island.generation >> 32U), keys_,
                   cross_table_, mutate_table_, table_, kinds_),
               (children_ + 1) / 2, plan_.variation.group);
    queue_.run(kernels_[measure_children].with(offspring_, evaluated_, children, measured_, table_),
               children_);
}

void GalleryEngine::breed(const Context& context, Island& island, std::span<const std::uint32_t> parents) {
    queue_.write(parents_, std::as_bytes(parents));
    if (plan_.variation.chooses_kinds) {
        kinds_read_.assign(island.kinds.begin(), island.kinds.end());
        queue_.write(kinds_, std::as_bytes(std::span{kinds_read_}));
    }
    vary_and_measure(island);
    island.evaluated.resize(children_);
    queue_.read_into(evaluated_, std::span{island.evaluated});
    const std::size_t numbers = children_ * plan_.evaluation.numbers;
    if (read_.bytes().empty()) read_ = queue_.make_host_memory(numbers * sizeof(std::int16_t));
    numbers_ = {reinterpret_cast<const std::int16_t*>(read_.bytes().data()), numbers};
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
    rows_.resize(children.size() * genome);
    gathering_.read(queue_, kernels_[gather_children], offspring_, children, genome, rows_);
    for (std::size_t i = 0; i < children.size(); ++i)
        std::memcpy(island.offspring.genome(children[i]), rows_.data() + i * genome, genome);
}

// Whether the device can compare for this island: then it knows who is in which cell.
bool GalleryEngine::seat(const Context& context, const Island& island) {
    if (!tables_ || island.hall.size() < context.hall_size) return false;
    const std::span<const std::uint32_t> cells = MapElites::archive(island).cell();
    seated_.clear();
    for (std::size_t elite = 0; elite < cells.size(); ++elite) {
        const auto key = tables_->key(*cells_, island.current, elite);
        if (!key) return false;
        seated_.push_back(cells[elite]);
        seated_.push_back(*key);
    }
    queue_.write(seats_, std::as_bytes(std::span{seated_}));
    return true;
}

MapElites::Harvest GalleryEngine::harvest(const Context& context, Island& island,
                                          const MapElites::Lots& lots) {
    send_lots(island, lots);
    vary_and_measure(island);
    compare_all(context, island);
    // Each parent's fitness as often as it was drawn: whole numbers, so that their order does not matter.
    SelectionMeter meter{context.problem.schema(), island.current};
    const std::size_t parents = children_ + children_ % 2;
    const auto fitness = std::as_const(island.current).fitness();
    double sum = 0.0;
    for (std::size_t elite = 0; elite < fitness.size(); ++elite)
        sum += fitness[elite] * static_cast<double>(lots.children_before(elite + 1, parents) -
                                                    lots.children_before(elite, parents));
    meter.add(sum, parents);
    island.selection_intensity = meter.intensity();
    take_collected(context, island);
    note_collected(context, island);
    MapElites::Harvest harvest;
    for (const std::uint32_t entry : order_) {
        const std::uint32_t* const its = entries_.data() + entry * entry_size(plan_);
        if ((its[entry_reasons] & is_best_there) != 0)
            harvest.best.push_back({its[entry_child], its[entry_cell], its[entry_kind]});
    }
    if (plan_.variation.chooses_kinds) harvest.tried.assign(counted_.begin() + first_kind, counted_.end());
    return harvest;
}

void GalleryEngine::send_lots(const Island& island, const MapElites::Lots& lots) {
    const std::uint32_t children = narrow(children_);
    if (lots.parents.empty()) {
        queue_.write(lots_, std::as_bytes(lots.draws_before));
        queue_.run(kernels_[spread_parents].with(lots_, narrow(lots.draws_before.size() - 1),
                                                 children + children % 2, parents_),
                   children_ + children_ % 2);
    } else {
        queue_.write(parents_, std::as_bytes(lots.parents));
    }
    if (!plan_.variation.chooses_kinds) return;
    queue_.write(least_draws_, std::as_bytes(lots.kinds));
    queue_.run(kernels_[draw_kinds].with(key_of(island, Purpose::operations), narrow(island.generation),
                                         narrow(island.generation >> 32U), children, least_draws_, kinds_),
               (children_ + 1) / 2);
}

void GalleryEngine::compare_all(const Context& context, const Island& island) {
    const std::uint32_t children = narrow(children_);
    const std::uint32_t bar =
        std::max(tables_->bar(island.era_best), tables_->bar(island.hall.back().quality));
    queue_.run(kernels_[clear_cells].with(best_, first_, counts_),
               std::max<std::size_t>(tables_->cells(), counted_.size()));
    queue_.run(kernels_[seat_elites].with(seats_, narrow(seated_.size() / 2), best_), seated_.size() / 2);
    queue_.run(kernels_[compare_children].with(measured_, evaluated_, kinds_, children, tables_there_, bar,
                                               best_, cell_, key_, counts_),
               children_);
    queue_.run(kernels_[choose_children].with(cell_, key_, children, best_, first_), children_);
    queue_.run(kernels_[collect_children].with(cell_, first_, measured_, kinds_, offspring_, children,
                                               counts_, collected_),
               children_);
    queue_.read_into(counts_, std::span{counted_});
    entries_.resize(counted_[collected_count] * entry_size(plan_));
    queue_.read_into(collected_, std::span{entries_});
    by_child_.clear();
    for (std::uint64_t entry = 0; entry < counted_[collected_count]; ++entry)
        by_child_.push_back(std::uint64_t{entries_[entry * entry_size(plan_)]} << 32U | entry);
    std::ranges::sort(by_child_);
    order_.clear();
    for (const std::uint64_t one : by_child_) order_.push_back(narrow(one));
    context.workers.front().clamped += counted_[clamped_count];
}

// Genomes and records of those who came back.
void GalleryEngine::take_collected(const Context& context, Island& island) {
    const std::size_t numbers = plan_.evaluation.numbers;
    const std::size_t genome = plan_.variation.genome_bytes;
    constexpr std::size_t together = 256;
    some_numbers_.resize(order_.size() * numbers);
    const auto take = [&](std::size_t tile, std::size_t worker_index) {
        Worker& worker = context.workers[worker_index];
        const std::size_t begin = tile * together;
        const std::size_t end = std::min(order_.size(), begin + together);
        worker.rows.clear();
        for (std::size_t i = begin; i < end; ++i) {
            const std::uint32_t* const its = entries_.data() + order_[i] * entry_size(plan_);
            for (std::size_t k = 0; k < numbers; ++k)
                some_numbers_[i * numbers + k] = static_cast<std::int16_t>(its[entry_numbers + k]);
            std::memcpy(island.offspring.genome(its[entry_child]), its + entry_numbers + numbers, genome);
            worker.rows.push_back(static_cast<std::uint32_t>(i));
        }
        worker.values.resize(worker.rows.size() * context.problem.schema().size());
        plan_.evaluation.records(some_numbers_, worker.rows, worker.values);
        for (std::size_t i = begin; i < end; ++i)
            worker.rows[i - begin] = entries_[order_[i] * entry_size(plan_)];
        const std::uint64_t clamped = worker.clamped; // counted already
        take_values(context, island, island.offspring, worker);
        worker.clamped = clamped;
    };
    const std::size_t tiles = (order_.size() + together - 1) / together;
    if (context.pool != nullptr)
        context.pool->for_each(tiles, take);
    else
        for (std::size_t tile = 0; tile < tiles; ++tile) take(tile, 0);
}

// As account() does.
void GalleryEngine::note_collected(const Context& context, Island& island) {
    const std::uint64_t before = island.evaluations;
    const auto is_notable = [&](std::uint32_t entry) {
        return (entries_[entry * entry_size(plan_) + entry_reasons] & is_find) != 0;
    };
    if (std::ranges::any_of(order_, is_notable)) {
        island.evaluated.resize(children_);
        queue_.read_into(evaluated_, std::span{island.evaluated});
        std::size_t done = 0;
        for (const std::uint32_t entry : order_) {
            if (!is_notable(entry)) continue;
            const std::uint32_t child = entries_[entry * entry_size(plan_)];
            for (; done <= child; ++done) island.evaluations += island.evaluated[done];
            remember(context, island, island.offspring, child, island.evaluations);
        }
    }
    island.evaluations = before + counted_[evaluated_count];
}

} // namespace knossos::device
