// The files of a run folder that anybody may edit, chosen by the first byte: result.json and trace.csv are
// read or refused with InvalidInput; a trace can be drawn, and is the same when written and read again.
#include "support.hpp"

#include <knossos/core/error.hpp>
#include <knossos/recipe/result_json.hpp>
#include <knossos/recipe/run_folder.hpp>
#include <knossos/render/chart.hpp>

using namespace knossos;

namespace {

void draw(const std::vector<Statistics>& trace) {
    render::Chart chart{.title = "trace", .x_name = "evaluations", .y_name = "fitness", .log_x = true};
    render::Series best{
        .name = "best", .colour = &render::Theme::aegean, .points = {}, .steps = true, .dashes = {}};
    render::Series mean{
        .name = "mean", .colour = &render::Theme::ochre, .points = {}, .steps = false, .dashes = {6.0, 3.0}};
    for (const Statistics& row : trace) {
        best.points.push_back({static_cast<double>(row.evaluations), row.best_ever});
        mean.points.push_back({static_cast<double>(row.evaluations), row.mean});
    }
    chart.series = {std::move(best), std::move(mean)};
    chart.target = 0.0;
    (void)render::chart_text(chart);
    (void)render::to_svg(render::chart_picture(chart));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string_view text = fuzz::text_of(data + 1, size - 1);
    try {
        if ((data[0] & 1U) != 0) {
            (void)read_result(text, "fuzz");
            return 0;
        }
        const auto trace = read_trace(text, "fuzz");
        if (!fuzz::is_one_in(4, text)) return 0;
        const std::string written = trace_csv(trace);
        fuzz::require(trace_csv(read_trace(written, "again")) == written,
                      "a trace is the same when written and read again");
        if (fuzz::is_one_in(512, text)) draw(trace);
    } catch (const InvalidInput&) {
        return 0;
    }
    return 0;
}
