"""Looking closely: individuals of any population, how they came about, fronts, colours, members of checkpoints."""

import json

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By

from steps import find, maze_at, press, resize, scheme, screenshot, slide, text, until, visit


def begin(studio, recipe, generations, **more):
    run = studio.order(recipe, paused=True, **more)["id"]
    studio.wait_for(run, "paused")
    if generations:
        studio.control(run, "step", count=generations)
    return run


def test_individuals_of_any_kind_are_opened_large(browser, studio):
    kinds = (("armies", "run", True), ("maze-direct", "mazes", True), ("dungeon", "dungeons", True), ("one-max", "run", False))
    for recipe, page, pictured in kinds:
        run = begin(studio, recipe, 0)
        visit(browser, studio, f"{page}?run={run}")
        until(browser, lambda: text(browser, ".moment").startswith("Generation 0"))
        frame = studio.get(f"/api/runs/{run}/frames/0")
        until(browser, lambda: len(browser.find_elements(By.CSS_SELECTOR, "[data-individual]")) == len(
            frame["population"]))
        last = len(frame["population"])
        press(browser, f"[data-individual='{last}']")
        until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, ".look .measures td"))
        facts = studio.get(f"/api/runs/{run}/individuals/{last}?generation=0")
        until(browser, lambda: len(browser.find_elements(By.CSS_SELECTOR, ".look .measures tr")) == 1 + len(
            facts["measures"]))
        if pictured:
            until(browser, lambda: find(browser, ".look-picture").get_property("naturalWidth") > 0)
            until(browser, lambda: facts["caption"] in text(browser, ".look .caption"))
        else:
            until(browser, lambda: facts["genome"][:30] in text(browser, ".look .genome"))
        screenshot(browser, f"individual-{recipe}")
        if last > 1:
            press(browser, ".look [title='→']")  # from the last to the first
            until(browser, lambda: text(browser, ".look h2").startswith("Individual 1 "))
        press(browser, "#look-close")
        until(browser, lambda: not browser.find_elements(By.CSS_SELECTOR, ".look"))
        # Where one came from has the focus again.
        assert browser.execute_script("return document.activeElement.dataset.individual") == str(last)
        browser.get("about:blank")
        studio.request("DELETE", f"/api/runs/{run}")


def test_an_automaton_grows_step_by_step(browser, studio):
    run = begin(studio, "maze-automaton", 1, seed=3, set={"problem.steps": 9})
    visit(browser, studio, f"mazes?run={run}")
    until(browser, lambda: browser.find_elements(By.ID, "open-stages"))
    stages = studio.get(f"/api/runs/{run}/individuals/best?generation=1")["stages"]
    press(browser, "#open-stages")
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, ".look .step-at"))
    until(browser, lambda: text(browser, ".step-at") == "As it is in the end")  # it plays by itself
    assert find(browser, ".steps input").get_property("max") == str(stages)
    ends = find(browser, ".look-picture").get_attribute("src")
    slide(browser, find(browser, ".steps input"), 1)
    until(browser, lambda: text(browser, ".step-at") in (f"After step 1 of {stages - 1}", "As it is in the end"))
    until(browser, lambda: "stage=1&" in find(browser, ".look-picture").get_attribute("src"))
    assert find(browser, ".look-picture").get_attribute("src") != ends
    screenshot(browser, "automaton-steps")
    # On from there as a drawing: what is on the table is what was seen.
    seen = studio.request("GET", f"/api/runs/{run}/individuals/best/export?format=json&stage=1&keep_pockets=1")
    press(browser, "#look-edit")
    until(browser, lambda: text(browser, "[data-mode=draw][aria-pressed=true]") == "Draw")
    until(browser, lambda: json.loads(browser.execute_script(
        "return sessionStorage.getItem('knossos-drawing-mazes')"))["drawing"]["cells"] == json.loads(seen[1])["cells"])
    browser.get("about:blank")
    studio.request("DELETE", f"/api/runs/{run}")


def test_a_front_is_seen_while_it_grows(browser, studio):
    run = begin(studio, "zdt1", 0)
    visit(browser, studio, f"run?run={run}")

    def points():
        return int(find(browser, ".chart.front").get_attribute("data-points"))

    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, ".chart.front"))
    until(browser, lambda: points() == len(studio.get(f"/api/runs/{run}/frames/0")["front"]))
    before = points()
    for _ in range(3):
        press(browser, "[data-action=step]")
    until(browser, lambda: text(browser, ".moment").startswith("Generation 3"))
    until(browser, lambda: points() == len(studio.get(f"/api/runs/{run}/frames/3")["front"]))
    dot = find(browser, ".chart.front .dot")
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", dot)
    ActionChains(browser, duration=1).move_to_element(dot).perform()
    until(browser, lambda: len(browser.find_elements(By.CSS_SELECTOR, ".chart.front .told text")) == 2)
    screenshot(browser, "front")
    # Looking back, the front of then.
    slide(browser, find(browser, ".scrub"), 0)
    until(browser, lambda: points() == before)
    browser.get("about:blank")
    studio.request("DELETE", f"/api/runs/{run}")


def test_from_a_run_that_keeps_an_archive_one_comes_to_it(browser, studio):
    run = begin(studio, "maze-gallery", 2, set={"problem.width": 8, "problem.height": 8})
    visit(browser, studio, f"mazes?run={run}")
    until(browser, lambda: browser.find_elements(By.ID, "to-gallery"))
    press(browser, "#to-gallery")
    until(browser, lambda: " on the map" in text(browser, "#readout"))
    assert find(browser, "#open-run").get_property("value") == run
    browser.get("about:blank")
    studio.request("DELETE", f"/api/runs/{run}")


def test_chromatic_mazes_are_in_their_colours(browser, studio):
    run = begin(studio, "maze-chromatic", 2, set={"problem.width": 10, "problem.height": 8})
    visit(browser, studio, f"mazes?run={run}")
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, "[data-overlay=colours]"))
    level = studio.get(f"/api/runs/{run}/frames/2")["level"]
    colours = {one["letter"]: one for one in studio.get("/api/registry")["maze_colours"]}

    def pixel(cell):  # beside the middle, where lines may run
        return browser.execute_script(
            "const [c, x, y] = arguments, s = Number(c.dataset.cell), r = c.width / c.clientWidth;"
            "const copy = document.createElement('canvas').getContext('2d', {willReadFrequently: true});"
            "copy.drawImage(c, Math.round((2 + (x + 0.8) * s) * r), Math.round((2 + (y + 0.22) * s) * r), 1, 1, 0, 0, 1, 1);"
            "const d = copy.getImageData(0, 0, 1, 1).data;"
            "return '#' + [...d].slice(0, 3).map((v) => v.toString(16).padStart(2, '0')).join('').toUpperCase()",
            find(browser, "#maze"), *cell)

    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, ".gallery canvas"))
    small = set()
    for theme in ("light", "dark"):
        scheme(browser, theme)
        for cell in ((3, 2), (5, 6), (8, 4)):
            letter = level["colours"][cell[1]][cell[0]]
            until(browser, lambda: pixel(cell) == colours[letter][theme].upper())
        small.add(browser.execute_script("return document.querySelector('.gallery canvas').toDataURL()"))
        screenshot(browser, f"chromatic-{theme}")
    assert len(small) == 2  # small pictures follow the theme, too
    scheme(browser, "light")
    ActionChains(browser, duration=1).move_to_element_with_offset(*maze_at(browser, (5, 6))).perform()
    until(browser, lambda: colours[level["colours"][6][5]]["name"] in text(browser, ".readout"))
    press(browser, "[data-overlay=colours]")
    until(browser, lambda: pixel((5, 6)) != colours[level["colours"][6][5]]["light"].upper())
    browser.get("about:blank")
    studio.request("DELETE", f"/api/runs/{run}")


def test_members_and_pairs_are_shown_on_hover(browser, studio):
    cells = [".....", ".###.", ".....", "####.", "....."]
    level = {"cells": cells, "entrance": [0, 0], "exit": [0, 4], "checkpoints": [[2, 0], [2, 2]]}
    studio.request("PUT", "/api/drawings/pairs", {"domain": "maze", "level": level})
    visit(browser, studio, "mazes?drawing=pairs")
    until(browser, lambda: find(browser, "#maze").get_attribute("data-columns") == "5")

    def shown():
        return browser.execute_script("return document.getElementById('maze').toDataURL()")

    def hover(cell):
        browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", find(browser, "#maze"))
        ActionChains(browser, duration=1).move_to_element_with_offset(*maze_at(browser, cell)).perform()

    until(browser, lambda: "exit path" in text(browser, "#caption"))
    hover((0, 1))
    until(browser, lambda: "row 2" in text(browser, ".readout"))
    plain = shown()
    hover((4, 3))  # behind the cell in which the ways over both meet
    until(browser, lambda: "C1, C2 lie on shortest ways to it" in text(browser, ".readout"))
    assert shown() == plain
    hover((4, 2))
    until(browser, lambda: "ways over C1, C2 meet again here" in text(browser, ".readout"))
    until(browser, lambda: shown() != plain)
    screenshot(browser, "pairs")
    hover((2, 0))
    until(browser, lambda: "C1: where shortest ways over it lead" in text(browser, ".readout"))
    until(browser, lambda: shown() != plain)
    screenshot(browser, "members")
    browser.get("about:blank")
    studio.request("DELETE", "/api/drawings/pairs")


def test_the_pages_of_runs_fit_a_phone(browser, studio):
    runs = [(begin(studio, recipe, 2), page) for recipe, page in (("queens-islands", "run"), ("maze-front", "mazes"),
                                                                  ("zdt1", "run"))]
    resize(browser, 390, 844)
    for run, page in runs:
        visit(browser, studio, f"{page}?run={run}")
        until(browser, lambda: text(browser, ".moment").startswith("Generation 2"))
        press(browser, "#open-best")
        until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, ".look .measures td"))
        screenshot(browser, f"individual-390-{run}")
        assert browser.execute_script("return document.querySelector('.look').scrollWidth") <= 390
        press(browser, "#look-close")
        until(browser, lambda: browser.execute_script("return document.documentElement.scrollWidth") <= 390)
        screenshot(browser, f"run-390-{run}")
        browser.get("about:blank")
        studio.request("DELETE", f"/api/runs/{run}")
