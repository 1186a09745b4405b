# A level that Knossos wrote as TMJ, for Godot 3: what it holds, the nodes that show it, and the rules of
# walking in it. Copy this file into a project; docs/godot.md has an example.
#
#     var level = preload("res://knossos_level.gd").new()
#     var problem = level.open("res://cellar.tmj")
#     if problem == "":
#         add_child(level.make_nodes())
extends Reference

const STEPS = {
	"n": Vector2(0, -1),
	"w": Vector2(-1, 0),
	"e": Vector2(1, 0),
	"s": Vector2(0, 1),
}
const DIRECTIONS = {"north": "n", "west": "w", "east": "e", "south": "s"}

var width = 0
var height = 0
var tile_size = Vector2(32, 32)
# The class of each tile, by its number in the map; and of those with a collision shape, the rectangle.
var tile_classes = {}
var tile_shapes = {}
var tiles = []  # the numbers of the layer, row by row
var things = {}  # by cell: {"class": ..., "tile": ..., "properties": {...}}
var properties = {}  # of the map: solvable, unlosable, walkthrough, measures
var lines = {}  # by name, such as "solution": points in pixels
var image_path = ""
var first_tile = 1
var tile_columns = 1
var tile_count = 0
var entrance = Vector2(-1, -1)
var exit_cell = Vector2(-1, -1)

# The state of a walk.
var at = Vector2()
var small_keys = 0
var colours = {}  # keys that are kept
var taken = {}  # cells whose key is gone
var opened = {}  # cells whose door is open
var finished = false


# Reads a level. Returns what is wrong with it, or an empty text.
func open(path, layer_name = "dungeon"):
	var map = _read_json(path)
	if typeof(map) != TYPE_DICTIONARY:
		return "%s: is no map in JSON" % path
	width = int(map.get("width", 0))
	height = int(map.get("height", 0))
	tile_size = Vector2(map.get("tilewidth", 32), map.get("tileheight", 32))
	properties = _properties_of(map)
	var problem = ""
	for tileset in map.get("tilesets", []):
		problem = _open_tileset(path.get_base_dir(), tileset)
		if problem != "":
			return "%s: %s" % [path, problem]
	var found = false
	for layer in map.get("layers", []):
		if layer.get("type", "") == "tilelayer" and layer.get("name", "") == layer_name:
			found = true
			problem = _open_tiles(layer)
		elif layer.get("type", "") == "objectgroup":
			_open_objects(layer)
		if problem != "":
			return "%s, layer %s: %s" % [path, layer.get("name", ""), problem]
	if not found:
		return "%s: has no layer named %s" % [path, layer_name]
	for cell in things:
		if things[cell]["class"] == "entrance":
			entrance = cell
		if things[cell]["class"] == "exit":
			exit_cell = cell
	if entrance.x < 0 or exit_cell.x < 0:
		return "%s: has no entrance or no exit" % path
	begin()
	return ""


func is_rock(cell):
	if cell.x < 0 or cell.y < 0 or cell.x >= width or cell.y >= height:
		return true
	return tile_classes.get(tiles[int(cell.y) * width + int(cell.x)], "") == "rock"


func class_at(cell):
	return things[cell]["class"] if things.has(cell) else ""


# Goes back to the entrance, with no key and all doors shut.
func begin():
	at = entrance
	small_keys = 0
	colours = {}
	taken = {}
	opened = {}
	finished = false


# Whether one may step to the north ("n"), west, east or south from here, with what one has.
func may_step(letter):
	var to = at + STEPS[letter]
	if finished or is_rock(to):
		return false
	var here = things.get(at, {"class": "", "properties": {}})
	var there = things.get(to, {"class": "", "properties": {}})
	# A one-way is left in its direction only, and not entered against it.
	if here["class"].begins_with("one_way") and DIRECTIONS[here["properties"]["direction"]] != letter:
		return false
	if there["class"].begins_with("one_way"):
		if STEPS[DIRECTIONS[there["properties"]["direction"]]] == -STEPS[letter]:
			return false
	if there["class"].ends_with("_door") and not opened.has(to):
		var key = there["properties"]["opened_by"]
		return small_keys > 0 if key == "small_key" else colours.has(key)
	return true


# Takes a step, with all that happens then. Returns whether it was possible.
func step(letter):
	if not may_step(letter):
		return false
	at += STEPS[letter]
	var kind = class_at(at)
	if kind.ends_with("_key") and not taken.has(at):
		taken[at] = true
		if kind == "small_key":
			small_keys += 1
		else:
			colours[kind] = true
	elif kind.ends_with("_door") and not opened.has(at):
		opened[at] = true
		if kind == "locked_door":
			small_keys -= 1
	elif kind == "exit":
		finished = true
	return true


# The level as nodes: a TileMap whose rock has a collision shape, a Sprite for each thing (named by its cell,
# with its class and its properties as meta data), a Path2D for each line. Without a display there are no
# textures, and everything else all the same.
func make_nodes():
	var root = Node2D.new()
	root.name = "Level"
	var texture = _load_texture()
	root.add_child(_make_tile_map(texture))
	var group = Node2D.new()
	group.name = "Things"
	root.add_child(group)
	for cell in things:
		var sprite = Sprite.new()
		sprite.name = thing_name(cell)
		sprite.texture = texture
		sprite.region_enabled = true
		sprite.region_rect = _region_of(things[cell]["tile"])
		sprite.position = (cell + Vector2(0.5, 0.5)) * tile_size
		sprite.set_meta("class", things[cell]["class"])
		for key in things[cell]["properties"]:
			sprite.set_meta(key, things[cell]["properties"][key])
		group.add_child(sprite)
	for line in lines:
		var path = Path2D.new()
		path.name = line
		for point in lines[line]:
			path.curve.add_point(point)
		root.add_child(path)
	return root


func thing_name(cell):
	return "%d_%d" % [cell.x, cell.y]


func _make_tile_map(texture):
	var tile_set = TileSet.new()
	for number in tile_classes:
		tile_set.create_tile(number)
		tile_set.tile_set_name(number, tile_classes[number])
		tile_set.tile_set_texture(number, texture)
		tile_set.tile_set_region(number, _region_of(number))
		if tile_shapes.has(number):
			var rectangle = tile_shapes[number]
			var shape = RectangleShape2D.new()
			shape.extents = rectangle.size / 2
			var place = Transform2D(0, rectangle.position + rectangle.size / 2)
			tile_set.tile_add_shape(number, shape, place)
	var map = TileMap.new()
	map.name = "Tiles"
	map.cell_size = tile_size
	map.tile_set = tile_set
	for i in range(tiles.size()):
		if tiles[i] > 0:
			map.set_cell(i % width, i / width, tiles[i])
	return map


func _region_of(number):
	var id = int(number) - first_tile
	return Rect2(Vector2(id % tile_columns, id / tile_columns) * tile_size, tile_size)


func _load_texture():
	var image = Image.new()
	if image_path == "" or image.load(image_path) != OK:
		return null
	var texture = ImageTexture.new()
	texture.create_from_image(image, 0)
	return texture


func _read_json(path):
	var file = File.new()
	if file.open(path, File.READ) != OK:
		return null
	var result = JSON.parse(file.get_as_text())
	file.close()
	return result.result if result.error == OK else null


# Tiled has called classes types, and classes again.
func _class_of(thing):
	var kind = thing.get("class", "")
	return kind if kind != "" else thing.get("type", "")


func _properties_of(thing):
	var all = {}
	for property in thing.get("properties", []):
		all[property["name"]] = property["value"]
	return all


func _open_tileset(folder, tileset):
	var first = int(tileset.get("firstgid", 1))
	if tileset.has("source"):
		tileset = _read_json(folder.plus_file(tileset["source"]))
		if typeof(tileset) != TYPE_DICTIONARY:
			return "its tileset is no file in JSON"
	first_tile = first
	tile_columns = int(max(1, tileset.get("columns", 1)))
	tile_count = int(tileset.get("tilecount", 0))
	image_path = folder.plus_file(tileset.get("image", ""))
	for tile in tileset.get("tiles", []):
		var number = first + int(tile["id"])
		tile_classes[number] = _class_of(tile)
		for shape in tile.get("objectgroup", {}).get("objects", []):
			tile_shapes[number] = Rect2(shape["x"], shape["y"], shape["width"], shape["height"])
	return ""


func _open_tiles(layer):
	var data = layer.get("data", [])
	if typeof(data) == TYPE_STRING:
		data = _decode(data, layer.get("compression", ""))
	if data.size() != width * height:
		return "%d tiles, and not %d" % [data.size(), width * height]
	tiles = []
	for number in data:
		# The upper bits mirror and turn a tile.
		var tile = int(number) & 0x0FFFFFFF
		if tile != 0 and tile_classes.get(tile, "") == "":
			return "nothing says what tile %d is" % tile
		tiles.append(tile)
	return ""


func _decode(text, compression):
	var bytes = Marshalls.base64_to_raw(text)
	var modes = {
		"zlib": File.COMPRESSION_DEFLATE, "gzip": File.COMPRESSION_GZIP, "zstd": File.COMPRESSION_ZSTD
	}
	if modes.has(compression):
		bytes = bytes.decompress(width * height * 4, modes[compression])
	var numbers = []
	for i in range(0, bytes.size() - 3, 4):
		numbers.append(bytes[i] | bytes[i + 1] << 8 | bytes[i + 2] << 16 | bytes[i + 3] << 24)
	return numbers


func _open_objects(layer):
	for object in layer.get("objects", []):
		var place = Vector2(object["x"], object["y"])
		if object.has("polyline"):
			var points = []
			for point in object["polyline"]:
				points.append(place + Vector2(point["x"], point["y"]))
			lines[object.get("name", "line")] = points
			continue
		var size = Vector2(object.get("width", 0), object.get("height", 0))
		# The place of a tile is that of its lower left corner.
		var middle = place + Vector2(size.x / 2, -size.y / 2 if object.has("gid") else size.y / 2)
		things[(middle / tile_size).floor()] = {
			"class": _class_of(object),
			"tile": int(object.get("gid", 0)) & 0x0FFFFFFF,
			"properties": _properties_of(object),
		}
