# A scene in which one walks a level with the arrow keys: keys are taken, doors open, the exit ends it. R
# begins anew. The level is chosen in the inspector, or on the command line:
#
#     godot3 --path share/knossos/godot --level=/home/me/cellar.tmj
extends Node2D

signal left_by_exit

const ACTIONS = {"ui_up": "n", "ui_left": "w", "ui_right": "e", "ui_down": "s"}

export(String, FILE, "*.tmj") var level_path = ""

var level = preload("res://knossos_level.gd").new()
var problem = ""
var steps = 0
var _nodes = null


func _ready():
	for argument in OS.get_cmdline_args():
		if argument.begins_with("--level="):
			level_path = argument.substr(8)
	if level_path != "":
		open(level_path)
	else:
		_say("Which level? Start with --level=FILE.tmj, or choose one in the inspector.")


# Shows another level. Returns whether that was possible; else `problem` says why not.
func open(path):
	problem = level.open(path)
	if problem != "":
		_say(problem)
		return false
	if _nodes != null:
		_nodes.free()
	_nodes = level.make_nodes()
	add_child(_nodes)
	move_child(_nodes, 0)
	$Player.scale = level.tile_size / 32.0
	begin()
	return true


func begin():
	level.begin()
	steps = 0
	_show()


# One step to the north ("n"), west, east or south. Returns whether it was possible.
func step(letter):
	if problem != "" or not level.step(letter):
		return false
	steps += 1
	_show()
	if level.finished:
		emit_signal("left_by_exit")
	return true


func _unhandled_input(event):
	for action in ACTIONS:
		if event.is_action_pressed(action, true):
			step(ACTIONS[action])
	if event is InputEventKey and event.pressed and event.scancode == KEY_R:
		begin()


func _show():
	$Player.position = (level.at + Vector2(0.5, 0.5)) * level.tile_size
	for cell in level.things:
		var sprite = _nodes.get_node("Things/" + level.thing_name(cell))
		sprite.visible = not (level.taken.has(cell) or level.opened.has(cell))
	var keys = []
	for i in range(level.small_keys):
		keys.append("small key")
	for key in level.colours:
		keys.append(key.replace("_", " "))
	var text = "%d steps" % steps
	if keys.size() > 0:
		text += ", you have: " + PoolStringArray(keys).join(", ")
	if level.finished:
		text += ". You are out! R begins anew"
	_say(text)


func _say(text):
	$Hud/Text.text = text
