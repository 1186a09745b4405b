#include "study_order.hpp"

#include "order.hpp"
#include "requests.hpp"

#include <knossos/core/text.hpp>

#include <algorithm>
#include <cmath>

namespace knossos::studio {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::string_view study_file = "study";
constexpr std::size_t most_study_keys = 50;
constexpr double most_seed = 9007199254740992.0; // up to here JSON tells whole numbers apart

// Dotted and bare, so that it can stand in TOML as it is. Files and programs are named by the command line
// only.
void check_study_key(std::string_view key) {
    const bool is_plain =
        !key.empty() && key.size() <= 80 && key.front() != '.' && key.back() != '.' &&
        key.find("..") == std::string_view::npos &&
        key.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_.-") == std::string_view::npos;
    if (!is_plain) throw Refusal{422, fmt::format("'{}': a key must look like problem.n", key.substr(0, 80))};
    const std::string_view first = key.substr(0, key.find('.'));
    if (first == "start" || first == "evaluator")
        throw Refusal{422, fmt::format("{}: the studio opens no files and starts no programs that a study "
                                       "names; the command line does",
                                       key)};
}

std::string study_value(const Json& value, std::string_view key) {
    if (value.is_string()) return toml_text(value.get_ref<const std::string&>());
    if (value.is_boolean() || value.is_number()) return value.dump();
    throw Refusal{
        422, fmt::format("{}: {} must be a text, a number, true or false", key, value.dump().substr(0, 60))};
}

// The keys, those that choose parts first: another kind of part drops the fields of the one before.
std::vector<std::string> study_keys(const Json& json, std::string_view what) {
    if (!json.is_object() || json.size() > most_study_keys)
        throw Refusal{422, fmt::format("{} must be an object of at most {} keys such as \"problem.n\"", what,
                                       most_study_keys)};
    std::vector<std::string> keys;
    for (const auto& [key, value] : json.items()) {
        check_study_key(key);
        keys.push_back(key);
    }
    std::ranges::stable_partition(keys, [](const std::string& key) { return key.ends_with(".kind"); });
    return keys;
}

std::string set_lines(const Json& set) {
    std::string text;
    for (const std::string& key : study_keys(set, "set"))
        text += fmt::format("{} = {}\n", key, study_value(set.at(key), key));
    return text;
}

std::string grid_lines(const Json& grid) {
    std::string text;
    for (const std::string& key : study_keys(grid, "grid")) {
        const Json& values = grid.at(key);
        if (!values.is_array() || values.empty() || values.size() > most_study_configurations)
            throw Refusal{422, fmt::format("grid: {} must be a list of values, such as [8, 16]", key)};
        std::vector<std::string> texts;
        for (const Json& one : values) texts.push_back(study_value(one, key));
        text += fmt::format("{} = [{}]\n", key, fmt::join(texts, ", "));
    }
    return text;
}

void check_recipe_name(const Json& name, const Registry& registry) {
    const std::string text = name.is_string() ? name.get<std::string>() : name.dump().substr(0, 60);
    std::vector<std::string> known;
    for (const auto& one : registry.recipes()) known.emplace_back(one.name);
    if (name.is_string() && std::ranges::find(known, text) != known.end()) {
        refuse_outside(Recipe::load(text, {}, registry));
        return;
    }
    const auto meant = nearest(text, known);
    throw Refusal{422, fmt::format("recipes: there is no recipe '{}'{}", text.substr(0, 80),
                                   meant ? "; did you mean " + *meant + "?" : "")};
}

std::string configuration_lines(const Json& json, const Registry& registry) {
    if (!json.is_object()) throw Refusal{422, "configurations: each must be an object with a recipe"};
    know_all_keys(json, {"name", "recipe", "set"});
    check_recipe_name(json.value("recipe", Json("")), registry);
    std::string text = fmt::format("\n[[configuration]]\nrecipe = {}\n",
                                   toml_text(json.at("recipe").get_ref<const std::string&>()));
    if (const auto name = member<std::string>(json, "name"); name && !name->empty())
        text += fmt::format("name = {}\n", toml_text(*name));
    if (const auto set = json.find("set"); set != json.end() && !set->empty())
        text += fmt::format("[configuration.set]\n{}", set_lines(*set));
    return text;
}

void add_whole(std::string& text, const Json& json, std::string_view key, double least, double most) {
    const auto value = member<double>(json, key);
    if (!value) return;
    if (!(*value >= least && *value <= most) || *value != std::floor(*value))
        throw Refusal{422, fmt::format("{} must be a whole number in {:.0f}..{:.0f}", key, least, most)};
    text += fmt::format("{} = {:.0f}\n", key, *value);
}

// More of them than may be are not even put together.
void require_few(const Json& order) {
    double configurations = static_cast<double>(order.value("recipes", Json::array()).size());
    if (const auto grid = order.find("grid"); grid != order.end() && grid->is_object())
        for (const Json& values : *grid) configurations *= static_cast<double>(values.size());
    configurations += static_cast<double>(order.value("configurations", Json::array()).size());
    if (configurations > static_cast<double>(most_study_configurations))
        throw Refusal{422, fmt::format("grid: this makes {:.0f} configurations; the studio takes {} at most",
                                       configurations, most_study_configurations)};
}

// "study:7:1: problem.n = 0: must be …": the place is one in a file that nobody has seen; the key says more.
Diagnostic study_diagnostic(std::string_view line) {
    if (line.starts_with(study_file)) {
        line.remove_prefix(study_file.size());
        while (!line.empty() && (line.front() == ':' || (line.front() >= '0' && line.front() <= '9')))
            line.remove_prefix(1);
        if (line.starts_with(' ')) line.remove_prefix(1);
    }
    const std::size_t equals = line.find(" = ");
    const std::string_view key = line.substr(0, equals == std::string_view::npos ? 0 : equals);
    const bool is_key = !key.empty() && key.find_first_of(" :") == std::string_view::npos;
    if (!is_key) return {.where = std::string{study_file}, .message = std::string{line}};
    const std::size_t colon = line.find(": ", equals);
    return {.where = std::string{key},
            .message = std::string{colon == std::string_view::npos ? line : line.substr(colon + 2)}};
}

std::vector<Diagnostic> study_diagnostics(std::string_view message) {
    std::vector<Diagnostic> all;
    while (!message.empty()) {
        const std::size_t end = std::min(message.find('\n'), message.size());
        all.push_back(study_diagnostic(message.substr(0, end)));
        message.remove_prefix(std::min(end + 1, message.size()));
    }
    return all;
}

} // namespace

std::string study_toml(const Json& order, const Registry& registry) {
    know_all_keys(order, {"name", "description", "recipes", "set", "grid", "configurations", "runs", "seed",
                          "paired", "budget", "targets"});
    const std::string name = member<std::string>(order, "name").value_or("");
    if (name.empty() || name.size() > 80) throw Refusal{422, "name must be a text of 1 to 80 characters"};
    const auto is_given = [&](const char* key) { return order.contains(key) && !order.at(key).empty(); };
    if (!is_given("recipes") && !is_given("configurations"))
        throw Refusal{422, "recipes must name at least one, such as [\"pmx-queens\"]"};
    require_few(order);
    std::string text = fmt::format("name = {}\n", toml_text(name));
    if (const auto description = member<std::string>(order, "description");
        description && !description->empty())
        text += fmt::format("description = {}\n", toml_text(*description));
    add_whole(text, order, "runs", 1, most_study_runs);
    add_whole(text, order, "seed", 0, most_seed);
    add_whole(text, order, "budget", 1, most_seed);
    if (const auto paired = member<bool>(order, "paired")) text += fmt::format("paired = {}\n", *paired);
    if (const auto targets = order.find("targets"); targets != order.end() && !targets->empty()) {
        if (!targets->is_array() || targets->size() > 50 ||
            !std::ranges::all_of(*targets, [](const Json& one) { return one.is_number(); }))
            throw Refusal{422, "targets must be a list of at most 50 numbers"};
        text += fmt::format("targets = {}\n", targets->dump());
    }
    if (const auto recipes = order.find("recipes"); recipes != order.end() && !recipes->empty()) {
        if (!recipes->is_array()) throw Refusal{422, "recipes must be a list of names"};
        std::vector<std::string> names;
        for (const Json& one : *recipes) {
            check_recipe_name(one, registry);
            names.push_back(toml_text(one.get_ref<const std::string&>()));
        }
        text += fmt::format("recipes = [{}]\n", fmt::join(names, ", "));
    }
    if (const auto set = order.find("set"); set != order.end() && !set->empty())
        text += fmt::format("\n[set]\n{}", set_lines(*set));
    if (const auto grid = order.find("grid"); grid != order.end() && !grid->empty())
        text += fmt::format("\n[grid]\n{}", grid_lines(*grid));
    if (const auto list = order.find("configurations"); list != order.end() && !list->empty()) {
        if (!list->is_array()) throw Refusal{422, "configurations must be a list"};
        for (const Json& one : *list) text += configuration_lines(one, registry);
    }
    return text;
}

study::Study checked_study(const std::string& toml, std::size_t most_bytes, const Registry& registry) {
    study::Study study = [&] {
        try {
            return study::Study::parse(toml, study_file, {}, {}, registry);
        } catch (const InvalidInput& error) {
            throw RecipeError{study_diagnostics(error.what())};
        }
    }();
    std::vector<Diagnostic> wrong;
    for (const study::Configuration& one : study.configurations) {
        try {
            require_runnable(one.recipe, most_bytes);
        } catch (const InvalidInput& error) {
            wrong.push_back({.where = std::string{study_file},
                             .message = fmt::format("{}: {}", one.label, error.what())});
        }
    }
    const std::size_t runs = study.runs * study.configurations.size();
    if (runs > most_study_runs)
        wrong.push_back(
            {.where = "runs",
             .message = fmt::format("runs: {} of {} configurations are {}; the studio makes {} at "
                                    "most, the command line more",
                                    study.runs, study.configurations.size(), runs, most_study_runs)});
    if (!wrong.empty()) throw RecipeError{std::move(wrong)};
    return study;
}

} // namespace knossos::studio
