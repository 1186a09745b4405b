"""Watching a run: duels, boards as files, queens that are placed by hand."""

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By

from steps import fill, find, press, resize, screenshot, status, text, until, visit


def test_a_duel_shows_both_boards_its_rounds_and_who_wins(browser, studio):
    run = studio.order("duel-queens", seed=2, paused=True)["id"]
    visit(browser, studio, f"queens?run={run}")
    until(browser, lambda: text(browser, ".rounds") == "1 round")  # that of the two random boards
    studio.control(run, "step", count=3)
    until(browser, lambda: "301 rounds" in text(browser, ".rounds"))
    heads = [one.text for one in browser.find_elements(By.CSS_SELECTOR, ".duel h2")]
    assert sorted(one.split(":")[0] for one in heads) == ["Mutant", "Other"]
    verdicts = sorted(one.split(": ")[1] for one in heads)
    assert verdicts in (["loses", "wins"], ["tie", "tie"])
    assert len(browser.find_elements(By.CSS_SELECTOR, ".duel .board")) == 2
    assert "round 301" in text(browser, ".stage > .caption")
    screenshot(browser, "duel")
    press(browser, "[data-action=step]")
    until(browser, lambda: "401 rounds" in text(browser, ".rounds"))
    resize(browser, 390, 900)
    screenshot(browser, "duel-390")
    until(browser, lambda: browser.execute_script("return document.documentElement.scrollWidth") <= 390)  # curves follow
    browser.get("about:blank")
    studio.request("DELETE", f"/api/runs/{run}")


def test_mazes_and_dungeons_have_curves_of_diversity(browser, studio):
    for page, recipe in (("mazes", "maze"), ("dungeons", "dungeon")):
        run = studio.order(recipe, seed=3, paused=True)["id"]
        studio.control(run, "step", count=5)
        visit(browser, studio, f"{page}?run={run}")
        until(browser, lambda: any("Diversity, selection, speed" in one.get_property("textContent")
                                   for one in browser.find_elements(By.CSS_SELECTOR, ".results .more > summary")), 15)
        browser.execute_script("for (const one of document.querySelectorAll('.results .more')) one.open = true")
        until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, ".chart[aria-label^='Diversity '] .curve"), 15)
        browser.get("about:blank")
        studio.request("DELETE", f"/api/runs/{run}")


def test_a_waiting_run_says_what_it_waits_for(browser, studio):
    slow = [studio.order("pmx-queens", seed=seed, set={"problem.n": 60}, speed=1)["id"] for seed in range(1, 10)]
    for run in slow[:8]:
        studio.wait_for(run, "running")
    visit(browser, studio, f"queens?run={slow[8]}")
    until(browser, lambda: status(browser) == "Waiting for its turn")
    until(browser, lambda: text(browser, ".why") ==
          "8 runs are going; this one begins when one of them ends or is paused")
    screenshot(browser, "waiting")
    studio.control(slow[0], "pause")
    until(browser, lambda: status(browser) == "Running")
    assert not browser.find_elements(By.CSS_SELECTOR, ".why")
    browser.get("about:blank")
    for run in slow:
        studio.request("DELETE", f"/api/runs/{run}")


def test_the_board_that_is_shown_is_downloaded(browser, studio, downloads):
    run = studio.order("pmx-queens", seed=6, set={"problem.n": 8})["id"]
    studio.wait_for(run, "ended")
    visit(browser, studio, f"queens?run={run}")
    until(browser, lambda: status(browser) == "Solved")
    # Before its board is there, the first that can be unfolded are the keys.
    until(browser, lambda: text(browser, ".results .more > summary") == "Download the board")
    press(browser, ".results .more > summary")
    press(browser, ".downloads [data-format=fen]")
    until(browser, lambda: list(downloads.glob(f"{run}.fen")))
    until(browser, lambda: (downloads / f"{run}.fen").read_text().count("/") == 7)
    browser.get("about:blank")
    studio.request("DELETE", f"/api/runs/{run}")


def test_placed_queens_that_meet_are_joined_by_lines(browser, studio):
    visit(browser, studio, "queens")
    fill(browser, "#n", 6)
    until(browser, lambda: "6 × 6" in text(browser, ".board-figure figcaption"))
    floor = find(browser, ".board .floor")
    side = floor.rect["width"] / 6
    for column, row in ((0, 0), (3, 3), (5, 0)):
        at = (int((column + 0.5 - 3) * side), int((2.5 - row) * side))
        ActionChains(browser, duration=1).move_to_element_with_offset(floor, *at).click().perform()
    until(browser, lambda: len(browser.find_elements(By.CSS_SELECTOR, ".board .attack")) == 2)
    assert find(browser, "#place").get_property("value").replace(" ", "") == "a1,d4,f1"
    screenshot(browser, "queens-placed")
    browser.get_log("browser")  # the browser's own line: such an order is refused
