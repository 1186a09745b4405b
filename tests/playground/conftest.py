"""What the tests of the playground are handed: a server of files, and a browser."""

import functools
import http.server
import os
import pathlib
import sys
import threading

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "studio"))
sys.path.insert(0, str(HERE.parents[1] / "web/playground"))
import serve  # noqa: E402

SITE = pathlib.Path(os.environ.get("KNOSSOS_SITE", HERE.parents[1] / "build/site"))


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


class Isolated(Quiet, serve.Isolated):
    """As tools/playground --serve does it."""


class Site:
    """Any server of files will do; this one can be taken away. It keeps its port: a page belongs to its address."""

    def __init__(self, is_isolated=False, folder=SITE):
        self.port = 0
        self.is_isolated = is_isolated
        self.folder = str(folder)
        self.start()

    def start(self):
        handler = functools.partial(Isolated if self.is_isolated else Quiet, directory=self.folder)
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", self.port), handler)
        self.port = self.server.server_address[1]
        self.address = f"http://127.0.0.1:{self.port}/"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def site():
    running = Site()
    yield running
    running.stop()


def chromium_with(downloads, **preferences):
    options = Options()
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    options.add_experimental_option("prefs", {"download.default_directory": str(downloads), **preferences})
    driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
    driver.set_script_timeout(60)
    return driver


@pytest.fixture(scope="session")
def downloads(tmp_path_factory):
    return tmp_path_factory.mktemp("downloads")


@pytest.fixture(scope="session")
def chromium(downloads):
    driver = chromium_with(downloads)
    yield driver
    driver.quit()


@pytest.fixture
def refusing(tmp_path):
    """A browser that lets no page store anything."""
    driver = chromium_with(tmp_path, **{"profile.default_content_setting_values.cookies": 2})
    yield driver
    driver.quit()


@pytest.fixture
def browser(chromium, site):
    """A window of its own, and nothing in the console afterwards. Each site has a port, and so a storage, of its own."""
    first = chromium.current_window_handle
    chromium.switch_to.new_window("window")
    chromium.get_log("browser")
    yield chromium
    severe = [entry["message"] for entry in chromium.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]
    for handle in chromium.window_handles:
        if handle != first:
            chromium.switch_to.window(handle)
            chromium.close()
    chromium.switch_to.window(first)
    assert severe == []
