"""Runs in workers of their own: several at once, in turns where there are too few processors, killed, moved, closed and opened
again; and with threads, where the page is cross-origin isolated."""

import urllib.parse

from selenium.webdriver.common.by import By

from conftest import Site
from steps import find, generation, press, run_shown, screenshot, slide, status, text, until
from test_editing import copied
from test_kept import ENDLESS, LONG, STORED, evolve, notice, other_window, to_the_end
from test_playground import SHORT, ended, native_digest, visit

SPEEDS = [1, 2, 5, 10, 25, 50, 100, 500, 2000, 10000, 50000, 0]  # of the slider; the last is as fast as it goes
ROWS = 300  # so many that it is not solved

# Which worker has which run, and how many processors the page thinks there are.
WATCHED = """
Object.defineProperty(Navigator.prototype, "hardwareConcurrency", {get: () => %d});
window.workers = [];
const Made = Worker;
window.Worker = class extends Made {
    constructor(...how) { super(...how); window.workers.push(this); }
    postMessage(said, ...more) {
        if (said && said.open) this.run = said.open.run ? said.open.run.about.id : "home";
        if (said && said.begin) this.threads = said.begin.threads;
        if (said && said.listen) (this.streams ??= []).push(said.id);
        if (said && said.close) this.streams = (this.streams ?? []).filter((one) => one !== said.close);
        super.postMessage(said, ...more);
    }
    terminate() { this.isOver = true; super.terminate(); }
};"""
OF_RUN = "workers.filter((one) => one.run === arguments[0] && !one.isOver)"


def watched(driver, processors):
    driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WATCHED % processors})


def another(driver, order, field, button):
    """A run that is begun while the page goes on."""
    before = run_shown(driver)
    driver.execute_script("location.hash = arguments[0]", f"#/{order}")
    seed = order.split("seed=")[1]
    until(driver, lambda: driver.find_elements(By.CSS_SELECTOR, field)
          and driver.find_elements(By.CSS_SELECTOR, "#seed") and find(driver, "#seed").get_attribute("value") == seed)
    press(driver, button)
    until(driver, lambda: run_shown(driver) not in (None, before))
    return run_shown(driver)


def queens(driver, evaluations, seed=7):
    return another(driver, f"queens?recipe=pmx-queens&set=problem.n%3D{ROWS}&set=stop.evaluations%3D{evaluations}"
                   f"&seed={seed}", "#n", "#start")


def maze_of(driver, seed, settings=SHORT):
    return another(driver, f"mazes?recipe=maze{settings}&seed={seed}", "#maze", "#evolve")


def listed(driver, run):
    return f"[data-run='{run}']"


def generations(driver, run):
    words = text(driver, listed(driver, run)).split(" generation")[0].split()
    return int(words[-1].replace(",", ""))


def state(driver, run):
    return text(driver, f"{listed(driver, run)} .status")


def see_runs(driver):
    driver.execute_script("location.hash = '#/runs'")
    until(driver, lambda: driver.find_elements(By.CSS_SELECTOR, "[data-run]"))


def digest(driver, run):
    until(driver, lambda: state(driver, run).startswith(("Ended", "Solved")), 120)
    link = copied(driver, f"{listed(driver, run)} [data-action=copy-link]")
    return urllib.parse.parse_qs(link.split("?")[1])["digest"][0]


def queens_digest(evaluations, seed=7):
    return native_digest("pmx-queens", seed, evaluations, f"problem.n={ROWS}")


def both_go_on(driver, *runs):
    seen = {run: generations(driver, run) for run in runs}
    until(driver, lambda: all(generations(driver, run) > seen[run] and state(driver, run) == "Running" for run in runs))


def test_two_runs_go_on_at_the_same_time_to_native_results(browser, site):
    watched(browser, 4)
    visit(browser, site, "queens")
    slide(browser, find(browser, ".speed"), len(SPEEDS) - 1)
    # As fast as they go, for as long as it takes to see it.
    maze, board = maze_of(browser, 3, ENDLESS), queens(browser, 900_000_000)
    see_runs(browser)
    both_go_on(browser, maze, board)
    screenshot(browser, "playground-two-at-once")
    assert [browser.execute_script(f"return {OF_RUN}.length", run) for run in (maze, board)] == [1, 1]
    for run in (maze, board):
        press(browser, f"{listed(browser, run)} .actions button")
        until(browser, lambda: state(browser, run) == "Paused")
    maze, board = maze_of(browser, 4, LONG), queens(browser, 100_000, 8)
    see_runs(browser)
    assert digest(browser, maze) == native_digest("maze", 4, 30000)
    assert digest(browser, board) == queens_digest(100_000, 8)


def test_a_run_waits_for_a_place_and_says_so(browser, site):
    watched(browser, 2)
    slow = evolve(browser, site, ENDLESS)
    browser.execute_script("location.hash = '#/queens'")
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, "#n"))
    slide(browser, find(browser, ".speed"), len(SPEEDS) - 1)
    fast = queens(browser, 900_000_000)
    gallery = another(browser, f"gallery?recipe=maze-gallery{SHORT}&seed=3", "#budget", "#start")
    until(browser, lambda: "Waiting" in status(browser) and "2 runs are going" in text(browser, ".why"))
    screenshot(browser, "playground-waiting")
    see_runs(browser)
    both_go_on(browser, slow, fast)
    assert state(browser, gallery).startswith("Waiting")
    press(browser, f"{listed(browser, fast)} .actions button")
    assert digest(browser, gallery) == native_digest("maze-gallery", 3)
    assert state(browser, fast) == "Paused"
    # And on, where there is a place again; it need not be the worker that it had.
    press(browser, f"{listed(browser, fast)} .actions button")
    both_go_on(browser, slow, fast)


def test_runs_that_rest_make_room_and_are_looked_at_all_the_same(browser, site):
    watched(browser, 2)
    runs = [evolve(browser, site, SHORT, 1)]
    to_the_end(browser)
    for seed in (2, 3, 4):
        runs.append(maze_of(browser, seed))
        to_the_end(browser)
    assert browser.execute_script("return workers.filter((one) => one.run && one.run !== 'home' && !one.isOver).length") <= 2
    see_runs(browser)
    for seed, run in zip((1, 2, 3, 4), runs):
        assert digest(browser, run) == native_digest("maze", seed)
    press(browser, f"{listed(browser, runs[0])} a")
    until(browser, lambda: run_shown(browser) == runs[0] and generation(browser) > 0)
    assert status(browser).startswith(("Ended", "Solved"))


def test_a_run_at_rest_is_stepped_in_a_worker_again(browser, site):
    watched(browser, 2)
    first = evolve(browser, site, LONG)
    press(browser, "[data-action=pause]")
    until(browser, lambda: status(browser) == "Paused")
    at = generation(browser)
    for seed in (8, 9):  # others have its place meanwhile
        maze_of(browser, seed)
        to_the_end(browser)
    browser.execute_script("location.hash = arguments[0]", f"#/mazes?run={first}")
    until(browser, lambda: status(browser) == "Paused" and generation(browser) >= at)
    at = generation(browser)
    for step in range(1, 4):
        press(browser, "[data-action=step]")
        until(browser, lambda: generation(browser) == at + step)
    to_the_end(browser)
    see_runs(browser)
    assert digest(browser, first) == native_digest("maze", 3, 30000)


def test_a_run_is_listened_to_once_however_often_the_page_asks_while_it_moves(browser, site):
    watched(browser, 2)
    first = evolve(browser, site, LONG)
    press(browser, "[data-action=pause]")
    until(browser, lambda: status(browser) == "Paused")
    for seed in (8, 9):  # others have its place meanwhile
        maze_of(browser, seed)
        to_the_end(browser)
    browser.execute_script("location.hash = arguments[0]", f"#/mazes?run={first}")
    until(browser, lambda: status(browser) == "Paused" and generation(browser) >= 0)
    at = generation(browser)
    # The step takes it to a worker; the page comes to the front while it is on its way.
    browser.execute_script("""
        document.querySelector("[data-action=step]").click();
        setTimeout(() => document.dispatchEvent(new Event("visibilitychange")), 0);""")
    until(browser, lambda: generation(browser) == at + 1)
    press(browser, "[data-action=step]")
    until(browser, lambda: generation(browser) == at + 2)
    assert browser.execute_script(f"return {OF_RUN}.length", first) == 1
    streams = browser.execute_script("return workers.map((one) => one.streams ?? [])")
    assert all(len(set(one)) == len(one) for one in streams)


def test_the_worker_of_a_run_is_killed_and_the_others_are_not_disturbed(browser, site):
    watched(browser, 4)
    maze = evolve(browser, site, LONG)
    board = queens(browser, 200000)
    until(browser, lambda: maze in browser.execute_async_script(STORED))
    # Nothing that the page says; the worker fails as it would at a defect.
    browser.execute_script(f"{OF_RUN}[0].postMessage(null)", maze)
    until(browser, lambda: f"{maze} has stopped" in notice(browser))
    assert "goes on from its last checkpoint" in notice(browser)
    see_runs(browser)
    both_go_on(browser, maze, board)
    screenshot(browser, "playground-killed")
    assert browser.execute_script("return workers.filter((one) => one.run === arguments[0]).length", board) == 1
    for run in (maze, board):
        press(browser, f"{listed(browser, run)} a")
        until(browser, lambda: run_shown(browser) == run)
        to_the_end(browser)
        see_runs(browser)
    assert digest(browser, maze) == native_digest("maze", 3, 30000)
    assert digest(browser, board) == queens_digest(200000)


def test_home_is_killed_and_the_runs_are_not_disturbed(browser, site):
    watched(browser, 4)
    maze = evolve(browser, site, LONG)
    browser.execute_script("workers.find((one) => one.run === 'home').postMessage(null)")
    until(browser, lambda: "It begins again" in notice(browser))
    before = generation(browser)
    until(browser, lambda: generation(browser) > before)
    assert browser.execute_script("return workers.filter((one) => one.run === arguments[0]).length", maze) == 1
    to_the_end(browser)
    board = queens(browser, 3000)  # the new one takes orders
    see_runs(browser)
    assert digest(browser, maze) == native_digest("maze", 3, 30000)
    assert digest(browser, board) == queens_digest(3000)


def test_a_tab_is_closed_with_two_runs_going_on(browser, site):
    watched(browser, 4)
    maze = evolve(browser, site, LONG)
    board = queens(browser, 100000)
    until(browser, lambda: {maze, board} <= set(browser.execute_async_script(STORED)))
    other_window(browser, closes=True)
    watched(browser, 4)
    visit(browser, site, "runs")
    until(browser, lambda: len(browser.find_elements(By.CSS_SELECTOR, "[data-run]")) == 2)
    both_go_on(browser, maze, board)  # as fast as they went
    for run in (maze, board):
        press(browser, f"{listed(browser, run)} a")
        until(browser, lambda: run_shown(browser) == run)
        to_the_end(browser)
        see_runs(browser)
    assert digest(browser, maze) == native_digest("maze", 3, 30000)
    assert digest(browser, board) == queens_digest(100000)
    assert notice(browser) == ""


def test_a_deleted_run_is_gone_for_good(browser, site):
    watched(browser, 4)
    maze = evolve(browser, site, ENDLESS)
    until(browser, lambda: maze in browser.execute_async_script(STORED))
    see_runs(browser)
    for _ in range(2):  # it asks whether that is meant
        press(browser, f"{listed(browser, maze)} .danger")
    until(browser, lambda: not browser.find_elements(By.CSS_SELECTOR, listed(browser, maze)))
    until(browser, lambda: browser.execute_async_script(STORED) == [])
    browser.refresh()
    until(browser, lambda: "No runs yet" in text(browser, "main"))


# --- threads -----------------------------------------------------------------------------------------------------------


def loaded(driver):
    return driver.execute_script("return performance.getEntriesByType('resource').map((one) => one.name.split('/').pop())")


def test_an_isolated_page_has_threads_and_the_same_results(browser):
    isolated = Site(is_isolated=True)
    try:
        watched(browser, 4)
        run = evolve(browser, isolated, LONG)
        assert browser.execute_script("return crossOriginIsolated")
        assert "knossos-threads.wasm" in loaded(browser) and "knossos.wasm" not in loaded(browser)
        assert browser.execute_script(f"return {OF_RUN}[0].threads", run) == 3
        to_the_end(browser)
        visit(browser, isolated, f"gallery?recipe=maze-gallery&seed=3{SHORT}")
        press(browser, "#start, #evolve")
        until(browser, lambda: run_shown(browser) not in (None, run))
        gallery = run_shown(browser)
        see_runs(browser)
        assert digest(browser, run) == native_digest("maze", 3, 30000)
        assert digest(browser, gallery) == native_digest("maze-gallery", 3)
        browser.execute_async_script("navigator.serviceWorker.ready.then(arguments[0])")
        kept = browser.execute_async_script("""
            const done = arguments[0];
            caches.keys().then(async (names) => done((await (await caches.open(names[0])).keys()).map((one) =>
                one.url.split("/").pop())));""")
        assert "knossos-threads.wasm" in kept and "knossos.wasm" not in kept
        isolated.stop()
        browser.get("about:blank")
        evolve(browser, isolated, LONG, seed=5)
        assert browser.execute_script("return crossOriginIsolated")
        browser.get_log("browser")  # that the server is away, which it is
        isolated.start()
    finally:
        isolated.stop()


def test_a_page_that_is_not_isolated_has_no_threads(browser, site):
    watched(browser, 4)
    run = evolve(browser, site, SHORT)
    assert not browser.execute_script("return crossOriginIsolated")
    assert "knossos.wasm" in loaded(browser) and "knossos-threads.wasm" not in loaded(browser)
    assert browser.execute_script(f"return {OF_RUN}[0].threads", run) == 0
