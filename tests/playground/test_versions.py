"""What is served is not what a page was loaded from: a new build beneath pages that are open, and servers that send other
headers than when the page was kept."""

import shutil

import pytest
from selenium.webdriver.common.by import By

from conftest import SITE, Site
from steps import until
from test_kept import evolve
from test_playground import SHORT, ended, visit

CONTROLLED = "return navigator.serviceWorker.controller !== null"
VERSION = "return document.documentElement.dataset.version"
ISOLATED = "return crossOriginIsolated"
# Looks for a new build, and says whether one waits.
WAITS = """
const done = arguments[0];
navigator.serviceWorker.getRegistration().then(async (one) => {
    await one.update();
    done(one.waiting !== null);
});"""
KEPT = """
const done = arguments[0];
caches.keys().then(async (names) => {
    const kept = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    done(kept.flat().map((one) => one.url.split("/").pop()));
});"""


@pytest.fixture
def build(tmp_path):
    """A site that may be built anew."""
    site = Site(folder=shutil.copytree(SITE, tmp_path / "site"))
    site.made = tmp_path / "site"
    yield site
    site.stop()


def build_anew(site, version):
    """What the page is made of has other names then, and the page another version."""
    texts = {path.name: path.read_text() for path in site.made.glob("*") if path.suffix in (".html", ".js")}
    before = texts["index.html"].split('data-version="')[1].split('"')[0]
    names = {before: version}
    for part in ("chunk", "more"):
        (name,) = (one for one in texts if one.startswith(part))
        names[name] = f"{part}-{version}.js"
        (site.made / name).unlink()
    for name, text in texts.items():
        for old, new in names.items():
            text = text.replace(old, new)
        (site.made / names.get(name, name)).write_text(text)


def shows_gallery(driver):
    driver.execute_script("location.hash = '#/gallery?recipe=maze-gallery&seed=1'")
    until(driver, lambda: driver.find_elements(By.CSS_SELECTOR, "#gallery-file"))


def test_a_new_build_waits_for_the_pages_of_the_one_before(browser, build):
    visit(browser, build, "start")
    until(browser, lambda: browser.execute_script(CONTROLLED))
    build_anew(build, "anew")
    browser.refresh()
    until(browser, lambda: browser.find_elements(By.TAG_NAME, "h1") and browser.execute_async_script(WAITS))
    assert browser.execute_script(VERSION) != "anew"
    shows_gallery(browser)

    def is_new():
        visit(browser, build, "start")
        return browser.execute_script(VERSION) == "anew"

    until(browser, is_new)
    shows_gallery(browser)
    names = browser.execute_async_script("caches.keys().then(arguments[0])")
    assert names == ["knossos-anew"]


def test_a_page_whose_later_parts_are_gone_says_so(browser, build):
    (build.made / "offline.js").unlink()  # nothing is kept of it
    visit(browser, build, "start")
    next(build.made.glob("more*.js")).unlink()
    browser.execute_script("location.hash = '#/gallery'")
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, "#outdated"))
    browser.get_log("browser")  # that there are no such files


def test_a_page_that_was_kept_without_threads_has_them_as_soon_as_its_server_lets_it(browser, site):
    visit(browser, site, "start")
    until(browser, lambda: browser.execute_script(CONTROLLED))
    assert not browser.execute_script(ISOLATED)
    assert "knossos-threads.wasm" not in browser.execute_async_script(KEPT)
    site.stop()
    site.is_isolated = True
    site.start()

    def is_isolated():
        visit(browser, site, "start")
        return browser.execute_script(ISOLATED)

    until(browser, is_isolated)
    assert "knossos-threads.wasm" in browser.execute_async_script(KEPT)
    site.stop()
    try:
        evolve(browser, site, SHORT)  # without a network, too
        ended(browser)
        assert browser.execute_script(ISOLATED)
        browser.get_log("browser")  # that the server is away, which it is
    finally:
        site.start()
