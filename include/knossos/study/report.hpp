#pragma once

#include <knossos/study/analysis.hpp>

#include <string>
#include <vector>

namespace knossos::study {

/// What is to be said of runs that failed or found nothing: a sentence each.
std::vector<std::string> remarks(const Analysis& analysis, const Group& group);

/// What is shown of methods over several problems, in a sentence.
std::string finding_across(const Across& across);

/// The findings as one page that needs nothing else: plots, tables and recipes. Light and dark by the
/// reader's choice, good on paper.
std::string html_report(const Analysis& analysis);

/// The findings and tables as Markdown, for a README or a terminal.
std::string markdown_report(const Analysis& analysis);

struct TextFile {
    std::string name; ///< may lie in a folder of its own: "folder/file"
    std::string text;
};

/// The numbers behind the report, in full: configurations, runs, targets, budgets, ecdf,
/// comparisons, and comparisons over all problems.
std::vector<TextFile> csv_report(const Analysis& analysis);

/// The plots of the page as SVG files of their own.
std::vector<TextFile> svg_report(const Analysis& analysis);

/// The runs in the layout of IOHprofiler, which IOHanalyzer and IOHinspector read: a folder per algorithm, in
/// it a JSON file per function and dimension, which has the parameters as attributes, and a .dat file with a
/// row for each improvement and for the last evaluation. Configurations that differ in anything but the size
/// of their problem are algorithms of their own. C. Doerr, H. Wang, F. Ye, S. van Rijn, T. Bäck:
/// "IOHprofiler: a benchmarking and profiling tool for iterative optimization heuristics", 2018.
std::vector<TextFile> ioh_report(const Store& store, const Registry& registry = Registry::built_in());

} // namespace knossos::study
