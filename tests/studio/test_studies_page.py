"""Studies, repeats and shared files, in a real browser."""

import json
import signal
from urllib.parse import urlencode

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from server import Studio
from steps import fill, find, press, resize, scheme, screenshot, status, text, until, visit

ORDER = {"name": "Sizes", "recipes": ["pmx-queens"], "grid": {"problem.n": [6, 8]}, "runs": 10, "budget": 4000}


def start(studio, **changes):
    code, body, _ = studio.request("POST", "/api/studies", {**ORDER, **changes})
    assert code == 201, body
    return json.loads(body)["id"]


def ended(studio, study):
    while True:
        now = studio.get(f"/api/studies/{study}")
        if now["state"] in ("ended", "failed"):
            return now


def test_a_study_is_composed_followed_and_reported(browser, studio):
    visit(browser, studio, "studies")
    until(browser, lambda: "6 configurations" in text(browser, "#comes-to"))
    fill(browser, "#study-name", "Two recipes")
    Select(find(browser, "#add-recipe")).select_by_value("half-breed-queens")
    until(browser, lambda: "12 configurations × 20 runs = 240 runs" in text(browser, "#comes-to"))
    fill(browser, "[aria-label='Values of problem.n']", "0")
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, ".value-row .wrong"))
    assert "problem.n" in text(browser, ".value-row .wrong")
    browser.get_log("browser")  # the browser's own line about what was refused
    fill(browser, "[aria-label='Values of problem.n']", "6")
    fill(browser, "#study-runs", 5)
    until(browser, lambda: "6 configurations × 5 runs = 30 runs" in text(browser, "#comes-to"))
    press(browser, "#start-study")
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, ".opened[data-state=ended]"))
    rows = browser.find_elements(By.CSS_SELECTOR, ".figures tbody tr")
    assert len(rows) == 6 and all(row.get_attribute("data-done") == "5" for row in rows)
    assert browser.find_elements(By.CSS_SELECTOR, ".fastest")
    screenshot(browser, "studies")
    report = find(browser, ".opened a[href^='/studies/two-recipes-']")
    name = report.get_attribute("href").rsplit("/", 1)[1]
    code, body, _ = studio.request("GET", f"/studies/{name}")
    assert code == 200 and b"Two recipes" in body
    for _ in range(2):
        press(browser, f"[data-study={name}] .danger")
    until(browser, lambda: not browser.find_elements(By.CSS_SELECTOR, f"[data-study={name}]"))
    assert not (studio.workspace / "studies" / name).exists()


def test_a_study_can_be_paused_and_goes_on(browser, studio):
    study = start(studio, name="Long", runs=20000, budget=20000, grid={"problem.n": [20, 24]})
    visit(browser, studio, f"studies?study={study}")
    until(browser, lambda: any(row.get_attribute("data-done") != "0" for row in browser.find_elements(By.CSS_SELECTOR, ".figures tbody tr")))
    press(browser, f"[data-study={study}] [data-action=pause-study]")
    until(browser, lambda: find(browser, ".opened").get_attribute("data-state") == "paused")
    assert "Paused" in text(browser, f"[data-study={study}] .status")
    press(browser, f"[data-study={study}] [data-action=play-study]")
    until(browser, lambda: find(browser, ".opened").get_attribute("data-state") == "running")
    studio.request("DELETE", f"/api/studies/{study}")
    until(browser, lambda: "deleted" in text(browser, ".stage .status.bad"))
    browser.get_log("browser")  # the browser's own lines about what is gone


def test_studies_survive_a_kill(browser, tmp_path):
    """What was recorded stays; the page says that the studio is away, and follows the study when it is back."""
    with Studio(tmp_path) as studio:
        study = start(studio, runs=600, grid={"problem.n": [8, 10]})
        while studio.get(f"/api/studies/{study}")["done"] == 0:
            pass
        studio.end(signal.SIGKILL)
        studio.start()
        done = studio.get(f"/api/studies/{study}")["done"]
        assert done > 0
        visit(browser, studio, f"studies?study={study}")
        until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, ".opened[data-state=ended]"), seconds=120)
        browser.get("about:blank")
        now = ended(studio, study)
        assert (now["done"], now["runs"]) == (1200, 1200) and now["report"]


def test_a_study_fits_in_its_link(browser, studio):
    order = {**ORDER, "set": {"stages.mutate.probability": 0.3}, "paired": True, "seed": 77}
    visit(browser, studio, f"studies?{urlencode({'order': json.dumps(order)})}")
    until(browser, lambda: "2 configurations" in text(browser, "#comes-to"))
    assert find(browser, "#study-name").get_property("value") == "Sizes"
    assert find(browser, "#study-seed").get_property("value") == "77"
    assert find(browser, "#study-paired").is_selected()
    assert find(browser, "[aria-label='Values of problem.n']").get_property("value") == "6, 8"
    assert find(browser, "[aria-label='Values of stages.mutate.probability']").get_property("value") == "0.3"


def test_reports_of_the_command_line_are_listed(browser, studio):
    (studio.workspace / "my-study").mkdir(exist_ok=True)
    (studio.workspace / "my-study" / "report.html").write_text("<!doctype html><title>Report</title><h1>A study</h1>")
    study = start(studio, runs=1)
    visit(browser, studio, "studies")
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, "a[href='/studies/my-study']"))
    assert studio.request("GET", "/studies/my-study")[0] == 200
    studio.request("DELETE", f"/api/studies/{study}")


def test_repeats_are_one_curve_with_a_band_and_all_are_deleted_at_once(browser, studio):
    runs = [studio.order("pmx-queens", seed=seed, set={"problem.n": 14})["id"] for seed in range(1, 6)]
    other = studio.order("roulette-queens", seed=1, set={"problem.n": 14, "stop.generations": 50})["id"]
    for run in [*runs, other]:
        studio.wait_for(run, "ended")
    visit(browser, studio, "runs")
    for run in [*runs, other]:
        until(browser, lambda run=run: browser.find_elements(By.CSS_SELECTOR, f"[data-run={run}]"))
        press(browser, f"[data-run={run}] input")
    until(browser, lambda: len(browser.find_elements(By.CSS_SELECTOR, ".chart .curve")) == 2)
    until(browser, lambda: len(browser.find_elements(By.CSS_SELECTOR, ".chart .band")) == 1)
    names = [one.text for one in browser.find_elements(By.CSS_SELECTOR, ".chart .name")]
    assert any("pmx-queens × 5" in name for name in names), names
    screenshot(browser, "runs-repeats")
    press(browser, f"[data-run={other}] input")
    press(browser, "#tick-all")
    for _ in range(2):
        press(browser, ".all-danger")
    until(browser, lambda: not browser.find_elements(By.CSS_SELECTOR, "[data-run]"))
    assert studio.get("/api/runs")["runs"] == []


# --- shared files -----------------------------------------------------------------------------------------------


def opened(browser, tmp_path, body, name="shared"):
    """From the disk, without a server; nothing may be asked for from anywhere."""
    file = tmp_path / f"{name}.html"
    file.write_bytes(body)
    browser.get(file.as_uri())
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, "h1"))
    assert browser.execute_script("return performance.getEntriesByType('resource').length") == 0


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_run_is_shared_as_one_file(browser, studio, tmp_path, theme):
    run = studio.order("pmx-queens", seed=3, set={"problem.n": 12})["id"]
    studio.wait_for(run, "ended")
    code, body, headers = studio.request("GET", f"/api/runs/{run}/share?theme={theme}")
    assert code == 200 and headers["Content-Disposition"] == f'attachment; filename="{run}.html"'
    opened(browser, tmp_path, body)
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, ".picture svg"))
    assert "Solved" in text(browser, "main")
    last = text(browser, "[role=status]")
    find(browser, "input[type=range]").send_keys(Keys.HOME)
    until(browser, lambda: text(browser, "[role=status]").startswith("Generation 0"))
    screenshot(browser, f"shared-run-{theme}")
    press(browser, "button.primary")
    until(browser, lambda: text(browser, "[role=status]") == last)
    assert studio.get(f"/api/runs/{run}")["command"] in text(browser, "main")
    studio.request("DELETE", f"/api/runs/{run}")


def test_a_gallery_is_shared_as_one_file(browser, studio, tmp_path):
    run = studio.order("maze-gallery", seed=1, set={"stop.evaluations": 3000})["id"]
    studio.wait_for(run, "ended")
    code, body, _ = studio.request("GET", f"/api/runs/{run}/archive/share")
    assert code == 200
    print(f"a gallery of {len(studio.get(f'/api/runs/{run}/archive')['elites'])} takes {len(body)} bytes")
    opened(browser, tmp_path, body)
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, ".picture svg"))
    cells = browser.find_elements(By.CSS_SELECTOR, ".map rect[role=button], .thumbs button")
    assert len(cells) > 1
    before = text(browser, "[role=status]")
    browser.execute_script("arguments[0].dispatchEvent(new MouseEvent('click', {bubbles: true}))", cells[-1])
    until(browser, lambda: text(browser, "[role=status]") != before)
    screenshot(browser, "shared-gallery")
    studio.request("DELETE", f"/api/runs/{run}")


LEVELS = {
    "maze": {"cells": ["..#", ".#.", "..."], "entrance": [0, 0], "exit": [2, 1], "checkpoints": []},
    "dungeon": {"rows": ["E.k", "#+#", "..X"]},
}


@pytest.mark.parametrize("domain", list(LEVELS))
def test_a_level_is_shared_with_its_way(browser, studio, tmp_path, domain):
    code, body, _ = studio.request("POST", "/api/levels/share", {"domain": domain, "level": LEVELS[domain], "name": "</script><b>"})
    assert code == 200, body
    opened(browser, tmp_path, body)
    assert text(browser, "h1") == "</script><b>"
    steps = int(text(browser, "[role=status]").split(" of ")[1])
    assert steps > 3
    find(browser, "input[type=range]").send_keys(Keys.HOME)
    until(browser, lambda: text(browser, "[role=status]") == f"Step 0 of {steps}")
    find(browser, "input[type=range]").send_keys(Keys.ARROW_RIGHT)
    until(browser, lambda: text(browser, "[role=status]") == f"Step 1 of {steps}")
    screenshot(browser, f"shared-{domain}")


def test_the_page_downloads_a_run(browser, studio, downloads):
    run = studio.order("pmx-queens", seed=4, set={"problem.n": 8})["id"]
    studio.wait_for(run, "ended")
    visit(browser, studio, f"queens?run={run}")
    until(browser, lambda: status(browser) == "Solved")
    press(browser, ".share > summary")
    press(browser, "[data-action=share-run]")
    until(browser, lambda: (downloads / f"{run}.html").exists())
    browser.get("about:blank")
    studio.request("DELETE", f"/api/runs/{run}")


@pytest.mark.parametrize("theme,width", [("light", 390), ("dark", 1280)])
def test_studies_fit_everywhere(browser, studio, theme, width):
    study = start(studio, runs=2)
    ended(studio, study)
    resize(browser, width, 900)
    scheme(browser, theme)
    visit(browser, studio, f"studies?study={study}")
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, ".figures tbody tr"))
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width
    screenshot(browser, f"studies-{theme}-{width}")
    studio.request("DELETE", f"/api/studies/{study}")
