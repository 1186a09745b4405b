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

// What is the same in every project is kept as text: as code it would take many times the room.
OrderedJson same(std::string_view text) { return OrderedJson::parse(text); }

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
        OrderedJson project = same(R"(
        {"__header__": {"fileType": "LDtk Project JSON", "app": "LDtk",
        "doc": "https://ldtk.io/json", "schema": "https://ldtk.io/files/JSON_SCHEMA.json",
        "appAuthor": "Sebastien 'deepnight' Benard", "appVersion": null, "url": "https://ldtk.io"},
        "iid": null, "jsonVersion": null, "appBuildId": null, "nextUid": null,
        "identifierStyle": "Free", "toc": [], "worldLayout": "Free", "worldGridWidth": null,
        "worldGridHeight": null, "defaultLevelWidth": null, "defaultLevelHeight": null,
        "defaultPivotX": 0, "defaultPivotY": 0, "defaultGridSize": null, "defaultEntityWidth": null,
        "defaultEntityHeight": null, "bgColor": "#40465B", "defaultLevelBgColor": "#E9E4D8",
        "minifyJson": false, "externalLevels": false, "exportTiled": false,
        "simplifiedExport": false, "imageExportMode": "None", "exportLevelBg": true,
        "pngFilePattern": null, "backupOnSave": false, "backupLimit": 10, "backupRelPath": null,
        "levelNamePattern": "Level_%idx", "tutorialDesc": null, "customCommands": [], "flags": [],
        "defs": {"layers": null, "entities": null, "tilesets": [], "enums": [], "externalEnums": [],
        "levelFields": null}, "levels": null, "worlds": [], "dummyWorldIid": null})");
        project["__header__"]["appVersion"] = version;
        project["iid"] = iid();
        project["jsonVersion"] = version;
        project["appBuildId"] = build_of_version;
        project["nextUid"] = next_uid_;
        project["worldGridWidth"] = first.width * first.tile_width;
        project["worldGridHeight"] = first.height * first.tile_height;
        project["defaultLevelWidth"] = first.width * first.tile_width;
        project["defaultLevelHeight"] = first.height * first.tile_height;
        project["defaultGridSize"] = first.tile_width;
        project["defaultEntityWidth"] = first.tile_width;
        project["defaultEntityHeight"] = first.tile_height;
        project["defs"]["layers"] = std::move(layer_definitions_);
        project["defs"]["entities"] = entity_definitions();
        project["defs"]["levelFields"] = fields_json(level_fields_);
        project["levels"] = OrderedJson::array({std::move(level)});
        project["dummyWorldIid"] = iid();
        return project;
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
        OrderedJson level = same(R"(
        {"identifier": null, "iid": null, "uid": null, "worldX": 0, "worldY": 0, "worldDepth": 0,
        "pxWid": null, "pxHei": null, "__bgColor": "#E9E4D8", "bgColor": null,
        "useAutoIdentifier": false, "bgRelPath": null, "bgPos": null, "bgPivotX": 0.5,
        "bgPivotY": 0.5, "__smartColor": "#F4F1EB", "__bgPos": null, "externalRelPath": null,
        "fieldInstances": null, "layerInstances": null, "__neighbours": []})");
        level["identifier"] = level_name_;
        level["iid"] = iid();
        level["uid"] = level_uid;
        level["pxWid"] = first.width * first.tile_width;
        level["pxHei"] = first.height * first.tile_height;
        level["fieldInstances"] = std::move(fields);
        level["layerInstances"] = std::move(layers);
        return level;
    }

    OrderedJson layer_instance(std::string_view type, const std::string& name, const Layer& size,
                               int definition, int level_uid) {
        OrderedJson instance = same(R"(
        {"__identifier": null, "__type": null, "__cWid": null, "__cHei": null, "__gridSize": null,
        "__opacity": 1, "__pxTotalOffsetX": 0, "__pxTotalOffsetY": 0, "__tilesetDefUid": null,
        "__tilesetRelPath": null, "iid": null, "levelId": null, "layerDefUid": null, "pxOffsetX": 0,
        "pxOffsetY": 0, "visible": true, "optionalRules": [], "intGridCsv": [], "autoLayerTiles": [],
        "seed": 1, "overrideTilesetUid": null, "gridTiles": [], "entityInstances": []})");
        instance["__identifier"] = name;
        instance["__type"] = type;
        instance["__cWid"] = size.width;
        instance["__cHei"] = size.height;
        instance["__gridSize"] = size.tile_width;
        instance["iid"] = iid();
        instance["levelId"] = level_uid;
        instance["layerDefUid"] = definition;
        return instance;
    }

    int define_layer(std::string_view type, const std::string& name, const Layer& size, OrderedJson values) {
        const int number = uid();
        OrderedJson definition = same(R"(
        {"__type": null, "identifier": null, "type": null, "uid": null, "doc": null, "uiColor": null,
        "gridSize": null, "guideGridWid": 0, "guideGridHei": 0, "displayOpacity": 1,
        "inactiveOpacity": 0.6, "hideInList": false, "hideFieldsWhenInactive": true,
        "canSelectWhenInactive": true, "renderInWorldView": true, "pxOffsetX": 0, "pxOffsetY": 0,
        "parallaxFactorX": 0, "parallaxFactorY": 0, "parallaxScaling": true, "requiredTags": [],
        "excludedTags": [], "autoTilesKilledByOtherLayerUid": null, "uiFilterTags": [],
        "useAsyncRender": false, "intGridValues": null, "intGridValuesGroups": [],
        "autoRuleGroups": [], "autoSourceLayerDefUid": null, "tilesetDefUid": null, "tilePivotX": 0,
        "tilePivotY": 0, "biomeFieldUid": null})");
        definition["__type"] = type;
        definition["identifier"] = name;
        definition["type"] = type;
        definition["uid"] = number;
        definition["gridSize"] = size.tile_width;
        definition["intGridValues"] = std::move(values);
        layer_definitions_.push_back(std::move(definition));
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
        OrderedJson instance = same(R"(
        {"__identifier": null, "__grid": null, "__pivot": null, "__tags": [], "__tile": null,
        "__smartColor": null, "iid": null, "width": null, "height": null, "defUid": null, "px": null,
        "fieldInstances": null, "__worldX": null, "__worldY": null})");
        instance["__identifier"] = entity.name;
        instance["__grid"] = {column, row};
        instance["__pivot"] = {0, 0};
        instance["__smartColor"] = entity.colour;
        instance["iid"] = iid();
        instance["width"] = size.tile_width;
        instance["height"] = size.tile_height;
        instance["defUid"] = entity.uid;
        instance["px"] = {column * size.tile_width, row * size.tile_height};
        instance["fieldInstances"] = std::move(fields);
        instance["__worldX"] = column * size.tile_width;
        instance["__worldY"] = row * size.tile_height;
        return instance;
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
            OrderedJson definition = same(R"(
        {"identifier": null, "doc": null, "__type": null, "uid": null, "type": null, "isArray": null,
        "canBeNull": null, "arrayMinLength": null, "arrayMaxLength": null, "editorDisplayMode": null,
        "editorDisplayScale": 1, "editorDisplayPos": "Above", "editorLinkStyle": "StraightArrow",
        "editorDisplayColor": null, "editorAlwaysShow": null, "editorShowInWorld": false,
        "editorCutLongValues": true, "editorTextSuffix": null, "editorTextPrefix": null,
        "useForSmartColor": false, "exportToToc": false, "searchable": false, "min": null,
        "max": null, "regex": null, "acceptFileTypes": null, "defaultOverride": null,
        "textLanguageMode": null, "symmetricalRef": false, "autoChainRef": true,
        "allowOutOfLevelRef": true, "allowedRefs": "OnlySame", "allowedRefsEntityUid": null,
        "allowedRefTags": [], "tilesetUid": null})");
            definition["identifier"] = field.name;
            definition["__type"] = field.type.name;
            definition["uid"] = field.uid;
            definition["type"] = field.type.internal;
            definition["isArray"] = is_line;
            definition["canBeNull"] = !is_line;
            definition["editorDisplayMode"] = is_line ? "PointPath" : "Hidden";
            definition["editorAlwaysShow"] = is_line;
            list.push_back(std::move(definition));
        }
        return list;
    }

    OrderedJson entity_definitions() const {
        const Layer& size = map_.layers.at(0);
        OrderedJson list = OrderedJson::array();
        for (const Entity& entity : entities_) {
            OrderedJson definition = same(R"(
        {"identifier": null, "uid": null, "tags": [], "exportToToc": false,
        "allowOutOfBounds": false, "doc": null, "width": null, "height": null, "resizableX": false,
        "resizableY": false, "minWidth": null, "maxWidth": null, "minHeight": null,
        "maxHeight": null, "keepAspectRatio": false, "tileOpacity": 1, "fillOpacity": 0.4,
        "lineOpacity": 1, "hollow": false, "color": null, "renderMode": "Rectangle",
        "showName": true, "tilesetId": null, "tileRenderMode": "FitInside", "tileRect": null,
        "uiTileRect": null, "nineSliceBorders": [], "maxCount": 0, "limitScope": "PerLevel",
        "limitBehavior": "MoveLastOne", "pivotX": 0, "pivotY": 0, "fieldDefs": null})");
            definition["identifier"] = entity.name;
            definition["uid"] = entity.uid;
            definition["width"] = size.tile_width;
            definition["height"] = size.tile_height;
            definition["color"] = entity.colour;
            definition["fieldDefs"] = fields_json(entity.fields);
            list.push_back(std::move(definition));
        }
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
