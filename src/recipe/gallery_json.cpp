#include <knossos/core/files.hpp>
#include <knossos/core/population.hpp>
#include <knossos/recipe/gallery.hpp>
#include <knossos/version.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace knossos {

namespace {

using OrderedJson = nlohmann::ordered_json;
namespace fs = std::filesystem;

// What a reader has to say of the file, with where in it.
class GalleryReader {
  public:
    GalleryReader(std::string_view file, const Registry& registry) : file_{file}, registry_{registry} {}

    MeasuredGallery read(std::string_view text) const {
        const OrderedJson whole = parsed(text);
        if (!whole.is_object() || !whole.contains("elites") || !whole.contains("axes"))
            refuse("is no gallery: it has no axes and elites");
        MeasuredGallery gallery{.recipe = recipe_in(whole)};
        const OrderedJson& axes = member(whole, "axes", "the gallery");
        if (!axes.is_array()) refuse("axes is no list");
        for (const OrderedJson& one : axes) gallery.axes.push_back(axis(one));
        if (gallery.axes.empty()) refuse("axes is empty");
        gallery.cells = count_in(member(whole, "cells", "the gallery"), "the gallery", "cells");
        std::uint64_t cells = 1;
        for (const Axis& one : gallery.axes) {
            if (!gallery.is_grid()) break;
            cells *= one.cells;
            if (cells > most_cells) refuse("the axes make more cells than a gallery may have");
        }
        if (gallery.is_grid() && cells != gallery.cells) refuse("the axes make another number of cells");
        if (!gallery.is_grid()) require_centroids(gallery);
        const OrderedJson& elites = member(whole, "elites", "the gallery");
        if (!elites.is_array()) refuse("elites is no list");
        const Problem problem = gallery.recipe.problem();
        for (const OrderedJson& one : elites)
            gallery.elites.push_back(
                elite(one, gallery, problem, fmt::format("elite {}", gallery.elites.size() + 1)));
        name_measures(gallery);
        if (gallery.is_grid() && !gallery.elites.empty()) require_places(gallery, problem.schema());
        return gallery;
    }

  private:
    [[noreturn]] void refuse(std::string_view what) const {
        throw InvalidInput{fmt::format("{}: {}", file_, what)};
    }

    [[nodiscard]] OrderedJson parsed(std::string_view text) const {
        constexpr int deepest = 12;
        try {
            return OrderedJson::parse(text, [&](int depth, OrderedJson::parse_event_t, OrderedJson&) {
                if (depth > deepest) refuse("the JSON is nested too deeply for a gallery");
                return true;
            });
        } catch (const OrderedJson::exception& error) {
            const std::string_view said = error.what();
            const std::size_t end = said.find("] ");
            refuse(fmt::format("is no gallery: {}",
                               end == std::string_view::npos ? said : said.substr(end + 2)));
        }
    }

    [[nodiscard]] const OrderedJson& member(const OrderedJson& object, const char* key,
                                            std::string_view where) const {
        if (!object.is_object()) refuse(fmt::format("{} is no object", where));
        const auto found = object.find(key);
        if (found == object.end()) refuse(fmt::format("{} has no \"{}\"", where, key));
        return *found;
    }

    [[nodiscard]] double number(const OrderedJson& value, std::string_view where,
                                std::string_view what) const {
        if (!value.is_number() || !std::isfinite(value.get<double>()))
            refuse(fmt::format("{}: {} is {}; expected a number", where, what,
                               value.dump(-1, ' ', true).substr(0, 40)));
        return value.get<double>();
    }

    [[nodiscard]] std::uint32_t count_in(const OrderedJson& value, std::string_view where,
                                         std::string_view what) const {
        const double count = number(value, where, what);
        if (!(count >= 1.0 && count <= static_cast<double>(most_cells)) || count != std::floor(count))
            refuse(fmt::format("{}: {} is {}; expected 1 to {}", where, what, count, most_cells));
        return static_cast<std::uint32_t>(count);
    }

    [[nodiscard]] Recipe recipe_in(const OrderedJson& whole) const {
        const OrderedJson& text = member(whole, "recipe", "the gallery");
        if (!text.is_string()) refuse("recipe is no text");
        // What its run began with matters no more, and may be gone.
        Recipe recipe = Recipe::parse(text.get<std::string>(), fmt::format("{}, recipe", file_),
                                      {"start=none"}, registry_);
        if (recipe.choice("problem") == nullptr) refuse("its recipe names no problem");
        return recipe;
    }

    [[nodiscard]] Axis axis(const OrderedJson& json) const {
        const OrderedJson& name = member(json, "name", "an axis");
        if (!name.is_string()) refuse("the name of an axis is no text");
        Axis its{.name = name.get<std::string>()};
        const auto where = fmt::format("axis {}", its.name.substr(0, 60));
        its.low = number(member(json, "low", where), where, "low");
        its.high = number(member(json, "high", where), where, "high");
        its.step = number(member(json, "step", where), where, "step");
        if (!(its.low < its.high) || !(its.step >= 0.0)) refuse(fmt::format("{} goes nowhere", where));
        its.cells = count_in(member(json, "cells", where), where, "cells");
        const double steps = its.step > 0.0 ? (its.high - its.low) / its.step : its.cells;
        if (its.cells < steps - 1e-6 || its.cells > steps + 1.0 + 1e-6)
            refuse(fmt::format("{}: cells is {}, but its steps make {:.6g}", where, its.cells,
                               std::ceil(steps)));
        return its;
    }

    [[nodiscard]] std::vector<std::uint32_t> cell(const OrderedJson& json, const MeasuredGallery& gallery,
                                                  std::string_view where) const {
        const std::size_t numbers = gallery.is_grid() ? gallery.axes.size() : 1;
        if (!json.is_array() || json.size() != numbers)
            refuse(fmt::format("{}: cell has not the {} numbers it should have", where, numbers));
        std::vector<std::uint32_t> its;
        for (std::size_t i = 0; i < json.size(); ++i) {
            const std::uint64_t most = gallery.is_grid() ? gallery.axes[i].cells : gallery.cells;
            if (!json[i].is_number_unsigned() || json[i].get<std::uint64_t>() >= most)
                refuse(fmt::format("{}: {} is no cell of the {} along the axis", where,
                                   json[i].dump(-1, ' ', true).substr(0, 40), most));
            its.push_back(json[i].get<std::uint32_t>());
        }
        return its;
    }

    [[nodiscard]] std::vector<std::byte> genome(const OrderedJson& json, const Space& space,
                                                std::string_view where) const {
        if (!json.is_string()) refuse(fmt::format("{}: genome is no text", where));
        const auto& text = json.get_ref<const std::string&>();
        const auto digit = [](char c) -> int {
            return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
        };
        if (text.size() != 2 * space.genome_bytes() ||
            std::ranges::any_of(text, [&](char c) { return digit(c) < 0; }))
            refuse(fmt::format("{}: genome is not {} bytes in hexadecimal", where, space.genome_bytes()));
        std::vector<std::byte> bytes(space.genome_bytes());
        for (std::size_t i = 0; i < bytes.size(); ++i)
            bytes[i] = static_cast<std::byte>(digit(text[2 * i]) * 16 + digit(text[2 * i + 1]));
        if (!is_valid(space, bytes.data())) refuse(fmt::format("{}: genome is none of this problem", where));
        return bytes;
    }

    [[nodiscard]] Elite elite(const OrderedJson& json, MeasuredGallery& gallery, const Problem& problem,
                              const std::string& where) const {
        Elite its{.cell = cell(member(json, "cell", where), gallery, where)};
        const OrderedJson& record = member(json, "record", where);
        for (const Column& column : problem.schema().columns()) {
            const std::string name{column.name.text()};
            its.record.push_back(number(member(record, name.c_str(), where + ", record"), where, name));
        }
        if (const auto measures = json.find("measures"); measures != json.end()) {
            if (!measures->is_object()) refuse(fmt::format("{}: measures is no object", where));
            if (gallery.elites.empty())
                for (const auto& [name, value] : measures->items())
                    gallery.measures.push_back({.name = name});
            for (const Measured& one : gallery.measures)
                its.measures.push_back(
                    number(member(*measures, one.name.c_str(), where + ", measures"), where, one.name));
        } else if (!gallery.measures.empty()) {
            refuse(fmt::format("{} has no \"measures\"", where));
        }
        its.genome = genome(member(json, "genome", where), problem.space(), where);
        require_truth(json, gallery.artefact(its), where);
        return its;
    }

    // What stands beside a genome is for readers that don't know genomes; they must not be told of another
    // maze than we. What the artefact says and the file does not is no harm, nor is the reverse: another
    // version's.
    void require_truth(const OrderedJson& json, const ArtefactPtr& artefact, const std::string& where) const {
        if (!artefact) return;
        const OrderedJson truth = OrderedJson::parse(std::string_view{artefact->json()});
        for (const auto& [name, value] : truth.items()) {
            const auto said = json.find(name);
            if (said == json.end()) continue;
            const bool by_parts = value.is_object() && said->is_object();
            if (!by_parts && *said != value)
                refuse(fmt::format("{}: {} is not that of its genome", where, name));
            for (const auto& [part, its] : said->items())
                if (by_parts && value.contains(part) && value[part] != its)
                    refuse(fmt::format("{}: {}.{} is not that of its genome", where, name, part));
        }
    }

    void require_centroids(const MeasuredGallery& gallery) const {
        for (const Axis& one : gallery.axes)
            if (one.step != 0.0) refuse(fmt::format("axis {} alone has steps", one.name.substr(0, 60)));
        if (gallery.cells > Centroids::most)
            refuse(
                fmt::format("has {} cells, but there can be {} centroids", gallery.cells, Centroids::most));
    }

    // Each elite must lie in its cell, up to how sums of steps are rounded: by its measures, and by its
    // record.
    void require_places(const MeasuredGallery& gallery, const Schema& schema) const {
        for (std::size_t k = 0; k < gallery.axes.size(); ++k) {
            const std::string& name = gallery.axes[k].name;
            require_places_by(gallery, k, value_named(gallery, name, fmt::format("{}: an axis", file_)));
            for (std::size_t column = 0; column < schema.size(); ++column)
                if (schema.columns()[column].name.text() == name)
                    require_places_by(gallery, k, {.is_measure = false, .index = column});
        }
    }

    void require_places_by(const MeasuredGallery& gallery, std::size_t k, const GalleryValue& values) const {
        const Axis& axis = gallery.axes[k];
        for (std::size_t i = 0; i < gallery.elites.size(); ++i) {
            const std::uint32_t cell = gallery.elites[i].cell[k];
            const double value = values.of(gallery.elites[i]);
            const double along = (value - axis.low) / axis.step - cell;
            const bool is_inside = value >= axis.low && value <= axis.high;
            const bool is_last = cell + 1 == axis.cells; // which the upper end belongs to, too
            if (!is_inside || along < -1e-6 || (along > 1.0 + 1e-6 && !is_last))
                refuse(fmt::format("elite {}: its {} is {}, which does not lie in cell {} of that axis",
                                   i + 1, axis.name.substr(0, 60), value, cell));
        }
    }

    // What else they are called is known to what they are measured on.
    static void name_measures(MeasuredGallery& gallery) {
        if (gallery.elites.empty()) return;
        const ArtefactPtr first = gallery.artefact(gallery.elites.front());
        if (!first) return;
        const auto known = first->measures();
        for (Measured& one : gallery.measures)
            if (const auto found = std::ranges::find(known, one.name, &Measured::name); found != known.end())
                one = *found;
    }

    std::string file_;
    const Registry& registry_;
};

} // namespace

std::string genome_text(const Elite& elite) {
    constexpr std::string_view letters = "0123456789abcdef";
    std::string text;
    text.reserve(2 * elite.genome.size());
    for (const std::byte byte : elite.genome) {
        text += letters[std::to_integer<std::size_t>(byte >> 4U)];
        text += letters[std::to_integer<std::size_t>(byte & std::byte{15})];
    }
    return text;
}

std::string gallery_json(const MeasuredGallery& gallery) {
    OrderedJson axes = OrderedJson::array();
    for (const Axis& axis : gallery.axes)
        axes.push_back({{"name", axis.name},
                        {"low", axis.low},
                        {"high", axis.high},
                        {"step", axis.step},
                        {"cells", axis.cells}});
    const OrderedJson head{
        {"version", version}, {"recipe", gallery.recipe.to_toml()}, {"cells", gallery.cells}, {"axes", axes}};
    std::string text = head.dump();
    text.back() = ',';
    text += "\n\"elites\":[";
    const Schema schema = gallery.recipe.problem().schema();
    bool is_first = true;
    for (const Elite& elite : gallery.elites) {
        OrderedJson record = OrderedJson::object();
        for (std::size_t i = 0; i < schema.size(); ++i)
            record[std::string{schema.columns()[i].name.text()}] = elite.record[i];
        const std::string facts = OrderedJson{{"cell", elite.cell}, {"record", record}}.dump();
        const ArtefactPtr artefact = gallery.artefact(elite);
        const std::string its = artefact ? artefact->json() : "{}";
        // Objects are joined as texts: parsing thousands of them again would take longer than all the rest.
        text += is_first ? "\n" : ",\n";
        text.append(facts, 0, facts.size() - 1);
        if (its.size() > 2) text.append(",").append(its, 1, its.size() - 2);
        text += fmt::format(",\"genome\":\"{}\"}}", genome_text(elite));
        is_first = false;
    }
    return text + "\n]}\n";
}

MeasuredGallery read_gallery(std::string_view json, std::string_view file, const Registry& registry) {
    return GalleryReader{file, registry}.read(json);
}

MeasuredGallery load_gallery(const fs::path& path, const Registry& registry) {
    std::error_code ignored;
    const fs::path file = fs::is_directory(path, ignored) ? path / "gallery.json" : path;
    if (file != path && !fs::exists(file, ignored))
        throw InvalidInput{fmt::format("{}: holds no gallery.json; a run whose algorithm has axes keeps one",
                                       path.string())};
    return read_gallery(read_file(file), file.string(), registry);
}

} // namespace knossos
