"""The page of queens in a real browser, and what all pages have of a run: time, settings, links, keys."""

import json
import shlex
import subprocess

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from server import PROGRAM
from steps import FASTEST, fill, find, generation, press, run_shown, screenshot, slide, start_queens, status, text, until, visit


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
    assert frame["remark"] in text(browser, ".stage > .caption") and "the mutant has" in frame["remark"]
    assert "101 rounds" in text(browser, ".moment")
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
    assert find(browser, "#recipe").get_property("value") == "roulette-queens"
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


def test_what_is_downloaded_is_the_board_that_is_shown(browser, studio, downloads):
    visit(browser, studio, "queens")
    run = start_queens(browser, studio, 10, seed=6, recipe="roulette-queens", paused=True)
    until(browser, lambda: len(browser.find_elements(By.CSS_SELECTOR, ".population figure")) > 5)
    frame = studio.get(f"/api/runs/{run}/frames/0")

    def downloaded(name):  # the browser takes the place of the file before it has what comes into it
        until(browser, lambda: (downloads / name).exists() and (downloads / name).stat().st_size > 0)
        return (downloads / name).read_text()

    def columns_in(name):
        found = json.loads(downloaded(name))
        return found.get("columns") or [column for _, column in sorted(found["squares"])]

    def save(board, format="json"):
        for details in browser.find_elements(By.CSS_SELECTOR, ".results .more"):
            browser.execute_script("arguments[0].open = true", details)
        press(browser, f"[data-board='{board}'][data-format={format}]")

    save(run)
    assert columns_in(f"{run}.json") == frame["board"]["columns"]
    press(browser, ".population figure:nth-child(5) button")
    until(browser, lambda: text(browser, ".caption").startswith("Individual 5"))
    save(f"{run}-5")
    assert columns_in(f"{run}-5.json") == frame["population"][4]["board"]["columns"] != frame["board"]["columns"]
    # How many each queen meets is told there, too.
    told = [one.get_property("textContent") for one in browser.find_elements(By.CSS_SELECTOR, ".board .touch title")]
    assert len(told) == 10 and all("collision" in one for one in told)
    assert sum(int(one.split(": ")[1].replace("no", "0").split()[0]) for one in told) == frame["population"][4]["fitness"]
    # Of a duel both boards.
    start_queens(browser, studio, 8, seed=2, recipe="duel-queens", paused=True)
    until(browser, lambda: len(browser.find_elements(By.CSS_SELECTOR, ".duel .board")) == 2 and run_shown(browser) != run)
    duel = run_shown(browser)
    both = studio.get(f"/api/runs/{duel}/frames/0")["population"]
    for one in both:
        save(f"{duel}-{one['name']}", "csv")
        rows = downloaded(f"{duel}-{one['name']}.csv").split("\n")[1:]
        board = one["board"]
        squares = board.get("squares") or [[row, column] for row, column in enumerate(board["columns"])]
        assert sorted([int(part) for part in row.split(",")] for row in rows if row) == sorted(squares)
    # And those that were placed by hand.
    visit(browser, studio, "queens?recipe=pmx-queens&set=problem.n%3D8&set=problem.place%3D%22a1,c5,a7%22")
    until(browser, lambda: len(browser.find_elements(By.CSS_SELECTOR, ".board .queen")) == 3)
    told = {one.get_property("textContent") for one in browser.find_elements(By.CSS_SELECTOR, ".board .touch title")}
    assert told == {"a1: 1 collision", "a7: 2 collisions", "c5: 1 collision"}
    save("queens-8", "fen")
    assert downloaded("queens-8.fen").split()[0] == "8/Q7/8/2Q5/8/8/8/Q7"
    browser.get_log("browser")  # the browser's own line: two of them in a column can't be kept by a permutation


def test_a_size_without_a_solution_and_a_seed_too_large_are_said_beside_their_fields(browser, studio):
    visit(browser, studio, "queens")
    fill(browser, "#n", 3)
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, "#n-wrong"))
    assert "no solution" in text(browser, "#n-wrong")
    fill(browser, "#n", 8)
    until(browser, lambda: not browser.find_elements(By.CSS_SELECTOR, "#n-wrong"))
    fill(browser, "#seed", 99999999999999999999)
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, "#seed-wrong"))
    assert text(browser, "#seed-wrong") == "A seed is 9223372036854775807 at most"
    fill(browser, "#seed", 2**63 - 1)
    until(browser, lambda: not browser.find_elements(By.CSS_SELECTOR, "#seed-wrong"))
    browser.get_log("browser")  # the browser's own lines about orders that were refused


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

    for _ in range(16):
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
