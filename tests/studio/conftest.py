"""What the tests of the page are handed: a studio, and a browser."""

import shutil

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

from server import Studio
from steps import resize, scheme


@pytest.fixture(scope="session")
def studio():
    with Studio() as running:
        yield running


@pytest.fixture(scope="session")
def downloads(tmp_path_factory):
    return tmp_path_factory.mktemp("downloads")


@pytest.fixture(scope="session")
def chromium(downloads):
    options = Options()
    # The same engine without a browser around it, which takes a quarter less. Not the script of that name in /usr/bin: it is
    # what the driver would end, and the shell would live on.
    options.binary_location = shutil.which("/usr/lib/chromium/chromium-headless-shell") or shutil.which("chromium")
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
    driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(downloads)})
    driver.set_script_timeout(60)
    driver.command_executor.set_timeout(30)  # the driver loses an answer now and then; questions are asked again
    yield driver
    driver.quit()


@pytest.fixture
def browser(chromium, studio):
    """The window at 1280 × 900, light, and nothing in the console afterwards."""
    resize(chromium, 1280, 900)
    scheme(chromium, "light")
    chromium.get_log("browser")
    yield chromium
    chromium.get("about:blank")
    severe = [entry["message"] for entry in chromium.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]
    assert severe == []
