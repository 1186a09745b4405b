# Run by tests/godot/run inside Godot: opens each level of --levels=A,B in the scene that ships, looks at the
# nodes, bumps into rock and shut doors, and walks the walkthrough to the exit. Ends with 0 if all is well.
extends SceneTree

var failed = 0


func expect(condition, what):
	if not condition:
		failed += 1
		print("wrong: " + what)


func _initialize():
	var walked = 0
	for argument in OS.get_cmdline_args():
		if argument.begins_with("--levels="):
			for path in argument.substr(9).split(","):
				walk(path)
				walked += 1
		if argument.begins_with("--refused="):
			refuse(argument.substr(10))
	expect(walked > 0, "no level was named")
	print("%d levels walked, %d things wrong" % [walked, failed])
	quit(1 if failed > 0 else 0)


func opened(path):
	var scene = load("res://walk.tscn").instance()
	get_root().add_child(scene)
	scene.open(path)
	return scene


func walk(path):
	var scene = opened(path)
	var level = scene.level
	expect(scene.problem == "", scene.problem)
	if scene.problem != "":
		return
	look_at_nodes(scene, path)
	expect(level.properties["solvable"] == true, path + ": not said to be solvable")
	var moves = level.properties["walkthrough"]
	var doors = 0
	for i in range(moves.length()):
		bump(scene, path)
		var before = level.opened.size()
		expect(scene.step(moves[i]), "%s: step %d, %s, is not possible" % [path, i + 1, moves[i]])
		doors += level.opened.size() - before
		expect(level.finished == (i + 1 == moves.length()), "%s: step %d ends it or not" % [path, i + 1])
	expect(level.at == level.exit_cell, path + ": the walkthrough does not end at the exit")
	expect(scene.steps == int(level.properties["solution"]), path + ": other steps than the measure says")
	expect(doors == int(level.properties["doors_opened"]), path + ": other doors than the measure says")
	expect(not scene.step("n") and not scene.step("s"), path + ": goes on behind the exit")
	scene.begin()
	expect(level.at == level.entrance and level.opened.empty(), path + ": does not begin anew")
	scene.free()


# Rock, and doors without their key, stop everybody, and a refused step changes nothing.
func bump(scene, path):
	var level = scene.level
	for letter in level.STEPS:
		var to = level.at + level.STEPS[letter]
		var kind = level.class_at(to)
		var shut = kind.ends_with("_door") and not level.opened.has(to)
		var has_key = level.small_keys > 0 if kind == "locked_door" else level.colours.has(kind.replace("door", "key"))
		if level.is_rock(to) or (shut and not has_key):
			var here = level.at
			expect(not scene.step(letter) and level.at == here, path + ": walked through something")


func look_at_nodes(scene, path):
	var nodes = scene.get_node("Level")
	var map = nodes.get_node("Tiles")
	var level = scene.level
	for number in level.tile_classes:
		var shapes = map.tile_set.tile_get_shape_count(number)
		expect(shapes == (1 if level.tile_classes[number] == "rock" else 0), path + ": a wrong collision shape")
	expect(map.get_used_cells().size() == level.width * level.height, path + ": cells without a tile")
	expect(nodes.get_node("Things").get_child_count() == level.things.size(), path + ": not all things")
	expect(nodes.get_node("solution") is Path2D, path + ": the solution is no path")
	expect(nodes.get_node("solution").curve.get_point_count() > 1, path + ": the path has no points")


func refuse(path):
	var scene = opened(path)
	expect(scene.problem != "", path + ": was opened")
	print("refused: " + scene.problem)
	expect(not scene.step("e"), path + ": can be walked in")
	scene.free()
