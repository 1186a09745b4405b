#pragma once

#include <knossos/study/analysis.hpp>

#include <string>
#include <vector>

namespace knossos::study {

/// The findings as one page that needs nothing else: plots, tables and recipes. Light and dark by the
/// reader's choice, good on paper.
std::string html_report(const Analysis& analysis);

/// The findings and tables as Markdown, for a README or a terminal.
std::string markdown_report(const Analysis& analysis);

struct CsvFile {
    std::string name;
    std::string text;
};

/// The numbers behind the report, in full: configurations, runs, targets, budgets, ecdf, comparisons.
std::vector<CsvFile> csv_report(const Analysis& analysis);

} // namespace knossos::study
