#include <knossos/maze/view/level.hpp>

#include "maze/view/level_shapes.hpp"
#include "render/text.hpp"

#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>

namespace knossos::maze {

using namespace render;

namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr std::uint32_t tile_side = 32;
constexpr std::string_view format_version = "1.8";
// Tile n of the set is number n + 1 in a map; 0 stands for no tile.
constexpr std::array<std::string_view, 5> tile_names{"floor", "rock", "entrance", "exit", "checkpoint"};

struct Property {
    std::string name;
    std::string type;
    OrderedJson value;
};

// What a map says beside its tiles, the same in both notations.
struct Content {
    Level level;
    maze::Survey survey;
    std::vector<Property> properties;

    explicit Content(const Level& given)
        : level{maze::with_walls_as_rock(given)}, survey{maze::survey(level)} {
        for (const maze::MeasureInfo& info : maze::measure_table()) {
            const double value = maze::value_of(survey.measures, info.measure);
            const bool fits = value < 2147483648.0; // Tiled's integers have 32 bits
            if (info.share || !fits)
                properties.push_back({std::string{info.name}, "float", value});
            else
                properties.push_back({std::string{info.name}, "int", static_cast<std::int64_t>(value)});
        }
        properties.push_back({"distances", "string", distances()});
    }

    [[nodiscard]] std::string distances() const {
        std::string text;
        for (std::size_t i = 0; i < survey.distance.size(); ++i)
            fmt::format_to(std::back_inserter(text), "{}{}",
                           i == 0                  ? ""
                           : i % survey.width == 0 ? ";"
                                                   : ",",
                           survey.distance[i]);
        return text;
    }
    [[nodiscard]] int tile(Cell cell) const { return level.grid.is_rock(cell) ? 2 : 1; }

    struct Place {
        std::string name;
        std::string type;
        Cell cell;
        int tile;
        std::size_t number; // of a checkpoint, else 0
    };
    [[nodiscard]] std::vector<Place> places() const {
        std::vector<Place> all{{"entrance", "entrance", level.entrance, 3, 0},
                               {"exit", "exit", level.exit, 4, 0}};
        for (std::size_t i = 0; i < level.checkpoints.size(); ++i)
            all.push_back(
                {fmt::format("checkpoint {}", i + 1), "checkpoint", level.checkpoints[i], 5, i + 1});
        return all;
    }
    // Corners of the solution, in pixels from its start.
    [[nodiscard]] std::vector<Cell> solution_corners() const {
        std::vector<Cell> corners;
        const auto& path = survey.path;
        for (std::size_t i = 0; i < path.size(); ++i) {
            const bool inner = i > 0 && i + 1 < path.size();
            if (inner && path[i - 1].x + path[i + 1].x == 2 * path[i].x &&
                path[i - 1].y + path[i + 1].y == 2 * path[i].y)
                continue;
            corners.push_back(path[i]);
        }
        return corners;
    }
};

double middle(std::uint32_t index) { return (index + 0.5) * tile_side; }

OrderedJson tileset_object(std::string_view tiles) {
    OrderedJson tile_list = OrderedJson::array();
    for (std::size_t i = 0; i < tile_names.size(); ++i)
        tile_list.push_back(
            {{"id", i},
             {"type", tile_names[i]},
             {"properties", OrderedJson::array({{{"name", "rock"}, {"type", "bool"}, {"value", i == 1}}})}});
    return {{"name", "knossos"},
            {"columns", tile_names.size()},
            {"tilecount", tile_names.size()},
            {"tilewidth", tile_side},
            {"tileheight", tile_side},
            {"margin", 0},
            {"spacing", 0},
            {"image", fmt::format("{}.png", tiles)},
            {"imagewidth", tile_side * tile_names.size()},
            {"imageheight", tile_side},
            {"tiles", tile_list}};
}

std::string tileset_elements(std::string_view tiles) {
    std::string text = fmt::format(" <image source=\"{}.png\" width=\"{}\" height=\"{}\"/>\n",
                                   escape_xml(tiles), tile_side * tile_names.size(), tile_side);
    for (std::size_t i = 0; i < tile_names.size(); ++i)
        text += fmt::format(
            " <tile id=\"{}\" type=\"{}\">\n  <properties>\n   <property name=\"rock\" type=\"bool\" "
            "value=\"{}\"/>\n  </properties>\n </tile>\n",
            i, tile_names[i], i == 1);
    return text;
}

std::string tileset_attributes() {
    return fmt::format(
        "name=\"knossos\" tilewidth=\"{0}\" tileheight=\"{0}\" tilecount=\"{1}\" columns=\"{1}\"", tile_side,
        tile_names.size());
}

OrderedJson object_layer(std::string_view name, int id, OrderedJson objects) {
    return {{"id", id},
            {"name", name},
            {"type", "objectgroup"},
            {"draworder", "index"},
            {"opacity", 1},
            {"visible", true},
            {"x", 0},
            {"y", 0},
            {"objects", std::move(objects)}};
}

OrderedJson place_objects(const Content& content, int& next) {
    OrderedJson objects = OrderedJson::array();
    for (const Content::Place& place : content.places()) {
        // Tiled counts the y of a tile object from its lower edge.
        OrderedJson object{{"id", next++},
                           {"name", place.name},
                           {"type", place.type},
                           {"gid", place.tile},
                           {"x", place.cell.x * tile_side},
                           {"y", (place.cell.y + 1) * tile_side},
                           {"width", tile_side},
                           {"height", tile_side},
                           {"rotation", 0},
                           {"visible", true}};
        if (place.number > 0)
            object["properties"] =
                OrderedJson::array({{{"name", "number"}, {"type", "int"}, {"value", place.number}}});
        objects.push_back(std::move(object));
    }
    return objects;
}

OrderedJson solution_objects(const Content& content, int& next) {
    const std::vector<Cell> corners = content.solution_corners();
    if (corners.empty()) return OrderedJson::array();
    OrderedJson line = OrderedJson::array();
    for (const Cell corner : corners)
        line.push_back(
            {{"x", middle(corner.x) - middle(corners[0].x)}, {"y", middle(corner.y) - middle(corners[0].y)}});
    return OrderedJson::array({{{"id", next++},
                                {"name", "solution"},
                                {"type", "solution"},
                                {"x", middle(corners[0].x)},
                                {"y", middle(corners[0].y)},
                                {"width", 0},
                                {"height", 0},
                                {"rotation", 0},
                                {"visible", true},
                                {"polyline", std::move(line)}}});
}

// A file name may hold bytes that are not UTF-8.
std::string dumped(const OrderedJson& json, int indent = -1) {
    return json.dump(indent, ' ', false, OrderedJson::error_handler_t::replace);
}

std::string tile_data(const Content& content, std::string_view row_end) {
    const maze::Grid& grid = content.level.grid;
    std::string text;
    for (std::size_t i = 0; i < grid.area(); ++i) {
        text += static_cast<char>('0' + content.tile(grid.cell(i)));
        if (i + 1 < grid.area()) text += ',';
        if ((i + 1) % grid.width() == 0) text += row_end;
    }
    return text;
}

std::string property_elements(const Content& content) {
    std::string text = " <properties>\n";
    for (const Property& property : content.properties) {
        const std::string value =
            property.value.is_string() ? property.value.get<std::string>() : property.value.dump();
        text += fmt::format("  <property name=\"{}\"{} value=\"{}\"/>\n", property.name,
                            property.type == "string" ? "" : fmt::format(" type=\"{}\"", property.type),
                            escape_xml(value));
    }
    return text + " </properties>\n";
}

std::string place_elements(const Content& content, int& next) {
    std::string text = " <objectgroup id=\"2\" name=\"places\" draworder=\"index\">\n";
    for (const Content::Place& place : content.places()) {
        text += fmt::format(
            "  <object id=\"{}\" name=\"{}\" type=\"{}\" gid=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" "
            "height=\"{}\"",
            next++, place.name, place.type, place.tile, place.cell.x * tile_side,
            (place.cell.y + 1) * tile_side, tile_side, tile_side);
        text += place.number == 0
                    ? "/>\n"
                    : fmt::format(">\n   <properties>\n    <property name=\"number\" type=\"int\" "
                                  "value=\"{}\"/>\n   </properties>\n  </object>\n",
                                  place.number);
    }
    return text + " </objectgroup>\n";
}

std::string solution_elements(const Content& content, int& next) {
    const std::vector<Cell> corners = content.solution_corners();
    std::string text = " <objectgroup id=\"3\" name=\"solution\">\n";
    if (!corners.empty()) {
        std::string points;
        for (const Cell corner : corners)
            points +=
                fmt::format("{}{},{}", points.empty() ? "" : " ", middle(corner.x) - middle(corners[0].x),
                            middle(corner.y) - middle(corners[0].y));
        text += fmt::format("  <object id=\"{}\" name=\"solution\" type=\"solution\" x=\"{}\" y=\"{}\">\n"
                            "   <polyline points=\"{}\"/>\n  </object>\n",
                            next++, middle(corners[0].x), middle(corners[0].y), points);
    }
    return text + " </objectgroup>\n";
}

} // namespace

std::string level_tmj(const Level& level, std::string_view tiles, const LevelOptions& options) {
    const Content content{level};
    const maze::Grid& grid = content.level.grid;
    int next = 1;
    OrderedJson places = place_objects(content, next);
    OrderedJson solution = solution_objects(content, next);
    OrderedJson tileset =
        options.side_tileset ? OrderedJson{{"source", fmt::format("{}.tsj", tiles)}} : tileset_object(tiles);
    tileset["firstgid"] = 1;
    OrderedJson properties = OrderedJson::array();
    for (const Property& property : content.properties)
        properties.push_back({{"name", property.name}, {"type", property.type}, {"value", property.value}});
    OrderedJson map{{"type", "map"},
                    {"version", format_version},
                    {"orientation", "orthogonal"},
                    {"renderorder", "right-down"},
                    {"compressionlevel", -1},
                    {"infinite", false},
                    {"width", grid.width()},
                    {"height", grid.height()},
                    {"tilewidth", tile_side},
                    {"tileheight", tile_side},
                    {"nextlayerid", 4},
                    {"nextobjectid", next},
                    {"properties", std::move(properties)},
                    {"tilesets", OrderedJson::array({std::move(tileset)})}};
    // The cells as rows that people can read, which the JSON library would not write.
    OrderedJson cells{{"id", 1},
                      {"name", "maze"},
                      {"type", "tilelayer"},
                      {"width", grid.width()},
                      {"height", grid.height()},
                      {"opacity", 1},
                      {"visible", true},
                      {"x", 0},
                      {"y", 0}};
    std::string text = dumped(map, 1);
    text.resize(text.rfind('}'));
    while (text.ends_with('\n')) text.pop_back();
    std::string layer = cells.dump();
    layer.pop_back();
    return fmt::format("{},\n \"layers\": [{},\"data\":[\n{}]}},\n{},\n{}]\n}}\n", text, layer,
                       tile_data(content, "\n"), object_layer("places", 2, std::move(places)).dump(),
                       object_layer("solution", 3, std::move(solution)).dump());
}

std::string level_tmx(const Level& level, std::string_view tiles, const LevelOptions& options) {
    const Content content{level};
    const maze::Grid& grid = content.level.grid;
    int next = 1;
    const std::string places = place_elements(content, next);
    const std::string solution = solution_elements(content, next);
    const std::string tileset =
        options.side_tileset
            ? fmt::format(" <tileset firstgid=\"1\" source=\"{}.tsx\"/>\n", escape_xml(tiles))
            : fmt::format(" <tileset firstgid=\"1\" {}>\n{} </tileset>\n", tileset_attributes(),
                          tileset_elements(tiles));
    return fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<map version=\"{}\" orientation=\"orthogonal\" renderorder=\"right-down\" width=\"{}\" "
        "height=\"{}\" tilewidth=\"{}\" tileheight=\"{}\" infinite=\"0\" nextlayerid=\"4\" "
        "nextobjectid=\"{}\">\n{}{} <layer id=\"1\" name=\"maze\" width=\"{}\" height=\"{}\">\n"
        "  <data encoding=\"csv\">\n{}</data>\n </layer>\n{}{}</map>\n",
        format_version, grid.width(), grid.height(), tile_side, tile_side, next, property_elements(content),
        tileset, grid.width(), grid.height(), tile_data(content, "\n"), places, solution);
}

std::string tileset_json(std::string_view tiles) {
    OrderedJson tileset = tileset_object(tiles);
    tileset["type"] = "tileset";
    tileset["version"] = format_version;
    return dumped(tileset, 1) + "\n";
}

std::string tileset_xml(std::string_view tiles) {
    return fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<tileset version=\"{}\" {}>\n{}</tileset>\n",
        format_version, tileset_attributes(), tileset_elements(tiles));
}

std::string tileset_png(const Theme& theme) {
    constexpr double side = tile_side;
    Picture picture{.width = tile_side * static_cast<std::uint32_t>(tile_names.size()), .height = tile_side};
    const auto centre = [&](int tile) { return Point{(tile + 0.5) * side, side / 2}; };
    picture.shapes.emplace_back(Rectangle{{0, 0}, side, side, theme.floor, {}});
    picture.shapes.emplace_back(Rectangle{{side, 0}, side, side, theme.rock, {}});
    picture.shapes.emplace_back(
        Stroke{.path = arch(centre(2), side), .colour = theme.ink, .width = 3.5, .ends = LineEnd::flat});
    picture.shapes.emplace_back(Fill{stair(centre(3), side), theme.ink});
    picture.shapes.emplace_back(Disc{centre(4), side * 0.36, theme.ochre_fill});
    picture.shapes.emplace_back(Ring{centre(4), side * 0.36, 2.0, theme.ochre});
    return to_transparent_png(picture);
}

} // namespace knossos::maze
