#include <knossos/study/report.hpp>
#include <knossos/version.hpp>

#include "render/text.hpp"
#include "study/figures.hpp"
#include "study/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace knossos::study {

namespace {

using render::escape_xml;

// Beside the theme's colours. Pictures are drawn in the light theme; the attribute rules below give each of
// its colours the meaning it has, so that they follow the page into the dark.
constexpr std::string_view style = R"(
*{box-sizing:border-box}
html{color-scheme:light dark}
body{margin:0 auto;padding:2.5rem 1.25rem 4rem;max-width:64rem;background:var(--ground);color:var(--ink);
font:16px/1.5 system-ui,sans-serif}
h1{font-size:1.9rem;line-height:1.2;margin:0 0 .25rem}
h2{font-size:1.35rem;margin:3rem 0 .75rem;padding-top:1rem;border-top:2px solid var(--aegean)}
h3{font-size:1rem;margin:1.75rem 0 .4rem}
p,li{max-width:70ch}
.quiet,.note,footer{color:var(--quiet)}
.note{font-size:.85rem;margin:.35rem 0 0}
ul.findings{padding-left:1.2rem}
ul.findings li{margin:.3rem 0}
nav a{margin-right:1rem}
a{color:var(--aegean)}
.scroll{overflow-x:auto}
table{border-collapse:collapse;font-size:.9rem;font-variant-numeric:tabular-nums}
th,td{padding:.3rem .8rem .3rem 0;text-align:right;white-space:nowrap;border-bottom:1px solid var(--floor-shade)}
th{font-weight:600;color:var(--quiet);vertical-align:bottom}
th:first-child,td:first-child{text-align:left}
td.words{white-space:normal;min-width:22rem}
figure{margin:1.25rem 0}
/* small multiples stand beside each other where there is room */
.multiples{display:flex;flex-wrap:wrap;gap:0 1.25rem}
figure svg{max-width:100%;height:auto;display:block}
pre{background:var(--floor);padding:.8rem 1rem;overflow:auto;max-height:18rem;font-size:.8rem;line-height:1.45;
border-radius:4px}
footer{margin-top:4rem;font-size:.85rem}
@media print{
:root{--ground:#fff}
body{max-width:none;padding:0;font-size:10.5pt}
nav{display:none}
h2{break-before:auto;break-after:avoid}
h3{break-after:avoid}
figure,tr,.table{break-inside:avoid}
.scroll{overflow:visible}
table{font-size:8pt}
th,td{padding-right:.5rem}
pre{max-height:none;overflow:visible;white-space:pre-wrap;font-size:7pt;background:none;border:1px solid #ccc}
}
)";

std::string colour_rules() {
    std::string rules;
    const auto roles = render::roles(render::light);
    for (const auto& [name, colour] : roles)
        rules +=
            fmt::format("svg [fill=\"{0}\"]{{fill:var(--{1})}}svg [stroke=\"{0}\"]{{stroke:var(--{1})}}\n",
                        render::hex(colour), name);
    return rules;
}

std::string html_table(const Table& table) {
    std::string text =
        fmt::format("<div class=\"table\"><h3>{}</h3>\n<div class=\"scroll\"><table>\n<thead><tr>",
                    escape_xml(table.title));
    for (const auto& cell : table.head) text += fmt::format("<th scope=\"col\">{}</th>", escape_xml(cell));
    text += "</tr></thead>\n<tbody>\n";
    for (const auto& row : table.rows) {
        text += "<tr>";
        for (std::size_t i = 0; i < row.size(); ++i)
            text += fmt::format("<td{}>{}</td>", i == 0 && row[i].size() > 40 ? " class=\"words\"" : "",
                                escape_xml(row[i]));
        text += "</tr>\n";
    }
    text += "</tbody></table></div>\n";
    if (!table.note.empty()) text += fmt::format("<p class=\"note\">{}</p>\n", escape_xml(table.note));
    return text + "</div>\n";
}

std::string figure_html(const render::Picture& picture) {
    return fmt::format("<figure>\n{}</figure>\n", render::to_svg(picture));
}

std::string anchor(std::size_t group) { return fmt::format("group-{}", group + 1); }

std::string group_html(const Analysis& analysis, std::size_t index) {
    const Group& group = analysis.groups[index];
    std::string text =
        fmt::format("<section>\n<h2 id=\"{}\">{}</h2>\n", anchor(index), escape_xml(group.name));
    const auto tables = tables_of(analysis, group);
    text += html_table(tables.front());
    for (const render::Chart& chart : ecdf_charts(analysis, group)) text += figure_html(chart_picture(chart));
    text += figure_html(box_plot_picture(box_plot(analysis, group)));
    text += "<div class=\"multiples\">\n";
    for (const render::Chart& chart : convergence_charts(analysis, group))
        text += figure_html(chart_picture(chart));
    text += "</div>\n";
    for (std::size_t i = 1; i < tables.size(); ++i) text += html_table(tables[i]);
    return text + "</section>\n";
}

std::string recipes_html(const Analysis& analysis) {
    std::string text = fmt::format(
        "<section>\n<h2 id=\"recipes\">Recipes</h2>\n<p>Each configuration, complete: saved as a file, "
        "<code>{} run FILE --seed SEED</code> repeats any of its runs to the bit.</p>\n",
        escape_xml(analysis.registry.program()));
    for (const auto& one : analysis.configurations)
        text += fmt::format("<h3>{}</h3>\n<pre>{}</pre>\n", escape_xml(one.info.label), [&] {
            // Line ends are the one thing that escaping must leave alone.
            std::string lines;
            std::size_t begin = 0;
            while (begin < one.info.recipe.size()) {
                const std::size_t end = std::min(one.info.recipe.find('\n', begin), one.info.recipe.size());
                lines += escape_xml(std::string_view{one.info.recipe}.substr(begin, end - begin)) + "\n";
                begin = end + 1;
            }
            return lines;
        }());
    return text + "</section>\n";
}

std::string older_html(const Analysis& analysis) {
    if (analysis.study.older.empty()) return "";
    std::string text =
        "<section>\n<h2 id=\"older\">Left out</h2>\n<p>The study's file does not have these any "
        "more; <code>study --drop</code> forgets them.</p>\n<ul>\n";
    for (const OlderConfiguration& one : analysis.study.older)
        text += fmt::format("<li>{}</li>\n", escape_xml(text_of(one)));
    return text + "</ul>\n</section>\n";
}

std::string csv_text(std::string_view text) {
    if (text.find_first_of(",\"\n\r") == std::string_view::npos) return std::string{text};
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"') quoted += '"';
        quoted += c;
    }
    return quoted + '"';
}

// The shortest text that reads back as the same number; nothing where there is none.
std::string csv_number(double number) { return std::isfinite(number) ? fmt::format("{}", number) : ""; }

std::string csv_summary(const Summary& summary) {
    std::string text;
    for (const double value : {summary.least, summary.lower_quartile, summary.median, summary.upper_quartile,
                               summary.p95, summary.most, summary.mean})
        text += "," + csv_number(value);
    return text;
}

std::string csv_summary_head(std::string_view of) {
    std::string text;
    for (const auto* name : {"least", "lower_quartile", "median", "upper_quartile", "p95", "most", "mean"})
        text += fmt::format(",{}_{}", of, name);
    return text;
}

// The parameters of all configurations, in the order in which they appear: a column each.
class ParameterColumns {
  public:
    explicit ParameterColumns(const Analysis& analysis) {
        for (const auto& one : analysis.configurations)
            for (const auto& [name, value] : one.info.varied)
                if (std::ranges::find(names_, name) == names_.end()) names_.push_back(name);
    }
    /// "configuration" and the names, with a comma behind each.
    [[nodiscard]] std::string head() const {
        std::string text = "configuration,";
        for (const auto& name : names_) text += csv_text(name) + ",";
        return text;
    }
    /// The label and the values; nothing where a configuration leaves a parameter as its recipe has it.
    [[nodiscard]] std::string cells(const AnalysedConfiguration& configuration) const {
        std::string text = csv_text(configuration.info.label) + ",";
        for (const auto& name : names_) {
            for (const auto& [key, value] : configuration.info.varied)
                if (key == name) text += csv_text(value);
            text += ",";
        }
        return text;
    }

  private:
    std::vector<std::string> names_;
};

std::string_view outcome_name(Outcome outcome) {
    return outcome == Outcome::solved ? "solved" : outcome == Outcome::failed ? "failed" : "unsolved";
}

// Columns that only studies with archives have.
bool has_archives(const Analysis& analysis) {
    return std::ranges::any_of(analysis.configurations,
                               [](const AnalysedConfiguration& one) { return one.row.archives > 0; });
}

std::string configurations_csv(const Analysis& analysis) {
    const ParameterColumns parameters{analysis};
    const bool archives = has_archives(analysis);
    std::string text = parameters.head() +
                       "problem,size,runs,solved,failed,without_value,success_low,"
                       "success_high,ert,ert_low,ert_high,auc,auc_low,auc_high" +
                       csv_summary_head("evaluations") + csv_summary_head("generations") +
                       csv_summary_head("best") + csv_summary_head("seconds") +
                       (archives ? csv_summary_head("coverage") + csv_summary_head("qd_score") : "") + "\n";
    for (const auto& one : analysis.configurations) {
        const Row& row = one.row;
        text += fmt::format("{}{},{},{},{},{},{},{},{},{},{},{},{},{},{}{}{}{}{}", parameters.cells(one),
                            csv_text(one.info.problem), csv_number(one.info.size.value_or(never)), row.runs,
                            row.solved, row.failed, row.without_value, csv_number(row.success.low),
                            csv_number(row.success.high), csv_number(row.expected),
                            csv_number(row.expected_interval.low), csv_number(row.expected_interval.high),
                            csv_number(one.area.value), csv_number(one.area.interval.low),
                            csv_number(one.area.interval.high), csv_summary(row.evaluations),
                            csv_summary(row.generations), csv_summary(row.best), csv_summary(row.seconds));
        if (archives) text += csv_summary(row.coverage) + csv_summary(row.qd_score);
        text += "\n";
    }
    return text;
}

std::string runs_csv(const Analysis& analysis) {
    const ParameterColumns parameters{analysis};
    const bool archives = has_archives(analysis);
    std::string text = parameters.head() +
                       "number,seed,outcome,best,found_at,found_generation,evaluations,generations,seconds" +
                       (archives ? ",coverage,qd_score\n" : "\n");
    for (const auto& one : analysis.configurations) {
        const std::string label = parameters.cells(one);
        for (const AnalysedRun& run : one.runs) {
            text +=
                fmt::format("{}{},{},{},{},{},{},{},{},{}", label, run.number, run.seed,
                            outcome_name(run.outcome), csv_number(run.best), run.found_at,
                            run.found_generation, run.evaluations, run.generations, csv_number(run.seconds));
            if (archives) text += "," + csv_number(run.coverage) + "," + csv_number(run.qd_score);
            text += "\n";
        }
    }
    return text;
}

std::string targets_csv(const Analysis& analysis) {
    const ParameterColumns parameters{analysis};
    std::string text = parameters.head() + "target,runs,hits,ert,ert_low,ert_high\n";
    const std::size_t resamples = resamples_for(analysis);
    for (const Group& group : analysis.groups)
        for (const std::size_t member : group.members)
            for (const double target : group.targets) {
                const auto& one = analysis.configurations[member];
                const auto attempts = one.attempts(target);
                const Interval interval = bootstrap_running_time(attempts, 1, resamples);
                text += fmt::format("{}{},{},{},{},{},{}\n", parameters.cells(one), csv_number(target),
                                    attempts.size(), std::ranges::count(attempts, true, &Attempt::hit),
                                    csv_number(expected_running_time(attempts)), csv_number(interval.low),
                                    csv_number(interval.high));
            }
    return text;
}

std::string budgets_csv(const Analysis& analysis) {
    const ParameterColumns parameters{analysis};
    std::string text = parameters.head() + "budget,runs,lower_quartile,median,upper_quartile\n";
    for (const Group& group : analysis.groups)
        for (const std::size_t member : group.members)
            for (const double budget : group.budgets) {
                const auto& one = analysis.configurations[member];
                const auto values = one.best_within(budget);
                text += fmt::format("{}{},{},{},{},{}\n", parameters.cells(one), csv_number(budget),
                                    values.size(), csv_number(quantile(values, 0.25)),
                                    csv_number(quantile(values, 0.5)), csv_number(quantile(values, 0.75)));
            }
    return text;
}

std::string ecdf_csv(const Analysis& analysis) {
    const ParameterColumns parameters{analysis};
    std::string text = parameters.head() + "evaluations,share\n";
    for (const Group& group : analysis.groups)
        for (const std::size_t member : group.members) {
            const auto& one = analysis.configurations[member];
            const std::string label = parameters.cells(one);
            for (const EcdfStep& step : ecdf_over_targets(one, group.targets))
                text += fmt::format("{}{},{}\n", label, step.value, step.share);
        }
    return text;
}

std::string comparisons_csv(const Analysis& analysis) {
    std::string text =
        "first,second,compared,test,statistic,p_raw,p_holm,a12,won_pairs,unequal_pairs,verdict\n";
    const auto pairs = [&](std::size_t count) {
        return analysis.study.paired ? fmt::format("{}", count) : std::string{};
    };
    for (const Group& group : analysis.groups)
        for (const Versus& one : group.comparisons)
            text += fmt::format(
                "{},{},{},{},{},{},{},{},{},{},{}\n", csv_text(analysis.configurations[one.first].info.label),
                csv_text(analysis.configurations[one.second].info.label), compared_name(one),
                test_name(analysis), csv_number(one.comparison.statistic), csv_number(one.comparison.p),
                csv_number(one.p_holm), csv_number(one.comparison.a12), pairs(one.comparison.won_pairs),
                pairs(one.comparison.unequal_pairs), csv_text(one.verdict));
    return text;
}

// Friedman's test of everything has no row: its chi square and p stand in each.
std::string across_csv(const Analysis& analysis) {
    std::string text = "first,second,first_rank,second_rank,z,p_raw,p_holm,problems,chi_square,friedman_p\n";
    if (!analysis.across) return text;
    const Across& across = *analysis.across;
    for (const RankDifference& one : across.friedman.pairs)
        text += fmt::format("{},{},{},{},{},{},{},{},{},{}\n", csv_text(across.methods[one.first]),
                            csv_text(across.methods[one.second]), across.friedman.mean_ranks[one.first],
                            across.friedman.mean_ranks[one.second], csv_number(one.z), csv_number(one.p),
                            csv_number(one.p_holm), across.problems.size(),
                            csv_number(across.friedman.chi_square), csv_number(across.friedman.p));
    return text;
}

std::string markdown_cell(std::string_view text) {
    std::string escaped;
    for (const char c : text) {
        if (c == '|') escaped += '\\';
        escaped += c == '\n' ? ' ' : c;
    }
    return escaped;
}

std::string markdown_table(const Table& table) {
    std::string text = fmt::format("\n### {}\n\n|", table.title);
    for (const auto& cell : table.head) text += fmt::format(" {} |", markdown_cell(cell));
    text += "\n|---|";
    for (std::size_t i = 1; i < table.head.size(); ++i) text += "--:|";
    text += "\n";
    for (const auto& row : table.rows) {
        text += "|";
        for (const auto& cell : row) text += fmt::format(" {} |", markdown_cell(cell));
        text += "\n";
    }
    if (!table.note.empty()) text += fmt::format("\n{}\n", table.note);
    return text;
}

} // namespace

std::string html_report(const Analysis& analysis) {
    const RecordedStudy& study = analysis.study;
    std::string text = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>{} – a "
        "study</title>\n"
        "<style>\n{}{}{}</style>\n</head>\n<body>\n<header>\n<h1>{}</h1>\n",
        escape_xml(study.name), render::css_properties(), style, colour_rules(), escape_xml(study.name));
    if (!study.description.empty()) text += fmt::format("<p>{}</p>\n", escape_xml(study.description));
    text += fmt::format("<p class=\"quiet\">{}</p>\n</header>\n", escape_xml(summary_line(analysis)));
    const auto said = findings(analysis);
    if (!said.empty()) {
        text += "<ul class=\"findings\">\n";
        for (const auto& one : said) text += fmt::format("<li>{}</li>\n", escape_xml(one));
        text += "</ul>\n";
    }
    text += "<nav>";
    for (std::size_t i = 0; i < analysis.groups.size(); ++i)
        text += fmt::format("<a href=\"#{}\">{}</a> ", anchor(i), escape_xml(analysis.groups[i].name));
    if (analysis.across) text += "<a href=\"#across\">all problems</a> ";
    text += "<a href=\"#recipes\">recipes</a></nav>\n";
    const auto sizes = size_charts(analysis);
    if (!sizes.empty()) {
        text += "<section>\n<h2 id=\"sizes\">Against the size of the problem</h2>\n";
        for (const render::Chart& chart : sizes) text += figure_html(chart_picture(chart));
        text += "<p class=\"note\">Bands: 95 % bootstrap intervals. Running times on a logarithmic "
                "axis.</p>\n</section>\n";
    }
    if (analysis.across) {
        text += "<section>\n<h2 id=\"across\">Over all problems</h2>\n";
        for (const Table& table : tables_across(*analysis.across)) text += html_table(table);
        text += "</section>\n";
    }
    for (std::size_t i = 0; i < analysis.groups.size(); ++i) text += group_html(analysis, i);
    text += recipes_html(analysis) + older_html(analysis);
    return text +
           fmt::format("<footer>Quantiles are of type 7. Made by Knossos {} from a study begun {} with "
                       "Knossos {}.</footer>\n</body>\n</html>\n",
                       version, escape_xml(study.created), escape_xml(study.version));
}

std::vector<TextFile> svg_report(const Analysis& analysis) {
    std::vector<TextFile> files;
    const auto add = [&](const std::string& name, const std::vector<render::Chart>& charts) {
        for (std::size_t i = 0; i < charts.size(); ++i)
            files.push_back(
                {fmt::format("{}{}.svg", name, charts.size() == 1 ? "" : fmt::format("-{}", i + 1)),
                 render::to_svg(chart_picture(charts[i]))});
    };
    add("sizes", size_charts(analysis));
    for (std::size_t i = 0; i < analysis.groups.size(); ++i) {
        const Group& group = analysis.groups[i];
        const std::string prefix = analysis.groups.size() == 1 ? "" : anchor(i) + "-";
        add(prefix + "ecdf", ecdf_charts(analysis, group));
        add(prefix + "convergence", convergence_charts(analysis, group));
        files.push_back({prefix + "boxes.svg", render::to_svg(box_plot_picture(box_plot(analysis, group)))});
    }
    return files;
}

std::string markdown_report(const Analysis& analysis) {
    std::string text = fmt::format("# {}\n\n", analysis.study.name);
    if (!analysis.study.description.empty()) text += analysis.study.description + "\n\n";
    text += summary_line(analysis) + "\n\n";
    for (const auto& one : findings(analysis)) text += fmt::format("- {}\n", one);
    if (analysis.across) {
        text += "\n## Over all problems\n";
        for (const Table& table : tables_across(*analysis.across)) text += markdown_table(table);
    }
    for (const Group& group : analysis.groups) {
        text += fmt::format("\n## {}\n", group.name);
        for (const Table& table : tables_of(analysis, group)) text += markdown_table(table);
    }
    text += "\n## Recipes\n";
    for (const auto& one : analysis.configurations)
        text += fmt::format("\n### {}\n\n```toml\n{}```\n", one.info.label, one.info.recipe);
    if (!analysis.study.older.empty()) text += "\n## Left out\n\n";
    for (const OlderConfiguration& one : analysis.study.older) text += fmt::format("- {}\n", text_of(one));
    return text;
}

std::vector<TextFile> csv_report(const Analysis& analysis) {
    return {{"configurations.csv", configurations_csv(analysis)},
            {"runs.csv", runs_csv(analysis)},
            {"targets.csv", targets_csv(analysis)},
            {"budgets.csv", budgets_csv(analysis)},
            {"ecdf.csv", ecdf_csv(analysis)},
            {"comparisons.csv", comparisons_csv(analysis)},
            {"across.csv", across_csv(analysis)}};
}

} // namespace knossos::study
