#include <knossos/recipe/spread.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace knossos {

namespace {

double share_of_differing(const std::vector<std::uint8_t>& a, const std::vector<std::uint8_t>& b) {
    const std::size_t common = std::min(a.size(), b.size());
    std::size_t differing = std::max(a.size(), b.size()) - common;
    // In bytes as long as they can count, so that many are compared at once.
    for (std::size_t start = 0; start < common;) {
        const std::size_t end = std::min(common, start + 192);
        std::uint8_t some = 0;
        for (; start < end; ++start) some = static_cast<std::uint8_t>(some + (a[start] != b[start] ? 1 : 0));
        differing += some;
    }
    const std::size_t all = std::max(a.size(), b.size());
    return all == 0 ? 0.0 : static_cast<double>(differing) / static_cast<double>(all);
}

} // namespace

double cells_apart(const Appearance& a, const Appearance& b) {
    double least = 1.0;
    for (const auto& turned : a.cells) least = std::min(least, share_of_differing(turned, b.cells.front()));
    return least;
}

double character_apart(const Appearance& a, const Appearance& b) {
    if (a.character.empty()) return 0.0;
    double sum = 0.0;
    for (std::size_t i = 0; i < a.character.size(); ++i) sum += std::abs(a.character[i] - b.character[i]);
    return sum / static_cast<double>(a.character.size());
}

std::vector<double> by_rank(const std::vector<double>& values) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
    std::vector<double> ranks(values.size());
    for (std::size_t start = 0; start < order.size();) {
        std::size_t end = start + 1;
        while (end < order.size() && values[order[end]] == values[order[start]]) ++end;
        const double rank = static_cast<double>(start + end) / 2.0 / static_cast<double>(values.size());
        for (std::size_t i = start; i < end; ++i) ranks[order[i]] = rank;
        start = end;
    }
    return ranks;
}

Spread farthest_apart(const std::vector<Appearance>& candidates, const SpreadOptions& options) {
    Spread spread;
    if (candidates.empty() || options.count == 0) return spread;
    std::vector<double> nearest(candidates.size(), std::numeric_limits<double>::infinity());
    std::vector<double> cells(candidates.size(), 1.0); // share of cells to the nearest that was taken
    std::vector<bool> is_open(candidates.size(), true);
    std::size_t next = std::min(options.first, candidates.size() - 1);
    while (true) {
        spread.chosen.push_back(next);
        spread.least_apart = std::min(spread.least_apart, cells[next]);
        is_open[next] = false;
        if (spread.chosen.size() == options.count) break;
        const Appearance& taken = candidates[next];
        std::size_t farthest = candidates.size();
        for (std::size_t i = 0; i < candidates.size(); ++i) {
            if (!is_open[i]) continue;
            const double in_cells = cells_apart(candidates[i], taken);
            cells[i] = std::min(cells[i], in_cells);
            if (in_cells < options.apart) {
                is_open[i] = false;
                continue;
            }
            nearest[i] = std::min(nearest[i], in_cells + character_apart(candidates[i], taken));
            if (farthest == candidates.size() || nearest[i] > nearest[farthest]) farthest = i;
        }
        if (farthest == candidates.size()) break;
        next = farthest;
    }
    return spread;
}

Appearance appearance(const Artefact& artefact, bool turned) {
    const ArtefactPtr written = artefact.as_written();
    const Artefact& seen = written ? *written : artefact;
    if (turned) return {.cells = seen.turned_cells()};
    return {.cells = {seen.cells()}};
}

std::vector<Appearance> appearances(const MeasuredGallery& gallery,
                                    const std::vector<GalleryValue>& character, bool turned) {
    std::vector<Appearance> all(gallery.elites.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
        const ArtefactPtr artefact = gallery.artefact(gallery.elites[i]);
        if (!artefact) {
            // Without anything to be seen, genes are what can be told apart.
            auto& cells = all[i].cells.emplace_back();
            for (const std::byte byte : gallery.elites[i].genome)
                cells.push_back(std::to_integer<std::uint8_t>(byte));
            continue;
        }
        all[i] = appearance(*artefact, turned);
    }
    for (const GalleryValue& value : character) {
        std::vector<double> values;
        for (const Elite& elite : gallery.elites) values.push_back(value.of(elite));
        const auto ranks = by_rank(values);
        for (std::size_t i = 0; i < all.size(); ++i) all[i].character.push_back(ranks[i]);
    }
    return all;
}

} // namespace knossos
