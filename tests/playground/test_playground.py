"""The playground: what it answers without a browser, and the page in Chromium with nothing but a server of files."""

import gzip
import json
import os
import pathlib
import subprocess

import pytest
from selenium.webdriver.common.by import By

from conftest import SITE
from steps import draw, find, generation, press, resize, screenshot, text, until

HERE = pathlib.Path(__file__).resolve().parent
PROGRAM = os.environ["KNOSSOS"]
MOST_BYTES, MOST_COMPRESSED = 2_500_000, 1_000_000
SHORT = "&set=stop.evaluations%3D5000"


def native(*arguments):
    return subprocess.run([PROGRAM, *arguments], check=True, capture_output=True, text=True).stdout


def native_digest(recipe, seed, evaluations=5000, *changes):
    changes = [word for change in (f"stop.evaluations={evaluations}", *changes) for word in ("--set", change)]
    ran = subprocess.run([PROGRAM, "run", recipe, "--seed", str(seed), *changes, "--json"], check=False,
                         capture_output=True, text=True)
    assert ran.returncode in (0, 1), ran.stderr  # 1: the goal was not reached
    return json.loads(ran.stdout)["result"]["digest"]


def ask(*arguments, **environment):
    return subprocess.run(["node", HERE / "ask.cjs", SITE, *arguments], check=True, capture_output=True,
                          env={**os.environ, **environment}).stdout


# --- without a browser -----------------------------------------------------------------------------------------


# An evaluation of armies is a campaign, and takes 12 ms; of the others, at most 1 ms.
EVALUATIONS = {"armies": 60}
RECIPES_FOLDER = HERE.parents[1] / "recipes"
RECIPES = sorted(path.stem for path in RECIPES_FOLDER.glob("*.toml"))


def test_every_recipe_has_the_digest_of_the_native_program():
    far = {name: EVALUATIONS.get(name, 2000) for name in RECIPES}
    same_digests("digests", far)
    same_digests("digests", far, KNOSSOS_THREADS="2")


def test_every_recipe_goes_on_from_a_checkpoint_to_the_same_digest():
    same_digests("resumed", {name: 5 * EVALUATIONS.get(name, 4000) for name in RECIPES})


def same_digests(how, far, **environment):
    lines = ask(how, *(f"{name}={evaluations}" for name, evaluations in far.items()), **environment).decode().splitlines()
    digests = dict(line.split()[:2] for line in lines)
    assert digests == {name: native_digest(name, 3, evaluations) for name, evaluations in far.items()}


def test_a_failure_of_the_program_is_told_in_words():
    assert ask("unopened").decode().strip() == "no workspace is open"


def test_a_run_of_a_recipe_in_toml_is_repeated_from_a_file_of_that_name():
    order = {"toml": (RECIPES_FOLDER / "one-max.toml").read_text(), "paused": True}
    assert json.loads(ask("POST", "/api/runs", json.dumps(order)))["command"] == "knossos run recipe.toml"


@pytest.mark.parametrize("port", ["0", "65536", "99999", "123456", "http"])
def test_a_port_that_there_is_not_is_refused(port):
    asked = subprocess.run([HERE.parents[1] / "tools/playground", "--serve", "--port", port], check=False,
                           capture_output=True, text=True, timeout=60)
    assert (asked.returncode, asked.stderr) == (2, f"playground: --port {port}: expected a number in 1..65535\n")


def test_the_download_stays_small():
    for other in ("knossos-threads", "knossos"):  # a page loads one of the two
        files = [path.read_bytes() for path in SITE.iterdir() if path.stem != other]
        assert sum(map(len, files)) <= MOST_BYTES
        assert sum(len(gzip.compress(one, 9)) for one in files) <= MOST_COMPRESSED


# --- in Chromium -------------------------------------------------------------------------------------------------


def visit(driver, site, place, seconds=60):
    driver.get("about:blank")
    driver.get(f"{site.address}#/{place}")
    until(driver, lambda: driver.find_elements(By.TAG_NAME, "h1"), seconds)


def status(driver):
    return text(driver, ".stage .status")


def ended(driver):
    until(driver, lambda: status(driver).startswith(("Ended", "Solved")), 120)


def seen_run(driver):
    return driver.execute_script("return new URLSearchParams(location.hash.split('?')[1] || '').get('run')")


def test_a_maze_evolves_and_its_link_is_verified_by_page_and_program(browser, site):
    resize(browser, 1280, 900)
    visit(browser, site, f"mazes?recipe=maze&seed=3{SHORT}")
    press(browser, "#evolve")
    ended(browser)
    screenshot(browser, "playground-maze")
    digest = native_digest("maze", 3)
    link = f"{site.address}#/mazes?recipe=maze&seed=3{SHORT}&digest={digest}"
    assert "to the bit" in native("verify", link)
    visit(browser, site, link.split("#/")[1])
    press(browser, "#evolve")
    ended(browser)
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, "[data-same=true]"))
    assert digest in text(browser, "[data-same=true]")
    visit(browser, site, link.split("#/")[1].replace(digest, "0" * 16))
    press(browser, "#evolve")
    ended(browser)
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, "[data-same=false]"))
    # Also in a tab that is open: of the address only what is behind # changes.
    browser.execute_script("location.hash = arguments[0]", f"#/mazes?recipe=maze&seed=4{SHORT}&digest={'0' * 16}")
    until(browser, lambda: find(browser, "#seed").get_attribute("value") == "4")
    assert not browser.find_elements(By.CSS_SELECTOR, "[data-same]")
    press(browser, "#evolve")
    ended(browser)
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, "[data-same=false]"))


def test_both_screens_of_every_start_lead_to_what_they_say(browser, site):
    resize(browser, 1280, 900)
    visit(browser, site, "start")
    screenshot(browser, "playground-start")
    starts = len(browser.find_elements(By.CSS_SELECTOR, ".starts li a"))
    assert starts == 5
    for start in range(1, starts + 1):
        for screen in (1, 2):
            browser.execute_script("location.hash = arguments[0]", f"#/start?start={start}&screen={screen}")
            shown = f".start[data-start='{start}'][data-screen='{screen}']"
            until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, shown))
            screenshot(browser, f"playground-start-{start}-{screen}")
            to = find(browser, "[data-action=go]").get_attribute("href").split("#/")[1]
            press(browser, "[data-action=go]")
            until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, ".stage h1"))
            if to.startswith("breed"):
                until(browser, lambda: len(browser.find_elements(By.CSS_SELECTOR, ".breed-pick img")) == 9)
            elif "recipe" in to:
                press(browser, "#start, #evolve")
                until(browser, lambda: seen_run(browser) and generation(browser) > 0)
            troubles = [one.text for one in browser.find_elements(By.CSS_SELECTOR, ".trouble, #notice") if one.is_displayed()]
            assert troubles == [], to
            screenshot(browser, f"playground-start-{start}-{screen}-to")


def test_a_gallery_fills_and_a_drawing_is_judged(browser, site):
    resize(browser, 1280, 900)
    visit(browser, site, f"gallery?recipe=maze-gallery&seed=3{SHORT}")
    press(browser, "#start, #evolve")
    until(browser, lambda: seen_run(browser))
    ended(browser)
    until(browser, lambda: int(text(browser, "#filled").replace(",", "")) > 100)
    screenshot(browser, "playground-gallery")
    visit(browser, site, "mazes")
    until(browser, lambda: "exit path 38" in text(browser, "main"))
    draw(browser, "rock", (0, 3), (19, 3))  # from side to side: no way is left
    until(browser, lambda: "exit path 38" not in text(browser, "main"))
    screenshot(browser, "playground-drawing")
