"""What people do in the playground besides looking on: forms, going back in a run, files, choosing, walking, drawing; and what
it says of links and files that it can't take."""

import io
import json
import subprocess
import urllib.parse
import zipfile

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from steps import cell_of, fill, find, generation, press, resize, run_shown, screenshot, slide, status, text, until
from test_kept import in_workers, notice
from test_playground import PROGRAM, RECIPES_FOLDER, SHORT, ended, native, visit

COPIED = "window.copied = ''; navigator.clipboard.writeText = async (text) => { window.copied = text; };"


def copied(driver, button):
    driver.execute_script(COPIED)
    press(driver, button)
    until(driver, lambda: driver.execute_script("return window.copied"))
    return driver.execute_script("return window.copied")


def downloaded(driver, downloads, pattern):
    """The content of the one file that is called so, once it is whole."""
    until(driver, lambda: list(downloads.glob(pattern)))
    (file,) = downloads.glob(pattern)
    content = file.read_bytes()
    file.unlink()
    return content


def evolved(driver, site, place, start="#evolve"):
    resize(driver, 1280, 900)
    visit(driver, site, place)
    press(driver, start)
    until(driver, lambda: run_shown(driver))
    ended(driver)


# --- the form, and the course of a run ---------------------------------------------------------------------------


def test_a_form_is_edited_and_a_run_is_stepped_played_paused_and_looked_back_at(browser, site):
    resize(browser, 1280, 900)
    visit(browser, site, "queens")
    Select(find(browser, "#recipe")).select_by_value("roulette-queens")
    fill(browser, "#n", 40)
    fill(browser, "#seed", 7)
    press(browser, "#start-paused")
    until(browser, lambda: run_shown(browser) and status(browser) == "Paused")
    for step in range(1, 4):
        press(browser, "[data-action=step]")
        until(browser, lambda: generation(browser) == step)
    press(browser, "[data-action=play]")
    until(browser, lambda: generation(browser) > 20)
    press(browser, "[data-action=pause]")
    until(browser, lambda: status(browser) == "Paused")
    last = generation(browser)
    slide(browser, find(browser, ".scrub"), 2)
    until(browser, lambda: generation(browser) == 2)
    assert f"of {last:,}" in text(browser, ".moment")
    screenshot(browser, "playground-looked-back")
    press(browser, "[data-action=live]")
    until(browser, lambda: generation(browser) == last)
    command = text(browser, ".share .command")
    assert command.startswith("knossos run roulette-queens ") and "problem.n=40" in command and "--seed 7" in command


# --- files and links ---------------------------------------------------------------------------------------------


def test_pictures_pages_and_packs_are_downloaded(browser, site, downloads):
    evolved(browser, site, f"mazes?recipe=maze&seed=3{SHORT}")
    press(browser, "[data-format=png]")
    assert downloaded(browser, downloads, "*.png").startswith(b"\x89PNG")
    press(browser, "[data-format=json]")
    assert len(json.loads(downloaded(browser, downloads, "*.json"))["cells"]) == 20
    press(browser, ".share > summary")
    press(browser, "[data-action=share-run]")
    page = downloaded(browser, downloads, "*.html").decode()
    assert "knossos run maze" in page and "<script" in page and "http://127.0.0.1" not in page
    evolved(browser, site, f"gallery?recipe=maze-gallery&seed=3{SHORT}", "#start, #evolve")
    until(browser, lambda: int(text(browser, "#filled").replace(",", "")) > 100)
    Select(find(browser, "#pack-format")).select_by_value("json")
    press(browser, "#pack")
    until(browser, lambda: list(downloads.glob("*.zip")))
    (file,) = downloads.glob("*.zip")
    with zipfile.ZipFile(file) as pack:
        assert pack.testzip() is None and len(pack.namelist()) > 10


def test_a_recipe_of_ones_own_is_repeated_by_the_program(browser, site, downloads, tmp_path):
    toml = (RECIPES_FOLDER / "maze.toml").read_text().replace("200_000", "5000")
    evolved(browser, site, f"mazes?{urllib.parse.urlencode({'toml': toml})}&seed=3")
    press(browser, ".share > summary")
    assert text(browser, ".share .command") == "knossos run recipe.toml"
    link = copied(browser, "[data-action=copy-link]")
    assert "to the bit" in native("verify", link)
    press(browser, "[data-action=save-recipe]")
    (tmp_path / "recipe.toml").write_bytes(downloaded(browser, downloads, "recipe.toml"))
    again = subprocess.run([PROGRAM, "run", "recipe.toml", "--json"], cwd=tmp_path, capture_output=True, text=True, check=False)
    digest = urllib.parse.parse_qs(link)["digest"][0]
    assert json.loads(again.stdout)["result"]["digest"] == digest
    for promised, is_same in ((digest, "true"), ("0" * 16, "false")):
        evolved(browser, site, link.split("#/")[1].replace(digest, promised))
        until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, f"[data-same={is_same}]"))


def test_choices_are_made_and_their_link_is_verified_by_page_and_program(browser, site):
    resize(browser, 1280, 900)
    visit(browser, site, "breed?recipe=maze-automaton&seed=5")
    until(browser, lambda: len(browser.find_elements(By.CSS_SELECTOR, ".breed-pick img")) == 9)
    for number in (2, 7):
        press(browser, f"[data-number='{number}']")
    press(browser, "#more")
    until(browser, lambda: find(browser, ".breed-grid").get_attribute("data-course") == "2 7")
    link = copied(browser, "[data-action=copy-link]")
    assert "to the bit" in native("verify", link)
    for digest, is_same in (("", "true"), ("0" * 16, "false")):
        place = link.split("#/")[1]
        visit(browser, site, place if not digest else place.split("digest=")[0] + f"digest={digest}")
        until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, f"[data-same={is_same}]"))
    screenshot(browser, "playground-bred")


# --- levels ------------------------------------------------------------------------------------------------------


def opened(driver, file):
    before = text(driver, ".toast") if driver.find_elements(By.CSS_SELECTOR, ".toast") else ""
    find(driver, "#level-file").send_keys(str(file))
    until(driver, lambda: driver.find_elements(By.CSS_SELECTOR, ".toast") and text(driver, ".toast") != before)
    return text(driver, ".toast")


def test_a_level_is_imported_and_walked_and_what_is_none_is_refused(browser, site, tmp_path):
    resize(browser, 1280, 900)
    visit(browser, site, "mazes")
    level = tmp_path / "court.txt"
    level.write_text("E..#\n.#..\n...X\n")
    opened(browser, level)
    until(browser, lambda: find(browser, "#maze").get_attribute("data-columns") == "4")
    photograph = tmp_path / "holiday.jpg"
    photograph.write_bytes(b"\xff\xd8\xff\xe0\x00\x10JFIF\x00" + bytes(range(256)) * 40)
    assert "holiday.jpg" in opened(browser, photograph)
    assert find(browser, "#maze").get_attribute("data-columns") == "4"
    press(browser, "[data-mode=walk]")
    ActionChains(browser).send_keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_DOWN, Keys.ARROW_RIGHT,
                                    Keys.ARROW_DOWN).perform()
    until(browser, lambda: "there is no shorter way" in text(browser, ".readout"))
    screenshot(browser, "playground-walked")


def test_a_dungeon_is_drawn_and_judged(browser, site):
    resize(browser, 1280, 900)
    visit(browser, site, "dungeons")
    solvable = "[data-verdict=solvable] td"
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, solvable) and text(browser, solvable) == "✓ yes")
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", find(browser, "#dungeon"))

    def put(tile, *cells):
        press(browser, f"[data-tile='{tile}']")
        for cell in cells:
            at = cell_of(browser, "#dungeon", cell)
            ActionChains(browser, duration=1).move_to_element_with_offset(*at).click().perform()

    put("X", (3, 2))
    put("#", (2, 2), (4, 2), (3, 1), (3, 3))
    until(browser, lambda: text(browser, solvable) == "✗ no")
    screenshot(browser, "playground-dungeon")


# --- galleries -----------------------------------------------------------------------------------------------------


def test_a_gallery_is_opened_from_a_file_and_kept(browser, site, downloads, tmp_path):
    program = [PROGRAM, "run", "maze-gallery", "--seed", "4", "--set", "stop.evaluations=5000", "-d", "G"]
    subprocess.run(program, cwd=tmp_path, check=True, capture_output=True)
    json_file = tmp_path / "G/gallery.json"
    elites = len(json.loads(json_file.read_text())["elites"])
    resize(browser, 1280, 900)
    visit(browser, site, "gallery")
    for name, content, why in (("holiday.json", "no JSON", "holiday.json: is no gallery"),
                               ("maze.json", '{"cells": ["E.X"]}', "maze.json: is no gallery"),
                               ("cut.json", json_file.read_text()[:5000], "cut.json: is no gallery")):
        (tmp_path / name).write_text(content)
        find(browser, "#gallery-file").send_keys(str(tmp_path / name))
        until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, "#gallery-trouble")
              and why in text(browser, "#gallery-trouble"))
    screenshot(browser, "playground-no-gallery")
    find(browser, "#gallery-file").send_keys(str(json_file))
    until(browser, lambda: run_shown(browser) == "gallery-1")
    until(browser, lambda: text(browser, "#filled") == f"{elites:,}")
    assert status(browser) == "Opened from gallery.json"
    assert not browser.find_elements(By.CSS_SELECTOR, "#gallery-trouble, .transport")
    # No command and no link make this gallery.
    assert browser.find_elements(By.CSS_SELECTOR, ".share [data-action=save-recipe]")
    assert not browser.find_elements(By.CSS_SELECTOR, ".share .command, .share [data-action=copy-link]")
    # Other axes, wishes, those that differ, and files, as of any gallery.
    Select(find(browser, "#axis-x")).select_by_value("loops")
    fill(browser, "#where", "path 20..")
    press(browser, "#filter")
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, "#filtered"))
    press(browser, "#take-spread")
    until(browser, lambda: len(browser.find_elements(By.CSS_SELECTOR, ".sheet .thumb img")) == 12)
    press(browser, ".sheet .thumb")
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, ".look .measures"))
    screenshot(browser, "playground-gallery-from-a-file")
    ActionChains(browser).send_keys(Keys.ESCAPE).perform()
    Select(find(browser, "#pack-format")).select_by_value("json")
    press(browser, "#pack")
    with zipfile.ZipFile(io.BytesIO(downloaded(browser, downloads, "gallery-1*.zip"))) as pack:
        assert len(pack.namelist()) == 13
        (tmp_path / "again.json").write_bytes(pack.read("gallery.json"))
    # What was taken out comes in again.
    find(browser, "#gallery-file").send_keys(str(tmp_path / "again.json"))
    until(browser, lambda: run_shown(browser) == "again-1" and text(browser, "#filled") == "12")


# --- what can't be taken -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("place", "where", "why"), [
    ("mazes?recipe=labyrinth&seed=1", ".trouble", "there is no recipe"),
    ("mazes?recipe=maze&set=problem.wide%3D12", ".trouble", "wide"),
    ("mazes?recipe=maze&seed=3&dig", "#link-trouble", "“dig”"),
    ("mazes?recipe=maze&seed=3&digest=01234", "#link-trouble", "cut"),
    ("mazes?recipe=maze&seed=3&weather=rain", "#link-trouble", "newer version"),
    ("towers?recipe=maze&seed=3", "#link-trouble", "“towers”"),
])
def test_a_link_that_can_not_be_followed_is_said_and_the_rest_works(browser, site, place, where, why):
    resize(browser, 1280, 900)
    visit(browser, site, place)
    until(browser, lambda: any(why in one.text for one in browser.find_elements(By.CSS_SELECTOR, where)))
    browser.execute_script("location.hash = arguments[0]", f"#/mazes?recipe=maze&seed=3{SHORT}")
    until(browser, lambda: not browser.find_elements(By.CSS_SELECTOR, "#link-trouble"))
    until(browser, lambda: not any(one.text for one in browser.find_elements(By.CSS_SELECTOR, ".trouble")))
    press(browser, "#evolve")
    ended(browser)


@pytest.mark.parametrize("lack", ["WebAssembly.validate = () => false;", "delete globalThis.WebAssembly;"])
def test_a_browser_without_vectors_is_told_what_it_lacks(browser, site, lack):
    browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": lack})
    browser.get(f"{site.address}#/mazes")
    until(browser, lambda: "no WebAssembly with SIMD" in notice(browser))
    until(browser, lambda: "Loading" not in text(browser, "main"))  # it knows that nobody answers
    assert "does not answer" not in text(browser, "body")
    screenshot(browser, "playground-without-vectors")


def put_file(driver, field, name, size):
    """One of that size, which need not lie anywhere."""
    driver.execute_script("""
        const files = new DataTransfer();
        files.items.add(new File([new Uint8Array(arguments[2])], arguments[1]));
        const field = document.querySelector(arguments[0]);
        field.files = files.files;
        field.dispatchEvent(new Event("change", { bubbles: true }));""", field, name, size)


def test_a_file_that_is_too_large_is_refused_as_by_the_studio(browser, site):
    resize(browser, 1280, 900)
    visit(browser, site, "gallery")
    put_file(browser, "#gallery-file", "film.json", 32 * 2**20 + 1)
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, "#gallery-trouble"))
    assert "at most 33554432 bytes" in text(browser, "#gallery-trouble")
    visit(browser, site, "mazes")
    put_file(browser, "#level-file", "film.mp4", 2**20 + 1)
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, ".toast"))
    assert "at most 1048576 bytes" in text(browser, ".toast")
    assert notice(browser) == ""


def test_a_request_that_there_is_no_memory_for_ends_nothing(browser, site):
    in_workers(browser, """{
        const make = makeKnossos;
        makeKnossos = async (how) => {
            const made = await make(how), take = made._malloc;
            const mine = (size) => (size > 500000 ? 0 : take(size));
            return Object.defineProperty(made, "_malloc", { get: () => mine, set() {} }); // it puts itself there
        };
    }""")
    resize(browser, 1280, 900)
    visit(browser, site, "mazes")
    put_file(browser, "#level-file", "large.txt", 600_000)
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, ".toast"))
    assert "not enough memory" in text(browser, ".toast")
    assert notice(browser) == ""
    browser.execute_script("location.hash = arguments[0]", f"#/mazes?recipe=maze&seed=3{SHORT}")
    until(browser, lambda: find(browser, "#seed").get_attribute("value") == "3")
    press(browser, "#evolve")
    ended(browser)
