"""The gallery in a real browser: a map that fills, hover, favourites, wishes, other axes and packs. See test_speed_page.py, too."""

import io
import json
import zipfile

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from steps import fill, find, press, resize, run_shown, scheme, screenshot, slide, text, until, visit
from test_page import AUDIT

SMALL = {"problem.width": 10, "problem.height": 10, "algorithm.axes": "path 0..60 by 2, rock 0..100 by 4", "stop.evaluations": 20000}
MARGIN = {"left": 56, "right": 10, "top": 10, "bottom": 46}  # of the map, as web/gallerypaint.ts has it


@pytest.fixture(scope="module")
def small(studio):
    run = studio.order("maze-gallery", seed=3, set=SMALL)["id"]
    studio.wait_for(run, "ended")
    return run


def archive(studio, run):
    return studio.get(f"/api/runs/{run}/archive")


def shown(driver):
    found = driver.find_elements(By.CSS_SELECTOR, "#map")
    return int(found[0].get_attribute("data-shown")) if found else -1


def open_gallery(driver, studio, run):
    visit(driver, studio, f"gallery?run={run}")
    until(driver, lambda: shown(driver) == len(archive(studio, run)["elites"]))


def cell_at(driver, columns, rows, column, row):
    """Where a cell of the map is, for the pointer: from its middle."""
    box = find(driver, "#map").rect
    width = box["width"] - MARGIN["left"] - MARGIN["right"]
    height = box["height"] - MARGIN["top"] - MARGIN["bottom"]
    x = MARGIN["left"] + (column + 0.5) * width / columns
    y = MARGIN["top"] + (rows - 0.5 - row) * height / rows
    return find(driver, "#map"), int(x - box["width"] / 2), int(y - box["height"] / 2)


def middle_elite(studio, run):
    """An elite with its cell, away from the corners, where the small picture may be."""
    found = archive(studio, run)
    rows = found["axes"][1]["cells"]
    columns = found["axes"][0]["cells"]
    elite = min(found["elites"], key=lambda one: abs(one[0] // rows - columns / 2) + abs(one[0] % rows - rows / 2))
    return elite[0], columns, rows, elite[0] // rows, elite[0] % rows


def hover(driver, studio, run):
    elite, *where = middle_elite(studio, run)
    driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", find(driver, "#map"))
    ActionChains(driver, duration=1).move_to_element_with_offset(*cell_at(driver, *where)).perform()
    until(driver, lambda: driver.find_elements(By.CSS_SELECTOR, f".peek[data-elite='{elite}'][data-fresh=true]"))
    return elite


def focus_map(driver):
    driver.execute_script("document.getElementById('map').focus({focusVisible: true})")


def test_a_gallery_is_started_and_fills_while_one_watches(browser, studio):
    visit(browser, studio, "gallery?recipe=maze-gallery&seed=5")
    fill(browser, "#axes", "path 0..262 by 4, rock 0..400 by 8")
    fill(browser, "#budget", 60000)
    browser.get_log("browser")  # axes that are half typed are refused, which the browser tells there itself
    slide(browser, find(browser, ".speed"), 0)  # a generation a second
    press(browser, "#start")
    until(browser, lambda: run_shown(browser) and shown(browser) > 0)
    run = run_shown(browser)
    before = shown(browser)
    until(browser, lambda: shown(browser) > before)
    screenshot(browser, "gallery-filling")
    studio.control(run, "speed", speed=0)
    studio.wait_for(run, "ended")
    found = archive(studio, run)
    until(browser, lambda: shown(browser) == len(found["elites"]))
    assert text(browser, "#filled").replace(",", "") == str(len(found["elites"]))
    assert find(browser, "#map").get_attribute("data-columns") == "66"
    # What is wrong with the axes is said beside them.
    fill(browser, "#axes", "path 0..262 by 4, fog")
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, "#axes-wrong"))
    assert "fog" in text(browser, "#axes-wrong")
    browser.get_log("browser")  # a refused order is told there by the browser itself


def test_hover_shows_and_click_opens(browser, studio, small, downloads):
    open_gallery(browser, studio, small)
    elite = hover(browser, studio, small)
    known = studio.get(f"/api/runs/{small}/archive/elites/{elite}")
    assert browser.execute_script("return document.querySelector('.peek img').naturalWidth") > 50
    assert f"Exit path{known['measures']['exit_path']:g}" in text(browser, ".peek")
    assert f"fitness {known['fitness']:g}" in text(browser, "#readout")
    ActionChains(browser).click().perform()
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, "dialog.look[open]"))
    until(browser, lambda: known["caption"] in text(browser, ".look .caption"))
    until(browser, lambda: browser.execute_script("return document.querySelector('.look-picture').complete"))
    screenshot(browser, "gallery-look")
    assert browser.execute_script(AUDIT) == []
    for format in ("tmj", "json", "png"):
        press(browser, f".look [data-format={format}]")
        until(browser, (downloads / f"{small}-{elite}.{format}").exists)
    assert json.loads((downloads / f"{small}-{elite}.json").read_text())["cells"] == known["level"]["cells"]
    # And on with it by hand, in the editor.
    press(browser, "#look-edit")
    until(browser, lambda: text(browser, "h1") == "Mazes")
    until(browser, lambda: find(browser, "#level-name").get_property("value") == f"{small} {elite}")
    until(browser, lambda: find(browser, "#maze").get_attribute("data-columns") == "10")
    drawn = json.loads(studio.request("GET", f"/api/drawings/{small}%20{elite}")[1])
    assert drawn["draft"]["level"]["cells"] == known["level"]["cells"]


def test_favourites_are_kept_and_shown_alone(browser, studio, small, downloads):
    open_gallery(browser, studio, small)
    focus_map(browser)
    ActionChains(browser).send_keys("f").perform()
    until(browser, lambda: text(browser, "label[for=favourites-only]").endswith("(1)"))
    ActionChains(browser).send_keys(Keys.CONTROL, Keys.ARROW_RIGHT, Keys.CONTROL).send_keys("f").perform()
    until(browser, lambda: text(browser, "label[for=favourites-only]").endswith("(2)"))
    browser.refresh()
    until(browser, lambda: shown(browser) > 0)
    assert text(browser, "label[for=favourites-only]").endswith("(2)")
    press(browser, "#favourites-only")
    until(browser, lambda: len(browser.find_elements(By.CSS_SELECTOR, ".sheet .thumb")) == 2)
    favourites = [int(one.get_attribute("data-elite")) for one in browser.find_elements(By.CSS_SELECTOR, ".sheet .thumb")]
    Select(find(browser, "#pack-format")).select_by_value("json")
    press(browser, "#pack")
    until(browser, (downloads / f"{small}.zip").exists)
    with zipfile.ZipFile(downloads / f"{small}.zip") as pack:
        levels = [json.loads(pack.read(name)) for name in sorted(pack.namelist()) if name != "gallery.json"]
    (downloads / f"{small}.zip").unlink()
    expected = [studio.get(f"/api/runs/{small}/archive/elites/{one}")["level"]["cells"] for one in favourites]
    assert [one["cells"] for one in levels] == expected
    # From one to the next, and no favourite any more.
    press(browser, ".sheet .thumb")
    until(browser, lambda: text(browser, ".look h2") == "1 of 2")
    ActionChains(browser).send_keys(Keys.ARROW_RIGHT).perform()
    until(browser, lambda: text(browser, ".look h2") == "2 of 2")
    press(browser, "#favourite")
    until(browser, lambda: find(browser, "#favourite").get_attribute("aria-pressed") == "false")
    ActionChains(browser).send_keys(Keys.ESCAPE).perform()
    until(browser, lambda: len(browser.find_elements(By.CSS_SELECTOR, ".sheet .thumb")) == 1)


def test_wishes_other_axes_and_spread_need_no_new_run(browser, studio, small, downloads):
    open_gallery(browser, studio, small)
    runs = len(studio.get("/api/runs")["runs"])
    total = shown(browser)
    Select(find(browser, "#axis-x")).select_by_value("loops")
    until(browser, lambda: find(browser, "#map").get_attribute("data-columns") != "30")
    fill(browser, "#where", "path 20..30, rock 30..60")
    press(browser, "#filter")
    until(browser, lambda: 0 < shown(browser) < total)
    status, body, _ = studio.request("POST", f"/api/runs/{small}/archive/view", {"axes": "loops, rock", "where": "path 20..30, rock 30..60", "spread": 5})
    assert status == 200, body
    expected = json.loads(body)
    assert shown(browser) == len(expected["elites"])
    fill(browser, "#spread-count", 5)
    press(browser, "#take-spread")
    until(browser, lambda: len(browser.find_elements(By.CSS_SELECTOR, ".sheet .thumb")) == 5)
    assert [int(one.get_attribute("data-elite")) for one in browser.find_elements(By.CSS_SELECTOR, ".sheet .thumb")] == expected["spread"]
    until(browser, lambda: browser.execute_script("return [...document.querySelectorAll('.sheet img')].every((one) => one.complete && one.naturalWidth)"))
    screenshot(browser, "gallery-spread")
    press(browser, "#pack")
    until(browser, (downloads / f"{small}.zip").exists)
    pack = zipfile.ZipFile(io.BytesIO((downloads / f"{small}.zip").read_bytes()))
    (downloads / f"{small}.zip").unlink()
    assert sum(name.endswith(".tmj") for name in pack.namelist()) == 5
    # The server reads the wishes, and says what is wrong with them; what was shown stays.
    fill(browser, "#where", "path 30..20")
    press(browser, "#filter")
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, "#where-wrong"))
    assert "is empty" in text(browser, "#where-wrong")
    assert len(studio.get("/api/runs")["runs"]) == runs
    browser.get_log("browser")


def test_the_keyboard_alone_is_enough_for_a_gallery(browser, studio, small):
    open_gallery(browser, studio, small)
    focus_map(browser)

    def keys(*some):
        ActionChains(browser).send_keys(*some).perform()

    until(browser, lambda: "fitness" in text(browser, "#readout"))
    first = text(browser, "#readout")
    keys(Keys.ARROW_UP)
    until(browser, lambda: text(browser, "#readout") != first)
    assert text(browser, "#say") == text(browser, "#readout")
    keys("+", "+")
    until(browser, lambda: float(find(browser, "#map").get_attribute("data-zoom")) == 2.25)
    keys(Keys.CONTROL, Keys.ARROW_RIGHT, Keys.CONTROL)
    until(browser, lambda: "fitness" in text(browser, "#readout"))
    keys(Keys.ENTER)
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, "dialog.look[open]"))
    keys(Keys.ESCAPE)
    until(browser, lambda: not browser.find_elements(By.CSS_SELECTOR, "dialog.look"))
    assert browser.switch_to.active_element.get_attribute("id") == "map"
    keys("0")
    until(browser, lambda: float(find(browser, "#map").get_attribute("data-zoom")) == 1)


def test_galleries_of_other_things_work_alike(browser, studio):
    run = studio.order("dungeon-gallery", seed=2, set={"stop.evaluations": 4000})["id"]
    studio.wait_for(run, "ended")
    open_gallery(browser, studio, run)
    hover(browser, studio, run)
    ActionChains(browser).click().perform()
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, "dialog.look[open] #look-edit"))
    press(browser, "#look-edit")
    until(browser, lambda: text(browser, "h1") == "Dungeons" and find(browser, "#dungeon").get_attribute("data-columns") == "16")


def test_a_run_without_an_archive_says_so(browser, studio):
    run = studio.order("pmx-queens", set={"stop.generations": 2})["id"]
    studio.wait_for(run, "ended")
    visit(browser, studio, f"gallery?run={run}")
    until(browser, lambda: "keeps no archive" in browser.find_element(By.CSS_SELECTOR, ".stage").text)
    browser.get_log("browser")


def test_the_gallery_is_accessible(browser, studio, small):
    for theme, width in (("light", 1280), ("dark", 1280), ("light", 390), ("dark", 390), ("light", 640)):
        resize(browser, width, 900)
        scheme(browser, theme)
        open_gallery(browser, studio, small)
        focus_map(browser)
        until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, ".peek[data-fresh=true]"))
        for details in browser.find_elements(By.CSS_SELECTOR, "details"):
            browser.execute_script("arguments[0].open = true", details)
        assert browser.execute_script(AUDIT) == []
        browser.execute_script("for (const one of document.querySelectorAll('details')) one.open = false")
        screenshot(browser, f"gallery-{theme}-{width}")


# --- ten thousand --------------------------------------------------------------------------------------------
