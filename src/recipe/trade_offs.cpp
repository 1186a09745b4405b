#include "recipe/genes_json.hpp"

#include <knossos/core/hypervolume.hpp>
#include <knossos/recipe/domains.hpp>
#include <knossos/recipe/trade_offs.hpp>
#include <knossos/version.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <span>

namespace knossos {

namespace {

using FrontJson = nlohmann::ordered_json;

constexpr std::array all_roles{Role::objective, Role::violation, Role::descriptor, Role::guide};

Role role_named(const std::string& name) {
    for (const Role role : all_roles)
        if (to_string(role) == name) return role;
    throw InvalidInput{fmt::format("'{}' is no role of a column", name)};
}

std::string_view direction_of(const Column& column) {
    return column.direction == Objective::maximise ? "maximise" : "minimise";
}

std::string point_json(const Recipe& recipe, const Result& result, const HallEntry& one) {
    FrontJson record = FrontJson::object();
    for (std::size_t i = 0; i < one.record.size(); ++i)
        record[std::string{result.columns[i].name.text()}] = one.record[i];
    const FrontJson point{{"record", record},
                          {"genome", genes_json(one.genome)},
                          {"generation", one.generation},
                          {"evaluations", one.evaluations},
                          {"island", one.island}};
    const ArtefactPtr artefact = artefact_of(recipe, one.genome);
    return joined_objects({point.dump(), artefact ? artefact->json() : std::string{"{}"}});
}

} // namespace

bool has_front(const Result& result) {
    return std::ranges::count(result.columns, Role::objective, &Column::role) > 1;
}

TradeOffs trade_offs_of(const Result& result) {
    TradeOffs front{.columns = result.columns, .records = {}};
    std::vector<std::span<const double>> feasible;
    for (const HallEntry& one : result.hall_of_fame) {
        if (one.violation != 0.0) continue;
        front.records.push_back(one.record);
        feasible.emplace_back(one.record);
    }
    const Schema schema{result.columns};
    if (schema.merit() == Merit::hypervolume) front.hypervolume = hypervolume(schema, feasible);
    return front;
}

std::string front_json(const Recipe& recipe, const Result& result) {
    FrontJson described = FrontJson::array();
    for (const Column& column : result.columns) {
        FrontJson one{{"name", column.name.text()}, {"role", to_string(column.role)}};
        if (column.role == Role::objective) one["direction"] = direction_of(column);
        described.push_back(one);
    }
    FrontJson head{{"recipe", recipe.name()}, {"seed", recipe.seed()}, {"version", version}};
    if (const auto volume = trade_offs_of(result).hypervolume) head["hypervolume"] = *volume;
    head["columns"] = described;
    std::string points;
    for (const HallEntry& one : result.hall_of_fame)
        if (one.violation == 0.0)
            points += fmt::format("{}\n{}", points.empty() ? "" : ",", point_json(recipe, result, one));
    return joined_objects({head.dump(), fmt::format("{{\"points\":[{}\n]}}", points)}) + "\n";
}

std::string front_csv(const Result& result) {
    std::string text = "point";
    for (const Column& column : result.columns) {
        const std::string_view name = column.name.text();
        const bool is_quoted = name.find_first_of(",\"\n") != std::string_view::npos;
        text += ',';
        if (is_quoted) text += '"';
        for (const char letter : name) text += letter == '"' ? std::string{"\"\""} : std::string{letter};
        if (is_quoted) text += '"';
    }
    const TradeOffs front = trade_offs_of(result);
    for (std::size_t i = 0; i < front.records.size(); ++i) {
        text += fmt::format("\n{}", i + 1);
        for (const double value : front.records[i]) text += fmt::format(",{}", value);
    }
    return text + "\n";
}

TradeOffs read_front(std::string_view json, std::string_view file) {
    try {
        const FrontJson whole = FrontJson::parse(json);
        TradeOffs front;
        for (const FrontJson& one : whole.at("columns"))
            front.columns.push_back({.name = ColumnName{one.at("name").get<std::string>()},
                                     .role = role_named(one.at("role").get<std::string>()),
                                     .direction = one.value("direction", "minimise") == "maximise"
                                                      ? Objective::maximise
                                                      : Objective::minimise});
        if (whole.contains("hypervolume")) front.hypervolume = whole.at("hypervolume").get<double>();
        for (const FrontJson& point : whole.at("points")) {
            auto& record = front.records.emplace_back();
            for (const Column& column : front.columns) {
                // What is infinite has no number in JSON.
                const FrontJson& value = point.at("record").at(std::string{column.name.text()});
                record.push_back(value.is_null() ? std::numeric_limits<double>::infinity()
                                                 : value.get<double>());
            }
        }
        if (std::ranges::count(front.columns, Role::objective, &Column::role) < 2)
            throw InvalidInput{"it has fewer than two objectives"};
        return front;
    } catch (const std::exception& error) {
        throw InvalidInput{fmt::format("{}: is not the front of a run: {}", file, error.what())};
    }
}

render::Chart front_chart(const TradeOffs& front, std::string title) {
    std::vector<std::size_t> objectives;
    for (std::size_t i = 0; i < front.columns.size(); ++i)
        if (front.columns[i].role == Role::objective) objectives.push_back(i);
    const auto name = [&](std::size_t i) {
        const Column& column = front.columns[objectives[i]];
        return fmt::format("{} ({}d)", column.name.text(), direction_of(column));
    };
    render::Series series{.name = "", .colour = &render::Theme::aegean, .points = {}, .dots = true};
    for (const auto& record : front.records)
        series.points.push_back({record[objectives[0]], record[objectives[1]]});
    std::ranges::stable_sort(series.points, {}, &render::Point::x);
    return {.title = std::move(title),
            .x_name = name(0),
            .y_name = name(1),
            .series = {std::move(series)},
            .bands = {},
            .target = {}};
}

} // namespace knossos
