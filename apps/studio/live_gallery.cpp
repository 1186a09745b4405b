#include "live_gallery.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace knossos::studio {

namespace {

// As Gallery::coordinates, the other way round.
std::uint32_t cell_of(const MeasuredGallery& gallery, const Elite& elite) {
    std::uint32_t cell = 0;
    for (std::size_t i = 0; i < elite.cell.size(); ++i)
        cell = (gallery.is_grid() ? cell * gallery.axes[i].cells : 0) + elite.cell[i];
    return cell;
}

// What one adds to the QD-score: its fitness as a share of what there can be, where that is known.
double worth_of(const Schema& schema, double fitness) {
    if (!schema.has_objective()) return 1.0;
    const Column& column = schema.columns()[schema.objectives().front()];
    if (!std::isfinite(column.low) || !std::isfinite(column.high)) return 1.0;
    const double share = std::clamp((fitness - column.low) / (column.high - column.low), 0.0, 1.0);
    return column.direction == Objective::minimise ? 1.0 - share : share;
}

// Most are, from one moment to the next: nothing is made for these.
bool is_same(const Elite& kept, const Population& elites, std::size_t index) {
    for (std::size_t column = 0; column < elites.columns(); ++column)
        if (kept.record[column] != elites.column(column)[index]) return false;
    return std::memcmp(kept.genome.data(), elites.genome(index), kept.genome.size()) == 0;
}

} // namespace

const std::vector<double>& LiveElite::measures(const Decoder& decoder, const Space& space) const {
    std::call_once(measured_, [&] {
        const ArtefactPtr artefact = decoder ? decoder(space, elite.genome.data()) : nullptr;
        if (!artefact) return;
        for (const Measured& one : artefact->measures()) measures_.push_back(one.value);
    });
    return measures_;
}

void LiveGallery::update(const Gallery& gallery) {
    const std::lock_guard lock{mutex_};
    std::uint64_t next = std::max(last_.version, forgotten_);
    bool is_changed = last_.version == 0;
    // A cell, once filled, stays so: only a run that begins again has fewer.
    const std::size_t found = gallery.elites.size();
    if (found < elites_.size()) {
        elites_.clear();
        forgotten_ = last_.version;
        is_changed = true;
    }
    for (std::size_t i = 0; i < found; ++i) {
        LiveElitePtr& kept = elites_[gallery.cell[i]];
        if (kept && is_same(kept->elite, gallery.elites, i)) continue;
        auto made = std::make_shared<LiveElite>();
        made->elite = elite_of(gallery, i);
        made->version = ++next;
        kept = std::move(made);
        is_changed = true;
    }
    if (!is_changed) return;
    last_.version = std::max({next, last_.version + 1, forgotten_ + 1});
    last_.axes = gallery.axes;
    last_.is_grid = gallery.centroids.empty();
    last_.cells = gallery.cells;
    last_.coverage = gallery.coverage;
    last_.qd_score = gallery.qd_score;
}

void LiveGallery::open(const MeasuredGallery& gallery) {
    const Schema schema = gallery.recipe.problem().schema();
    const std::lock_guard lock{mutex_};
    std::uint64_t next = std::max(last_.version, forgotten_);
    last_ = {.axes = gallery.axes,
             .is_grid = gallery.is_grid(),
             .cells = gallery.cells,
             .coverage = gallery.coverage()};
    elites_.clear();
    for (const Elite& elite : gallery.elites) {
        LiveElitePtr& kept = elites_[cell_of(gallery, elite)];
        if (kept) continue; // of several in a cell the first is the best
        auto made = std::make_shared<LiveElite>();
        made->elite = elite;
        made->version = ++next;
        kept = std::move(made);
        last_.qd_score += worth_of(schema, gallery.quality(elite).fitness);
    }
    last_.version = next;
}

LiveGallery::Seen LiveGallery::since(std::uint64_t version, std::size_t most) const {
    const std::lock_guard lock{mutex_};
    Seen seen = last_;
    // A version that there was not yet is one of before a restart.
    if (version <= forgotten_ || version > last_.version) version = 0;
    seen.whole = version == 0;
    for (const auto& [cell, elite] : elites_)
        if (elite->version > version) seen.elites.emplace_back(cell, elite);
    if (seen.elites.size() <= most) return seen;
    const auto came = [](const auto& one) { return one.second->version; };
    std::ranges::nth_element(seen.elites, seen.elites.begin() + static_cast<std::ptrdiff_t>(most), {}, came);
    seen.elites.resize(most);
    std::ranges::sort(seen.elites, {}, came);
    seen.version = seen.elites.empty() ? version : seen.elites.back().second->version;
    return seen;
}

std::uint64_t LiveGallery::version() const {
    const std::lock_guard lock{mutex_};
    return last_.version;
}

LiveElitePtr LiveGallery::in_cell(std::uint32_t cell) const {
    const std::lock_guard lock{mutex_};
    const auto found = elites_.find(cell);
    return found == elites_.end() ? nullptr : found->second;
}

void LiveGallery::clear() {
    const std::lock_guard lock{mutex_};
    elites_.clear();
    forgotten_ = std::max(last_.version, forgotten_);
}

void LiveGallery::begin_after(std::uint64_t version) {
    const std::lock_guard lock{mutex_};
    forgotten_ = version;
}

std::uint64_t LiveGallery::latest() const {
    const std::lock_guard lock{mutex_};
    return std::max(last_.version, forgotten_);
}

} // namespace knossos::studio
