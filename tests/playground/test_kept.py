"""What the playground keeps, and what it says where it can't: a closed tab, two tabs, storage refused or full, a worker
that ends, no network."""

import json
import subprocess

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By

from steps import find, generation, press, resize, run_shown, screenshot, slide, status, text, until
from test_playground import PROGRAM, ended, native_digest, visit

# Long enough to be broken off, short enough to be run to its end.
LONG = "&set=stop.evaluations%3D30000"
ENDLESS = "&set=stop.evaluations%3D900000000"

# The runs that were going on, as the browser's storage has it.
STORED = """
const done = arguments[arguments.length - 1];
const asked = indexedDB.open("/workspace");
asked.onerror = () => done([]);
asked.onupgradeneeded = () => asked.transaction.abort();
asked.onsuccess = () => {
    const keys = asked.result.transaction("FILE_DATA").objectStore("FILE_DATA").getAllKeys();
    keys.onsuccess = () => {
        asked.result.close();
        done(keys.result.filter((one) => one.endsWith("/.going")).map((one) => one.split("/")[2]));
    };
};"""
ALL_STORED = STORED.replace('.filter((one) => one.endsWith("/.going")).map((one) => one.split("/")[2])', "")


# Puts a text after the script of every worker: of those that the page makes it alone is put together.
IN_WORKERS = """
const Made = Blob;
window.Blob = class extends Made {
    constructor(parts, how) {
        super(how && how.type === "text/javascript" && parts.length > 1 ? [...parts, "\\n", %s] : parts, how);
    }
};"""


def in_workers(driver, script):
    driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": IN_WORKERS % json.dumps(script)})


def notice(driver):
    found = driver.find_elements(By.CSS_SELECTOR, "#notice")
    return found[0].get_property("textContent") if found else ""


def evolve(driver, site, settings, seed=3):
    resize(driver, 1280, 900)
    visit(driver, site, f"mazes?recipe=maze&seed={seed}{settings}")
    press(driver, "#evolve")
    until(driver, lambda: run_shown(driver) and generation(driver) > 0)
    return run_shown(driver)


def to_the_end(driver):
    ActionChains(driver).send_keys("e").perform()
    ended(driver)


def other_window(driver, closes):
    """A window of its own, after the one that is shown was closed or beside it."""
    before = driver.current_window_handle
    driver.switch_to.new_window("window")
    after = driver.current_window_handle
    if closes:
        driver.switch_to.window(before)
        driver.close()
        driver.switch_to.window(after)
    resize(driver, 1280, 900)


def test_a_closed_tab_goes_on_to_the_same_end(browser, site):
    run = evolve(browser, site, LONG)
    until(browser, lambda: run in browser.execute_async_script(STORED))
    other_window(browser, closes=True)
    digest = native_digest("maze", 3, 30000)
    visit(browser, site, f"mazes?recipe=maze&seed=3{LONG}&digest={digest}")
    browser.execute_script("location.hash = arguments[0]", f"#/mazes?run={run}")
    until(browser, lambda: generation(browser) > 0)
    ended(browser)
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, "[data-same]"))
    assert digest in text(browser, "[data-same=true]")
    assert notice(browser) == ""


def test_what_has_ended_and_what_is_new_is_stored_at_once(browser, site, tmp_path):
    """What is written every few seconds never is: time hardly passes in the workers."""
    program = [PROGRAM, "run", "maze-gallery", "--set", "stop.evaluations=2000", "-d", "G"]
    subprocess.run(program, cwd=tmp_path, check=True, capture_output=True)
    in_workers(browser, "{ let now = 1; performance.now = () => (now += 1e-6); }")
    resize(browser, 1280, 900)
    visit(browser, site, f"mazes?recipe=maze&seed=3{LONG}")
    slide(browser, find(browser, ".speed"), 11)  # as fast as it goes
    press(browser, "#evolve")
    until(browser, lambda: run_shown(browser))
    ended(browser)
    run = run_shown(browser)
    until(browser, lambda: f"/workspace/{run}/result.json" in browser.execute_async_script(ALL_STORED))
    browser.execute_script("location.hash = '#/gallery'")
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, "#gallery-file"))
    find(browser, "#gallery-file").send_keys(str(tmp_path / "G/gallery.json"))
    until(browser, lambda: "/workspace/gallery-1/gallery.json" in browser.execute_async_script(ALL_STORED))


def test_a_second_tab_works_and_says_that_it_keeps_nothing(browser, site):
    evolve(browser, site, ENDLESS)
    other_window(browser, closes=False)
    evolve(browser, site, LONG)
    assert "Another tab" in notice(browser)
    screenshot(browser, "playground-second-tab")
    to_the_end(browser)


def test_a_reloaded_page_still_has_the_storage(browser, site):
    run = evolve(browser, site, ENDLESS)
    until(browser, lambda: run in browser.execute_async_script(STORED))
    browser.refresh()
    until(browser, lambda: generation(browser) > 0)
    assert notice(browser) == ""


def test_full_storage_is_said_and_the_run_goes_on(browser, site):
    evolve(browser, site, ENDLESS)
    browser.execute_cdp_cmd("Storage.overrideQuotaForOrigin", {"origin": site.address.rstrip("/"), "quotaSize": 1})
    until(browser, lambda: "storage takes no more" in notice(browser))
    screenshot(browser, "playground-storage-full")
    before = generation(browser)
    until(browser, lambda: generation(browser) > before)


def test_refused_storage_is_said_and_all_works(refusing, site):
    evolve(refusing, site, LONG)
    assert "keeps nothing" in notice(refusing)
    to_the_end(refusing)
    screenshot(refusing, "playground-storage-refused")


def test_it_works_offline_after_the_first_visit(browser, site):
    visit(browser, site, "start")
    browser.execute_async_script("navigator.serviceWorker.ready.then(arguments[0])")
    site.stop()
    try:
        browser.get("about:blank")
        evolve(browser, site, LONG)
        to_the_end(browser)
        browser.get(f"{site.address}#/breed?recipe=maze-automaton&seed=5")
        until(browser, lambda: len(browser.find_elements(By.CSS_SELECTOR, ".breed-pick img")) == 9)
        browser.get_log("browser")  # that the server is away, which it is
    finally:
        site.start()
