"""The page in a real browser: mazes, runs, and what all pages have to keep to. Screenshots go to $KNOSSOS_SCREENSHOTS."""

import json
import os
import pathlib
import signal
import subprocess

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from server import PROGRAM, Studio
from steps import FASTEST, draw, fill, find, generation, press, resize, run_shown, scheme, screenshot, slide, status, text, until, visit

HERE = pathlib.Path(__file__).parent
AUDIT = (HERE / "audit.js").read_text()


# --- mazes ---------------------------------------------------------------------------------------------------


SHORT_MAZE = "mazes?recipe=maze&set=stop.evaluations%3D20000"  # long enough to see something


def evolve(driver, seed=1, speed=FASTEST):
    before = run_shown(driver)
    fill(driver, "#seed", seed)
    slide(driver, driver.find_elements(By.CSS_SELECTOR, ".settings > .field input[type=range]")[-1], speed)
    press(driver, "#evolve")
    until(driver, lambda: run_shown(driver) not in (None, before))
    return run_shown(driver)


def level_of(studio, run):
    return studio.get(f"/api/runs/{run}/frames/9007199254740992")["level"]


def test_a_drawn_maze_is_respected_by_evolution(browser, studio, downloads):
    visit(browser, studio, SHORT_MAZE)
    draw(browser, "rock", (4, 0), (4, 9))
    draw(browser, "open", (10, 10), (14, 10))
    draw(browser, "checkpoint", (2, 15))
    draw(browser, "checkpoint", (16, 4))
    draw(browser, "exit", (19, 10))
    press(browser, "#undo")
    press(browser, "#redo")
    screenshot(browser, "maze-drawn")
    run = evolve(browser)
    until(browser, lambda: status(browser) == "Ended")
    level = level_of(studio, run)
    assert all(level["cells"][y][4] == "#" for y in range(10))
    assert all(level["cells"][10][x] == "." for x in range(10, 15))
    assert level["checkpoints"] == [[2, 15], [16, 4]] and level["exit"] == [19, 10]
    assert all(level["cells"][y][x] == "." for x, y in level["checkpoints"])
    assert studio.get(f"/api/runs/{run}")["statistics"]["best_ever"] > 60
    until(browser, lambda: "exit path" in text(browser, "#caption") and browser.find_elements(By.CSS_SELECTOR, ".thumb"))
    for overlay in ("distances", "culsDeSac", "witnesses"):
        press(browser, f"[data-overlay={overlay}]")
    screenshot(browser, "maze-overlays")
    # What is downloaded is what is shown, with pockets that nobody can reach.
    press(browser, "[data-format=tmj]")
    file = downloads / "maze.tmj"
    until(browser, file.exists)
    tiled = json.loads(file.read_text())
    rock = next(layer for layer in tiled["layers"] if layer["type"] == "tilelayer")
    wanted = [cell == "#" for cell in "".join(level["cells"])]
    floor = {rock["data"][i] for i, is_rock in enumerate(wanted) if not is_rock}
    walls = {rock["data"][i] for i, is_rock in enumerate(wanted) if is_rock}
    assert (tiled["width"], tiled["height"]) == (20, 20) and not floor & walls
    for format in ("tmx", "csv", "json", "svg", "png"):
        press(browser, f"[data-format={format}]")
        until(browser, (downloads / f"maze.{format}").exists)


def test_a_maze_can_be_taken_edited_locked_and_evolved_on(browser, studio):
    visit(browser, studio, SHORT_MAZE)
    fill(browser, "#width", 12)
    fill(browser, "#height", 10)
    first = evolve(browser, seed=4)
    until(browser, lambda: status(browser) == "Ended" and browser.find_elements(By.CSS_SELECTOR, ".thumb"))
    before = level_of(studio, first)
    press(browser, "#take")
    until(browser, lambda: find(browser, "[data-mode=draw]").get_attribute("aria-pressed") == "true")
    assert find(browser, "#from-drawing").is_selected()
    draw(browser, "lock", (0, 0), (11, 0))
    draw(browser, "rock", (6, 4), (6, 6))
    second = evolve(browser, seed=5)
    until(browser, lambda: status(browser) == "Ended")
    recipe = studio.get(f"/api/runs/{second}")["sections"]["problem"]["values"]
    start = recipe["start"].split("\n")
    assert start[0] == before["cells"][0] and [start[y][6] for y in (4, 5, 6)] == ["#"] * 3
    after = level_of(studio, second)
    assert after["cells"][0] == before["cells"][0]
    assert [after["cells"][y][6] for y in (4, 5, 6)] == ["#"] * 3


def test_wishes_are_met_and_the_score_says_so(browser, studio):
    visit(browser, studio, SHORT_MAZE)
    press(browser, "#add-wish")
    wish = find(browser, ".wish")
    low, high, _ = wish.find_elements(By.CSS_SELECTOR, "input[type=range]")
    slide(browser, high, 80)
    slide(browser, low, 60)
    evolve(browser, seed=2)
    until(browser, lambda: status(browser) == "Solved")
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, ".score .met"))
    assert not browser.find_elements(By.CSS_SELECTOR, ".score .unmet")
    path = int(next(row for row in browser.find_elements(By.CSS_SELECTOR, ".score tr")).find_element(By.TAG_NAME, "td").text)
    assert 60 <= path <= 80


def test_a_maze_can_be_walked(browser, studio):
    visit(browser, studio, SHORT_MAZE)
    fill(browser, "#width", 8)
    fill(browser, "#height", 8)
    run = evolve(browser, seed=3)
    until(browser, lambda: status(browser) == "Ended")
    level = level_of(studio, run)
    _, body, _ = studio.request("POST", "/api/levels/survey", {"level": level})
    path = json.loads(body)["path"]
    until(browser, lambda: f"exit path {len(path) - 1}" in text(browser, "#caption"))
    press(browser, "[data-mode=walk]")
    directions = {(1, 0): Keys.ARROW_RIGHT, (-1, 0): Keys.ARROW_LEFT, (0, 1): Keys.ARROW_DOWN, (0, -1): Keys.ARROW_UP}
    keys = [directions[(b[0] - a[0], b[1] - a[1])] for a, b in zip(path, path[1:])]
    ActionChains(browser).send_keys(*keys).perform()
    until(browser, lambda: "there is no shorter way" in text(browser, ".readout"))
    screenshot(browser, "maze-walked")


def test_walls_between_cells_are_drawn(browser, studio):
    visit(browser, studio, "mazes")
    Select(find(browser, "#representation")).select_by_value("chromatic")
    run = evolve(browser, seed=1, speed=6)
    until(browser, lambda: generation(browser) > 5)
    press(browser, "[data-action=pause]")
    until(browser, lambda: status(browser) == "Paused")
    assert "walls_east" in level_of(studio, run)
    screenshot(browser, "maze-chromatic")


# --- runs ----------------------------------------------------------------------------------------------------


def test_the_history_lists_compares_and_deletes(browser, studio):
    runs = [studio.order("pmx-queens", seed=11, set={"problem.n": n})["id"] for n in (15, 16)]
    for run in runs:
        studio.wait_for(run, "ended")
    visit(browser, studio, "runs")
    until(browser, lambda: all(browser.find_elements(By.CSS_SELECTOR, f"[data-run={run}]") for run in runs))
    for run in runs:
        press(browser, f"[data-run={run}] input")
    until(browser, lambda: len(browser.find_elements(By.CSS_SELECTOR, ".chart .curve")) == 2)
    until(browser, lambda: browser.execute_script("return [...document.querySelectorAll('img.thumbnail')].slice(0, 2).every((one) => one.complete && one.naturalWidth > 0)"))
    screenshot(browser, "runs")
    for _ in range(2):
        press(browser, f"[data-run={runs[0]}] .danger")
    until(browser, lambda: not browser.find_elements(By.CSS_SELECTOR, f"[data-run={runs[0]}]"))
    assert not (studio.workspace / runs[0]).exists()
    press(browser, f"[data-run={runs[1]}] a")
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, ".board-figure") and status(browser) == "Solved")


def test_a_run_without_an_editor_has_a_page(browser, studio):
    """Any domain can be watched: its picture is the server's, and one without pictures has its curves."""
    pictured = studio.order("pbo-queens", seed=3, set={"problem.n": 8, "stop.evaluations": 3000})["id"]
    armies = studio.order("armies", seed=3, set={"stop.evaluations": 20})["id"]
    plain = studio.order("one-max", seed=3)["id"]
    for run in (pictured, armies, plain):
        studio.wait_for(run, "ended")
    visit(browser, studio, "runs")
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, f"[data-run={pictured}] img.thumbnail"))
    assert not browser.find_elements(By.CSS_SELECTOR, f"[data-run={plain}] img.thumbnail")
    listed = [option.text for option in Select(find(browser, "#filter")).options]
    assert listed[:5] == ["All problems", "Queens", "Armies", "Dungeons", "Mazes"] and "OneMax" in listed
    press(browser, f"[data-run={pictured}] a")
    drawn = "const one = document.querySelector('img.picture'); return one && one.complete && one.naturalWidth > 0"
    until(browser, lambda: browser.execute_script(drawn))
    assert "queens" in find(browser, "img.picture").get_attribute("alt")
    assert browser.find_elements(By.CSS_SELECTOR, ".chart .curve")
    screenshot(browser, "run")
    visit(browser, studio, f"run?run={armies}")
    until(browser, lambda: browser.execute_script(drawn))
    shown = find(browser, "img.picture").get_attribute("alt")
    assert shown.startswith("3 armies of ") and shown.endswith(" queens each, none attacked")
    screenshot(browser, "run-armies")
    visit(browser, studio, f"run?run={plain}")
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, ".chart .curve") and status(browser) == "Solved")
    assert not find(browser, "img.picture").is_displayed()


# --- all pages -----------------------------------------------------------------------------------------------


LOOKS = [("light", 1280), ("dark", 390), ("dark", 1280), ("light", 390)]


@pytest.mark.parametrize("theme,width", LOOKS if os.environ.get("KNOSSOS_LONG") == "1" else LOOKS[:2])
def test_pages_are_accessible(browser, studio, theme, width):
    resize(browser, width, 900)
    scheme(browser, theme)
    run = {page: studio.order(recipe, seed=9, paused=True)["id"] for page, recipe in (("queens", "half-breed-queens"), ("mazes", "maze"))}
    for one in run.values():
        studio.control(one, "step", count=5)
    for place in (f"queens?run={run['queens']}", f"mazes?run={run['mazes']}", "mazes", "runs"):
        visit(browser, studio, place)
        if "run=" in place:
            until(browser, lambda: generation(browser) >= 5)
        for details in browser.find_elements(By.CSS_SELECTOR, "details"):
            browser.execute_script("arguments[0].open = true", details)
        assert browser.execute_script(AUDIT) == [], place
        browser.execute_script("for (const one of document.querySelectorAll('details')) one.open = false")
        screenshot(browser, f"{place.split('?')[0]}{'-run' if 'run=' in place else ''}-{theme}-{width}")
    for one in run.values():
        studio.request("DELETE", f"/api/runs/{one}")


# A phone, a tablet, a screen, and the same screen at 200 %.
SIZES = [(390, 844), (820, 1180), (1280, 900), (640, 450)]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_page_fits_four_sizes(browser, studio, theme):
    scheme(browser, theme)
    runs = {page: studio.order(recipe, seed=9, paused=True, set={"stop.evaluations": 3000})["id"]
            for page, recipe in (("queens", "duel-queens"), ("mazes", "maze"), ("dungeons", "dungeon"), ("run", "armies"), ("gallery", "maze-gallery"))}
    for one in runs.values():
        studio.control(one, "step", count=2)
    places = ["queens", "mazes", "dungeons", "run", "gallery", "breed", "studies", "runs", *(f"{page}?run={one}" for page, one in runs.items())]
    for place in places:
        resize(browser, 1280, 900)
        visit(browser, studio, place)
        if "run=" in place:
            until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, ".command, .gallery-page canvas, .share"))
        for details in browser.find_elements(By.CSS_SELECTOR, "details"):
            browser.execute_script("arguments[0].open = true", details)
        for width, height in SIZES:
            resize(browser, width, height)
            browser.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")
            assert browser.execute_script(AUDIT) == [], (place, width)
        screenshot(browser, f"{place.split('?')[0]}{'-run' if 'run=' in place else ''}-{theme}-{width}")
    for one in runs.values():
        studio.request("DELETE", f"/api/runs/{one}")
    browser.get("about:blank")
    browser.get_log("browser")  # the browser's own lines about pictures of runs that were deleted


def test_nothing_comes_from_elsewhere(browser, studio):
    visit(browser, studio, "queens")
    names = browser.execute_script("return performance.getEntriesByType('resource').map((one) => one.name)")
    assert names and all(name.startswith(studio.address) for name in names)
    paint = browser.execute_script("return performance.getEntriesByName('first-contentful-paint')[0].startTime")
    size = browser.execute_script("return performance.getEntriesByType('resource').reduce((sum, one) => sum + one.decodedBodySize, 0)")
    print(f"first paint after {paint:.0f} ms, {size:.0f} bytes")


# --- the server beneath --------------------------------------------------------------------------------------


def test_runs_survive_the_server(tmp_path):
    """Killed in mid-run and started again, it has the run, goes on with it, and ends with the same result."""
    changes = {"problem.n": 30, "stop.generations": 400}
    with Studio(tmp_path / "a") as whole:
        expected = whole.wait_for(whole.order("roulette-queens", seed=8, set=changes)["id"], "ended")["run"]
    with Studio(tmp_path / "b") as studio:
        run = studio.order("roulette-queens", seed=8, set=changes, speed=200, paused=True)["id"]
        studio.control(run, "step", count=7)
        while studio.get(f"/api/runs/{run}")["statistics"]["generation"] < 7:
            pass
        assert studio.end(signal.SIGTERM) == 0
        studio.start()
        found = studio.get(f"/api/runs/{run}")
        assert (found["state"], found["statistics"]["generation"]) == ("paused", 7)
        studio.control(run, "play")
        while studio.get(f"/api/runs/{run}")["statistics"]["generation"] < 20:
            pass
        studio.end(signal.SIGKILL)
        studio.start()
        assert studio.get(f"/api/runs/{run}")["state"] in ("paused", "ended")
        if studio.get(f"/api/runs/{run}")["state"] == "paused":
            studio.control(run, "play", speed=0)
        ended = studio.wait_for(run, "ended")["run"]
        assert ended["digest"] == expected["digest"]
        generations = [row[0] for row in studio.get(f"/api/runs/{run}/history")["rows"]]
        assert generations[0] == 0 and generations[-1] == 400 and len(generations) > 100
        second = subprocess.run([PROGRAM, "studio", "--no-open", "--workspace", str(studio.workspace)], capture_output=True, text=True)
        assert second.returncode == 2 and "another studio" in second.stderr
        (verified,) = [subprocess.run([PROGRAM, "verify", str(studio.workspace / run)], capture_output=True).returncode]
        assert verified == 0
