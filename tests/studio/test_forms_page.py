"""What the form shows is what runs: form, order, link and form again; and what the page says when something goes wrong."""

import json
import random
import signal

from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select

from server import Studio
from steps import FASTEST, fill, find, generation, press, resize, restart, run_shown, screenshot, slide, start_queens, status, text, until, visit

OWN = {"queens": "queens", "maze": "mazes"}  # problems that have a page of their own
DRAWN = {"entrance", "exit", "checkpoints", "locks", "start", "width", "height"}


def a_value(field, chance):
    if field["type"] == "boolean":
        return chance.random() < 0.5
    if field["type"] == "choice":
        return chance.choice(field["choices"])
    low, high = field["minimum"] or 0, field["maximum"]
    if field["type"] == "integer":
        return chance.randint(int(low), int(min(high if high is not None else 30, low + 30)))
    return round(chance.uniform(low, high if high is not None else low + 2), 3)


def an_order(registry, recipe, chance):
    """A built-in recipe with a few changes; what the engine makes of it is another matter."""
    order = {"recipe": recipe["name"], "seed": chance.choice([1, 77, 2**53 + 1, 2**63 - 1]), "set": {}}
    for section in registry["sections"]:
        path = section["path"]
        if path in ("start", "evaluator") or chance.random() < 0.5:
            continue
        kind = recipe["sections"].get(path, {}).get("kind")
        if path != "problem" and section["parts"][0]["name"] and chance.random() < 0.5:
            kind = chance.choice(section["parts"])["name"]
            order["set"][f"{path}.kind"] = kind
        part = next((one for one in section["parts"] if one["name"] == kind), None)
        for field in part["fields"] if part else []:
            if field["type"] != "text" and chance.random() < 0.4:
                order["set"][f"{path}.{field['name']}"] = a_value(field, chance)
    if recipe["problem"] == "maze":
        measure = chance.choice(registry["measures"])["name"]
        wish = chance.choice([f"{measure} 1..", f"{measure} ..40", f"{measure} maximise", f"minimise {measure} weight 2.5",
                              f"{measure} 2..30 near 9", "path 7", "culs-de-sac 2..40, maximise path weight 0.5"])
        order["set"]["problem.goal"] = wish
        if chance.random() < 0.5:
            order["set"]["problem.checkpoints"] = "3,3 5,1"
    if chance.random() < 0.5:
        order["set"]["stop.evaluations"] = chance.randint(1, 10**9)
    return order


def checked(studio, order):
    status_code, body, _ = studio.request("POST", "/api/recipes/check", order)
    return json.loads(body)["toml"] if status_code == 200 else None


def go(driver, page, order):
    """Follows a link."""
    changes = [f"{key}={json.dumps(value)}" for key, value in order["set"].items()]
    driver.execute_script(
        "const query = new URLSearchParams({recipe: arguments[1], seed: arguments[2]});"
        "for (const one of arguments[3]) query.append('set', one);"
        "location.hash = `#/${arguments[0]}?${query}`", page, order["recipe"], str(order["seed"]), changes)


def started(driver, page, button="#start"):
    before = run_shown(driver)
    press(driver, button if page == "queens" else "#evolve")
    until(driver, lambda: run_shown(driver) not in (None, before))
    return run_shown(driver)


def shows(driver, page, order):
    until(driver, lambda: find(driver, "#seed").get_property("value") == str(order["seed"]) and
          Select(find(driver, "#recipe")).first_selected_option.get_attribute("value") == order["recipe"])


def recipe_of(studio, run):
    return studio.request("GET", f"/api/runs/{run}/recipe.toml")[1].decode()


def test_form_order_link_and_form_are_the_same(browser, studio):
    """Random orders: followed as a link, started, found again by the address, started again."""
    registry = studio.get("/api/registry")
    chance = random.Random(21)
    tried = 0
    visit(browser, studio, "runs")
    for recipe in [one for one in registry["recipes"] if one["problem"] in OWN]:
        page = OWN[recipe["problem"]]
        orders = (an_order(registry, recipe, chance) for _ in range(200))
        order, wanted = next((one, toml) for one in orders if (toml := checked(studio, one)) is not None)
        tried += 1
        go(browser, page, order)
        until(browser, lambda: find(browser, "h1").text.lower() == page)
        shows(browser, page, order)
        slide(browser, find(browser, ".speed"), 0)
        first = started(browser, page, "#start-paused")
        assert recipe_of(studio, first) == wanted, order
        studio.request("POST", f"/api/runs/{first}/control", {"action": "pause"})  # unless it has ended
        # The address names the run: everything is found again from there.
        browser.refresh()
        until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, ".command"))
        shows(browser, page, order)
        second = started(browser, page, "#start-paused")
        assert recipe_of(studio, second) == wanted, order
        for run in (first, second):
            studio.request("DELETE", f"/api/runs/{run}")
        browser.execute_script("location.hash = '#/runs'")
        until(browser, lambda: text(browser, "h1") == "Runs")
    assert tried >= 12
    browser.get("about:blank")
    browser.get_log("browser")  # the browser's own lines about pictures of runs that were deleted


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
