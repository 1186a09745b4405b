"""Drawing on the page, in a real browser: tools, zooming, fingers, and that nothing drawn is lost."""

import json
import re
import signal
from urllib.parse import quote

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.actions.wheel_input import ScrollOrigin
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from server import Studio
from steps import draw, fill, find, maze_at, press, resize, restart, screenshot, status, text, until, visit


def drawn(driver):
    """What the page keeps of the drawing."""
    return json.loads(driver.execute_script("return sessionStorage.getItem('knossos-drawing-mazes')"))["drawing"]


def rock(driver):
    return {(x, y) for y, row in enumerate(drawn(driver)["cells"]) for x, cell in enumerate(row) if cell == "#"}


def test_lines_rectangles_and_filling_are_undone_one_by_one(browser, studio):
    visit(browser, studio, "mazes")
    press(browser, "[data-shape=rectangle]")
    draw(browser, "rock", (2, 3), (9, 12), (6, 8))
    rectangle = {(x, y) for x in range(2, 7) for y in range(3, 9)}
    assert rock(browser) == rectangle
    draw(browser, "open", (3, 4), (5, 7))
    ring = rectangle - {(x, y) for x in range(3, 6) for y in range(4, 8)}
    assert rock(browser) == ring
    press(browser, "[data-shape=fill]")
    draw(browser, "rock", (4, 5))
    assert rock(browser) == rectangle
    press(browser, "[data-shape=line]")
    draw(browser, "rock", (10, 1), (10, 9), (16, 7))
    line = rock(browser) - rectangle
    assert {(10, 1), (13, 4), (16, 7)} <= line and len(line) == 7
    screenshot(browser, "maze-shapes")
    press(browser, "[data-shape=brush]")
    canvas, x, y = maze_at(browser, (13, 4))
    ActionChains(browser).move_to_element_with_offset(canvas, x, y).context_click().perform()
    assert (13, 4) not in rock(browser)
    # Picking goes on with what lies there.
    press(browser, "[data-shape=pick]")
    canvas, x, y = maze_at(browser, (0, 5))
    ActionChains(browser).move_to_element_with_offset(canvas, x, y).click().perform()
    assert find(browser, "[data-tool=open]").get_attribute("aria-pressed") == "true"
    # All the way back, and forth again.
    seen = [rock(browser)]
    while find(browser, "#undo").is_enabled():
        press(browser, "#undo")
        seen.append(rock(browser))
    assert seen[1:] == [rectangle | line, rectangle, ring, rectangle, set()]
    while find(browser, "#redo").is_enabled():
        press(browser, "#redo")
    assert rock(browser) == seen[0]


def touch(driver, kind, *points):
    at = [{"x": round(x), "y": round(y), "id": i} for i, (x, y) in enumerate(points)]
    driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})


def judged(driver):
    """What is told of the drawing has come: nothing moves any more."""
    until(driver, lambda: find(driver, "#caption").get_attribute("aria-busy") == "false")


def test_two_fingers_pinch_and_one_draws(browser, studio):
    browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True, "maxTouchPoints": 5})
    try:
        resize(browser, 390, 844)
        visit(browser, studio, "mazes")
        press(browser, "[data-tool=rock]")
        draw(browser, "rock", (1, 1))
        judged(browser)
        kept = rock(browser)
        assert kept == {(1, 1)}
        browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", find(browser, "#maze"))
        where = ("const c = document.getElementById('maze'), b = c.getBoundingClientRect();"
                 "return [[b.left, b.top], Number(c.dataset.cell)]")
        box, size = browser.execute_script(where)

        def at(cell):  # where a cell is before anything is zoomed
            return [box[i] + 2 + (cell[i] + 0.5) * size for i in (0, 1)]

        middle = at((10, 8))
        # The first finger is down, and draws, before the second comes: that was not meant.
        touch(browser, "touchStart", (middle[0] - 20, middle[1]))
        touch(browser, "touchMove", (middle[0] - 24, middle[1]))
        touch(browser, "touchStart", (middle[0] - 24, middle[1]), (middle[0] + 24, middle[1]))
        for apart in range(30, 80, 6):
            touch(browser, "touchMove", (middle[0] - apart, middle[1]), (middle[0] + apart, middle[1]))
        touch(browser, "touchEnd")
        until(browser, lambda: float(find(browser, "#maze").get_attribute("data-zoom")) > 2)
        assert rock(browser) == kept
        screenshot(browser, "pinched")
        # What lay between the fingers still does, and one finger draws there.
        touch(browser, "touchStart", middle)
        touch(browser, "touchEnd")
        until(browser, lambda: rock(browser) == kept | {(10, 8)})
        # What is told of the drawing has other words now, and may have moved it.
        judged(browser)
        now, _ = browser.execute_script(where)
        middle = [middle[i] + now[i] - box[i] for i in (0, 1)]
        # A finger that moves draws a line; the view stays.
        zoomed = find(browser, "#maze").get_attribute("data-zoom")
        side = float(find(browser, "#maze").get_attribute("data-cell"))
        touch(browser, "touchStart", middle)
        touch(browser, "touchMove", (middle[0] + side, middle[1]))
        touch(browser, "touchEnd")
        until(browser, lambda: rock(browser) == kept | {(10, 8), (11, 8)})
        assert find(browser, "#maze").get_attribute("data-zoom") == zoomed
        # Together again: all of it is seen.
        touch(browser, "touchStart", (middle[0] - 90, middle[1]))
        touch(browser, "touchStart", (middle[0] - 90, middle[1]), (middle[0] + 90, middle[1]))
        for apart in range(80, 8, -8):
            touch(browser, "touchMove", (middle[0] - apart, middle[1]), (middle[0] + apart, middle[1]))
        touch(browser, "touchEnd")
        until(browser, lambda: find(browser, "#maze").get_attribute("data-zoom") == "1")
        assert rock(browser) == kept | {(10, 8), (11, 8)}
    finally:
        browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})


def test_places_are_dragged(browser, studio):
    visit(browser, studio, "mazes")
    draw(browser, "checkpoint", (5, 5))
    draw(browser, "rock", (5, 5), (8, 5), (8, 7))
    draw(browser, "rock", (0, 0), (3, 2))
    kept = drawn(browser)
    assert (kept["checkpoints"], kept["entrance"], rock(browser)) == ([[8, 7]], [3, 2], set())
    draw(browser, "rock", (8, 7))
    assert drawn(browser)["checkpoints"] == [] and rock(browser) == {(8, 7)}


def test_zoomed_in_the_cell_pointed_at_is_drawn(browser, studio):
    visit(browser, studio, "mazes")
    fill(browser, "#width", 256)
    fill(browser, "#height", 256)
    until(browser, lambda: find(browser, "#maze").get_attribute("data-columns") == "256")
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", find(browser, "#maze"))
    canvas, x, y = maze_at(browser, (100, 60))
    small = float(canvas.get_attribute("data-cell"))
    ActionChains(browser).move_to_element_with_offset(canvas, x, y).perform()
    column, row = (int(word) - 1 for word in re.findall(r"\d+", text(browser, ".readout"))[:2])
    origin = ScrollOrigin.from_element(canvas, x, y)
    for _ in range(6):
        ActionChains(browser).scroll_from_origin(origin, 0, -300).perform()
    until(browser, lambda: float(find(browser, "#maze").get_attribute("data-cell")) >= 10 * small)
    # What the wheel was turned over stays where it is.
    press(browser, "[data-tool=rock]")
    ActionChains(browser).move_to_element_with_offset(canvas, x, y).click().perform()
    assert rock(browser) == {(column, row)} and abs(column - 100) <= 1
    # The middle button moves the view, and draws nothing.
    size = float(find(browser, "#maze").get_attribute("data-cell"))
    browser.execute_cdp_cmd("Input.dispatchMouseEvent", mouse("mousePressed", canvas, browser))
    browser.execute_cdp_cmd("Input.dispatchMouseEvent", mouse("mouseMoved", canvas, browser, round(2 * size)))
    browser.execute_cdp_cmd("Input.dispatchMouseEvent", mouse("mouseReleased", canvas, browser, round(2 * size)))
    ActionChains(browser).move_to_element_with_offset(canvas, x, y).click().perform()
    until(browser, lambda: len(rock(browser)) == 2, 5)
    (moved,) = rock(browser) - {(column, row)}
    assert moved[1] == row and 1 <= column - moved[0] <= 3
    # By keys: the cursor is never out of sight.
    browser.execute_script("document.getElementById('maze').focus({focusVisible: true})")
    ActionChains(browser).send_keys(*[Keys.ARROW_LEFT] * 40, " ").perform()
    until(browser, lambda: (moved[0] - 40, row) in rock(browser))
    screenshot(browser, "maze-zoomed")
    ActionChains(browser).send_keys("0").perform()
    until(browser, lambda: find(browser, "#maze").get_attribute("data-zoom") == "1")


def mouse(kind, canvas, driver, across=0):
    box = driver.execute_script("const box = arguments[0].getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]", canvas)
    return {"type": kind, "x": box[0] + across, "y": box[1], "button": "middle", "buttons": 4, "clickCount": 1}


def test_one_finger_draws_and_two_zoom(browser, studio):
    resize(browser, 390, 844)
    browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True, "maxTouchPoints": 2})
    try:
        visit(browser, studio, "mazes")
        # What one came for is on the first screen: the maze, and the button that starts.
        foot = browser.execute_script("const of = (id) => document.getElementById(id).getBoundingClientRect();"
                                      "return [of('maze').top, of('evolve').bottom, innerHeight]")
        assert foot[0] < foot[2] / 2 and foot[1] <= foot[2]
        browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", find(browser, "#maze"))
        box = browser.execute_script("const box = document.getElementById('maze').getBoundingClientRect(); return [box.x, box.y]")
        size = float(find(browser, "#maze").get_attribute("data-cell"))

        def touch(kind, *cells):
            points = [{"x": box[0] + 2 + (cx + 0.5) * size, "y": box[1] + 2 + (cy + 0.5) * size, "id": i} for i, (cx, cy) in enumerate(cells)]
            browser.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

        touch("touchStart", (3, 3))
        touch("touchMove", (6, 3))
        touch("touchEnd")
        assert rock(browser) == {(x, 3) for x in range(3, 7)}
        touch("touchStart", (8, 8))
        touch("touchStart", (8, 8), (10, 10))
        touch("touchMove", (5, 5), (14, 14))
        touch("touchEnd")
        until(browser, lambda: float(find(browser, "#maze").get_attribute("data-zoom")) > 1.5)
        assert rock(browser) == {(x, 3) for x in range(3, 7)}
    finally:
        browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})


def test_a_drawing_outlives_the_page(browser, studio):
    visit(browser, studio, "mazes")
    fill(browser, "#width", 14)
    draw(browser, "rock", (4, 0), (4, 9))
    draw(browser, "checkpoint", (2, 15))
    before = drawn(browser)
    browser.execute_script("location.hash = '#/queens'")
    until(browser, lambda: text(browser, "h1") == "Queens")
    browser.execute_script("location.hash = '#/mazes'")
    until(browser, lambda: text(browser, "h1") == "Mazes" and "14 × 20" in text(browser, "#caption"))
    press(browser, "#undo")
    press(browser, "#redo")
    browser.refresh()
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, "#caption") and "14 × 20" in text(browser, "#caption"))
    assert drawn(browser) == before and find(browser, "#width").get_property("value") == "14"
    # Also what was drawn beside a run, after it began.
    press(browser, "#evolve")
    until(browser, lambda: find(browser, "[data-mode=watch]").get_attribute("aria-pressed") == "true")
    press(browser, "[data-mode=draw]")
    draw(browser, "rock", (8, 8))
    browser.refresh()
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, "[data-mode=watch][aria-pressed=true]"))
    press(browser, "[data-mode=draw]")
    assert {(8, 8), (4, 3)} <= rock(browser)
    assert "14 × 20" in text(browser, "#caption") or until(browser, lambda: "14 × 20" in text(browser, "#caption"))
    assert status(browser) != ""


def test_levels_are_saved_opened_copied_and_deleted(browser, studio, tmp_path):
    visit(browser, studio, "mazes")
    fill(browser, "#width", 9)
    draw(browser, "rock", (4, 0), (4, 6))
    # A draft lies in the workspace as soon as something is drawn.
    until(browser, lambda: find(browser, "#level-name").get_property("value").startswith("Maze "))
    draft = find(browser, "#level-name").get_property("value")
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, f"[data-level='{draft}']"))
    until(browser, lambda: studio.get(f"/api/drawings/{draft.replace(' ', '%20')}")["draft"]["level"]["cells"][6][4] == "#")
    fill(browser, "#level-name", "Gate & court")
    press(browser, "#save-level")
    saved = "[data-level='Gate & court']"
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, saved))
    kept = studio.get("/api/drawings/Gate%20%26%20court")
    assert kept["saved"]["level"]["cells"] == drawn(browser)["cells"] and kept["draft"] is None
    # In another window, or another day: it is opened from the list.
    visit(browser, studio, "mazes")
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, saved))
    press(browser, f"{saved} .open-level")
    until(browser, lambda: find(browser, "#width").get_property("value") == "9")
    assert drawn(browser)["cells"] == kept["saved"]["level"]["cells"]
    press(browser, f"{saved} [aria-label^=Duplicate]")
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, "[data-level='Gate & court copy']"))
    for _ in range(2):
        press(browser, f"{saved} .danger")
    until(browser, lambda: not browser.find_elements(By.CSS_SELECTOR, saved))
    # A file that somebody has: any format that is read, and a reason where it is none.
    file = tmp_path / "court.txt"
    file.write_text("E..#\n.#..\n...X\n")
    find(browser, "#level-file").send_keys(str(file))
    until(browser, lambda: text(browser, ".toast") == "Opened court.txt")
    assert rock(browser) == {(3, 0), (1, 1)} and (drawn(browser)["entrance"], drawn(browser)["exit"]) == ([0, 0], [3, 2])
    assert level_name(browser) == "court"
    for name, content, reason in (("notes.txt", "Dear Ariadne, bring the thread.", "notes.txt"),
                                  ("stairs.txt", "S..#\n.#..\n...E\n", "stairs.txt:1:1: 'S' is nothing that a level has")):
        bad = tmp_path / name
        bad.write_text(content)
        find(browser, "#level-file").send_keys(str(bad))
        until(browser, lambda: text(browser, ".toast").startswith(reason))
    assert level_name(browser) == "court" and rock(browser) == {(3, 0), (1, 1)}
    screenshot(browser, "maze-levels")
    browser.get_log("browser")  # the browser's own line about the file that was refused


def names(driver):
    return {one.get_attribute("data-level") for one in driver.find_elements(By.CSS_SELECTOR, "[data-level]")}


def level_name(driver):
    return find(driver, "#level-name").get_property("value")


def fresh_table(driver, studio):
    """The page with nothing on the table, and nothing in the workspace."""
    for one in studio.get("/api/drawings")["drawings"]:
        studio.request("DELETE", f"/api/drawings/{quote(one['name'])}")
    visit(driver, studio, "mazes")


def kept_of(studio, name):
    return studio.get(f"/api/drawings/{quote(name)}")


def has_rock(level, x, y):
    return level["level"]["cells"][y][x] == "#"


def test_a_name_that_another_level_has_is_asked_about(browser, studio):
    fresh_table(browser, studio)
    draw(browser, "rock", (2, 2))
    until(browser, lambda: level_name(browser) == "Maze 1")
    fill(browser, "#level-name", "gate")
    press(browser, "#save-level")
    until(browser, lambda: "gate" in names(browser))
    press(browser, "#new-level")
    until(browser, lambda: level_name(browser) == "" and rock(browser) == set())
    # A stroke under the name of another is kept all the same, under one of its own.
    fill(browser, "#level-name", "gate")
    draw(browser, "rock", (7, 7))
    until(browser, lambda: "There is another gate" in text(browser, "#level-name-wrong"))
    until(browser, lambda: "Maze 2" in names(browser))
    assert kept_of(studio, "gate")["draft"] is None
    assert has_rock(kept_of(studio, "Maze 2")["draft"], 7, 7)
    # Saving asks.
    press(browser, "#save-level")
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, "#replace-level"))
    assert not has_rock(kept_of(studio, "gate")["saved"], 7, 7)
    press(browser, "#save-both")
    until(browser, lambda: level_name(browser) == "gate 2" and "gate 2" in names(browser))
    assert has_rock(kept_of(studio, "gate 2")["saved"], 7, 7) and has_rock(kept_of(studio, "gate")["saved"], 2, 2)
    fill(browser, "#level-name", "gate")
    press(browser, "#save-level")
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, "#replace-level"))
    press(browser, "#replace-level")
    until(browser, lambda: has_rock(kept_of(studio, "gate")["saved"], 7, 7))
    until(browser, lambda: not browser.find_elements(By.CSS_SELECTOR, "#replace-level"))


def test_opening_changes_nothing_and_there_is_a_way_back_to_what_was_saved(browser, studio):
    fresh_table(browser, studio)
    fill(browser, "#level-name", "hall")
    draw(browser, "rock", (3, 3))
    until(browser, lambda: "hall" in names(browser))
    press(browser, "#save-level")
    until(browser, lambda: kept_of(studio, "hall")["draft"] is None)
    press(browser, "#new-level")
    until(browser, lambda: level_name(browser) == "")
    press(browser, "[data-level=hall] .open-level")
    until(browser, lambda: rock(browser) == {(3, 3)} and level_name(browser) == "hall")
    assert not find(browser, "#undo").is_enabled()
    assert kept_of(studio, "hall")["saved"]["level"]["locks"][3][3] == "#"  # what is drawn is locked, saved or not
    press(browser, "[data-level=hall] [aria-label^=Duplicate]")
    until(browser, lambda: "hall copy" in names(browser))  # by then a draft would be there
    assert kept_of(studio, "hall")["draft"] is None and "changed" not in text(browser, "[data-level=hall]")
    draw(browser, "rock", (5, 5))
    until(browser, lambda: "changed" in text(browser, "[data-level=hall]"))
    for _ in range(2):
        press(browser, "[data-level=hall] .back-to-saved")
    until(browser, lambda: rock(browser) == {(3, 3)} and "changed" not in text(browser, "[data-level=hall]"))
    assert kept_of(studio, "hall")["draft"] is None
    # Another name for the same level.
    fill(browser, "#level-name", "court")
    press(browser, "#rename-level")
    until(browser, lambda: {"court", "hall copy"} == names(browser))
    draw(browser, "rock", (6, 6))
    until(browser, lambda: kept_of(studio, "court")["draft"] is not None)
    fill(browser, "#level-name", "hall copy")
    press(browser, "#rename-level")
    until(browser, lambda: "hall copy" in text(browser, "#level-name-wrong"))
    assert {"court", "hall copy"} == names(browser)
    browser.get_log("browser")  # the browser's own line about the name that was refused


def test_a_file_is_opened_beside_the_drawing_that_has_its_name(browser, studio, tmp_path):
    fresh_table(browser, studio)
    fill(browser, "#level-name", "gate")
    draw(browser, "rock", (2, 2))
    until(browser, lambda: "gate" in names(browser))
    level = {**kept_of(studio, "gate")["draft"]["level"], "cells": ["." * 20] * 19 + ["." * 5 + "#" + "." * 14]}
    file = tmp_path / "gate.json"
    file.write_text(json.dumps({key: level[key] for key in ("cells", "entrance", "exit", "checkpoints")}))
    find(browser, "#level-file").send_keys(str(file))
    until(browser, lambda: level_name(browser) == "gate 2" and rock(browser) == {(5, 19)})
    assert has_rock(kept_of(studio, "gate")["draft"], 2, 2) and has_rock(kept_of(studio, "gate 2")["draft"], 5, 19)
    draw(browser, "rock", (9, 9))
    until(browser, lambda: has_rock(kept_of(studio, "gate 2")["draft"], 9, 9))
    assert not has_rock(kept_of(studio, "gate")["draft"], 9, 9)


def test_a_file_that_is_dropped_anywhere_opens_in_its_editor(browser, studio):
    drop = ("const files = new DataTransfer(); files.items.add(new File([arguments[1]], arguments[0]));"
            "const told = ['dragover', 'drop'].map((kind) => { const event = new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer: files });"
            "document.body.dispatchEvent(event); return event.defaultPrevented; }); return told")
    fresh_table(browser, studio)
    for place in ("runs", "queens", "dungeons"):
        browser.execute_script(f"location.hash = '#/{place}'")
        until(browser, lambda: text(browser, "h1").lower() == place)
        assert browser.execute_script(drop, f"from {place}.txt", "E..#\n.#..\n...X\n") == [True, True]
        until(browser, lambda: text(browser, "h1") == "Mazes" and level_name(browser) == f"from {place}")
        assert rock(browser) == {(3, 0), (1, 1)}
    assert browser.execute_script(drop, "hall.txt", "######\n#Er.R#\n#...X#\n######\n") == [True, True]
    until(browser, lambda: text(browser, "h1") == "Dungeons" and level_name(browser) == "hall")
    browser.execute_script(drop, "letter.txt", "Dear Ariadne")
    until(browser, lambda: "letter.txt" in text(browser, ".toast"))
    browser.get_log("browser")  # the browser's own line about the file that was refused


def test_a_name_that_cannot_be_is_said_beside_it_and_the_stroke_is_kept(browser, studio):
    fresh_table(browser, studio)
    fill(browser, "#level-name", "a/b")
    draw(browser, "rock", (4, 4))
    until(browser, lambda: text(browser, "#level-name-wrong") == "A name has no /. What you draw is kept as Maze 1")
    until(browser, lambda: has_rock(kept_of(studio, "Maze 1")["draft"], 4, 4))
    fill(browser, "#level-name", "ab")
    draw(browser, "rock", (5, 4))
    until(browser, lambda: "ab" in names(browser) and not browser.find_elements(By.CSS_SELECTOR, "#level-name-wrong"))


def test_a_workspace_that_is_full_is_said_and_the_stroke_kept_when_there_is_room(browser, tmp_path):
    with Studio(tmp_path) as studio:
        level = {"rows": ["####", "#EX#", "####"]}
        for number in range(1000):
            status_code, _, _ = studio.request("PUT", f"/api/drawings/old%20{number}/draft", {"domain": "dungeon", "level": level})
            assert status_code == 200
        visit(browser, studio, "mazes")
        draw(browser, "rock", (4, 4))
        until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, "#level-name-wrong"))
        assert "1000 drawings" in text(browser, "#level-name-wrong")
        studio.request("DELETE", "/api/drawings/old%207")
        draw(browser, "rock", (5, 4))
        until(browser, lambda: studio.request("GET", "/api/drawings/Maze%201")[0] == 200)
        assert has_rock(kept_of(studio, "Maze 1")["draft"], 4, 4)
        until(browser, lambda: not browser.find_elements(By.CSS_SELECTOR, "#level-name-wrong"))
        browser.get("about:blank")
    browser.get_log("browser")  # the browser's own lines about what was refused


def test_what_is_drawn_while_the_studio_is_away_is_kept_when_it_is_back(browser, tmp_path):
    with Studio(tmp_path) as studio:
        visit(browser, studio, "mazes")
        draw(browser, "rock", (2, 2))
        until(browser, lambda: level_name(browser) == "Maze 1")
        studio.end(signal.SIGKILL)
        until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, ".away"))
        draw(browser, "rock", (3, 2), (6, 2))
        draw(browser, "rock", (3, 8))
        restart(studio, studio.port)
        until(browser, lambda: not browser.find_elements(By.CSS_SELECTOR, ".away"))
        until(browser, lambda: has_rock(kept_of(studio, "Maze 1")["draft"], 3, 8), 10)
        assert has_rock(kept_of(studio, "Maze 1")["draft"], 6, 2)
        browser.get("about:blank")
    browser.get_log("browser")  # the browser's own lines about connections that were refused
