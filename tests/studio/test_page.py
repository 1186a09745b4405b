"""The page in a real browser. Screenshots go to $KNOSSOS_SCREENSHOTS. Waits are for what is to be seen, never for time."""

import base64
import json
import os
import pathlib
import shlex
import signal
import subprocess

import pytest
from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

from server import PROGRAM, Studio

HERE = pathlib.Path(__file__).parent
SCREENSHOTS = pathlib.Path(os.environ.get("KNOSSOS_SCREENSHOTS", "build/screenshots"))
AUDIT = (HERE / "audit.js").read_text()


@pytest.fixture(scope="module")
def studio():
    with Studio() as running:
        yield running


@pytest.fixture(scope="module")
def downloads(tmp_path_factory):
    return tmp_path_factory.mktemp("downloads")


@pytest.fixture(scope="module")
def chromium(downloads):
    options = Options()
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    options.add_experimental_option("prefs", {"download.default_directory": str(downloads)})
    driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
    driver.set_script_timeout(60)
    driver.command_executor.set_timeout(30)  # the driver loses an answer now and then; questions are asked again
    yield driver
    driver.quit()


@pytest.fixture
def browser(chromium, studio):
    """The window at 1280 × 900, light, and nothing in the console afterwards."""
    resize(chromium, 1280, 900)
    scheme(chromium, "light")
    chromium.get_log("browser")
    yield chromium
    chromium.get("about:blank")
    severe = [entry["message"] for entry in chromium.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]
    assert severe == []


def resize(driver, width, height):
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})


def scheme(driver, name):
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": name}]})


def screenshot(driver, name):
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    size = driver.execute_cdp_cmd("Page.getLayoutMetrics", {})["cssContentSize"]
    clip = {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}
    shot = driver.execute_cdp_cmd("Page.captureScreenshot", {"captureBeyondViewport": True, "clip": clip})
    (SCREENSHOTS / f"{name}.png").write_bytes(base64.b64decode(shot["data"]))


def visit(driver, studio, place):
    """Opens a page as if for the first time."""
    driver.get(f"{studio.address}openapi.json")
    driver.execute_script("sessionStorage.clear()")
    driver.get(f"{studio.address}#/{place}")
    until(driver, lambda: driver.find_elements(By.TAG_NAME, "h1"))


def until(driver, condition, seconds=60):
    """What was found may be replaced, with the page, before it is looked at: then it is looked for again."""
    return WebDriverWait(driver, seconds, poll_frequency=0.03, ignored_exceptions=[StaleElementReferenceException]).until(
        lambda _: condition())


def find(driver, selector):
    return driver.find_element(By.CSS_SELECTOR, selector)


def press(driver, selector):
    element = find(driver, selector)
    driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
    element.click()


def text(driver, selector):
    return find(driver, selector).get_property("textContent")


def fill(driver, selector, value):
    field = find(driver, selector)
    field.send_keys(Keys.CONTROL, "a")
    field.send_keys(str(value), Keys.TAB)


def slide(driver, element, value):
    driver.execute_script("arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('input', {bubbles: true}))", element, value)


def status(driver):
    return text(driver, ".stage .status")


def run_shown(driver):
    return driver.execute_script("return new URLSearchParams(location.hash.split('?')[1] || '').get('run')")


def generation(driver):
    words = text(driver, ".moment").replace(",", "").split()
    return int(words[1]) if len(words) > 1 else -1


def start_queens(driver, studio, n, seed=1, recipe="pmx-queens", paused=False, speed=None):
    Select(find(driver, "#recipe")).select_by_value(recipe)
    fill(driver, "#n", n)
    fill(driver, "#seed", seed)
    if speed is not None:
        slide(driver, find(driver, ".settings input[type=range]"), speed)
    press(driver, "#start-paused" if paused else "#start")
    until(driver, lambda: run_shown(driver))
    return run_shown(driver)


FASTEST = 11  # place of "as fast as it goes" on the speed slider


# --- queens --------------------------------------------------------------------------------------------------


def test_eight_queens_are_solved_and_none_is_marked(browser, studio):
    visit(browser, studio, "queens")
    run = start_queens(browser, studio, 8, seed=5, recipe="roulette-queens", speed=FASTEST)
    until(browser, lambda: status(browser) == "Solved")
    until(browser, lambda: find(browser, ".board-figure").get_attribute("data-attacked") == "0")
    assert len(browser.find_elements(By.CSS_SELECTOR, ".queen")) == 8
    assert browser.find_elements(By.CSS_SELECTOR, ".queen.attacked, .ring, .attack") == []
    assert "None is attacked" in text(browser, ".board-figure .hidden-text")
    assert text(browser, ".caption") == "8 queens, solved · 1.0000 on the wheel"
    screenshot(browser, "queens-solved")
    # The same recipe and seed on the command line give the same run, to the bit.
    known = studio.get(f"/api/runs/{run}")
    command = shlex.split(known["command"])
    assert command[:2] == ["knossos", "run"] and text(browser, ".command") == known["command"]
    result = json.loads(subprocess.run([PROGRAM, *command[1:], "--json"], capture_output=True, check=True).stdout)
    assert result["result"]["digest"] == known["digest"]


def test_a_queen_that_is_pointed_at_tells_her_collisions(browser, studio):
    visit(browser, studio, "queens")
    run = start_queens(browser, studio, 12, seed=2, recipe="roulette-queens", paused=True)
    until(browser, lambda: generation(browser) == 0 and len(browser.find_elements(By.CSS_SELECTOR, ".queen")) == 12)
    frame = studio.get(f"/api/runs/{run}/frames/0")
    met = frame["board"]["collisions"]
    assert sum(met) == 2 * frame["board"]["conflicts"] == frame["best_ever"] and len(met) == 12
    for row, column in enumerate(frame["board"]["columns"]):
        x, y = browser.execute_script(
            "const box = document.querySelector('.board-figure .floor').getBoundingClientRect();"
            "return [box.left + (arguments[1] + 0.5) * box.width / 12, box.bottom - (arguments[0] + 0.5) * box.height / 12]", row, column)
        told = browser.execute_script("return document.elementFromPoint(arguments[0], arguments[1]).querySelector('title').textContent", x, y)
        name = "abcdefghijkl"[column] + str(row + 1)
        assert told == f"{name}: " + ("no collisions" if met[row] == 0 else f"{met[row]} collision" + "s" * (met[row] > 1))
    # Beside the collisions of each chromosome stands what the founding wheel makes of them.
    size = 100
    total = frame["mean"] * size
    for one, caption in zip(frame["population"], browser.find_elements(By.CSS_SELECTOR, ".population figcaption"), strict=True):
        assert abs(one["scaled"] - (1 - one["fitness"] / total)) < 1e-9
        assert caption.get_property("textContent") == f"{one['fitness']:g} · {one['scaled']:.4f}"
    screenshot(browser, "queens-wheel")


def test_a_duel_shows_both_boards_and_who_wins(browser, studio):
    visit(browser, studio, "queens")
    run = start_queens(browser, studio, 8, seed=2, recipe="duel-queens", paused=True)
    until(browser, lambda: generation(browser) == 0)
    press(browser, "[data-action=step]")
    until(browser, lambda: generation(browser) == 1)
    frame = studio.get(f"/api/runs/{run}/frames/1")
    assert sorted(one["name"] for one in frame["population"]) == ["mutant", "other"]
    captions = [caption.get_property("textContent") for caption in browser.find_elements(By.CSS_SELECTOR, ".population figcaption")]
    assert captions == [f"{one['name']} · {one['fitness']:g}" for one in frame["population"]]
    assert frame["remark"] in text(browser, ".caption") and "the mutant has" in frame["remark"]
    assert "100 rounds" in text(browser, ".moment")
    screenshot(browser, "queens-duel")


def test_pause_step_and_scrub(browser, studio):
    visit(browser, studio, "queens")
    start_queens(browser, studio, 40, seed=2, recipe="half-breed-queens", paused=True, speed=5)
    until(browser, lambda: generation(browser) == 0)
    assert status(browser) == "Paused"
    for expected in (1, 2, 3):
        press(browser, "[data-action=step]")
        until(browser, lambda: generation(browser) == expected)
    attacked = int(find(browser, ".board-figure").get_attribute("data-attacked"))
    assert attacked > 0 and len(browser.find_elements(By.CSS_SELECTOR, ".ring")) == attacked
    press(browser, "[data-action=play]")
    until(browser, lambda: generation(browser) > 20)
    press(browser, "[data-action=pause]")
    until(browser, lambda: status(browser) == "Paused")
    screenshot(browser, "queens-running")
    slider = find(browser, ".scrub")
    slide(browser, slider, 1)
    until(browser, lambda: generation(browser) == 1 and "of" in text(browser, ".moment"))
    assert browser.find_elements(By.CSS_SELECTOR, ".chart .mark")
    slide(browser, slider, 0)
    until(browser, lambda: generation(browser) == 0)
    press(browser, "[data-action=live]")
    until(browser, lambda: generation(browser) > 20)
    press(browser, "[data-action=end]")
    until(browser, lambda: status(browser) in ("Solved", "Ended without a solution"))


def test_reload_in_mid_run_finds_it_again(browser, studio):
    visit(browser, studio, "queens")
    run = start_queens(browser, studio, 50, seed=3, recipe="roulette-queens", speed=3)
    until(browser, lambda: generation(browser) >= 2)
    before = generation(browser)
    browser.refresh()
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, ".moment") and generation(browser) > before)
    assert run_shown(browser) == run and status(browser) == "Running"
    assert find(browser, "#n").get_property("value") == "50"
    assert Select(find(browser, "#recipe")).first_selected_option.get_attribute("value") == "roulette-queens"
    # So does coming back from another page.
    browser.execute_script("location.hash = '#/runs'")
    until(browser, lambda: text(browser, "h1") == "Runs")
    browser.execute_script("location.hash = '#/queens'")
    until(browser, lambda: text(browser, "h1") == "Queens" and status(browser) == "Running")
    assert run_shown(browser) == run
    # The page may close; the run goes on.
    browser.get("about:blank")
    seen = studio.get(f"/api/runs/{run}")["statistics"]["generation"]
    while studio.get(f"/api/runs/{run}")["statistics"]["generation"] <= seen:
        pass
    studio.control(run, "pause")


def test_controls_come_from_the_registry_and_mistakes_are_told(browser, studio):
    visit(browser, studio, "queens")
    registry = studio.get("/api/registry")
    mutations = next(one for one in registry["sections"] if one["path"] == "stages.mutate")["parts"]
    details = find(browser, "details[data-path='stages.mutate']")
    details.find_element(By.TAG_NAME, "summary").click()
    kind = Select(details.find_element(By.TAG_NAME, "select"))
    assert [one.get_attribute("value") for one in kind.options] == [one["name"] for one in mutations]
    kind.select_by_value("bit-flip")
    press(browser, "#start")
    until(browser, lambda: "permutation" in text(browser, ".trouble"))
    details = find(browser, "details[data-path='stages.mutate']")
    Select(details.find_element(By.TAG_NAME, "select")).select_by_value("inversion")
    slide(browser, find(browser, ".settings input[type=range]"), FASTEST)
    press(browser, "#start")
    until(browser, lambda: status(browser) == "Solved")
    assert "--set stages.mutate.kind=" in text(browser, ".command")
    fill(browser, "#n", 3)
    press(browser, "#start")
    until(browser, lambda: "no solution" in text(browser, ".trouble"))
    # A refused order is told in the console as well: that is the browser's own line, not a fault of the page.
    browser.get_log("browser")


def test_an_optional_stage_can_be_switched_off_and_on(browser, studio):
    visit(browser, studio, "queens?recipe=memetic-queens&seed=3")
    stage = "details[data-path='stages.improve']"

    def choose(kind):
        if not find(browser, stage).get_property("open"):
            press(browser, f"{stage} summary")
        Select(find(browser, f"{stage} select")).select_by_value(kind)

    assert text(browser, f"{stage} .now") == "Hill climb"
    choose("none")
    assert text(browser, f"{stage} .now") == "None"
    screenshot(browser, "queens-stage-off")
    press(browser, "#start-paused")
    until(browser, lambda: run_shown(browser))
    assert text(browser, ".command") == "knossos run memetic-queens --set stages.improve=none --seed 3"
    assert "stages.improve" not in studio.get(f"/api/runs/{run_shown(browser)}")["sections"]
    # A link brings it along, and what was switched off can be switched on again.
    visit(browser, studio, "queens?recipe=memetic-queens&seed=3&set=stages.improve%3Dnone")
    assert text(browser, f"{stage} .now") == "None"
    choose("hill-climb")
    press(browser, "#start-paused")
    until(browser, lambda: run_shown(browser))
    assert text(browser, ".command") == "knossos run memetic-queens --seed 3"


def test_many_queens_are_shown_as_a_density(browser, studio):
    visit(browser, studio, "queens")
    start_queens(browser, studio, 2000, recipe="memetic-queens", paused=True)
    until(browser, lambda: "2000 queens" in text(browser, ".caption").replace(",", ""))
    assert find(browser, "canvas.board").is_displayed()
    screenshot(browser, "queens-density")


def test_a_shared_link_fills_the_page(browser, studio):
    visit(browser, studio, "queens?recipe=knockout-queens&seed=77&set=problem.n%3D9&set=algorithm.population%3D16")
    assert find(browser, "#n").get_property("value") == "9"
    assert find(browser, "#seed").get_property("value") == "77"
    slide(browser, find(browser, ".settings input[type=range]"), FASTEST)
    press(browser, "#start")
    until(browser, lambda: status(browser) == "Solved")
    assert text(browser, ".command") == "knossos run knockout-queens --set problem.n=9 --set algorithm.population=16 --seed 77"


def test_the_keyboard_alone_is_enough(browser, studio):
    visit(browser, studio, "queens")

    def keys(*some):
        ActionChains(browser).send_keys(*some).perform()

    def active():
        return browser.switch_to.active_element

    for _ in range(12):
        keys(Keys.TAB)
        if active().get_attribute("id") == "n":
            break
    assert active().get_attribute("id") == "n"
    keys(Keys.CONTROL, "a")
    browser.execute_script("document.activeElement.select()")
    keys("20", Keys.TAB)
    for _ in range(8):
        if active().get_attribute("id") == "start-paused":
            break
        keys(Keys.TAB)
    keys(Keys.ENTER)
    until(browser, lambda: status(browser) == "Paused" and generation(browser) == 0)
    browser.execute_script("document.getElementById('main').focus()")
    keys(".")
    until(browser, lambda: generation(browser) == 1)
    keys("e")
    until(browser, lambda: status(browser) == "Solved")
    focus = browser.execute_script("document.querySelector('.bar nav a').focus({focusVisible: true}); return getComputedStyle(document.activeElement).outlineStyle")
    assert focus == "solid"
    # And a maze: draw a wall, go to the mazes by keys.
    keys(Keys.TAB, Keys.ENTER)
    until(browser, lambda: text(browser, "h1") == "Mazes")
    browser.execute_script("document.getElementById('maze').focus({focusVisible: true})")
    keys(Keys.ARROW_RIGHT, Keys.ARROW_DOWN, " ", Keys.ARROW_DOWN, " ", "7", Keys.ARROW_RIGHT, Keys.ENTER)
    until(browser, lambda: "checkpoint 1" in text(browser, "#say"))
    assert "Column 3, row 3, open, locked, checkpoint 1" in text(browser, "#say")


# --- mazes ---------------------------------------------------------------------------------------------------


SHORT_MAZE = "mazes?recipe=maze&set=stop.evaluations%3D20000"  # long enough to see something


def maze_at(driver, cell):
    canvas = find(driver, "#maze")
    size = float(canvas.get_attribute("data-cell"))
    box = canvas.rect
    x, y = (int(2 + (part + 0.5) * size) for part in cell)
    return canvas, x - int(box["width"] / 2), y - int(box["height"] / 2)


def draw(driver, tool, *cells):
    press(driver, f"[data-tool={tool}]")
    driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", find(driver, "#maze"))
    actions = ActionChains(driver, duration=1).move_to_element_with_offset(*maze_at(driver, cells[0])).click_and_hold()
    for cell in cells[1:]:
        actions.move_to_element_with_offset(*maze_at(driver, cell))
    actions.release().perform()


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
    # What is downloaded is what is shown, but for pockets that nobody can reach.
    press(browser, "[data-format=tmj]")
    file = downloads / "maze.tmj"
    until(browser, file.exists)
    tiled = json.loads(file.read_text())
    rock = next(layer for layer in tiled["layers"] if layer["type"] == "tilelayer")
    _, body, _ = studio.request("POST", "/api/levels/survey", {"level": level})
    pockets = json.loads(body)["pocket"]
    cells = "".join(level["cells"])
    wanted = [cell == "#" or pockets[i] > 0 for i, cell in enumerate(cells)]
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
    runs = [studio.order("pmx-queens", seed=seed, set={"problem.n": 16})["id"] for seed in (11, 12)]
    for run in runs:
        studio.wait_for(run, "ended")
    (studio.workspace / "my-study").mkdir(exist_ok=True)
    (studio.workspace / "my-study" / "report.html").write_text("<!doctype html><title>Report</title><h1>A study</h1>")
    visit(browser, studio, "runs")
    until(browser, lambda: all(browser.find_elements(By.CSS_SELECTOR, f"[data-run={run}]") for run in runs))
    for run in runs:
        press(browser, f"[data-run={run}] input")
    until(browser, lambda: len(browser.find_elements(By.CSS_SELECTOR, ".chart .curve")) == 2)
    until(browser, lambda: browser.execute_script("return [...document.querySelectorAll('img.thumbnail')].slice(0, 2).every((one) => one.complete && one.naturalWidth > 0)"))
    screenshot(browser, "runs")
    link = find(browser, "a[href='/studies/my-study']")
    assert link.text == "my-study"
    assert studio.request("GET", "/studies/my-study")[0] == 200
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
    assert listed[:4] == ["All problems", "Queens", "Armies", "Mazes"] and "OneMax" in listed
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
