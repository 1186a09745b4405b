#include "recipe/chosen.hpp"
#include "recipe/start.hpp"
#include "recipe/stop_keys.hpp"

#include <knossos/core/files.hpp>
#include <knossos/core/text.hpp>
#include <knossos/core/toml_depth.hpp>
#include <knossos/recipe/domains.hpp>
#include <knossos/recipe/recipe.hpp>

#include <fmt/format.h>
#ifdef __EMSCRIPTEN__
#include "recipe/toml_numbers.hpp"
#endif
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace knossos {

namespace {

std::string list(const std::vector<std::string>& names) { return fmt::format("{}", fmt::join(names, ", ")); }

} // namespace

// Turns TOML into a recipe, collecting everything that is wrong on the way.
class RecipeReader {
  public:
    RecipeReader(std::string_view toml, std::string_view file, const std::vector<std::string>& overrides,
                 const Registry& registry)
        : file_{file} {
        recipe_.registry_ = registry;
        if (most_key_parts(toml) > allowed_key_parts) {
            complain(toml::source_position{},
                     fmt::format("a key has {} parts; no key of a recipe has more than three",
                                 most_key_parts(toml)));
            throw RecipeError{sorted_diagnostics()};
        }
        try {
            root_ = toml::parse(toml);
        } catch (const toml::parse_error& error) {
            complain(error.source().begin, std::string{error.description()});
            throw RecipeError{sorted_diagnostics()};
        }
        for (const auto& one : overrides) apply(one);
        spell_out();
    }

    Recipe read() {
        check_places();
        read_text("name", recipe_.name_);
        read_text("description", recipe_.description_);
        if (const auto* seed = root_.get("seed")) {
            if (const auto value = seed->value_exact<std::int64_t>(); value && *value >= 0)
                recipe_.seed_ = static_cast<std::uint64_t>(*value);
            else
                complain(
                    seed, "seed",
                    fmt::format("must be a whole number in 0..{}", std::numeric_limits<std::int64_t>::max()));
        }
        for (const RecipeSection& section : sections()) read_section(section);
        recipe_.stop_ = read_stop(root_.get("stop"), "stop", StopKind::any);
        fill_schedule();
        fill_descriptors();
        read_output();
        check_use();
        check_fit();
        if (!diagnostics_.empty()) throw RecipeError{sorted_diagnostics()};
        return std::move(recipe_);
    }

  private:
    // evaluator = "./score.py" is short for the program of [evaluator].
    void spell_out() {
        auto* const program = root_.get_as<std::string>("evaluator");
        if (program == nullptr) return;
        toml::table evaluator;
        evaluator.insert("program", std::move(*program)); // moved, it keeps its place in the file
        root_.insert_or_assign("evaluator", std::move(evaluator));
    }

    // The keys of a recipe, and of its table of stages.
    void check_places() {
        std::vector<std::string> keys{"name", "description", "seed"};
        std::vector<std::string> stages;
        for (const RecipeSection& section : sections()) {
            if (is_stage(section.path))
                stages.push_back(section.path.substr(stage_prefix.size()));
            else
                keys.push_back(section.path);
        }
        keys.insert(keys.end(), {"stages", "stop", "output"});
        check_keys(root_, "", keys);
        if (const auto* table = table_at("stages")) check_keys(*table, std::string{stage_prefix}, stages);
    }

    static constexpr std::string_view stage_prefix = "stages.";
    static bool is_stage(std::string_view path) { return path.starts_with(stage_prefix); }

    // Where a stage, or another part, stands in a recipe.
    [[nodiscard]] std::string path_of(const std::string& place) const {
        std::string stage = fmt::format("{}{}", stage_prefix, place);
        return std::ranges::find(sections(), stage, &RecipeSection::path) != sections().end() ? stage : place;
    }

    [[nodiscard]] const std::vector<RecipeSection>& sections() const { return recipe_.registry().sections(); }

    [[nodiscard]] const RecipeSection& section_at(std::string_view path) const {
        return *std::ranges::find(sections(), path, &RecipeSection::path);
    }

    // A diagnostic with its place in the file, to be told in the order in which one reads.
    struct Placed {
        toml::source_position position; // line 0 for what concerns the whole file
        Diagnostic diagnostic;
    };

    static constexpr toml::source_index behind_the_file = std::numeric_limits<toml::source_index>::max();

    void complain(toml::source_position position, std::string message) {
        const std::string where =
            position.line == 0 ? file_ : fmt::format("{}:{}:{}", file_, position.line, position.column);
        diagnostics_.push_back({position, {where, std::move(message)}});
    }

    void complain_override(const std::string& text, std::string message) {
        diagnostics_.push_back({{behind_the_file, 0}, {"--set " + text, std::move(message)}});
    }

    // What is wrong at a path; its node, if any, stands in the file or came with an override.
    void complain_at(const std::string& path, toml::source_position position, std::string message) {
        const auto concerns = [&](const std::string& overridden) { // or a part of it
            return overridden.starts_with(path + ".") || path.starts_with(overridden + ".");
        };
        for (const bool exactly : {true, false})
            for (const auto& [overridden, text] : overrides_)
                if (exactly ? overridden == path : concerns(overridden))
                    return complain_override(text, std::move(message));
        complain(position, std::move(message));
    }

    void complain(const toml::node* node, const std::string& path, std::string_view message) {
        complain_at(path, position_of(node), fmt::format("{} {}", path, message));
    }

    static toml::source_position position_of(const toml::node* node) {
        return node == nullptr ? toml::source_position{} : node->source().begin;
    }

    [[nodiscard]] std::vector<Diagnostic> sorted_diagnostics() {
        std::ranges::stable_sort(diagnostics_, [](const Placed& a, const Placed& b) {
            return std::pair{a.position.line, a.position.column} <
                   std::pair{b.position.line, b.position.column};
        });
        std::vector<Diagnostic> sorted;
        for (Placed& one : diagnostics_) sorted.push_back(std::move(one.diagnostic));
        return sorted;
    }

    void apply(const std::string& text) {
        spell_out(); // what one override writes in short, the next may add to
        const std::size_t equals = text.find('=');
        if (equals == std::string::npos || equals == 0) {
            complain_override(text, "must look like key.path=value, such as problem.n=64");
            return;
        }
        const std::string path = text.substr(0, equals);
        if (most_key_parts(text) > allowed_key_parts) {
            complain_override(text.substr(0, 40) + "…",
                              "has too many parts; no key of a recipe has more than three");
            return;
        }
        toml::table value;
        try {
            value = toml::parse("value = " + text.substr(equals + 1));
        } catch (const toml::parse_error&) {
            value.insert_or_assign("value", text.substr(equals + 1)); // names need no quotes here
        }
        if (text.substr(equals + 1) == "none" || text.substr(equals + 1) == "\"none\"") {
            const auto section = std::ranges::find(sections(), path, &RecipeSection::path);
            if (section != sections().end()) return take_away(*section, text);
        }
        toml::table* table = &root_;
        std::size_t start = 0;
        for (std::size_t dot = path.find('.'); dot != std::string::npos;
             start = dot + 1, dot = path.find('.', start)) {
            const std::string key = path.substr(start, dot - start);
            if (table->get_as<toml::table>(key) == nullptr) table->insert_or_assign(key, toml::table{});
            table = table->get_as<toml::table>(key);
        }
        const std::string key = path.substr(start);
        // Another part has other fields: those written for the old one don't count any more.
        if (key == "kind")
            drop_foreign_fields(path.substr(0, start == 0 ? 0 : start - 1), *table, *value.get("value"));
        value.get("value")->visit([&](auto& node) { table->insert_or_assign(key, node); });
        overrides_.emplace_back(path, text);
    }

    void take_away(const RecipeSection& section, const std::string& text) {
        if (section.removable) {
            const bool in_stages = is_stage(section.path);
            if (auto* table = in_stages ? root_.get_as<toml::table>("stages") : &root_)
                table->erase(in_stages ? section.path.substr(stage_prefix.size()) : section.path);
            overrides_.emplace_back(section.path, text);
            return;
        }
        std::vector<std::string> removable;
        for (const RecipeSection& one : sections())
            if (one.removable) removable.push_back(one.path);
        complain_override(text, fmt::format("{} can't be none, only {} can{}", section.path, list(removable),
                                            section.path == "stages.mutate"
                                                ? "; stages.mutate.probability=0 never mutates"
                                                : ""));
    }

    void drop_foreign_fields(const std::string& path, toml::table& table, const toml::node& kind) const {
        const auto section = std::ranges::find(sections(), path, &RecipeSection::path);
        if (section == sections().end()) return;
        const PartInfo* part = section->part(kind.value_or(std::string{}));
        if (part == nullptr) return;
        std::vector<std::string> foreign;
        for (const auto& [key, node] : table)
            if (key.str() != "kind" &&
                std::ranges::find(part->fields, key.str(), &FieldInfo::name) == part->fields.end())
                foreign.emplace_back(key.str());
        for (const auto& key : foreign) table.erase(key);
    }

    void check_keys(const toml::table& table, const std::string& prefix,
                    const std::vector<std::string>& known) {
        for (const auto& [key, _] : table) {
            if (std::ranges::find(known, key.str()) != known.end()) continue;
            const std::string path = prefix + std::string{key.str()};
            const auto meant = nearest(key.str(), known);
            complain_at(path, key.source().begin,
                        fmt::format("{} is not a key here; {}", path,
                                    meant ? "did you mean " + *meant + "?" : "known are " + list(known)));
        }
    }

    void read_text(std::string_view key, std::string& target) {
        const auto* node = root_.get(key);
        if (node == nullptr) return;
        if (const auto text = node->value_exact<std::string>())
            target = *text;
        else
            complain(node, std::string{key}, "must be a text in quotes");
    }

    [[nodiscard]] const toml::table* table_at(const std::string& path) {
        const toml::node* node = root_.at_path(path).node();
        if (node == nullptr) return nullptr;
        if (const auto* table = node->as_table()) return table;
        complain(node, path, fmt::format("must be a table: [{}]", path));
        return nullptr;
    }

    void read_section(const RecipeSection& section) {
        const toml::table* table = table_at(section.path);
        if (table == nullptr && section.optional) return;
        const std::size_t before = diagnostics_.size();
        const PartInfo* part = chosen_part(section, table);
        if (part == nullptr) return;
        Recipe::Choice choice{.kind = part->name, .values = {}};
        std::vector<std::string> known;
        if (section.has_kind()) known.emplace_back("kind");
        for (const FieldInfo& field : part->fields) {
            known.push_back(field.name);
            choice.values[field.name] = field.default_value;
            const toml::node* node = table != nullptr ? table->get(field.name) : nullptr;
            if (node == nullptr) continue;
            const std::string path = section.path + "." + field.name;
            auto value = scalar(*node);
            if (!value) {
                complain(node, path, "must be a single value");
                continue;
            }
            if (const auto wrong = fit(field, *value))
                complain(node, path, *wrong);
            else
                choice.values[field.name] = *value;
        }
        if (table != nullptr) check_keys(*table, section.path + ".", known);
        recipe_.choices_[section.path] = std::move(choice);
        if (diagnostics_.size() != before) flawed_.insert(section.path);
    }

    const PartInfo* chosen_part(const RecipeSection& section, const toml::table* table) {
        if (!section.has_kind()) return &section.parts.front();
        const toml::node* node = table != nullptr ? table->get("kind") : nullptr;
        if (node == nullptr) {
            if (!section.default_kind.empty()) return section.part(section.default_kind);
            complain(table, section.path, fmt::format("needs a kind: one of {}", list(section.kinds())));
            return nullptr;
        }
        const auto kind = node->value_exact<std::string>();
        if (kind)
            if (const PartInfo* part = section.part(*kind)) return part;
        const auto meant = kind ? nearest(*kind, section.kinds()) : std::nullopt;
        complain(node, section.path + ".kind",
                 fmt::format("is {}; {}", kind ? toml_text(*kind) : "not a text",
                             meant ? "did you mean " + *meant + "?" : "known are " + list(section.kinds())));
        return nullptr;
    }

    static std::optional<Value> scalar(const toml::node& node) {
        if (const auto value = node.value_exact<bool>()) return Value{*value};
        if (const auto value = node.value_exact<std::int64_t>()) return Value{*value};
        if (const auto value = node.value_exact<double>()) return Value{*value};
        if (const auto value = node.value_exact<std::string>()) return Value{*value};
        return std::nullopt;
    }

    StopRule read_stop(const toml::node* node, const std::string& path, StopKind kind) {
        std::vector<StopRule> rules;
        const toml::table* table = node != nullptr ? node->as_table() : nullptr;
        if (node != nullptr && table == nullptr) complain(node, path, "must be a table of stop rules");
        if (table == nullptr) return {};
        if (table->empty() && path != "stop") complain(node, path, "must hold at least one stop rule");
        std::vector<std::string> known{"solved"};
        for (const auto& one : stop_names) known.emplace_back(one.name);
        check_keys(*table, path + ".", known);
        if (const auto* wanted = table->get("solved")) {
            if (const auto value = wanted->value_exact<bool>(); !value)
                complain(wanted, path + ".solved", "must be true or false");
            else if (*value)
                rules.push_back(solved());
        }
        for (const auto& [name, rule] : stop_names) {
            const auto* limit = table->get(name);
            if (limit == nullptr) continue;
            const std::string inner = path + "." + std::string{name};
            if (rule == StopKind::any || rule == StopKind::all) {
                rules.push_back(read_stop(limit, inner, rule));
                continue;
            }
            const auto number = limit->value<double>();
            const bool whole = is_whole(rule);
            if (!limit->is_number() || !number ||
                (whole && (*number != std::floor(*number) || *number > largest_count))) {
                complain(limit, inner,
                         whole ? fmt::format("must be a whole number of at most {:.0f}", largest_count)
                               : "must be a number");
                continue;
            }
            const StopRule made{rule, *number};
            try {
                made.check(true);
                rules.push_back(made);
            } catch (const InvalidInput& error) {
                complain_at(inner, position_of(limit), error.what());
            }
        }
        if (rules.empty()) return {};
        return {kind, std::move(rules)};
    }

    void read_output() {
        const toml::table* table = table_at("output");
        if (table == nullptr) return;
        check_keys(*table, "output.", {"files", "checkpoint_every", "device"});
        if (const auto* every = table->get("checkpoint_every")) {
            const auto seconds = every->value<double>();
            if (every->is_number() && seconds && *seconds >= 0.0)
                recipe_.output_.checkpoint_every = *seconds;
            else
                complain(every, "output.checkpoint_every", "must be a number of seconds of at least 0");
        }
        if (const auto* device = table->get("device")) {
            if (const auto name = device->value_exact<std::string>(); name && !name->empty())
                recipe_.output_.device = *name;
            else
                complain(device, "output.device",
                         "must be \"cpu\", \"auto\" or the name of a device, in quotes");
        }
        const auto* files = table->get("files");
        if (files == nullptr) return;
        const toml::array* list = files->as_array();
        if (list == nullptr)
            return complain(files, "output.files", "must be a list of texts: [\"best.svg\"]");
        for (const toml::node& file : *list) {
            if (const auto name = file.value_exact<std::string>(); name && !name->empty())
                recipe_.output_.files.push_back(*name);
            else
                complain(&file, "output.files", "must hold the names of files, in quotes");
        }
    }

    // What annealing is not told it takes from the rest of the recipe: it cools over the evaluations that the
    // run will have, between temperatures that suit the problem. The recipe holds the numbers from here on:
    // what a run does must not depend on when it is stopped.
    void fill_schedule() {
        const auto algorithm = recipe_.choices_.find("algorithm");
        if (algorithm == recipe_.choices_.end() || algorithm->second.kind != Annealing::name) return;
        const auto fill = [&](const std::string& field, const Value& value) {
            if (root_.at_path("algorithm." + field).node() == nullptr)
                algorithm->second.values[field] = value;
        };
        const Recipe::Choice* islands = recipe_.choice("islands");
        const std::int64_t count =
            islands == nullptr ? 1 : std::get<std::int64_t>(islands->values.at("count"));
        if (const auto limit = recipe_.stop_.limit(StopKind::evaluations))
            fill("steps",
                 std::max<std::int64_t>(1, static_cast<std::int64_t>(std::min(*limit, 9.0e15)) / count));
        const Recipe::Choice* problem = recipe_.choice("problem");
        if (problem == nullptr) return;
        const Domain& domain = domain_of(recipe_);
        if (!domain.temperatures) return;
        const Temperatures defaults = domain.temperatures(problem->values);
        fill("start", defaults.start);
        fill("end", defaults.end);
    }

    // What the elites of an archive are to differ in has to be measured: a domain that can be asked for
    // descriptors is asked for those that the recipe's axes name and it does not list itself. Axes that can't
    // be read are told later.
    void fill_descriptors() {
        const auto algorithm = recipe_.choices_.find("algorithm");
        const auto problem = recipe_.choices_.find("problem");
        if (algorithm == recipe_.choices_.end() || problem == recipe_.choices_.end()) return;
        const auto axes = algorithm->second.values.find("axes");
        const std::string& field = domain_of(recipe_).descriptors_field;
        if (axes == algorithm->second.values.end() || field.empty()) return;
        auto& listed = std::get<std::string>(problem->second.values.at(field));
        descriptors_are_axes_ = listed.empty();
        std::vector<std::string> names = entries_of(listed);
        for (const std::string& axis : entries_of(std::get<std::string>(axes->second))) {
            const std::string name = axis.substr(0, axis.find_first_of(" \t"));
            if (std::ranges::find(names, name) != names.end()) continue;
            names.push_back(name);
            listed += (listed.empty() ? "" : ", ") + name;
        }
    }

    // Written down so that the run can be gone on with, or repeated, from any folder.
    void fill_start() {
        const auto start = recipe_.choices_.find(StartFields::name);
        if (start == recipe_.choices_.end()) return;
        recipe_.start_ = read_start(recipe_);
        auto& path = std::get<std::string>(start->second.values.at("gallery"));
        path = std::filesystem::absolute(path).lexically_normal().string();
    }

    [[nodiscard]] bool is_overridden(std::string_view path) const {
        return std::ranges::any_of(overrides_, [&](const auto& one) {
            return one.first == path || one.first.starts_with(std::string{path} + ".");
        });
    }

    // A stage that the algorithm never looks at would only mislead. Where the algorithm was overridden, the
    // stages that the recipe had for the old one just fall away.
    void check_use() {
        const bool other_algorithm = is_overridden("algorithm.kind");
        const Recipe::Choice* chosen = recipe_.choice("algorithm");
        if (chosen == nullptr) return;
        const Recipe::Choice& algorithm = *chosen;
        const auto& used = section_at("algorithm").part(algorithm.kind)->uses;
        for (const RecipeSection& section : sections()) {
            if (!is_stage(section.path)) continue;
            if (std::ranges::find(used, section.path.substr(stage_prefix.size())) != used.end()) continue;
            const auto* node = root_.at_path(section.path).node();
            if (node != nullptr && (!other_algorithm || is_overridden(section.path)))
                complain(node, section.path,
                         fmt::format("is not used by the algorithm {}, which uses {}", algorithm.kind,
                                     used.empty() ? "no stages" : list(used)));
            recipe_.choices_.erase(section.path);
        }
    }

    // Whether the parts fit each other. A part with a flaw of its own is taken with its default values, so
    // that what else is wrong is told in the same breath.
    void check_fit() {
        const bool sound = diagnostics_.empty();
        const auto attempt = [&](const std::string& path, const auto& check) {
            try {
                check();
            } catch (const InvalidSetting& error) {
                complain_setting(error);
            } catch (const InvalidInput& error) {
                const std::string_view said = error.what(); // perhaps "stop.solved: …"
                std::string place{said.substr(0, said.find_first_of(": "))};
                if (!place.starts_with(path + ".") || !root_.at_path(place)) place = path;
                const auto kind = root_.at_path(place + ".kind");
                const toml::node* node = kind ? kind.node() : root_.at_path(place).node();
                complain_at(place, position_of(node), fmt::format("[{}] {}", path, said));
            }
        };
        if (sound)
            attempt("islands", [&, settings = recipe_.settings()] {
                // An archive takes in as many as come.
                settings.islands.check(settings.algorithm.keeps_archive() ? ~std::size_t{0}
                                                                          : settings.population);
            });
        const std::optional<Problem> problem = read_problem(attempt);
        if (!problem) {
            if (recipe_.choice("problem") == nullptr && recipe_.choice("start") != nullptr)
                complain(root_.get("start"), "start", "needs a [problem] whose genomes it begins with");
            return;
        }
        const auto fits = [&](const std::string& path, const auto& entries, const auto& whole) {
            if (const auto* chosen = recipe_.choice(path))
                attempt(path, [&] { make(entries, *chosen).check(whole); });
        };
        fits("stages.recombine", recipe_.registry().recombinations(), problem->space());
        if (const auto* chosen = recipe_.choice("stages.mutate"))
            attempt("stages.mutate", [&] {
                make(recipe_.registry().mutations(), *chosen).bound(*problem).check(problem->space());
            });
        fits("stages.improve", recipe_.registry().improvements(), *problem);
        if (diagnostics_.empty()) attempt("start", [&] { fill_start(); });
        const bool has_archive = sound && recipe_.settings().algorithm.keeps_archive();
        if (has_archive && diagnostics_.empty()) {
            attempt("algorithm", [&] { (void)recipe_.settings().algorithm.cells(problem->schema()); });
            if (!diagnostics_.empty()) return; // what else is wrong may come of it
        }
        attempt("stop", [&] {
            if (has_archive && recipe_.stop_.has(StopKind::solved))
                throw InvalidInput{
                    "stop.solved: the algorithm fills an archive, which is never done; leave it "
                    "out (--set stop.solved=false), or use stop.target with a QD-score"};
            recipe_.stop_.check(problem->target().has_value());
        });
        if (diagnostics_.empty()) attempt("algorithm", [&] { check_together(*problem); });
    }

    // A check ends at the first setting that does not fit. So that the next is told as well, a stage that has
    // been told makes way for the default one; if that does not fit either, the reason is the one told.
    void check_together(const Problem& problem) {
        Recipe rest = recipe_;
        std::set<std::string> told;
        while (true) {
            try {
                return check(problem, rest.settings());
            } catch (const InvalidSetting& error) {
                const std::string section = path_of(error.place());
                if (!told.insert(section).second) return;
                complain_setting(error);
                if (!is_stage(section)) return;
                rest.choices_.erase(section);
            }
        }
    }

    // A setting that does not fit the others, told where it stands; if it has its default value, at its part
    // or, failing that, at the algorithm, whose sizes it does not fit.
    void complain_setting(const InvalidSetting& error) {
        // Descriptors that only the axes name are told as axes.
        const bool is_of_axes = descriptors_are_axes_ && error.place() == "problem" &&
                                error.field() == domain_of(recipe_).descriptors_field;
        const std::string section = is_of_axes ? "algorithm" : path_of(error.place());
        const std::string path = section + "." + (is_of_axes ? "axes" : error.field());
        const std::string message = error.field().empty() ? fmt::format("[{}] {}", section, error.fault())
                                                          : fmt::format("{} {}", path, error.fault());
        for (const std::string& place : {path, section + ".kind", section,
                                         std::string{"algorithm.population"}, std::string{"algorithm"}})
            if (const toml::node* node = root_.at_path(place).node())
                return complain_at(place, position_of(node), message);
        complain(toml::source_position{}, message);
    }

    template <class Attempt>
    std::optional<Problem> read_problem(const Attempt& attempt) {
        if (recipe_.choice("problem") == nullptr) return std::nullopt;
        if (!flawed_.contains("problem")) {
            attempt("problem", [&] {
                const Domain& domain = domain_of(recipe_);
                if (domain.decoder) recipe_.decoder_ = domain.decoder(recipe_.choice("problem")->values);
                recipe_.problem_ = recipe_.make_problem();
            });
            return recipe_.problem_;
        }
        try {
            return recipe_.make_problem();
        } catch (const InvalidInput&) {
            return std::nullopt; // The flaw has been told; what follows from it has not to be.
        }
    }

    std::string file_;
    toml::table root_;
    std::vector<std::pair<std::string, std::string>> overrides_;
    std::vector<Placed> diagnostics_;
    std::set<std::string, std::less<>> flawed_; // sections in which something is wrong
    bool descriptors_are_axes_ = false;
    Recipe recipe_;
};

Recipe Recipe::parse(std::string_view toml, std::string_view file, const std::vector<std::string>& overrides,
                     const Registry& registry) {
    return RecipeReader{toml, file, overrides, registry}.read();
}

} // namespace knossos
