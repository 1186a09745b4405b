"""What the tests of the page do in the browser. Waits are for what is to be seen, never for time."""

import base64
import os
import pathlib
import time

from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

SCREENSHOTS = pathlib.Path(os.environ.get("KNOSSOS_SCREENSHOTS", "build/screenshots"))


def resize(driver, width, height):
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})


def scheme(driver, name):
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": name}]})


def screenshot(driver, name):
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    size = driver.execute_cdp_cmd("Page.getLayoutMetrics", {})["cssContentSize"]
    clip = {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}
    shot = driver.execute_cdp_cmd("Page.captureScreenshot", {"captureBeyondViewport": True, "clip": clip})
    (SCREENSHOTS / f"{name}.png").write_bytes(base64.b64decode(shot["data"]))


def visit(driver, studio, place):
    """Opens a page as if for the first time."""
    driver.get(f"{studio.address}openapi.json")
    driver.execute_script("sessionStorage.clear()")
    driver.get(f"{studio.address}#/{place}")
    until(driver, lambda: driver.find_elements(By.TAG_NAME, "h1"))


def until(driver, condition, seconds=60):
    """What was found may be replaced, with the page, before it is looked at: then it is looked for again."""
    return WebDriverWait(driver, seconds, poll_frequency=0.03, ignored_exceptions=[StaleElementReferenceException]).until(
        lambda _: condition())


def crowd():
    """How many times longer than alone something takes now, because others have the processors too."""
    begun, spent = time.perf_counter(), time.process_time()
    while time.process_time() - spent < 0.3:
        pass
    return (time.perf_counter() - begun) / 0.3


def find(driver, selector):
    return driver.find_element(By.CSS_SELECTOR, selector)


def press(driver, selector):
    element = find(driver, selector)
    driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
    element.click()


def text(driver, selector):
    return find(driver, selector).get_property("textContent")


def fill(driver, selector, value):
    field = find(driver, selector)
    field.send_keys(Keys.CONTROL, "a")
    field.send_keys(str(value), Keys.TAB)


def slide(driver, element, value):
    """As the browser does it: React watches what scripts put into a field, and would think that nothing had changed."""
    driver.execute_script(
        "Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(arguments[0], arguments[1]);"
        "arguments[0].dispatchEvent(new Event('input', {bubbles: true}))", element, value)


def status(driver):
    return text(driver, ".stage .status")


def run_shown(driver):
    return driver.execute_script("return new URLSearchParams(location.hash.split('?')[1] || '').get('run')")


def generation(driver):
    words = text(driver, ".moment").replace(",", "").split()
    return int(words[1]) if len(words) > 1 else -1


def start_queens(driver, studio, n, seed=1, recipe="pmx-queens", paused=False, speed=None):
    Select(find(driver, "#recipe")).select_by_value(recipe)
    fill(driver, "#n", n)
    fill(driver, "#seed", seed)
    if speed is not None:
        slide(driver, find(driver, ".settings input[type=range]"), speed)
    press(driver, "#start-paused" if paused else "#start")
    until(driver, lambda: run_shown(driver))
    return run_shown(driver)


def cell_of(driver, grid, cell):
    """Where a cell is, for the pointer."""
    canvas = find(driver, grid)
    size = float(canvas.get_attribute("data-cell"))
    box = canvas.rect
    x, y = (int(2 + (part + 0.5) * size) for part in cell)
    return canvas, x - int(box["width"] / 2), y - int(box["height"] / 2)


def maze_at(driver, cell):
    return cell_of(driver, "#maze", cell)


def draw(driver, tool, *cells):
    press(driver, f"[data-tool={tool}]")
    driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", find(driver, "#maze"))
    actions = ActionChains(driver, duration=1).move_to_element_with_offset(*maze_at(driver, cells[0])).click_and_hold()
    for cell in cells[1:]:
        actions.move_to_element_with_offset(*maze_at(driver, cell))
    actions.release().perform()


def restart(studio, port):
    """Where it was before."""
    launch = studio.launch
    studio.launch = lambda command, **more: launch([*command, "--port", str(port)], **more)
    studio.start()
    studio.launch = launch


FASTEST = 11  # place of "as fast as it goes" on the speed slider
