"""Form, order, link and form again are the same: random orders of every recipe there is, through the page."""

import os
import random

import pytest
from selenium.webdriver.common.by import By

from steps import find, press, slide, text, until, visit
from test_forms_page import checked, go, recipe_of, shows, started

OWN = {"queens": "queens", "maze": "mazes", "dungeon": "dungeons"}  # problems that have a page of their own
TITLES = {"queens": "Queens", "mazes": "Mazes", "dungeons": "Dungeons"}


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


def goes_round(driver, studio, page, order, wanted):
    """Followed as a link, started, found again by the address, started again, and its own link followed."""
    go(driver, page, order)
    until(driver, lambda: text(driver, "h1") == TITLES.get(page, "All recipes"))
    shows(driver, order)
    slide(driver, find(driver, ".speed"), 0)
    first = started(driver, page, "#start-paused")
    assert recipe_of(studio, first) == wanted, order
    studio.request("POST", f"/api/runs/{first}/control", {"action": "pause"})  # unless it has ended
    # The address names the run: everything is found again from there.
    driver.refresh()
    until(driver, lambda: driver.find_elements(By.CSS_SELECTOR, ".command"))
    shows(driver, order)
    second = started(driver, page, "#start-paused")
    assert recipe_of(studio, second) == wanted, order
    studio.request("POST", f"/api/runs/{second}/control", {"action": "pause"})
    driver.execute_script("navigator.clipboard.writeText = async (text) => { window.copied = text; }; window.copied = ''")
    driver.execute_script("document.querySelector('.share').open = true")
    press(driver, "[data-action=copy-link]")
    until(driver, lambda: driver.execute_script("return window.copied"))
    link = driver.execute_script("return window.copied")
    driver.execute_script("location.hash = '#/runs'")
    until(driver, lambda: text(driver, "h1") == "Runs")
    for run in (first, second):
        studio.request("DELETE", f"/api/runs/{run}")
    driver.get("about:blank")
    driver.get(link)
    until(driver, lambda: driver.find_elements(By.CSS_SELECTOR, "#recipe"))
    shows(driver, order)
    third = started(driver, page, "#start-paused")
    assert recipe_of(studio, third) == wanted, link
    studio.request("DELETE", f"/api/runs/{third}")


EVERY = [1, 2] if os.environ.get("KNOSSOS_LONG") != "1" else [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize("seed", EVERY)
def test_form_order_link_and_form_are_the_same(browser, studio, seed):
    """Random orders of every recipe there is; by name, and as a whole recipe that a link carries."""
    registry = studio.get("/api/registry")
    chance = random.Random(20 + seed)
    visit(browser, studio, "runs")
    for number, recipe in enumerate(registry["recipes"]):
        page = OWN.get(recipe["problem"], "run")
        orders = (an_order(registry, recipe, chance) for _ in range(200))
        order, wanted = next((one, toml) for one in orders if (toml := checked(studio, one)) is not None)
        if (number + seed) % 3 == 0:
            order = {"toml": wanted, "seed": order["seed"], "set": {}}
            wanted = checked(studio, order)
        goes_round(browser, studio, page, order, wanted)
    browser.get("about:blank")
    browser.get_log("browser")  # the browser's own lines about pictures of runs that were deleted
