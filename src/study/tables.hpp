#pragma once

#include <knossos/study/analysis.hpp>

#include <string>
#include <vector>

namespace knossos::study {

/// A table as people read it: the first column is text, the others are numbers.
struct Table {
    std::string title;
    std::vector<std::string> head;
    std::vector<std::vector<std::string>> rows;
    std::string note{};
};

/// The tables of one group, in the order of the report.
std::vector<Table> tables_of(const Analysis& analysis, const Group& group);

/// The methods over all problems: their mean ranks, and how they compare.
std::vector<Table> tables_across(const Across& across);

/// "24.2 k", or a dash where there is no number.
std::string figure(double number);

/// A run's value: "none" if it found nothing that holds all it must.
std::string value_text(double value);

/// How often the runs are drawn anew for an interval: fewer times the more runs there are, so that a report
/// never takes long.
std::size_t resamples_for(const Analysis& analysis);

/// One sentence on what the study holds.
std::string summary_line(const Analysis& analysis);

/// What is said first: for each group, who is best, or that nothing could be shown.
std::vector<std::string> findings(const Analysis& analysis);

} // namespace knossos::study
