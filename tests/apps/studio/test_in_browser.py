"""The studio in headless Chromium: what a person does with it, tab by tab."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dynamis
from dynamis.apps.studio.server import Studio
from dynamis.library import robot_path
from tests.support.browser import Browser
from tests.support.live_pages import CELLS, CONTRAST, MOVE, OVERFLOW, PIXELS, UNFOLD

IDLE = "return document.getElementById('work').hidden"
STARTED = "return document.documentElement.dataset.started === 'yes'"
SHOWN = "return document.getElementById('trouble').hidden ? '' : document.querySelector('#trouble span').textContent"
TYPE = """const [selector, value] = arguments, field = document.querySelector(selector);
field.value = value; field.dispatchEvent(new Event(field.tagName === 'SELECT' ? 'change' : 'input'));"""


SCALED = """return [...document.querySelectorAll('.plot')].filter((x) => x.clientWidth > 520)
  .every((x) => Math.abs(x.clientWidth / x.viewBox.baseVal.width - 1) < 0.01);"""
"""Whether charts are as wide as they were drawn, so that their letters have the size that they should."""
SINGLE = """return [...document.querySelectorAll('.plot > g')].filter((x) => x.querySelector('.look, .area'))
  .filter((x) => x.querySelectorAll('.tick[text-anchor=end]').length < 2).length;"""
"""Panels with a single number at their upright axis."""


@dataclass
class Window:
    """A browser with a studio in it."""

    browser: Browser
    address: str
    downloads: Path
    others: list[str] = field(default_factory=list[str])
    """Studios that were opened beside it."""

    def open(self) -> None:
        self.browser.driver.get(self.address)
        self.browser.wait(STARTED)

    def tab(self, name: str) -> None:
        self.browser.run(f"document.getElementById('tab-{name}').click()")

    def press(self, name: str) -> str:
        """A button, until its work is done; what the page says then."""
        self.browser.run(f"document.getElementById('{name}').click()")
        self.browser.wait(IDLE)
        return self.browser.run(SHOWN)

    def type(self, selector: str, value: str) -> None:
        self.browser.run(TYPE, selector, value)

    def text(self, selector: str) -> str:
        return self.browser.run("return document.querySelector(arguments[0])?.textContent ?? ''", selector)

    def robot(self) -> dict[str, Any]:
        return self.browser.run("return JSON.parse(sessionStorage.getItem('dynamis studio')).robot")

    def reset(self) -> None:
        """The robot as it ships: a test needs nothing of those before it, which may run in another process."""
        text = robot_path("bar-2r").read_text()
        if self.robot()["text"] != text:
            self.type("#shipped", "bar-2r")
            self.browser.wait(f"return JSON.parse(sessionStorage.getItem('dynamis studio')).robot.text === {text!r}")
            self.browser.wait(IDLE)

    def downloaded(self, name: str) -> Path:
        path, end = self.downloads / name, time.monotonic() + 20
        while not path.exists():
            assert time.monotonic() < end, list(self.downloads.iterdir())
            time.sleep(0.05)
        return path


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Window]:
    downloads = tmp_path_factory.mktemp("downloads")
    command = [sys.executable, "-m", "dynamis", "studio", "bar-2r", "--no-browser", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        browser = Browser()
        try:
            assert process.stdout is not None
            address = process.stdout.readline().split()[-1]
            where = {"behavior": "allow", "downloadPath": str(downloads)}
            browser.driver.execute_cdp_cmd("Browser.setDownloadBehavior", where)
            made = Window(browser, address, downloads)
            made.open()
            yield made
        finally:
            browser.driver.quit()
            process.terminate()


@pytest.fixture
def window(studio: Window) -> Window:
    studio.reset()
    return studio


def test_a_mass_is_edited_and_the_model_follows(window: Window) -> None:
    field = "[data-path='values.m1']"
    window.type(field, "2500 g")
    window.browser.wait("return sessionStorage.getItem('dynamis studio').includes('m1 = 2.5')")
    robot = dynamis.load("bar-2r").with_values(m1=2.5)
    q = [0.4, 0.7]
    window.browser.run("document.querySelector('.sliders > button').click()")  # Reset all: a motion leaves its speeds
    for k, value in enumerate(q):
        window.browser.run(MOVE, "Positions", k, value)
    tau = robot.inverse_dynamics(q)
    first = "Number(document.querySelector('#live-torques td').textContent)"
    window.browser.wait(f"return Math.abs({first} - {tau[0]}) < 6e-4")
    np.testing.assert_allclose(np.array(window.browser.run(CELLS, "torques"))[:, 0].astype(float), tau, atol=6e-4)
    window.type(field, "-1")
    window.browser.wait("return document.querySelector('[aria-invalid=true]')")
    assert "a mass is >= 0" in window.text("#panel-robot .field-error:not(:empty)")
    assert "m1 = 2.5" in window.robot()["text"]
    window.type(field, "1")
    window.browser.wait("return !document.querySelector('[aria-invalid=true]')")


def test_work_waits_for_what_was_just_typed(window: Window) -> None:
    """Whoever types a mass and presses a button at once has the motion of that mass."""
    window.tab("motion")
    window.type("[data-path='values.m1']", "2")
    window.type("[data-path='values.m2']", "3")
    assert window.press("run-motion") == ""
    assert "m1 = 2\nm2 = 3" in window.robot()["text"]
    peak = "return Number(document.querySelector('#live-motion .budget td:nth-child(2)')?.textContent)"
    start, goal = (window.browser.run(f"return document.querySelector('[name={x}]').value") for x in ("start", "goal"))
    q = np.linspace(*(np.array([float(v) for v in x.split(",")]) for x in (start, goal)), 2)
    assert window.browser.wait(peak) >= dynamis.load("bar-2r").with_values(m1=2, m2=3).gravity_torque(q[0])[0] - 1e-3


def test_the_view_is_drawn_and_an_edit_leaves_it_as_it_is(window: Window) -> None:
    """What is shown and what is unfolded stays, although the model is another one."""
    shown = "return [...document.querySelectorAll('.layers input, #side > details')].map((x) => x.checked ?? x.open)"
    window.browser.run("document.querySelector('.layers label:last-of-type input').click()")
    window.browser.run("document.querySelector('#side > details').open = false")
    before = window.browser.run(f"document.querySelector('.scene').id = 'old'; {shown}")
    window.type("[data-path='values.L2']", "0.45")
    window.browser.wait("return !document.getElementById('old')")
    assert window.browser.run(shown) == before
    assert window.browser.wait(f"const found = (() => {{ {PIXELS} }})(); return found[0] > 300 && found;")


def test_equations_are_derived_proved_and_an_answer_is_checked(window: Window) -> None:
    window.tab("equations")
    assert window.press("derive") == ""
    steps = "return [...document.querySelectorAll('#derivation details.step')].filter((x) => x.open).length"
    assert window.browser.run(steps) == 1
    window.browser.run("document.getElementById('next-step').click()")
    assert window.browser.run(steps) == 2
    assert window.browser.run("return document.querySelectorAll('#derivation math').length") > 50
    window.type("[name=only]", "M[1,2]")
    assert window.press("derive") == ""
    assert window.text("#derivation h1") == "M[1,2] of bar-2r"
    window.type("[name=only]", "")
    assert window.press("prove") == ""
    assert "proved" in window.text("#proofs")
    window.type("#answer", "M[1,2] = m2*L2^2/3\ng[2] = m2*L2/2*g*cos(q1+q2)\n\na = m2*L2^2\n")
    assert window.press("check") == ""
    marks = "return [...document.querySelectorAll('.verdicts li')].map((x) => x.className)"
    assert window.browser.run(marks) == ["wrong", "right", "", "plain", ""]
    assert "M[1,2] = (" not in window.text("#verdict")
    window.type("#answer", "M[1,2] = (")
    assert window.press("check").startswith("answer:1")


def test_a_motion_is_played(window: Window) -> None:
    window.tab("motion")
    assert window.press("run-motion") == ""
    window.browser.wait("return document.querySelector('#live-motion .budget td')")
    window.browser.run("document.querySelector('.play').click()")
    window.browser.wait("return Number(document.querySelector('.player input').value) > 0.2")
    window.browser.run("document.querySelector('.play').click()")
    assert window.browser.run("return document.querySelectorAll('.cursor[visibility=visible]').length") > 2
    peak = "#live-motion .budget td:nth-child(2)"
    window.browser.run(
        "for (const field of document.querySelectorAll('.slider input[type=number]')) {"
        "field.value = '1e308'; field.dispatchEvent(new Event('input')); }"
    )
    window.browser.wait(f"return document.querySelector('{peak}').textContent === '–'")  # and not 0
    window.type("[name='quintic duration']", "-1")
    assert "duration" in window.press("run-motion")
    window.type("[name='quintic duration']", "1")


def test_the_tool_goes_where_the_sliders_put_it(window: Window) -> None:
    """An arc and a spring at the tool; before that an arc goes to the posture of the form, through that half-way."""
    window.tab("motion")
    window.type("[name=kind]", "tool-arc")
    assert window.press("run-motion") == ""
    window.browser.wait("return document.querySelector('#live-motion .budget td')")
    take = "[...document.querySelectorAll('#panel-{} button')].find((x) => x.textContent === 'tool, from the sliders')"
    q = [0.3, 0.9]
    for k, value in enumerate(q):
        window.browser.run(MOVE, "Positions", k, value)
    place = ", ".join(str(round(float(x), 4) or 0) for x in dynamis.load("bar-2r").forward_kinematics(q)[:3, 3])
    for tab, name in (("motion", "tool"), ("simulate", "operational-pd goal")):
        window.tab(tab)
        if tab == "simulate":
            window.type("[name=control]", "operational-pd")
        window.browser.run(f"{take.format(tab)}.click()")
        window.browser.wait(f"return document.querySelector(\"[name='{name}']\").value === '{place}'")
    window.browser.wait(IDLE)
    window.type("[name=duration]", "0.2")
    assert window.press("run-simulation") == ""
    window.type("[name=control]", "pd-gravity")
    window.type("[name=kind]", "quintic")


def test_another_robot_begins_with_postures_of_its_own(window: Window) -> None:
    """Even where it has as many joints: those of one in radians are no metres of the other."""
    window.browser.run(MOVE, "Positions", 0, 2)
    window.type("[data-path='values.m2']", "1.1")
    window.browser.wait("return sessionStorage.getItem('dynamis studio').includes('m2 = 1.1')")
    values = (
        "return [...document.querySelectorAll('.sliders details:first-child input[type=number]')].map((x) => x.value)"
    )
    assert window.browser.run(values)[0] == "2"  # an edit keeps them
    window.type("#shipped", "genova-rp")
    window.browser.wait("return document.getElementById('title').textContent === 'genova-rp'")
    window.browser.wait(IDLE)
    q = window.browser.wait(f"const q = (() => {{ {values} }})(); return q[0] !== '2' && q;")
    assert window.browser.run("return document.querySelector('[name=start]').value").split(", ")[1] == q[1]
    assert window.browser.run("return document.getElementById('shipped').value") == ""


def test_a_simulation_runs_and_its_gains_are_turned(window: Window) -> None:
    window.tab("simulate")
    window.type("[name=duration]", "0.5")
    assert window.press("run-simulation") == ""
    assert "under PDGravity" in window.text("#simulation h1")
    before = window.text("#simulation table")
    window.browser.run(
        "const slider = document.querySelector('.gain input[type=range]'); slider.value = 60;"
        "for (const name of ['input', 'change']) slider.dispatchEvent(new Event(name));"
    )
    window.browser.wait(f"return document.querySelector('#simulation table').textContent !== {before!r}")
    window.browser.wait(IDLE)
    assert "kp = 239" in window.browser.run("return document.getElementById('simulation-text').value")
    assert "Energy" in window.text("#simulation")


def test_long_work_is_stopped(window: Window) -> None:
    window.tab("simulate")
    window.type("[name=duration]", "100000")
    window.browser.run("document.getElementById('run-simulation').click()")
    window.browser.wait("return document.getElementById('work').textContent.includes(' of 1e+05 s')")
    window.browser.run("document.querySelector('#work .stop').click()")
    window.browser.wait(IDLE)
    assert window.browser.run(SHOWN) == "simulating: stopped"
    window.type("[name=duration]", "0.5")
    assert window.press("run-simulation") == ""


def test_a_motion_is_learned_trial_by_trial(window: Window) -> None:
    window.tab("learn")
    window.type("[name=trials]", "3")
    window.type("[name=period]", "0.01")
    assert window.press("run-learning") == ""
    assert window.browser.run("return document.querySelectorAll('#trials tbody tr').length") == 3
    assert "Play the best trial (3)" in window.text("#play-best")


def test_report_code_and_data_are_downloaded(window: Window) -> None:
    window.tab("export")
    for button, name in (
        ("get-report", "bar_2r-report.html"), ("get-code", "bar_2r-c.zip"), ("get-data", "bar_2r-motion.csv"),
        ("get-robot", "bar-2r.toml"),
    ):  # fmt: skip
        assert window.press(button) == ""
        assert window.downloaded(name).stat().st_size > 1000
    assert "report on a motion" in window.downloaded("bar_2r-report.html").read_text()


def test_windows_do_not_disturb_each_other_and_a_reload_keeps_all(window: Window) -> None:
    driver = window.browser.driver
    window.tab("export")
    first = driver.current_window_handle
    driver.switch_to.new_window("tab")
    window.open()
    window.type("#shipped", "cartesian")
    window.browser.wait("return document.getElementById('title').textContent === 'cartesian'")
    driver.close()
    driver.switch_to.window(first)
    assert window.text("#title") == "bar-2r"
    window.type("[data-path='values.m2']", "1.25")
    window.browser.wait("return sessionStorage.getItem('dynamis studio').includes('m2 = 1.25')")
    driver.refresh()
    window.browser.wait(STARTED)
    assert "m2 = 1.25" in window.robot()["text"]
    assert window.browser.run("return document.getElementById('tab-export').getAttribute('aria-selected')") == "true"
    assert window.browser.run("return document.querySelector('[data-path=\"values.m2\"]').value") == "1.25"


def test_the_token_is_typed_in(window: Window) -> None:
    """By a person, whose browser decides on the headers."""
    driver = window.browser.driver
    first, networked = driver.current_window_handle, Studio("0.0.0.0", 0)
    threading.Thread(target=networked.serve_forever, daemon=True).start()
    driver.switch_to.new_window("tab")
    try:
        window.others.append(networked.address.partition("?")[0])
        driver.get(window.others[0])
        seen = "return document.body.textContent.includes('not the token')", "return document.getElementById('panels')"
        for token, sign in zip(("wrong", networked.guard.token), seen, strict=True):
            driver.find_element("css selector", "input").send_keys(token, "\n")
            window.browser.wait(sign)
    finally:
        driver.close()
        driver.switch_to.window(first)
        networked.shutdown()
        networked.server_close()
        window.browser.errors()  # a wrong token is an answer of 401, which the console tells


def test_a_name_is_only_a_name(window: Window) -> None:
    window.tab("robot")
    name = "<img src=x onerror=alert(1)><script>alert(2)</script>"
    window.type("[data-path='robot.name']", name)
    window.browser.wait("return document.title.includes('onerror')")
    assert window.text("#title") == name
    assert window.browser.run("return document.querySelectorAll('img, body script').length") == 2
    window.type("[data-path='robot.name']", "bar-2r")
    window.browser.wait("return document.getElementById('title').textContent === 'bar-2r'")


def test_a_file_of_another_kind_is_refused(window: Window, tmp_path: Path) -> None:
    for name, content in (("arm.exe", "x"), ("arm.toml", "[robot")):
        (tmp_path / name).write_text(content)
        window.browser.driver.find_element("css selector", "#open").send_keys(str(tmp_path / name))
        window.browser.wait(f"return document.getElementById('trouble').textContent.includes('{name}')")
        window.browser.wait(IDLE)
    (tmp_path / "own.toml").write_text((Path(dynamis.__file__).parent / "robots/genova-2r.toml").read_text())
    window.browser.driver.find_element("css selector", "#open").send_keys(str(tmp_path / "own.toml"))
    window.browser.wait("return document.getElementById('title').textContent === 'genova-2r'")


def test_keys_go_on_where_they_were(window: Window) -> None:
    """A form that is drawn anew by a choice leaves the focus there."""
    from selenium.webdriver.common.keys import Keys

    for tab, selector in (
        ("simulate", "[name=control]"),
        ("motion", "[name=kind]"),
        ("robot", "[data-path='link.0.joint']"),
    ):
        window.tab(tab)
        menu = window.browser.driver.find_element("css selector", selector)
        old = menu.get_attribute("value")
        menu.send_keys(Keys.ARROW_DOWN)
        changed = f"const x = document.activeElement; return x.matches(\"{selector}\") && x.value !== '{old}'"
        window.browser.wait(changed)
        window.type(selector, str(old))
        window.browser.wait(f"return document.querySelector(\"{selector}\").value === '{old}'")
        window.browser.wait(IDLE)


def test_every_control_has_a_name(window: Window) -> None:
    """For screen readers: a label, a name of its own, or its text."""
    nameless = """return [...document.querySelectorAll('button, input:not([hidden]), select, textarea, canvas, [role]')]
      .filter((x) => !x.matches('[aria-hidden], [role=alert], [role=status], [role=tabpanel]'))
      .filter((x) => !(x.ariaLabel || x.labels?.length || x.textContent.trim() || x.getAttribute('aria-labelledby')
        || x.querySelector('title')))
      .map((x) => x.outerHTML.slice(0, 80));"""
    assert window.browser.run(nameless) == []


def test_nothing_overflows_and_nothing_leaves(window: Window) -> None:
    assert window.press("run-motion") == ""
    window.browser.wait("return document.querySelector('.player')")
    for width in (1280, 800):
        window.browser.resize(width)
        window.browser.run(UNFOLD)
        window.browser.run("document.getElementById('theme').click()")  # light, then dark
        for name in ("robot", "equations", "motion", "simulate", "learn", "export"):
            window.tab(name)
            assert (name, window.browser.run(OVERFLOW)) == (name, [0, []])
            assert (name, window.browser.run(CONTRAST)) == (name, {})
            window.browser.wait(SCALED)
    assert window.browser.run(SINGLE) == 0
    sent = window.browser.requests()
    assert [url for url in sent if not url.startswith((window.address, *window.others, "blob:"))] == []
    assert window.browser.errors() == []
