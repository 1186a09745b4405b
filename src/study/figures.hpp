#pragma once

#include <knossos/render/box_plot.hpp>
#include <knossos/render/chart.hpp>
#include <knossos/study/analysis.hpp>

#include <string>
#include <vector>

namespace knossos::study {

/// Shares of (run, target) pairs reached over evaluations, at most six configurations a chart.
std::vector<render::Chart> ecdf_charts(const Analysis& analysis, const Group& group);

/// Median and quartiles of the best value over evaluations.
std::vector<render::Chart> convergence_charts(const Analysis& analysis, const Group& group);

/// Evaluations to success, or final values where there is no target.
render::BoxPlot box_plot(const Analysis& analysis, const Group& group);

/// Expected running times against the size of the problem, for recipes that were run on several sizes.
std::vector<render::Chart> size_charts(const Analysis& analysis);

} // namespace knossos::study
