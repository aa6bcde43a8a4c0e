#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Usage: check_page.py HEDDLE DIRECTORY --plugin LIBRARY [--shots FOLDER] [--pages PAGE…]
Makes pages with HEDDLE in DIRECTORY and opens them in headless Chromium as a reader would: by roles and names, hovering, clicking and with
the keyboard. No page may write to the console or ask for anything. PAGE: run, large, sweep, failed, claims, findings (all). --shots: pictures of them
at 1280x800, 390x844 and in dark colours. Exit status 77: there is no Chromium here."""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time


def without_browser(why):
    print(f"skipped: {why}")
    sys.exit(77)


try:
    from selenium import webdriver
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import Select
except ImportError:
    without_browser("python3-selenium is not installed")


class Page:
    """One that is open."""

    def __init__(self, driver, path):
        self.driver = driver
        self.path = path
        began = time.monotonic()
        driver.get(path.as_uri())
        self.seconds = time.monotonic() - began
        assert self.run("return document.documentElement.dataset.ready") == "yes", f"{path.name} is not drawn: {driver.get_log('browser')}"

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def found(self, role, name=None, within=None):
        """Elements as a screen reader finds them: those that are shown, by their role and name."""
        tags = {"button": "button", "table": "table", "slider": "input[type=range]", "searchbox": "input[type=search]",
                "combobox": "select", "radio": "input[type=radio]", "checkbox": "input[type=checkbox]", "img": "[role=img]",
                "heading": "h1,h2,h3", "region": "section,[role=region]", "link": "a", "group": "[role=group]", "status": "[role=status]"}
        shown = self.run("return [...(arguments[1] || document).querySelectorAll(arguments[0])].filter(e => e.checkVisibility())", tags[role], within)
        for element in shown:
            if name is not None and not re.search(name, element.accessible_name):
                continue
            if element.aria_role in (role, {"img": "image"}.get(role)):
                yield element

    def one(self, role, name=None, within=None):
        for element in self.found(role, name, within):
            return element
        raise AssertionError(f"{self.path.name}: no {role} is called {name}; there are {[e.accessible_name for e in self.found(role)]}")

    def section(self, name):
        return self.one("region", name)

    def click(self, element):
        self.run("arguments[0].scrollIntoView({block: 'center'})", element)
        element.click()

    def hover(self, element):
        """Returns what the tip says."""
        self.run("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", element)
        ActionChains(self.driver).move_to_element(element).perform()
        tip = self.driver.find_element(By.ID, "tip")
        assert tip.is_displayed(), f"{self.path.name}: nothing is said of what the pointer is on"
        return tip.text

    def set_slider(self, slider, value):
        self.run("arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('input', {bubbles: true}))", slider, value)
        self.settle()

    def settle(self):
        """Until the browser has drawn."""
        self.driver.execute_async_script(
            "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(done))")

    def rows(self, table):
        return self.run("return [...arguments[0].querySelectorAll('tbody tr')].map(r => [...r.cells].map(c => c.innerText))", table)

    def check_quiet(self):
        said = self.driver.get_log("browser")
        assert not said, f"{self.path.name}: the console has {said}"
        asked = []
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                asked.append(message["params"]["request"]["url"])
        outside = [url for url in asked if not url.startswith(("file:", "data:"))]
        assert not outside, f"{self.path.name} asks for {outside}"
        assert len({url for url in asked if url.startswith("file:")}) <= 1, f"{self.path.name} asks for {asked}"

    def check_all_named(self):
        """Every control has a name, every table a caption and heads."""
        nameless = self.run("""return [...document.querySelectorAll('button,select,input')].filter(e => e.checkVisibility()).map(e => e.outerHTML)
          .filter(html => html.startsWith('<button') && html.replace(/<[^>]*>/g, '').trim() === '')""")
        assert not nameless, f"{self.path.name}: without a name: {nameless}"
        for control in self.driver.find_elements(By.CSS_SELECTOR, "select,input"):
            if control.is_displayed():
                assert control.accessible_name, f"{self.path.name}: without a name: {control.get_attribute('outerHTML')}"
        bare = self.run("return [...document.querySelectorAll('table')].filter(t => !t.caption || !t.querySelector('th[scope=col]')).length")
        assert bare == 0, f"{self.path.name}: {bare} tables without a caption or heads"
        bare = self.run("return [...document.querySelectorAll('[role=img]')].filter(e => e.checkVisibility() && !e.getAttribute('aria-label')).length")
        assert bare == 0, f"{self.path.name}: {bare} pictures say nothing"

    def check_fits(self, width):
        wide = self.run("return document.documentElement.scrollWidth")
        assert wide <= width, f"{self.path.name}: {wide} pixels wide on a screen of {width}"


def open_browser():
    binary = shutil.which("chromium") or shutil.which("chromium-browser")
    helper = shutil.which("chromedriver")
    if not binary or not helper:
        without_browser("chromium or chromedriver is not installed")
    options = webdriver.ChromeOptions()
    options.binary_location = binary
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1280,800", "--hide-scrollbars"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    from selenium.webdriver.chrome.service import Service
    return webdriver.Chrome(service=Service(helper), options=options)


def set_size(driver, width, height):
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600})


def set_dark(driver, is_dark):
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "dark" if is_dark else "light"}]})


# ---- what each page must do ----

def check_table(page, table, column, filter_name, word):
    """It is sorted both ways by a button of its head, also with the keyboard, and filtered."""
    rows = page.rows(table)
    assert len(rows) > 1, page.path
    head = page.one("button", f"^{column}", table)
    page.click(head)
    up = [row[0] for row in page.rows(table)]
    head.send_keys(Keys.ENTER)
    down = [row[0] for row in page.rows(table)]
    assert up != down and sorted(up) == sorted(down), (up, down)
    assert table.find_element(By.CSS_SELECTOR, "th[aria-sort=descending]").text.startswith(column)
    search = page.one("searchbox", filter_name)
    search.send_keys(word)
    found = page.rows(table)
    assert 0 < len(found) < len(rows) and all(word in " ".join(row) for row in found), found
    search.clear()
    search.send_keys(" ", Keys.BACKSPACE)
    assert len(page.rows(table)) == len(rows)


def check_run(page):
    assert page.one("heading", "allreduce on torus:8x8")
    table = page.one("table", "^Algorithms")
    check_table(page, table, "Time", "Filter algorithms", "ring")
    assert any("heddle run allreduce" in e.text for e in page.driver.find_elements(By.TAG_NAME, "code"))
    # Explanations.
    times = page.section("^Where the time went")
    bar = page.one("img", "ring: .*serialisation", times)
    assert "%" in page.hover(bar.find_element(By.TAG_NAME, "span"))
    # Heat map.
    heat = page.section("^Load of the fabric")
    loads = lambda: page.run("return [...document.querySelectorAll('#heatmap .link')].map(e => Number(e.dataset.value))")
    page.settle()
    whole = loads()
    assert len(whole) >= 256 and max(whole) > 0, len(whole)
    slider = page.one("slider", "^Time$", heat)
    page.set_slider(slider, 1)
    first = loads()
    page.set_slider(slider, int(int(slider.get_attribute("max")) * 0.7))
    later = loads()
    assert first != whole and later != first, "the time slider changes nothing"
    for measure in ("bytes", "contention", "utilisation"):
        page.click(page.one("radio", f"^{measure}$", heat))
        page.settle()
        assert max(loads()) > 0 or measure == "contention"
    page.set_slider(slider, 0)
    page.click(page.one("radio", "^bytes$", heat))
    assert "bytes:" in page.hover(heat.find_element(By.CSS_SELECTOR, ".link line"))
    slider.send_keys(Keys.ARROW_RIGHT)
    assert slider.get_attribute("aria-valuetext").startswith("0 to"), slider.get_attribute("aria-valuetext")
    # Messages over time.
    space = page.section("^Messages over time")
    Select(page.one("combobox", "Algorithm", space)).select_by_visible_text("rabenseifner")
    drawn = space.find_elements(By.CSS_SELECTOR, ".messages line")
    assert len(drawn) == 768, len(drawn)
    assert space.find_elements(By.CSS_SELECTOR, ".messages line.contended") and space.find_elements(By.CSS_SELECTOR, ".chain path")
    assert "all 768 messages drawn" in page.one("status", None, space).text
    # Of many lines that cross, the pointer is on one.
    page.run("arguments[0].dispatchEvent(new MouseEvent('mousemove', {bubbles: true, clientX: 50, clientY: 50}))", drawn[0])
    assert "rank" in page.driver.find_element(By.ID, "tip").text
    view = lambda: space.find_element(By.CSS_SELECTOR, "[clip-path] > g").get_attribute("transform")
    before = view()
    page.click(page.one("button", "^Zoom in", space))
    zoomed = view()
    page.one("group", "arrow keys", space).send_keys(Keys.ARROW_RIGHT)
    assert before != zoomed != view()
    page.click(page.one("checkbox", "Waits", space))
    assert not space.find_element(By.CSS_SELECTOR, ".waits").is_displayed()
    # Steps.
    for algorithm in ("ring", "rabenseifner", "swing_bandwidth"):
        check_steps(page, algorithm)
    # Themes.
    paper = lambda: page.run("return getComputedStyle(document.body).backgroundColor")
    light = paper()
    page.click(page.one("button", "Dark colours"))
    assert paper() != light
    page.click(page.one("button", "Light colours"))
    assert paper() == light


def check_steps(page, algorithm):
    steps = page.section("^Step by step")
    Select(page.one("combobox", "Algorithm", steps)).select_by_visible_text(algorithm)
    status = steps.find_element(By.CSS_SELECTOR, ".status")
    assert status.get_attribute("aria-live") == "polite"
    assert "Before the first" in status.text and "all" not in status.text, status.text
    page.click(page.one("button", "^Forward$", steps))
    assert status.text.startswith("Step 1 of"), status.text
    assert steps.find_elements(By.CSS_SELECTOR, ".arrows path")
    complete = []
    slider = page.one("slider", "^Step$", steps)
    last = int(slider.get_attribute("max"))
    for step in sorted({1, last // 2, last - 1}):
        page.set_slider(slider, step)
        complete.append(int(re.search(r"([\d,]+) of [\d,]+ needed", status.text)[1].replace(",", "")))
    assert complete == sorted(complete), complete
    page.click(page.one("button", "^Last$", steps))
    assert re.search(r"all [\d,]+ needed blocks are complete", status.text), f"{algorithm}: {status.text}"
    page.click(page.one("button", "^Back$", steps))
    assert "all" not in status.text, status.text
    page.click(page.one("button", "^Play$", steps))
    time.sleep(0.8)
    assert f"Step {last} of {last}" in status.text, status.text


def check_large(page):
    space = page.section("^Messages over time")
    said = page.one("status", None, space).text
    assert re.search(r"[\d,]+ of 2,095,104 messages drawn, chosen evenly", said) and "2,046 messages on the critical path" in said, said
    assert len(space.find_elements(By.CSS_SELECTOR, ".messages line")) > 1000
    steps = page.section("^Step by step")
    assert "1024 ranks; at most 256 are followed" in steps.text, steps.text
    heat = page.section("^Load of the fabric")
    page.set_slider(page.one("slider", "^Time$", heat), 3)
    assert "most:" in page.one("status", None, heat).text


def check_sweep(page):
    curves = page.section("^Curves")
    drawn = lambda: len(curves.find_elements(By.CSS_SELECTOR, ".curve path"))
    keys = page.one("group", "press to hide", curves).find_elements(By.TAG_NAME, "button")
    assert drawn() == len(keys) >= 20, (drawn(), len(keys))
    page.click(keys[0])
    assert drawn() == len(keys) - 1 and keys[0].get_attribute("aria-pressed") == "false"
    keys[1].send_keys(Keys.SPACE)
    assert drawn() == len(keys) - 2
    page.click(page.one("button", "^Show all", curves))
    assert drawn() == len(keys)
    path = lambda: curves.find_element(By.CSS_SELECTOR, ".curve path").get_attribute("d")
    shapes = {path()}
    page.click(page.one("radio", "^bus bandwidth", curves))
    shapes.add(path())
    page.click(page.one("checkbox", "Logarithmic up", curves))
    shapes.add(path())
    assert len(shapes) == 3, "measures and axes change nothing"
    points = curves.find_elements(By.CSS_SELECTOR, ".points circle")
    assert "bus bandwidth" in page.hover(points[-1])
    assert curves.find_elements(By.CSS_SELECTOR, ".best rect")
    page.set_slider(page.one("slider", "^Values at", curves), 0)
    best = page.rows(page.one("table", "^Values at this point", curves))
    assert best[0][2] == "1.00 ×" and len(best) == len(keys), best[:2]
    # Nobody is the best alone where others are as fast.
    told = curves.find_element(By.CSS_SELECTOR, "svg[aria-label*='Best from']").get_attribute("aria-label")
    assert re.search(r"Best from [^:]*: \w+ or \d+ more", told), told
    assert page.rows(page.one("table", "another algorithm becomes the best"))
    check_table(page, page.one("table", "^All runs"), "Time", "Filter algorithms", "rabenseifner")


def check_failed(page):
    section = page.section("^What went wrong")
    text = section.text
    assert "deadlock" in text and "cycle" in text, text[:500]
    cycle = page.one("img", "Each waits for the next", section)
    assert len(cycle.find_elements(By.CSS_SELECTOR, ".ranks g")) >= 2
    assert "right" in page.one("table", "^Algorithms").text


def check_findings(page):
    section = page.section("^What went wrong")
    assert "provenance" in section.text or "still the poison" in section.text, section.text[:800]
    assert "Shrunk case" in section.text and "heddle fuzz" in section.text
    assert page.rows(page.one("table", "^Findings"))


def check_claims(page):
    table = page.one("table", "^Claims and their verdicts")
    rows = page.rows(table)
    assert len(rows) > 3
    verdict = Select(page.one("combobox", "^With a verdict"))
    verdict.select_by_visible_text("not tested")
    chosen = page.rows(table)
    assert 0 < len(chosen) < len(rows) and all("not tested" in row[1] for row in chosen), chosen
    verdict.select_by_index(0)
    assert len(page.rows(table)) == len(rows)
    link = table.find_element(By.CSS_SELECTOR, "a")
    page.click(link)
    time.sleep(0.2)
    assert page.one("table", "^Findings of")


# ---- the pages ----

SIZES = "32B:16GiB:x2"  # thirty of them


def make(heddle, directory, name, arguments, status=0):
    path = directory / f"{name}.html"
    done = subprocess.run([heddle, *arguments, "--html", str(path)], capture_output=True, text=True, check=False)
    assert done.returncode == status, f"heddle {' '.join(arguments)}: {done.returncode}\n{done.stderr}"
    return path


def memory_of(command):
    """The most memory that it had, in MiB."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, command
    return usage.ru_maxrss / 1024


def make_large(heddle, directory):
    """Two million messages between 1,024 ranks: recorded in bounded memory."""
    path = directory / "large.html"
    run = [heddle, "run", "allreduce", "--algo", "ring", "--topo", "torus:32x32", "--size", "1MiB"]
    more = memory_of([*run, "--html", str(path)]) - memory_of(run)
    assert more < 300, f"{path}: takes {more:.0f} MiB more than the run without it"
    return path


def algorithms_of(heddle, topology, most):
    """So many that serve an allreduce there."""
    done = subprocess.run([heddle, "run", "allreduce", "--topo", topology, "--size", "4KiB", "--json", "-"], capture_output=True, text=True, check=True)
    return [run["algorithm"] for run in json.loads(done.stdout)["runs"]][:most]


def pages(heddle, directory):
    """name: (makes it, checks it, the most bytes)"""
    def failed():
        # Its name would end the page's data, were it not escaped.
        schedule = directory / "two_slots</script><b>.xml"
        schedule.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(SCHEDULE, schedule)
        return make(heddle, directory, "failed", ["run", "allreduce", "--algo", f"msccl:{schedule},ring", "--topo", "star:2", "--size", "64KiB", "--buffering", "1"], 1)

    def findings():
        return make(heddle, directory, "findings", FINDINGS + ["--seed", "1"], 1)

    FINDINGS = ["fuzz", "--plugin", str(PLUGIN), "--cases", "400", "--keep-going", "--jobs", "2"]
    sweep = lambda: make(heddle, directory, "sweep", ["sweep", "allreduce", "--algo", ",".join(algorithms_of(heddle, "torus:4x4", 25)), "--topo", "torus:4x4",
                                                      "--size", SIZES, "--preset", "swing-nsdi24", "--calls", "2", "--data-memory", "64KiB"])
    run = lambda: make(heddle, directory, "run", ["run", "allreduce", "--algo", "ring,rabenseifner,swing_bandwidth,bucket,recursive_doubling", "--topo",
                                                  "torus:8x8", "--size", "1MiB", "--preset", "swing-nsdi24"])
    claims = lambda: make(heddle, directory, "claims", ["claims", *CLAIMS])
    large = lambda: make_large(heddle, directory)
    return {"run": (run, check_run, 4_000_000), "large": (large, check_large, 10_000_000), "sweep": (sweep, check_sweep, 2_000_000), "failed": (failed, check_failed, 1_000_000),
            "claims": (claims, check_claims, 2_000_000), "findings": (findings, check_findings, 1_000_000)}


def shots_of(driver, page, folder):
    for name, width, height, is_dark in (("desktop", 1280, 800, False), ("phone", 390, 844, False), ("dark", 1280, 800, True)):
        set_size(driver, width, height)
        set_dark(driver, is_dark)
        shown = Page(driver, page)
        shown.settle()
        tall = shown.run("return document.documentElement.scrollHeight")
        set_size(driver, width, min(tall, 6000))
        shown.settle()
        driver.save_screenshot(str(folder / f"{page.stem}-{name}.png"))
    set_dark(driver, False)
    driver.get_log("performance")  # what these have asked for is not the next page's


SCHEDULE = pathlib.Path(__file__).resolve().parents[2] / "examples/schedules/two_slots.xml"
CLAIMS = ["traeff/p22-order", "traeff/corollary-2-examples", "trivance/figure-1", "trivance/lemma-4.1", "traeff/theorem-1-proof"]
PLUGIN = None


def main():
    global PLUGIN
    parser = argparse.ArgumentParser()
    parser.add_argument("heddle")
    parser.add_argument("directory", type=pathlib.Path)
    parser.add_argument("--plugin", type=pathlib.Path)
    parser.add_argument("--shots", type=pathlib.Path)
    parser.add_argument("--pages", nargs="*", default=[])
    options = parser.parse_args()
    PLUGIN = options.plugin
    driver = open_browser()
    try:
        options.directory.mkdir(parents=True, exist_ok=True)
        known = pages(options.heddle, options.directory)
        for name in options.pages or known:
            make_page, check, most = known[name]
            began = time.monotonic()
            path = make_page()
            made = time.monotonic() - began
            assert path.stat().st_size <= most, f"{path}: {path.stat().st_size} bytes, at most {most}"
            set_dark(driver, False)
            for width, height in ((390, 844), (1280, 800)):
                set_size(driver, width, height)
                page = Page(driver, path)
                page.check_fits(width)
            page.check_all_named()
            check(page)
            page.check_quiet()
            print(f"{name}: {path.stat().st_size} bytes, made in {made:.1f} s, opens in {page.seconds:.2f} s")
            if options.shots:
                options.shots.mkdir(parents=True, exist_ok=True)
                shots_of(driver, path, options.shots)
    finally:
        driver.quit()


if __name__ == "__main__":
    main()
