"""Breeding in a real browser: pick, go on, step back, branch, and the recipe that repeats it all."""

import json
import subprocess

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from server import PROGRAM
from steps import draw, fill, find, press, resize, scheme, screenshot, text, until, visit
from test_page import AUDIT

BEGIN = "breed?recipe=maze-automaton&seed=5&set=algorithm.kind%3Dchosen&set=algorithm.population%3D9"


def course(driver):
    found = driver.find_elements(By.CSS_SELECTOR, ".breed-grid")
    return found[0].get_attribute("data-course") if found else None


def digest(driver):
    return find(driver, ".breed-grid").get_attribute("data-digest")


def pictures(driver):
    return driver.execute_script("return [...document.querySelectorAll('.breed-pick img')].filter((one) => one.complete && one.naturalWidth > 0).length")


def picked(driver):
    return [int(one.get_attribute("data-number")) for one in driver.find_elements(By.CSS_SELECTOR, ".breed-pick[aria-pressed=true]")]


def nodes(driver):
    return {one.get_attribute("data-course") for one in driver.find_elements(By.CSS_SELECTOR, ".course-node")}


def begin(driver, studio, place=BEGIN, expected="", count=9):
    visit(driver, studio, place)
    until(driver, lambda: course(driver) == expected and pictures(driver) == count)


def keys(driver, *some):
    ActionChains(driver).send_keys(*some).perform()


def bred(studio, choices, **more):
    order = {"recipe": "maze-automaton", "seed": 5, "set": {"algorithm.kind": "chosen", "algorithm.population": 9}, **more}
    status, body, _ = studio.request("POST", "/api/breed", {**order, "choices": choices})
    assert status == 200, body
    return json.loads(body)


def test_choices_go_on_back_and_branch_and_nothing_is_lost(browser, studio):
    begin(browser, studio)
    press(browser, "[data-number='2']")
    press(browser, "[data-number='7']")
    assert picked(browser) == [2, 7]
    press(browser, "#more")
    until(browser, lambda: course(browser) == "2 7")
    assert picked(browser) == []
    press(browser, "[data-number='1']")
    press(browser, "#more")
    until(browser, lambda: course(browser) == "2 7; 1" and pictures(browser) == 9)
    assert digest(browser) == bred(studio, [[2, 7], [1]])["digest"]
    screenshot(browser, "breed-course")
    # Back, where one's picks still are, and another way.
    press(browser, "#back")
    until(browser, lambda: course(browser) == "2 7")
    assert picked(browser) == [1]
    press(browser, "[data-number='1']")
    press(browser, "[data-number='4']")
    press(browser, "#more")
    until(browser, lambda: course(browser) == "2 7; 4")
    assert nodes(browser) == {"", "2 7", "2 7; 1", "2 7; 4"}
    # A jump to the other branch, and everything after a reload.
    find(browser, ".course-node[data-course='2 7; 1']").click()
    until(browser, lambda: course(browser) == "2 7; 1")
    seen = digest(browser)
    browser.refresh()
    until(browser, lambda: course(browser) == "2 7; 1" and pictures(browser) == 9)
    assert digest(browser) == seen and nodes(browser) == {"", "2 7", "2 7; 1", "2 7; 4"}
    screenshot(browser, "breed-branches")
    # The address alone says it all, to somebody else, too.
    link = browser.current_url.split("#/")[1]
    browser.execute_script("sessionStorage.clear(); localStorage.clear()")
    begin(browser, studio, link, "2 7; 1")
    assert digest(browser) == seen and nodes(browser) == {"", "2 7", "2 7; 1", "2 7; 4"}


def test_the_recipe_repeats_it_to_the_bit(browser, studio, tmp_path):
    begin(browser, studio, f"{BEGIN}&choices=2+7%3B+1", "2 7; 1")
    (tmp_path / "bred.toml").write_text(text(browser, ".toml"))
    again = subprocess.run([PROGRAM, "run", str(tmp_path / "bred.toml"), "--quiet", "--json"], capture_output=True, text=True, check=False)
    assert digest(browser) in again.stdout, (again.stdout[:500], again.stderr)
    assert "algorithm.choices" in text(browser, ".command")


def test_the_keyboard_alone_is_enough_to_breed(browser, studio):
    begin(browser, studio)
    keys(browser, "3", "5", "3", "9")
    until(browser, lambda: picked(browser) == [5, 9])
    keys(browser, "m")
    until(browser, lambda: course(browser) == "5 9")
    keys(browser, Keys.BACKSPACE)
    until(browser, lambda: course(browser) == "")
    browser.execute_script("document.querySelector('[data-number=\"1\"]').focus()")
    keys(browser, Keys.ARROW_RIGHT, Keys.ARROW_DOWN, " ")
    until(browser, lambda: picked(browser) == [5, 9] or 5 in picked(browser) or picked(browser) == [9])
    assert browser.switch_to.active_element.get_attribute("data-number") == "5"
    assert picked(browser) == [9]
    # Along the course.
    browser.execute_script("document.querySelector('.course-node.here').focus()")
    keys(browser, Keys.ARROW_RIGHT)
    until(browser, lambda: course(browser) == "5 9")
    until(browser, lambda: browser.switch_to.active_element.get_attribute("data-course") == "5 9")
    keys(browser, Keys.ARROW_LEFT)
    until(browser, lambda: course(browser) == "")


def test_sixteen_of_any_kind(browser, studio):
    begin(browser, studio)
    for recipe in ("dungeon", "pmx-queens", "maze-direct"):
        Select(find(browser, "#recipe")).select_by_value(recipe)
        Select(find(browser, "#size")).select_by_value("16")
        until(browser, lambda: f"knossos run {recipe} " in text(browser, ".command") and pictures(browser) == 16)
        browser.execute_script("document.getElementById('main').focus()")  # keys in a field are the field's
        keys(browser, "g")
        until(browser, lambda: picked(browser) == [16])
        keys(browser, "m")
        until(browser, lambda: course(browser) == "16" and pictures(browser) == 16)
        screenshot(browser, f"breed-{recipe}")
    # Another seed begins elsewhere; the way that was gone is there again with the old one.
    before = digest(browser)
    fill(browser, "#seed", 6)
    until(browser, lambda: course(browser) == "" and "--seed 6" in text(browser, ".command"))
    fill(browser, "#seed", 5)
    until(browser, lambda: course(browser) == "16" and digest(browser) == before)


def drafted(studio, name):
    return studio.get(f"/api/drawings/{name.replace(' ', '%20')}")["draft"]["level"]


def test_one_is_looked_at_downloaded_and_edited(browser, studio, downloads):
    begin(browser, studio, f"{BEGIN}&choices=4", "4")
    level = bred(studio, [[4]])["individuals"][2]["level"]
    press(browser, ".breed-one:nth-child(3) .breed-open")
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, "dialog.look[open]"))
    assert text(browser, ".look h2") == "3 of generation 1"
    assert "Exit path" in text(browser, ".look .measures")
    assert browser.execute_script(AUDIT) == []
    for format in ("json", "tmj"):
        press(browser, f".look [data-format={format}]")
        until(browser, (downloads / f"maze-automaton 1-3.{format}").exists)
    found = json.loads((downloads / "maze-automaton 1-3.json").read_text())
    assert found["cells"] == level["cells"]
    press(browser, "#look-edit")
    until(browser, lambda: text(browser, "h1") == "Mazes")
    until(browser, lambda: find(browser, "#level-name").get_property("value") == "maze-automaton 1-3")
    drawn = json.loads(studio.request("GET", "/api/drawings/maze-automaton%201-3")[1])
    assert drawn["draft"]["level"]["cells"] == level["cells"]
    # Coming back, everything is as it was; what was drawn on it stays when it is taken once more.
    draw(browser, "rock", (0, 9))
    until(browser, lambda: drafted(studio, "maze-automaton 1-3")["cells"][9][0] == "#")
    changed = drafted(studio, "maze-automaton 1-3")["cells"]
    browser.execute_script("location.hash = '#/breed'")
    until(browser, lambda: course(browser) == "4" and pictures(browser) == 9)
    press(browser, ".breed-one:nth-child(3) .breed-open")
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, "#look-edit"))
    press(browser, "#look-edit")
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, "#level-name")
          and find(browser, "#level-name").get_property("value") == "maze-automaton 1-3 2")
    assert drafted(studio, "maze-automaton 1-3")["cells"] == changed
    assert drafted(studio, "maze-automaton 1-3 2")["cells"] == level["cells"]


def test_what_cannot_be_bred_is_told(browser, studio):
    visit(browser, studio, f"{BEGIN}&choices=12")
    until(browser, lambda: "12" in browser.find_element(By.CSS_SELECTOR, ".stage .trouble").text if browser.find_elements(By.CSS_SELECTOR, ".stage .trouble") else False)
    press(browser, "#anew")
    until(browser, lambda: course(browser) == "" and pictures(browser) == 9)
    browser.get_log("browser")  # a refused order is told there by the browser itself


def test_breeding_is_accessible(browser, studio):
    for theme, width in (("light", 1280), ("dark", 1280), ("light", 390), ("dark", 390), ("light", 640)):
        resize(browser, width, 900)
        scheme(browser, theme)
        begin(browser, studio, f"{BEGIN}&choices=2+7%3B+1&branch=2+7%3B+4&branch=5", "2 7; 1")
        keys(browser, "1", "6")
        until(browser, lambda: picked(browser) == [1, 6])
        for details in browser.find_elements(By.CSS_SELECTOR, "details"):
            browser.execute_script("arguments[0].open = true", details)
        assert browser.execute_script(AUDIT) == []
        browser.execute_script("for (const one of document.querySelectorAll('details')) one.open = false")
        screenshot(browser, f"breed-{theme}-{width}")
