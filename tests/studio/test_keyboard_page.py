"""Everything by keyboard, and the focus is never lost."""

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from steps import find, press, text, until, visit
from test_draw_page import rock


def keys(driver, *some):
    ActionChains(driver).send_keys(*some).perform()


def focus(driver, selector):
    driver.execute_script("arguments[0].focus({focusVisible: true})", find(driver, selector))


def focused(driver):
    return driver.execute_script("return document.activeElement.tagName")


def test_shapes_are_drawn_by_keys(browser, studio):
    visit(browser, studio, "mazes")
    focus(browser, "#maze")
    right, down = Keys.ARROW_RIGHT, Keys.ARROW_DOWN
    # A rectangle begins at one press and ends at the next.
    keys(browser, right, down, "r", " ", right, right, down, " ")
    ring = {(x, y) for x in (1, 2, 3) for y in (1, 2)}
    until(browser, lambda: rock(browser) == ring)
    keys(browser, down, down, down, "i", " ", right, right, right, Keys.ENTER)
    line = {(x, 5) for x in (3, 4, 5, 6)}
    until(browser, lambda: rock(browser) == ring | line)
    keys(browser, " ", down, down, Keys.ESCAPE)
    assert rock(browser) == ring | line
    # Delete takes away; filling fills; picking goes on with what lies there.
    keys(browser, Keys.ARROW_UP, Keys.ARROW_UP, "b", Keys.DELETE)
    until(browser, lambda: rock(browser) == (ring | line) - {(6, 5)})
    keys(browser, Keys.ARROW_LEFT, "p", " ")
    until(browser, lambda: find(browser, "[data-tool=rock]").get_attribute("aria-pressed") == "true")
    keys(browser, down, "g", " ")
    until(browser, lambda: len(rock(browser)) > 300)
    visit(browser, studio, "dungeons")
    focus(browser, "#dungeon")
    keys(browser, Keys.ARROW_DOWN, Keys.ARROW_DOWN)
    press(browser, "[data-shape=rectangle]")
    focus(browser, "#dungeon")
    keys(browser, "#", " ", right, right, down, " ")
    until(browser, lambda: browser.execute_script("return JSON.parse(sessionStorage.getItem('knossos-drawing-dungeons')).rows[4].slice(1, 4)") == "###")


def test_a_toolbar_is_one_stop(browser, studio):
    for page, canvas, most in (("mazes", "maze", 10), ("dungeons", "dungeon", 10)):
        visit(browser, studio, page)
        browser.execute_script("document.getElementById('main').focus()")
        presses = 0
        while browser.switch_to.active_element.get_attribute("id") != canvas:
            keys(browser, Keys.TAB)
            presses += 1
            assert presses <= most, page
        focus(browser, "[role=toolbar] button")
        before = browser.switch_to.active_element.get_property("textContent") or browser.switch_to.active_element.get_attribute("aria-label")
        keys(browser, Keys.ARROW_RIGHT)
        now = browser.switch_to.active_element
        assert (now.get_property("textContent") or now.get_attribute("aria-label")) != before
        keys(browser, Keys.ENTER)
        until(browser, lambda: browser.switch_to.active_element.get_attribute("aria-pressed") == "true")


def test_the_focus_stays_near_what_is_taken_away(browser, studio):
    visit(browser, studio, "mazes")
    for _ in range(2):
        press(browser, "#add-wish")
    until(browser, lambda: len(browser.find_elements(By.CSS_SELECTOR, ".wish")) == 2)
    for left in (1, 0):
        focus(browser, f".wish:nth-child({left + 1}) button[title^=Remove]")
        keys(browser, Keys.ENTER)
        until(browser, lambda: len(browser.find_elements(By.CSS_SELECTOR, ".wish")) == left)
        assert focused(browser) != "BODY", left
    # Undo, until there is nothing to be undone.
    focus(browser, "#maze")
    keys(browser, " ")
    focus(browser, "#undo")
    keys(browser, Keys.ENTER)
    until(browser, lambda: not find(browser, "#undo").is_enabled())
    assert focused(browser) == "BUTTON"
    # Levels and runs.
    studio.request("PUT", "/api/drawings/gone/draft", {"domain": "maze", "level": {"cells": [".."]}})
    run = studio.order("pmx-queens", seed=1, paused=True)["id"]
    visit(browser, studio, "mazes")
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, "[data-level=gone]"))
    focus(browser, "[data-level=gone] .danger")
    keys(browser, Keys.ENTER, Keys.ENTER)
    until(browser, lambda: not browser.find_elements(By.CSS_SELECTOR, "[data-level=gone]"))
    assert focused(browser) != "BODY"
    visit(browser, studio, "runs")
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, f"[data-run={run}]"))
    focus(browser, f"[data-run={run}] .danger")
    keys(browser, Keys.ENTER, Keys.ENTER)
    until(browser, lambda: not browser.find_elements(By.CSS_SELECTOR, f"[data-run={run}]"))
    assert focused(browser) != "BODY"


def test_curves_tell_their_values_by_keys(browser, studio):
    run = studio.order("pmx-queens", seed=4, set={"problem.n": 20})["id"]
    studio.wait_for(run, "ended")
    visit(browser, studio, f"queens?run={run}")
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, ".chart .curve"))
    focus(browser, "svg.chart")
    keys(browser, Keys.ARROW_LEFT, Keys.ARROW_LEFT)
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, ".chart .told"))
    assert "evaluations, " in text(browser, "#say") and "best" in text(browser, "#say")
    keys(browser, Keys.TAB)
    until(browser, lambda: not browser.find_elements(By.CSS_SELECTOR, ".chart .told"))
