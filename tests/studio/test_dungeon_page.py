"""Dungeons in a real browser: every tile, the verdict after every stroke, and walking with keys and doors."""

import json

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from steps import FASTEST, cell_of, find, generation, press, resize, run_shown, scheme, screenshot, slide, text, until, visit
from test_page import AUDIT


def drawn(driver):
    return json.loads(driver.execute_script("return sessionStorage.getItem('knossos-drawing-dungeons')"))["rows"]


def click(driver, cell):
    ActionChains(driver, duration=1).move_to_element_with_offset(*cell_of(driver, "#dungeon", cell)).click().perform()


def choose(driver, letter):
    press(driver, f"[data-tile='{letter}']")


def verdict(driver, name):
    return text(driver, f"[data-verdict={name}] td")


def open_level(driver, studio, name, rows):
    status, body, _ = studio.request("PUT", f"/api/drawings/{name}", {"domain": "dungeon", "level": {"rows": rows}})
    assert status in (200, 201), body
    visit(driver, studio, "dungeons")
    until(driver, lambda: driver.find_elements(By.CSS_SELECTOR, f"[data-level='{name}']"))
    press(driver, f"[data-level='{name}'] .open-level")
    until(driver, lambda: find(driver, "#dungeon").get_attribute("data-columns") == str(len(rows[0])))


def test_every_tile_is_drawn_and_the_verdict_follows(browser, studio):
    visit(browser, studio, "dungeons")
    until(browser, lambda: verdict(browser, "solvable") == "✓ yes" and verdict(browser, "unlosable") == "✓ yes")
    tiles = [one["letter"] for one in studio.get("/api/registry")["dungeon_tiles"]]
    assert len(tiles) == 21
    things = [letter for letter in tiles if letter not in "#.EX"]
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", find(browser, "#dungeon"))
    for i, letter in enumerate(things):
        choose(browser, letter)
        click(browser, (1 + i % 14, 4 + 2 * (i // 14)))
    rows = drawn(browser)
    assert [rows[4 + 2 * (i // 14)][1 + i % 14] for i in range(len(things))] == things
    # There is one entrance and one exit: they move.
    choose(browser, "X")
    click(browser, (3, 2))
    rows = drawn(browser)
    assert "".join(rows).count("X") == 1 and rows[2][3] == "X"
    screenshot(browser, "dungeon-tiles")
    # Walled in: it can't be solved any more, and with a gap it can.
    choose(browser, "#")
    for cell in ((2, 2), (4, 2), (3, 1), (3, 3)):
        click(browser, cell)
    until(browser, lambda: verdict(browser, "solvable") == "✗ no")
    ActionChains(browser).move_to_element_with_offset(*cell_of(browser, "#dungeon", (2, 2))).context_click().perform()
    until(browser, lambda: verdict(browser, "solvable") == "✓ yes" and verdict(browser, "steps") == "3 steps")


def test_a_dungeon_is_walked_won_and_lost(browser, studio):
    open_level(browser, studio, "lost-key", ["#######", "#E.k.+#", "#.###.#", "#.+..X#", "#######"])
    until(browser, lambda: verdict(browser, "solvable") == "✓ yes")
    steps = int(verdict(browser, "steps").split()[0])
    press(browser, "[data-mode=walk]")
    # The walkthrough, a step at a time.
    for step in range(1, 3):
        press(browser, "#show-step")
        until(browser, lambda: text(browser, ".readout").startswith(f"Step {step} of {steps}"))
    assert "small key" in text(browser, ".readout")

    def walk(*keys):
        for i, key in enumerate(keys):
            before = int(find(browser, "#dungeon").get_attribute("data-steps") or 0)
            ActionChains(browser).send_keys(key).perform()
            until(browser, lambda: int(find(browser, "#dungeon").get_attribute("data-steps")) == before + 1)

    walk(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    until(browser, lambda: "small key" in text(browser, ".held"))
    walk(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    assert text(browser, ".held") == "You hold nothing"
    screenshot(browser, "dungeon-walked")
    walk(Keys.ARROW_DOWN, Keys.ARROW_DOWN)
    until(browser, lambda: text(browser, ".readout").startswith("Out in 6 steps"))


def test_who_has_lost_is_told_why(browser, studio):
    # The only key opens the closet or the way out.
    open_level(browser, studio, "closet", ["########", "#E.k+..#", "###.####", "###+..X#", "########"])
    until(browser, lambda: verdict(browser, "solvable") == "✓ yes" and verdict(browser, "unlosable") == "✗ no")
    press(browser, "[data-mode=walk]")
    ActionChains(browser).send_keys(Keys.ARROW_RIGHT).perform()
    until(browser, lambda: find(browser, "#dungeon").get_attribute("data-steps") == "1")
    ActionChains(browser).send_keys(Keys.ARROW_RIGHT).perform()
    until(browser, lambda: find(browser, "#dungeon").get_attribute("data-steps") == "2")
    ActionChains(browser).send_keys(Keys.ARROW_RIGHT).perform()
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, ".lost"))
    assert "since step 3" in text(browser, ".lost") and "door at 4,1" in text(browser, ".lost")
    # A step back, and all is well.
    ActionChains(browser).send_keys(Keys.BACKSPACE).perform()
    until(browser, lambda: not browser.find_elements(By.CSS_SELECTOR, ".lost"))


def test_dungeons_are_evolved_watched_and_edited(browser, studio, downloads):
    visit(browser, studio, "dungeons?recipe=dungeon&seed=3&set=stop.evaluations%3D3000")
    slide(browser, find(browser, ".speed"), FASTEST)
    press(browser, "#evolve")
    until(browser, lambda: run_shown(browser) and generation(browser) > 0)
    run = run_shown(browser)
    studio.wait_for(run, "ended")
    rows = studio.get(f"/api/runs/{run}/frames/9007199254740992")["dungeon"]["rows"]
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, "#take"))
    press(browser, "#take")
    until(browser, lambda: find(browser, "[data-mode=draw]").get_attribute("aria-pressed") == "true")
    until(browser, lambda: drawn(browser) == rows)
    for format in ("tmj", "json", "png"):
        press(browser, f"[data-format={format}]")
        until(browser, (downloads / f"dungeon.{format}").exists)
    found = json.loads((downloads / "dungeon.json").read_text())
    assert found.get("dungeon", found).get("rows") == rows, found.keys()


def test_the_page_of_dungeons_is_accessible(browser, studio):
    for theme, width in (("light", 1280), ("dark", 390)):
        resize(browser, width, 900)
        scheme(browser, theme)
        visit(browser, studio, "dungeons")
        until(browser, lambda: verdict(browser, "solvable") == "✓ yes")
        assert browser.execute_script(AUDIT) == []
        screenshot(browser, f"dungeons-{theme}-{width}")
