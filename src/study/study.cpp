#include <knossos/core/files.hpp>
#include <knossos/core/text.hpp>
#include <knossos/core/toml_depth.hpp>
#include <knossos/recipe/domains.hpp>
#include <knossos/recipe/result_json.hpp>
#include <knossos/run/checkpoint.hpp>
#include <knossos/study/study.hpp>

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace knossos::study {

namespace {

constexpr std::size_t largest_file = 1'000'000;
constexpr std::size_t most_configurations = 10'000;
constexpr std::size_t most_told = 20;
constexpr std::int64_t most_runs = 100'000'000;
constexpr std::uint64_t seed_end = std::uint64_t{1} << 53U; // up to here doubles tell whole numbers apart

// One key with the values it takes in turn.
struct Dimension {
    std::string key;
    std::vector<std::string> values;
    std::string where;
};

// "stages.mutate.probability" → "probability"; a kind is named after its place.
std::string short_key(const std::string& key) {
    const std::size_t dot = key.rfind('.');
    if (dot == std::string::npos) return key;
    std::string last = key.substr(dot + 1);
    if (last != "kind") return last;
    const std::size_t before = key.rfind('.', dot - 1);
    return key.substr(before == std::string::npos ? 0 : before + 1,
                      dot - (before == std::string::npos ? 0 : before + 1));
}

// The last word of a key, unless another key ends in the same one.
std::string distinct_key(const std::string& key, const std::vector<Dimension>& keys) {
    const auto alike =
        std::ranges::count(keys, short_key(key), [](const Dimension& one) { return short_key(one.key); });
    return alike > 1 ? key : short_key(key);
}

// A text in one line, for a label.
std::string in_one_line(const std::string& text) {
    std::string line;
    for (const char c : text) {
        const bool is_space = c == ' ' || c == '\n' || c == '\t' || c == '\r';
        if (!is_space)
            line += c;
        else if (!line.empty() && line.back() != ' ')
            line += ' ';
    }
    while (line.ends_with(' ')) line.pop_back();
    return line;
}

std::string unquoted(const std::string& text) {
    return text.size() >= 2 && text.front() == '"' ? text.substr(1, text.size() - 2) : text;
}

} // namespace

// Turns TOML into a study, collecting everything that is wrong on the way.
class StudyReader {
  public:
    StudyReader(std::string_view toml, std::string_view file, const StudyChanges& changes,
                std::filesystem::path folder, const Registry& registry)
        : file_{file}, changes_{changes}, folder_{std::move(folder)}, registry_{registry} {
        study_.text = toml;
        if (most_key_parts(toml) > allowed_key_parts)
            throw InvalidInput{fmt::format("{}: a key has {} parts; no key of a study has more than five",
                                           file_, most_key_parts(toml))};
        try {
            root_ = toml::parse(toml);
        } catch (const toml::parse_error& error) {
            const auto position = error.source().begin;
            throw InvalidInput{fmt::format("{}:{}:{}: {}", file_, position.line, position.column,
                                           std::string{error.description()})};
        }
    }

    Study read() {
        check_keys(root_, {"name", "description", "runs", "seed", "paired", "budget", "targets", "recipes",
                           "set", "grid", "configuration"});
        study_.name = text("name").value_or(std::filesystem::path{file_}.stem().string());
        study_.description = text("description").value_or("");
        study_.runs = changes_.runs.value_or(whole("runs", 1, most_runs).value_or(100));
        study_.seed = changes_.seed.value_or(whole("seed", 0, INT64_MAX).value_or(1));
        if (const toml::node* paired = root_.get("paired"); paired != nullptr) {
            if (const auto value = paired->value_exact<bool>())
                study_.paired = *value;
            else
                complain(place(paired), "paired must be true or false");
        }
        if (study_.paired && study_.seed > seed_end - study_.runs)
            complain(changes_.seed ? "--seed" : place(root_.get("seed")),
                     fmt::format("seed is {}; with {} paired runs, whose seeds follow each other, it must be "
                                 "at most {}",
                                 study_.seed, study_.runs, seed_end - study_.runs));
        read_targets();
        common_ = settings(root_.get("set"), "set");
        // What the command line says comes after everything that the file says.
        if (changes_.budget)
            last_.push_back({"stop.evaluations", {std::to_string(*changes_.budget)}, "--budget"});
        else if (const auto budget = whole("budget", 1, INT64_MAX))
            common_.push_back({"stop.evaluations", {std::to_string(*budget)}, place(root_.get("budget"))});
        read_grid();
        read_recipes();
        read_list();
        if (study_.configurations.empty() && problems_.empty())
            complain(file_, "has nothing to run: name recipes = [\"pmx-queens\", …] or [[configuration]]s");
        check_labels();
        if (!problems_.empty()) throw InvalidInput{problems_};
        return std::move(study_);
    }

  private:
    // Each thing once, however many configurations suffer from it.
    void complain(const std::string& where, const std::string& message) {
        const std::string line = fmt::format("{}: {}", where, message);
        if (!told_.insert(line).second || told_.size() > most_told) return;
        problems_ += fmt::format("{}{}", problems_.empty() ? "" : "\n", line);
        if (told_.size() == most_told) problems_ += "\nand more of this kind";
    }
    [[nodiscard]] std::string place(const toml::node* node) const {
        if (node == nullptr || node->source().begin.line == 0) return file_;
        return fmt::format("{}:{}:{}", file_, node->source().begin.line, node->source().begin.column);
    }

    void check_keys(const toml::table& table, const std::vector<std::string>& known) {
        for (const auto& [key, node] : table) {
            if (std::ranges::find(known, key.str()) != known.end()) continue;
            const auto meant = nearest(key.str(), known);
            complain(place(&node), fmt::format("{} is not a key here; {}", key.str(),
                                               meant ? "did you mean " + *meant + "?"
                                                     : fmt::format("known are {}", fmt::join(known, ", "))));
        }
    }

    std::optional<std::string> text(std::string_view key) {
        const toml::node* node = root_.get(key);
        if (node == nullptr) return std::nullopt;
        auto value = node->value_exact<std::string>();
        if (!value) complain(place(node), fmt::format("{} must be a text in quotes", key));
        return value;
    }

    std::optional<std::uint64_t> whole(std::string_view key, std::int64_t least, std::int64_t most) {
        const toml::node* node = root_.get(key);
        if (node == nullptr) return std::nullopt;
        const auto value = node->value_exact<std::int64_t>();
        if (value && *value >= least && *value <= most) return static_cast<std::uint64_t>(*value);
        complain(place(node), fmt::format("{} must be a whole number of at least {}{}", key, least,
                                          most == INT64_MAX ? "" : fmt::format(" and at most {}", most)));
        return std::nullopt;
    }

    void read_targets() {
        const toml::node* node = root_.get("targets");
        if (node == nullptr) return;
        const toml::array* list = node->as_array();
        if (list == nullptr) return complain(place(node), "targets must be a list of numbers");
        for (const auto& one : *list) {
            const auto value = one.value<double>();
            if (one.is_number() && value && std::isfinite(*value))
                study_.targets.push_back(*value);
            else
                complain(place(&one), "targets must be a list of numbers");
        }
    }

    // A value as it stands behind the = of an override.
    std::optional<std::string> override_value(const toml::node& node, const std::string& key) {
        if (const auto value = node.value_exact<bool>()) return toml_value(*value);
        if (const auto value = node.value_exact<std::int64_t>()) return toml_value(*value);
        if (const auto value = node.value_exact<double>()) return toml_value(*value);
        if (const auto value = node.value_exact<std::string>()) return toml_value(*value);
        complain(place(&node), fmt::format("{} must be a number, a text, true or false", key));
        return std::nullopt;
    }

    // Keys with one value each, nested tables and dotted names alike: problem.n = 8, or [set.problem] n = 8.
    std::vector<Dimension> settings(const toml::node* node, const std::string& name) {
        std::vector<Dimension> found;
        if (node == nullptr) return found;
        if (!node->is_table()) {
            complain(place(node), fmt::format("{} must be a table of keys and values", name));
            return found;
        }
        collect(*node->as_table(), "", false, found);
        return found;
    }

    void collect(const toml::table& table, const std::string& prefix, bool lists,
                 std::vector<Dimension>& found) {
        for (const auto& [key, node] : table) {
            const std::string path = prefix + std::string{key.str()};
            if (const auto* inner = node.as_table()) {
                collect(*inner, path + ".", lists, found);
                continue;
            }
            Dimension dimension{.key = path, .values = {}, .where = place(&node)};
            if (!lists) {
                if (const auto value = override_value(node, path)) dimension.values.push_back(*value);
            } else if (const auto* list = node.as_array()) {
                for (const auto& one : *list)
                    if (auto value = override_value(one, path)) dimension.values.push_back(std::move(*value));
                if (list->empty())
                    complain(place(&node), fmt::format("grid.{} is empty, so there would be no run", path));
            } else {
                complain(place(&node),
                         fmt::format("grid.{} must be a list of values, such as [8, 16]", path));
            }
            if (!dimension.values.empty()) found.push_back(std::move(dimension));
        }
    }

    void read_grid() {
        const toml::node* node = root_.get("grid");
        if (node == nullptr) return;
        if (!node->is_table()) return complain(place(node), "grid must be a table of keys and lists");
        collect(*node->as_table(), "", true, grid_);
        double combinations = 1.0;
        for (const Dimension& one : grid_) combinations *= static_cast<double>(one.values.size());
        if (combinations > static_cast<double>(most_configurations)) {
            complain(place(node), fmt::format("the grid makes {:.0f} configurations; at most {} are possible",
                                              combinations, most_configurations));
            grid_.clear();
            return;
        }
        if (grid_.empty() && problems_.empty())
            complain(place(node), "the grid is empty: give a key a list of values, such as problem.n = [8, "
                                  "16], or leave [grid] out");
        // In the order of the file: toml++ sorts keys.
        std::ranges::stable_sort(grid_, {}, [](const Dimension& one) {
            const std::size_t column = one.where.rfind(':');
            const std::size_t line = one.where.rfind(':', column - 1);
            return std::pair{std::stoul(one.where.substr(line + 1)),
                             std::stoul(one.where.substr(column + 1))};
        });
    }

    void read_recipes() {
        const toml::node* node = root_.get("recipes");
        if (node == nullptr) {
            if (root_.get("grid") != nullptr && root_.get("configuration") == nullptr)
                complain(file_, "has a grid but no recipes = [\"pmx-queens\", …]");
            return;
        }
        const toml::array* list = node->as_array();
        if (list == nullptr || list->empty())
            return complain(place(node), "recipes must be a list of at least one name or file");
        for (const auto& one : *list) {
            const auto name = one.value_exact<std::string>();
            if (!name) {
                complain(place(&one), "recipes must be a list of names in quotes");
                continue;
            }
            if (!is_known(*name, place(&one))) continue;
            expand(*name, 0, {}, place(&one));
        }
    }

    // Every combination of the grid's values, the last key varying fastest.
    void expand(const std::string& recipe, std::size_t depth, std::vector<Dimension> chosen,
                const std::string& where) {
        if (study_.configurations.size() > most_configurations) return;
        if (depth == grid_.size()) return add(recipe, "", chosen, where);
        for (const auto& value : grid_[depth].values) {
            auto more = chosen;
            more.push_back({grid_[depth].key, {value}, grid_[depth].where});
            expand(recipe, depth + 1, std::move(more), where);
        }
    }

    void read_list() {
        const toml::node* node = root_.get("configuration");
        if (node == nullptr) return;
        const toml::array* list = node->as_array();
        if (list == nullptr) return complain(place(node), "write each configuration as [[configuration]]");
        for (const auto& one : *list) {
            const toml::table* table = one.as_table();
            if (table == nullptr) {
                complain(place(&one), "write each configuration as [[configuration]]");
                continue;
            }
            check_keys(*table, {"name", "recipe", "set"});
            const auto recipe = (*table)["recipe"].value_exact<std::string>();
            if (!recipe) {
                complain(place(&one), "a configuration needs recipe = \"NAME\"");
                continue;
            }
            if (is_known(*recipe, place(table->get("recipe"))))
                add(*recipe, (*table)["name"].value_or(std::string{}), settings(table->get("set"), "set"),
                    place(&one));
        }
    }

    // A recipe that is not there is reported once, not for every combination.
    bool is_known(const std::string& name, const std::string& where) {
        try {
            (void)Recipe::load(resolved(name), {}, registry_);
            return true;
        } catch (const Error& error) {
            complain(where, error.what());
            return false;
        }
    }

    [[nodiscard]] std::string resolved(const std::string& recipe) const {
        const bool is_file = recipe.find('/') != std::string::npos || recipe.ends_with(".toml");
        if (!is_file || std::filesystem::path{recipe}.is_absolute()) return recipe;
        const auto path = folder_ / recipe;
        return path.string().find('/') == std::string::npos ? "./" + path.string() : path.string();
    }

    void add(const std::string& recipe, const std::string& name, const std::vector<Dimension>& chosen,
             const std::string& where) {
        std::vector<std::string> overrides;
        for (const auto* group : {&std::as_const(common_), &chosen, &std::as_const(last_)})
            for (const Dimension& one : *group) overrides.push_back(one.key + "=" + one.values.front());
        overrides.insert(overrides.end(), changes_.overrides.begin(), changes_.overrides.end());
        overrides.push_back(fmt::format("seed={}", study_.seed));
        try {
            Configuration made{
                .label = name, .recipe = Recipe::load(resolved(recipe), overrides, registry_), .varied = {}};
            const std::string called = made.recipe.name().empty() ? recipe : made.recipe.name();
            made.varied.emplace_back("recipe", called);
            if (name.empty()) made.label = called;
            for (const Dimension& one : chosen) {
                const std::string value = unquoted(one.values.front());
                made.varied.emplace_back(one.key, value);
                if (name.empty())
                    made.label += fmt::format(" {}={}", distinct_key(one.key, chosen), in_one_line(value));
            }
            made.identity = identity_of(made.recipe);
            check_use(made, where);
            study_.configurations.push_back(std::move(made));
            if (study_.configurations.size() == most_configurations + 1)
                complain(file_, fmt::format("makes more than {} configurations", most_configurations));
        } catch (const RecipeError& error) {
            for (const Diagnostic& one : error.diagnostics())
                complain(origin(one, chosen, where), one.message);
        } catch (const InvalidInput& error) {
            complain(where, error.what());
        }
    }

    // Where in the study file the value stands that a recipe complained about.
    [[nodiscard]] std::string origin(const Diagnostic& diagnostic, const std::vector<Dimension>& chosen,
                                     const std::string& where) const {
        for (const auto* group : {&chosen, &common_})
            for (const Dimension& one : *group)
                if (diagnostic.where == "--set " + one.key + "=" + one.values.front())
                    return fmt::format("{}: {} = {}", one.where, one.key, one.values.front());
        return diagnostic.where.starts_with("--set ") ? diagnostic.where : where + ": " + diagnostic.where;
    }

    void check_use(const Configuration& made, const std::string& where) {
        (void)made.recipe.problem();
        if (!made.recipe.stop().is_bounded())
            complain(where, fmt::format("{} might never end: give the study a budget = EVALUATIONS, or the "
                                        "recipe a limit in [stop]",
                                        made.label));
    }

    void check_labels() {
        std::set<std::string> labels;
        std::map<std::string, std::string> identities;
        for (const Configuration& one : study_.configurations) {
            const auto [same, is_new] = identities.emplace(one.identity, one.label);
            if (!labels.insert(one.label).second)
                complain(file_, fmt::format("has two configurations called {}; give them a name", one.label));
            else if (!is_new)
                complain(file_, fmt::format("{} and {} are the same configuration", same->second, one.label));
        }
    }

    std::string file_;
    const StudyChanges& changes_;
    std::filesystem::path folder_;
    const Registry& registry_;
    toml::table root_;
    std::string problems_;
    std::vector<Dimension> common_;
    std::set<std::string> told_;
    std::vector<Dimension> last_; // from the command line
    std::vector<Dimension> grid_;
    Study study_;
};

Study Study::parse(std::string_view toml, std::string_view file, const StudyChanges& changes,
                   const std::filesystem::path& folder, const Registry& registry) {
    return StudyReader{toml, file, changes, folder, registry}.read();
}

Study Study::load(const std::filesystem::path& file, const StudyChanges& changes, const Registry& registry) {
    return parse(read_file(file, largest_file), file.string(), changes, file.parent_path(), registry);
}

std::uint64_t Study::seed_of(std::size_t configuration, std::uint64_t number) const {
    if (paired) return seed + number;
    // The identity covers the study's seed.
    return stable_hash(fmt::format("{} run {}", configurations[configuration].identity, number)) % seed_end;
}

std::string identity_of(const Recipe& recipe) {
    return digest_text(stable_hash(fmt::format("{:016x} {}", recipe.hash(), recipe.stop().to_text())));
}

std::optional<double> size_of_problem(const Recipe& recipe) {
    const Recipe::Choice* problem = recipe.choice("problem");
    return problem != nullptr ? domain_of(recipe).size_of(problem->values) : std::nullopt;
}

} // namespace knossos::study
