"""What the form shows is what runs; and what the page says when something goes wrong. See test_orders_page.py, too."""

import json
import os
import signal

from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select

from server import Studio
from steps import FASTEST, fill, find, generation, press, resize, restart, run_shown, screenshot, slide, start_queens, status, text, until, visit


def checked(studio, order):
    status_code, body, _ = studio.request("POST", "/api/recipes/check", order)
    return json.loads(body)["toml"] if status_code == 200 else None


def go(driver, page, order):
    """Follows a link."""
    changes = [f"{key}={json.dumps(value)}" for key, value in order["set"].items()]
    driver.execute_script(
        "const [page, recipe, toml, seed, set] = arguments;"
        "const query = new URLSearchParams(toml ? {toml, seed} : {recipe, seed});"
        "for (const one of set) query.append('set', one);"
        "location.hash = `#/${page}?${query}`", page, order.get("recipe", ""), order.get("toml", ""), str(order["seed"]), changes)


def started(driver, page, button="#start"):
    before = run_shown(driver)
    press(driver, button if page in ("queens", "run") else "#evolve")
    until(driver, lambda: run_shown(driver) not in (None, before))
    return run_shown(driver)


def shows(driver, order):
    until(driver, lambda: find(driver, "#seed").get_property("value") == str(order["seed"]) and
          find(driver, "#recipe").get_property("value") == order.get("recipe", ""))


def recipe_of(studio, run):
    return studio.request("GET", f"/api/runs/{run}/recipe.toml")[1].decode()


def test_a_recipe_from_a_link_gives_way_to_a_built_in_one(browser, studio):
    toml = checked(studio, {"recipe": "memetic-queens", "set": {"problem.n": 9}})
    visit(browser, studio, "queens")
    go(browser, "queens", {"toml": toml, "seed": 3, "set": {}})
    until(browser, lambda: Select(find(browser, "#recipe")).first_selected_option.text == "From a link or file")
    until(browser, lambda: find(browser, "#n").get_property("value") == "9")
    run = started(browser, "queens")
    assert recipe_of(studio, run) == checked(studio, {"toml": toml, "seed": 3})
    # After a reload the form still says what ran.
    browser.refresh()
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, ".command"))
    until(browser, lambda: Select(find(browser, "#recipe")).first_selected_option.text == "From a link or file")
    assert find(browser, "#n").get_property("value") == "9" and find(browser, "#seed").get_property("value") == "3"
    Select(find(browser, "#recipe")).select_by_value("roulette-queens")
    until(browser, lambda: find(browser, "#n").get_property("value") == "9")
    other = started(browser, "queens")
    assert studio.get(f"/api/runs/{other}")["recipe"] == "roulette-queens"
    assert studio.get(f"/api/runs/{other}")["sections"]["problem"]["values"]["n"] == 9


def test_any_recipe_is_started_from_the_page(browser, studio):
    visit(browser, studio, "queens")
    press(browser, "nav a[href='#/run']")
    until(browser, lambda: text(browser, "h1") == "All recipes" and browser.find_elements(By.CSS_SELECTOR, "#recipe"))
    listed = [one.get_attribute("value") for one in Select(find(browser, "#recipe")).options]
    assert sorted(listed) == sorted(one["name"] for one in studio.get("/api/registry")["recipes"])
    for recipe in ("one-max", "rastrigin"):
        Select(find(browser, "#recipe")).select_by_value(recipe)
        slide(browser, find(browser, ".speed"), FASTEST)
        run = started(browser, "run")
        assert studio.get(f"/api/runs/{run}")["recipe"] == recipe
        until(browser, lambda: status(browser) not in ("Running", "Waiting for its turn"))
    screenshot(browser, "all-recipes")


def test_a_part_that_is_chosen_brings_what_it_needs(browser, studio):
    """Another algorithm shows its own population, drops what it does not use, and runs with what is shown."""
    visit(browser, studio, "queens?recipe=pmx-queens&seed=4&set=problem.n%3D8")
    press(browser, "details[data-path=algorithm] summary")
    registry = studio.get("/api/registry")
    algorithms = next(one for one in registry["sections"] if one["path"] == "algorithm")["parts"]
    for name in ("steady-state", "duel", "generational"):
        until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, "details[data-path=algorithm] select"))
        Select(find(browser, "details[data-path=algorithm] select")).select_by_value(name)
        kind = browser.switch_to.active_element
        assert kind.tag_name == "select", "choosing a part took the focus away"
        used = next(one for one in algorithms if one["name"] == name)["uses"]
        until(browser, lambda: all(browser.find_elements(By.CSS_SELECTOR, f"details[data-path='stages.{stage}']") for stage in used
                                   if stage != "operations"))
        run = started(browser, "queens")
        assert text(browser, ".trouble") == ""
        values = studio.get(f"/api/runs/{run}")["sections"]["algorithm"]["values"]
        fields = browser.find_elements(By.CSS_SELECTOR, "details[data-path=algorithm] .fields .field")
        shown = {one.find_element(By.TAG_NAME, "label").get_property("textContent"): one.find_element(By.CSS_SELECTOR, "input, select")
                 for one in fields}
        if "population" in values:
            assert shown["Population"].get_property("value") == str(values["population"]), name
    browser.get_log("browser")


def test_a_wish_is_there_again_after_a_reload(browser, studio):
    visit(browser, studio, "mazes?recipe=maze&set=stop.evaluations%3D2000")
    press(browser, "#add-wish")
    press(browser, "#evolve")
    until(browser, lambda: run_shown(browser))
    browser.refresh()
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, ".wish"))
    low, high = (find(browser, f".wish input[aria-label='{name}, exactly']").get_property("value") for name in ("At least", "At most"))
    assert (low, high) == ("60", "80")
    # The least is never above the most, and both can be typed.
    fill(browser, ".wish input[aria-label='At least, exactly']", 96)
    until(browser, lambda: find(browser, ".wish input[aria-label='At most, exactly']").get_property("value") == "96")
    # The server alone reads wishes; what it can't read stays, as text, beside what is wrong with it.
    visit(browser, studio, "mazes?recipe=maze&set=problem.goal%3D%22path+maximise%2C+lops+2..9%2C+loops+3..%22")
    until(browser, lambda: len(browser.find_elements(By.CSS_SELECTOR, ".wish")) == 3)
    assert [one.get_property("value") for one in browser.find_elements(By.CSS_SELECTOR, ".wish select[aria-label^=How]")] == [
        "maximise", "range"]
    assert find(browser, ".wish input[type=text]").get_property("value") == "lops 2..9"
    assert "loops" in text(browser, ".wish .wrong")
    assert [one.get_property("value") for one in browser.find_elements(By.CSS_SELECTOR, ".wish input[type=number]")] == ["3", ""]
    browser.get_log("browser")  # the order with it was refused


def test_a_maze_of_the_gallery_does_not_freeze_the_stage(browser, studio):
    visit(browser, studio, "mazes?recipe=maze&set=stop.evaluations%3D20000")
    slide(browser, find(browser, ".speed"), 6)
    press(browser, "#evolve")
    until(browser, lambda: len(browser.find_elements(By.CSS_SELECTOR, ".thumb")) > 1)
    press(browser, ".thumb:nth-child(2)")
    until(browser, lambda: "From generation" in text(browser, ".moment"))
    press(browser, "[data-action=live]")
    until(browser, lambda: generation(browser) > 0)
    seen = generation(browser)
    until(browser, lambda: generation(browser) > seen or status(browser) == "Ended")


def test_a_second_run_pauses_the_first_and_an_earlier_board_stays(browser, studio):
    visit(browser, studio, "queens")
    first = start_queens(browser, studio, 60, seed=3, recipe="roulette-queens", speed=2)
    until(browser, lambda: generation(browser) >= 1)
    # Another size in the form is no other board: the run is still shown, and the page says so.
    fill(browser, "#n", 30)
    until(browser, lambda: "this run has 60" in text(browser, ".notice"))
    assert len(browser.find_elements(By.CSS_SELECTOR, ".board .queen")) == 60
    second = started(browser, "queens")
    assert studio.get(f"/api/runs/{first}")["state"] == "paused"
    until(browser, lambda: len(browser.find_elements(By.CSS_SELECTOR, ".board .queen")) == 30)
    # Deleted elsewhere: said at once, not asked for ever.
    studio.request("DELETE", f"/api/runs/{second}")
    until(browser, lambda: status(browser) == "Deleted", 5)
    browser.get_log("browser")


def test_why_a_run_ended_is_said(browser, studio):
    visit(browser, studio, "queens?recipe=roulette-queens&set=problem.n%3D40&set=stop.evaluations%3D500&seed=18014398509481985")
    slide(browser, find(browser, ".speed"), FASTEST)
    run = started(browser, "queens")
    until(browser, lambda: status(browser) == "Ended without a solution")
    assert text(browser, ".why") == "It ended because its 500 evaluations are spent"
    assert b'"seed":18014398509481985' in studio.request("GET", f"/api/runs/{run}")[1]


def test_a_board_is_set_up_by_clicking_and_presented(browser, studio):
    visit(browser, studio, "queens?recipe=pmx-queens&set=problem.n%3D8&seed=2")
    for column, row in ((0, 0), (2, 4)):
        x, y = browser.execute_script(
            "const box = document.querySelector('.board .floor').getBoundingClientRect();"
            "return [box.left + (arguments[0] + 0.5) * box.width / 8, box.bottom - (arguments[1] + 0.5) * box.height / 8]", column, row)
        browser.execute_cdp_cmd("Input.dispatchMouseEvent", {"type": "mousePressed", "x": x, "y": y, "button": "left", "clickCount": 1})
        browser.execute_cdp_cmd("Input.dispatchMouseEvent", {"type": "mouseReleased", "x": x, "y": y, "button": "left", "clickCount": 1})
    until(browser, lambda: find(browser, "#place").get_property("value") == "a1,c5")
    slide(browser, find(browser, ".speed"), FASTEST)
    run = started(browser, "queens")
    until(browser, lambda: status(browser) == "Solved")
    columns = studio.get(f"/api/runs/{run}/frames/9007199254740992")["board"]["columns"]
    assert (columns[0], columns[4]) == (0, 2)
    # The last board is drawn when its frame is there, which may be after the status.
    until(browser, lambda: len(browser.find_elements(By.CSS_SELECTOR, ".board .fixed")) == 2)
    press(browser, "#present")
    until(browser, lambda: not find(browser, ".settings").is_displayed() and not find(browser, ".results").is_displayed())
    assert find(browser, ".board").is_displayed() and float(find(browser, ".caption").value_of_css_property("font-size")[:-2]) >= 28
    screenshot(browser, "queens-presented")
    press(browser, "#present")
    until(browser, lambda: find(browser, ".settings").is_displayed())


def test_any_individual_opens_large(browser, studio):
    visit(browser, studio, "queens")
    run = start_queens(browser, studio, 10, seed=6, recipe="roulette-queens", paused=True)
    until(browser, lambda: len(browser.find_elements(By.CSS_SELECTOR, ".population figure")) > 5)
    wanted = studio.get(f"/api/runs/{run}/frames/0")["population"][4]
    press(browser, ".population figure:nth-child(5) button")
    until(browser, lambda: text(browser, ".caption").startswith("Individual 5"))
    names = [f"{'abcdefghij'[column]}{row + 1}" for row, column in enumerate(wanted["board"]["columns"])]
    assert text(browser, ".board-figure .hidden-text").startswith("Queens on " + ", ".join(names))


def test_a_long_name_stays_inside_the_page(browser, studio):
    lines = checked(studio, {"recipe": "memetic-queens"}).split("\n")
    toml = "\n".join([f"name = '{'ariadne' * 60}'", *(line for line in lines if not line.startswith("name ="))])
    status_code, body, _ = studio.request("POST", "/api/runs", {"toml": toml, "paused": True})
    assert status_code == 201, body
    for place in ("runs", f"queens?run={json.loads(body)['id']}", f"run?run={json.loads(body)['id']}"):
        for width in (390, 1280):
            resize(browser, width, 800)
            visit(browser, studio, place)
            until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, ".status, .runs li"))
            assert browser.execute_script("return document.documentElement.scrollWidth") <= width, (place, width)


def test_a_studio_that_was_stopped_is_noticed(browser, tmp_path):
    with Studio(tmp_path) as stopped:
        visit(browser, stopped, "mazes")
        os.kill(stopped.process.pid, signal.SIGSTOP)
        try:
            until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, ".away"), 3)
        finally:
            os.kill(stopped.process.pid, signal.SIGCONT)
        until(browser, lambda: not browser.find_elements(By.CSS_SELECTOR, ".away"), 10)
        browser.get("about:blank")


def test_a_studio_that_goes_away_is_said_and_nothing_typed_is_lost(browser, tmp_path):
    with Studio(tmp_path) as away:
        visit(browser, away, "queens")
        fill(browser, "#n", 23)
        fill(browser, "#seed", 99)
        for place, heading in (("queens", "Queens"), ("mazes", "Mazes"), ("runs", "Runs")):
            browser.execute_script(f"location.hash = '#/{place}'")
            until(browser, lambda: text(browser, "h1") == heading)
            away.end(signal.SIGKILL)
            until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, ".away"), 3)
            port = away.port
            restart(away, port)
            until(browser, lambda: not browser.find_elements(By.CSS_SELECTOR, ".away"), 10)
        browser.execute_script("location.hash = '#/queens'")
        until(browser, lambda: text(browser, "h1") == "Queens")
        assert find(browser, "#n").get_property("value") == "23" and find(browser, "#seed").get_property("value") == "99"
        run = started(browser, "queens")
        assert away.get(f"/api/runs/{run}")["sections"]["problem"]["values"]["n"] == 23
        browser.get("about:blank")
    browser.get_log("browser")  # the browser's own lines about connections that were refused
