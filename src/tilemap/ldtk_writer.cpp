#include "tilemap/json_input.hpp"
#include "tilemap/map_builder.hpp"

#include <knossos/tilemap/files.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace knossos::tilemap {

namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr std::string_view version = "1.5.3";
constexpr int build_of_version = 473703;
constexpr std::array<std::string_view, 8> palette{"#5B6EE1", "#D95763", "#DF9B3E", "#6ABE30",
                                                  "#9B59B6", "#37946E", "#E4C441", "#5FCDE4"};

// LDtk knows letters, digits and underscores; a name begins with none of the digits.
std::string identifier(std::string_view name) {
    std::string result;
    for (const char letter : name) {
        const bool fits = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                          (letter >= '0' && letter <= '9');
        result += fits ? letter : '_';
    }
    if (result.empty() || (result[0] >= '0' && result[0] <= '9')) result.insert(0, 1, '_');
    return result;
}

// A field: what LDtk calls its type, within and without.
struct FieldType {
    std::string_view name;
    std::string_view internal;
};

FieldType field_type(const Value& value) {
    constexpr std::array<FieldType, 4> types{
        {{"Bool", "F_Bool"}, {"Int", "F_Int"}, {"Float", "F_Float"}, {"String", "F_String"}}};
    return types[value.index()];
}

constexpr FieldType line_type{"Array<Point>", "F_Point"};
constexpr std::string_view line_field = "points";

// A project in the making: what is numbered in it, and what is defined once and used by many.
class Project {
  public:
    Project(const TileMap& map, std::string_view level) : map_{map}, level_name_{identifier(level)} {}

    [[nodiscard]] std::string text() {
        std::string text = json_input::dumped(json(), 1);
        // Cells as rows that people can read, which the JSON library would not write.
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            const std::string mark = fmt::format("\"intGridCsv\": \"{}\"", cells_mark(i));
            const std::string rows = encoded(rows_[i]->tiles, rows_[i]->width, Encoding::csv);
            text.replace(text.find(mark), mark.size(), fmt::format("\"intGridCsv\": [\n{}]", rows));
        }
        return text + "\n";
    }

  private:
    [[nodiscard]] OrderedJson json() {
        OrderedJson level = level_json();
        const Layer& first = map_.layers.at(0);
        return {{"__header__",
                 {{"fileType", "LDtk Project JSON"},
                  {"app", "LDtk"},
                  {"doc", "https://ldtk.io/json"},
                  {"schema", "https://ldtk.io/files/JSON_SCHEMA.json"},
                  {"appAuthor", "Sebastien 'deepnight' Benard"},
                  {"appVersion", version},
                  {"url", "https://ldtk.io"}}},
                {"iid", iid()},
                {"jsonVersion", version},
                {"appBuildId", build_of_version},
                {"nextUid", next_uid_},
                {"identifierStyle", "Free"},
                {"toc", OrderedJson::array()},
                {"worldLayout", "Free"},
                {"worldGridWidth", first.width * first.tile_width},
                {"worldGridHeight", first.height * first.tile_height},
                {"defaultLevelWidth", first.width * first.tile_width},
                {"defaultLevelHeight", first.height * first.tile_height},
                {"defaultPivotX", 0},
                {"defaultPivotY", 0},
                {"defaultGridSize", first.tile_width},
                {"defaultEntityWidth", first.tile_width},
                {"defaultEntityHeight", first.tile_height},
                {"bgColor", "#40465B"},
                {"defaultLevelBgColor", "#E9E4D8"},
                {"minifyJson", false},
                {"externalLevels", false},
                {"exportTiled", false},
                {"simplifiedExport", false},
                {"imageExportMode", "None"},
                {"exportLevelBg", true},
                {"pngFilePattern", nullptr},
                {"backupOnSave", false},
                {"backupLimit", 10},
                {"backupRelPath", nullptr},
                {"levelNamePattern", "Level_%idx"},
                {"tutorialDesc", nullptr},
                {"customCommands", OrderedJson::array()},
                {"flags", OrderedJson::array()},
                {"defs",
                 {{"layers", std::move(layer_definitions_)},
                  {"entities", entity_definitions()},
                  {"tilesets", OrderedJson::array()},
                  {"enums", OrderedJson::array()},
                  {"externalEnums", OrderedJson::array()},
                  {"levelFields", fields_json(level_fields_)}}},
                {"levels", OrderedJson::array({std::move(level)})},
                {"worlds", OrderedJson::array()},
                {"dummyWorldIid", iid()}};
    }

    static std::string cells_mark(std::size_t number) { return fmt::format("cells of layer {}", number); }

    struct Field {
        std::string name;
        FieldType type;
        int uid = 0;
    };
    struct Entity {
        std::string name;
        int uid = 0;
        std::string_view colour;
        std::vector<Field> fields{};
    };

    int uid() { return next_uid_++; }
    // Unique in the project, and the same whenever the same level is written.
    std::string iid() { return fmt::format("00000000-0000-11ee-8000-{:012x}", ++last_iid_); }

    OrderedJson level_json() {
        const int level_uid = uid();
        OrderedJson fields = OrderedJson::array();
        for (const Property& property : map_.properties)
            fields.push_back(field_instance(level_fields_, property.name, field_type(property.value),
                                            json_of(property.value), editor_values(property.value)));
        OrderedJson layers = OrderedJson::array(); // what is on top first
        for (auto at = map_.object_layers.rbegin(); at != map_.object_layers.rend(); ++at)
            layers.push_back(entity_layer(*at, level_uid));
        for (auto at = map_.layers.rbegin(); at != map_.layers.rend(); ++at)
            layers.push_back(grid_layer(*at, level_uid));
        const Layer& first = map_.layers.at(0);
        return {{"identifier", level_name_},
                {"iid", iid()},
                {"uid", level_uid},
                {"worldX", 0},
                {"worldY", 0},
                {"worldDepth", 0},
                {"pxWid", first.width * first.tile_width},
                {"pxHei", first.height * first.tile_height},
                {"__bgColor", "#E9E4D8"},
                {"bgColor", nullptr},
                {"useAutoIdentifier", false},
                {"bgRelPath", nullptr},
                {"bgPos", nullptr},
                {"bgPivotX", 0.5},
                {"bgPivotY", 0.5},
                {"__smartColor", "#F4F1EB"},
                {"__bgPos", nullptr},
                {"externalRelPath", nullptr},
                {"fieldInstances", std::move(fields)},
                {"layerInstances", std::move(layers)},
                {"__neighbours", OrderedJson::array()}};
    }

    OrderedJson layer_instance(std::string_view type, const std::string& name, const Layer& size,
                               int definition, int level_uid) {
        return {{"__identifier", name},
                {"__type", type},
                {"__cWid", size.width},
                {"__cHei", size.height},
                {"__gridSize", size.tile_width},
                {"__opacity", 1},
                {"__pxTotalOffsetX", 0},
                {"__pxTotalOffsetY", 0},
                {"__tilesetDefUid", nullptr},
                {"__tilesetRelPath", nullptr},
                {"iid", iid()},
                {"levelId", level_uid},
                {"layerDefUid", definition},
                {"pxOffsetX", 0},
                {"pxOffsetY", 0},
                {"visible", true},
                {"optionalRules", OrderedJson::array()},
                {"intGridCsv", OrderedJson::array()},
                {"autoLayerTiles", OrderedJson::array()},
                {"seed", 1},
                {"overrideTilesetUid", nullptr},
                {"gridTiles", OrderedJson::array()},
                {"entityInstances", OrderedJson::array()}};
    }

    int define_layer(std::string_view type, const std::string& name, const Layer& size, OrderedJson values) {
        const int number = uid();
        layer_definitions_.push_back({{"__type", type},
                                      {"identifier", name},
                                      {"type", type},
                                      {"uid", number},
                                      {"doc", nullptr},
                                      {"uiColor", nullptr},
                                      {"gridSize", size.tile_width},
                                      {"guideGridWid", 0},
                                      {"guideGridHei", 0},
                                      {"displayOpacity", 1},
                                      {"inactiveOpacity", 0.6},
                                      {"hideInList", false},
                                      {"hideFieldsWhenInactive", true},
                                      {"canSelectWhenInactive", true},
                                      {"renderInWorldView", true},
                                      {"pxOffsetX", 0},
                                      {"pxOffsetY", 0},
                                      {"parallaxFactorX", 0},
                                      {"parallaxFactorY", 0},
                                      {"parallaxScaling", true},
                                      {"requiredTags", OrderedJson::array()},
                                      {"excludedTags", OrderedJson::array()},
                                      {"autoTilesKilledByOtherLayerUid", nullptr},
                                      {"uiFilterTags", OrderedJson::array()},
                                      {"useAsyncRender", false},
                                      {"intGridValues", std::move(values)},
                                      {"intGridValuesGroups", OrderedJson::array()},
                                      {"autoRuleGroups", OrderedJson::array()},
                                      {"autoSourceLayerDefUid", nullptr},
                                      {"tilesetDefUid", nullptr},
                                      {"tilePivotX", 0},
                                      {"tilePivotY", 0},
                                      {"biomeFieldUid", nullptr}});
        return number;
    }

    OrderedJson grid_layer(const Layer& layer, int level_uid) {
        constexpr std::array<std::string_view, 8> greys{"#3A3A44", "#C9C2B4", "#7A7268", "#A8894F",
                                                        "#5A6B5D", "#8C4A4A", "#4A5A8C", "#8C8C4A"};
        OrderedJson values = OrderedJson::array();
        for (const Tileset& set : map_.tilesets)
            for (const Tile& tile : set.tiles)
                if (tileset_of(map_, layer, set.first + tile.id) == &set)
                    values.push_back({{"value", set.first + tile.id},
                                      {"identifier", tile.kind.empty() ? OrderedJson{}
                                                                       : OrderedJson(identifier(tile.kind))},
                                      {"color", greys[values.size() % greys.size()]},
                                      {"tile", nullptr},
                                      {"groupUid", 0}});
        const std::string name = identifier(layer.name);
        const int definition = define_layer("IntGrid", name, layer, std::move(values));
        OrderedJson instance = layer_instance("IntGrid", name, layer, definition, level_uid);
        instance["intGridCsv"] = cells_mark(rows_.size());
        rows_.push_back(&layer);
        return instance;
    }

    OrderedJson entity_layer(const ObjectLayer& layer, int level_uid) {
        const Layer& size = map_.layers.at(0);
        const std::string name = identifier(layer.name);
        const int definition = define_layer("Entities", name, size, OrderedJson::array());
        OrderedJson instance = layer_instance("Entities", name, size, definition, level_uid);
        for (const Object& object : layer.objects)
            instance["entityInstances"].push_back(entity_json(object, size));
        return instance;
    }

    Entity& entity_named(const std::string& name) {
        auto found = std::ranges::find(entities_, name, &Entity::name);
        if (found != entities_.end()) return *found;
        const std::string_view colour = palette[entities_.size() % palette.size()];
        return entities_.emplace_back(Entity{.name = name, .uid = uid(), .colour = colour});
    }

    OrderedJson entity_json(const Object& object, const Layer& size) {
        // A line begins in the middle of a cell; its entity is that cell.
        const auto column = static_cast<std::int64_t>(std::floor(object.place.x / size.tile_width));
        const auto row = static_cast<std::int64_t>(std::floor(object.place.y / size.tile_height));
        Entity& entity = entity_named(identifier(object.kind.empty() ? object.name : object.kind));
        OrderedJson fields = OrderedJson::array();
        if (!object.name.empty() && !object.kind.empty() && object.name != object.kind)
            fields.push_back(field_instance(entity.fields, "name", field_type(object.name), object.name,
                                            editor_values(object.name)));
        for (const Property& property : object.properties)
            fields.push_back(field_instance(entity.fields, property.name, field_type(property.value),
                                            json_of(property.value), editor_values(property.value)));
        if (!object.line.empty()) fields.push_back(line_instance(entity, object, size));
        return {{"__identifier", entity.name},
                {"__grid", {column, row}},
                {"__pivot", {0, 0}},
                {"__tags", OrderedJson::array()},
                {"__tile", nullptr},
                {"__smartColor", entity.colour},
                {"iid", iid()},
                {"width", size.tile_width},
                {"height", size.tile_height},
                {"defUid", entity.uid},
                {"px", {column * size.tile_width, row * size.tile_height}},
                {"fieldInstances", std::move(fields)},
                {"__worldX", column * size.tile_width},
                {"__worldY", row * size.tile_height}};
    }

    OrderedJson line_instance(Entity& entity, const Object& object, const Layer& size) {
        OrderedJson points = OrderedJson::array();
        OrderedJson editor = OrderedJson::array();
        for (const Point corner : object.line) {
            const auto x = static_cast<std::int64_t>(std::floor(corner.x / size.tile_width));
            const auto y = static_cast<std::int64_t>(std::floor(corner.y / size.tile_height));
            points.push_back({{"cx", x}, {"cy", y}});
            editor.push_back(
                {{"id", "V_String"}, {"params", OrderedJson::array({fmt::format("{},{}", x, y)})}});
        }
        return field_instance(entity.fields, line_field, line_type, std::move(points), std::move(editor));
    }

    static OrderedJson json_of(const Value& value) {
        return std::visit([](const auto& one) { return OrderedJson(one); }, value);
    }
    static OrderedJson editor_values(const Value& value) {
        constexpr std::array ids{"V_Bool", "V_Int", "V_Float", "V_String"};
        return OrderedJson::array(
            {{{"id", ids[value.index()]}, {"params", OrderedJson::array({json_of(value)})}}});
    }

    OrderedJson field_instance(std::vector<Field>& fields, std::string_view name, FieldType type,
                               OrderedJson value, OrderedJson editor) {
        const std::string own = identifier(name);
        auto found = std::ranges::find(fields, own, &Field::name);
        if (found == fields.end()) found = fields.insert(fields.end(), {own, type, uid()});
        return {{"__identifier", own}, {"__type", type.name},  {"__value", std::move(value)},
                {"__tile", nullptr},   {"defUid", found->uid}, {"realEditorValues", std::move(editor)}};
    }

    static OrderedJson fields_json(const std::vector<Field>& fields) {
        OrderedJson list = OrderedJson::array();
        for (const Field& field : fields) {
            const bool is_line = field.type.name == line_type.name;
            list.push_back({{"identifier", field.name},
                            {"doc", nullptr},
                            {"__type", field.type.name},
                            {"uid", field.uid},
                            {"type", field.type.internal},
                            {"isArray", is_line},
                            {"canBeNull", !is_line},
                            {"arrayMinLength", nullptr},
                            {"arrayMaxLength", nullptr},
                            {"editorDisplayMode", is_line ? "PointPath" : "Hidden"},
                            {"editorDisplayScale", 1},
                            {"editorDisplayPos", "Above"},
                            {"editorLinkStyle", "StraightArrow"},
                            {"editorDisplayColor", nullptr},
                            {"editorAlwaysShow", is_line},
                            {"editorShowInWorld", false},
                            {"editorCutLongValues", true},
                            {"editorTextSuffix", nullptr},
                            {"editorTextPrefix", nullptr},
                            {"useForSmartColor", false},
                            {"exportToToc", false},
                            {"searchable", false},
                            {"min", nullptr},
                            {"max", nullptr},
                            {"regex", nullptr},
                            {"acceptFileTypes", nullptr},
                            {"defaultOverride", nullptr},
                            {"textLanguageMode", nullptr},
                            {"symmetricalRef", false},
                            {"autoChainRef", true},
                            {"allowOutOfLevelRef", true},
                            {"allowedRefs", "OnlySame"},
                            {"allowedRefsEntityUid", nullptr},
                            {"allowedRefTags", OrderedJson::array()},
                            {"tilesetUid", nullptr}});
        }
        return list;
    }

    OrderedJson entity_definitions() const {
        const Layer& size = map_.layers.at(0);
        OrderedJson list = OrderedJson::array();
        for (const Entity& entity : entities_)
            list.push_back({{"identifier", entity.name},
                            {"uid", entity.uid},
                            {"tags", OrderedJson::array()},
                            {"exportToToc", false},
                            {"allowOutOfBounds", false},
                            {"doc", nullptr},
                            {"width", size.tile_width},
                            {"height", size.tile_height},
                            {"resizableX", false},
                            {"resizableY", false},
                            {"minWidth", nullptr},
                            {"maxWidth", nullptr},
                            {"minHeight", nullptr},
                            {"maxHeight", nullptr},
                            {"keepAspectRatio", false},
                            {"tileOpacity", 1},
                            {"fillOpacity", 0.4},
                            {"lineOpacity", 1},
                            {"hollow", false},
                            {"color", entity.colour},
                            {"renderMode", "Rectangle"},
                            {"showName", true},
                            {"tilesetId", nullptr},
                            {"tileRenderMode", "FitInside"},
                            {"tileRect", nullptr},
                            {"uiTileRect", nullptr},
                            {"nineSliceBorders", OrderedJson::array()},
                            {"maxCount", 0},
                            {"limitScope", "PerLevel"},
                            {"limitBehavior", "MoveLastOne"},
                            {"pivotX", 0},
                            {"pivotY", 0},
                            {"fieldDefs", fields_json(entity.fields)}});
        return list;
    }

    const TileMap& map_;
    std::string level_name_;
    int next_uid_ = 1;
    std::uint64_t last_iid_ = 0;
    OrderedJson layer_definitions_ = OrderedJson::array();
    std::vector<Entity> entities_;
    std::vector<Field> level_fields_;
    std::vector<const Layer*> rows_;
};

} // namespace

std::string to_ldtk(const TileMap& map, std::string_view level) { return Project{map, level}.text(); }

} // namespace knossos::tilemap
