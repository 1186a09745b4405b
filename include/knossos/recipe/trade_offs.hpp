#pragma once

#include <knossos/recipe/recipe.hpp>
#include <knossos/render/chart.hpp>
#include <knossos/run/run.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace knossos {

/// What a run with several objectives ends with: records of which none is better than another in everything,
/// the best in the first objective first. What misses something that must hold is none. In a run folder they
/// are front.json and front.csv.
struct TradeOffs {
    std::vector<Column> columns;
    std::vector<std::vector<double>> records;
    std::optional<double> hypervolume{}; ///< where the objectives have ranges
};

/// Whether a result is a front, as it has several objectives.
bool has_front(const Result& result);

TradeOffs trade_offs_of(const Result& result);

/// Every point with its record, its genome, when it was found, and what its genome stands for; see
/// docs/files.md.
std::string front_json(const Recipe& recipe, const Result& result);
/// The records alone, a line each, for spreadsheets.
std::string front_csv(const Result& result);

/// Reads the records back from front.json. Throws InvalidInput that names the file if it is something else.
TradeOffs read_front(std::string_view json, std::string_view file);

/// The first two objectives over each other.
render::Chart front_chart(const TradeOffs& front, std::string title);

} // namespace knossos
