"""Live reports in headless Chromium: what a person does with them, and the numbers against dynamis."""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dynamis
from dynamis.files import load_task
from tests.support.browser import Browser
from tests.support.live_pages import CELLS, CONTRAST, EXTENT, MOVE, OVERFLOW, PIXELS, UNFOLD, page_problems
from tests.support.mesh_arm import mesh_arm

PEAKS = "return [...document.querySelectorAll('.budget tbody tr')].map((row) => Number(row.cells[1].textContent));"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    one = Browser()
    yield one
    one.driver.quit()


@pytest.fixture(scope="module")
def ur5(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("live") / "ur5.html"
    dynamis.report(dynamis.load("ur5")).save(path)
    return path


@pytest.fixture(scope="module")
def reach(tmp_path_factory: pytest.TempPathFactory) -> Path:
    robot, path = dynamis.load("bar-2r"), tmp_path_factory.mktemp("live") / "reach.html"
    dynamis.report(robot, load_task("two-bar-reach", robot)).save(path)
    return path


def cells(browser: Browser, name: str) -> Any:
    return np.array(browser.run(CELLS, name), dtype=np.float64)


def test_numbers_follow_the_sliders(browser: Browser, ur5: Path) -> None:
    browser.open(ur5)
    q, qd, qdd = [0.4, -1.1, 1.3, -0.7, 1.2, 0.5], [0.2] * 6, [1.5, -0.5, 0.3, 0.0, 0.0, 2.0]
    for group, values in (("Positions", q), ("Velocities", qd), ("Accelerations", qdd)):
        for k, value in enumerate(values):
            browser.run(MOVE, group, k, value)
    browser.run(MOVE, "Payload", 0, 3)
    browser.run(MOVE, "Gravity", 1, 4)
    browser.run(MOVE, "Lengths", 1, -0.5)
    robot = dynamis.load("ur5").with_values(a2=-0.5).with_payload(3).with_gravity([0, 4, -9.81])
    torques = cells(browser, "torques")
    np.testing.assert_allclose(torques[:, 0], robot.inverse_dynamics(q, qd, qdd), atol=6e-4)
    np.testing.assert_allclose(torques[:, 3], robot.gravity_torque(q), atol=6e-4)
    np.testing.assert_allclose(cells(browser, "M"), robot.mass_matrix(q), atol=6e-4)
    np.testing.assert_allclose(cells(browser, "C"), robot.coriolis_matrix(q, qd), atol=6e-4)
    reactions = robot.reactions(q, qd, qdd)
    np.testing.assert_allclose(cells(browser, "reactions"), np.hstack([reactions.force, reactions.moment]), atol=6e-3)
    energies = [robot.kinetic_energy(q, qd), robot.potential_energy(q)]
    np.testing.assert_allclose(cells(browser, "energies")[0][:2], energies, atol=6e-4)


def test_the_view_is_drawn_and_turns(browser: Browser, ur5: Path) -> None:
    from selenium.webdriver.common.keys import Keys

    browser.open(ur5)
    colours, before = browser.wait(f"const found = (() => {{ {PIXELS} }})(); return found[0] > 300 && found;")
    assert colours > 300  # shaded solids, not a flat patch
    left, top, right, bottom = browser.run(EXTENT)
    assert min(left, top, 1 - right, 1 - bottom) > 0.03  # all of the arm, and large enough
    assert max(right - left, bottom - top) > 0.5
    canvas = browser.driver.find_element("css selector", ".scene")
    canvas.send_keys(Keys.ARROW_RIGHT * 5)
    assert browser.run(PIXELS)[1] != before
    for box in browser.driver.find_elements("css selector", ".layers input"):
        box.click()
    browser.wait("return document.querySelector('.scale').textContent.includes('force arrows: 0.1 m stands for')")


def test_long_names_and_small_masses(browser: Browser, tmp_path: Path) -> None:
    first, second = dynamis.load("cartesian").links
    names = "x" * 100, "y" * 100
    rail = replace(first.joint, name="rail")  # a third line of the labels of its plots
    first = replace(first, name=names[0], joint=rail, mass=0.002)
    second = replace(second, name=names[1], parent=names[0], mass=0.001)
    robot = dynamis.Robot("light", (first, second), gravity=(0, 0, -9.81))
    task = tmp_path / "task.toml"
    task.write_text('[motion]\nkind = "quintic"\nstart = [0.4, 0.4]\ngoal = [0.6, 0.5]\nduration = 0.1\n')
    dynamis.report(robot, load_task(str(task), robot)).save(tmp_path / "names.html")
    assert page_problems(browser, tmp_path / "names.html") == []
    np.testing.assert_allclose(np.diag(cells(browser, "M")), [0.003, 0.001], atol=6e-6)
    shown = browser.run("return document.querySelector('#live-M td').textContent")
    assert shown == "0.00300"


def test_meshes_of_a_urdf_are_drawn(browser: Browser, tmp_path: Path) -> None:
    arm = mesh_arm(tmp_path)
    dynamis.report(dynamis.load(str(arm))).save(tmp_path / "arm.html")
    assert page_problems(browser, tmp_path / "arm.html", (1280,)) == []
    orange = PIXELS.replace(
        "return [", "return [...colours.keys()].filter((x) => (x >> 16) > 2 * (x & 255) + 60).length; ["
    )
    assert browser.run(orange) > 50  # the upper arm, in the colour of its material
    browser.run("document.querySelector('.layers input').click()")
    browser.wait(f"const found = (() => {{ {orange.replace('> 2 *', '> 4 *')} }})(); return found < 50")
    text, upper = arm.read_text(), r"(?s)<visual><geometry><mesh filename=.package.*?</visual>"
    arm.write_text(re.sub(upper, "", text))
    dynamis.report(dynamis.load(str(arm))).save(tmp_path / "half.html")
    browser.open(tmp_path / "half.html")
    assert browser.run(orange) > 50  # a link without a visual is a solid, and its joint a drum


def test_loads_of_a_task_are_arrows(browser: Browser, reach: Path) -> None:
    browser.open(reach)
    pink = PIXELS.replace("return [", "return [...colours.keys()].filter(pink).length; [")
    pink = f"const pink = (x) => (x >> 16) > 2 * ((x >> 8) & 255) + 60 && (x & 255) > 90; {pink}"
    browser.wait(f"const found = (() => {{ {pink} }})(); return found > 20")
    assert browser.run("return document.querySelector('#live-torques caption').textContent").endswith("of the task")
    assert "force arrows: 0.1 m stands for" in browser.run("return document.querySelector('.scale').textContent")
    browser.run("[...document.querySelectorAll('.layers label')].find((x) => /loads/.test(x.textContent)).click()")
    browser.wait(f"const found = (() => {{ {pink} }})(); return found === 0 && 'none'")
    assert browser.run("return document.querySelector('.scale').textContent") == ""


def test_motion_plays_and_its_budget_follows_the_payload(browser: Browser, reach: Path) -> None:
    browser.open(reach)
    robot = dynamis.load("bar-2r")
    given = load_task("two-bar-reach", robot)
    np.testing.assert_allclose(browser.run(PEAKS), np.abs(given.budget().sizing.peak_torque), atol=6e-4)
    browser.run(MOVE, "Payload", 0, 0.75)
    heavy = load_task("two-bar-reach", robot, dynamis.Payload(0.75)).budget()
    browser.wait("return document.querySelector('.budget tbody td:last-child').textContent !== ''")
    np.testing.assert_allclose(browser.run(PEAKS), np.abs(heavy.sizing.peak_torque), atol=6e-4)
    browser.run("document.querySelector('.play').click()")
    browser.wait("return Number(document.querySelector('.player input').value) > 0.3")
    browser.run("document.querySelector('.play').click()")
    t = browser.run("return Number(document.querySelector('.player input').value)")
    shown = browser.run(
        "return [...document.querySelectorAll('.slider input[type=range]')].slice(0, 2).map((x) => Number(x.value))"
    )
    np.testing.assert_allclose(shown, given.trajectory.at(t)[0], atol=2e-3)
    assert browser.run("return document.querySelectorAll('.cursor[visibility=visible]').length") > 2
    colours = """return ['.look.c3', '.bar.c3'].map((sign) => [...document.querySelectorAll('.budget .legend span')]
      .filter((x) => x.querySelector(sign)).map((x) => x.textContent.trim()))"""
    assert browser.run(colours) == [["gravity"], ["gravity"]]
    empty = (
        "return [...document.querySelectorAll('.chart')].filter((x) => !x.querySelector('path, rect, polygon')).length"
    )
    assert browser.run(empty) == 0


def test_values_take_the_place_of_symbols(browser: Browser, reach: Path) -> None:
    browser.open(reach)
    formula = "return document.querySelector('#equations .equation:nth-of-type(2) td:nth-child(3)').textContent"
    symbols = browser.run(formula)
    assert "a payload is not in them" in browser.run("return document.querySelector('.put + .hint').textContent")
    browser.run("document.getElementById('put-values').click()")
    values = browser.run(formula)
    assert "m" in symbols
    assert "m" not in values
    assert "0.5" in values
    rows = browser.run("return document.querySelector('#equations').textContent")
    assert "9.81" in rows
    assert "9.811" not in rows  # the first entry of g(q) is no number
    assert "m11·5+m12·(−5)+c1+g1" in rows.replace(" ", "")
    browser.run("document.getElementById('put-values').click()")
    assert browser.run(formula) == symbols


def test_paper_is_light_and_says_where_the_sliders_stand(browser: Browser, reach: Path) -> None:
    browser.open(reach)
    browser.run("document.getElementById('theme').click(); document.getElementById('theme').click()")
    browser.run(MOVE, "Masses", 1, 0.00004123)
    assert browser.run("return [...document.querySelectorAll('[type=number]')].map((x) => x.value)")[11] == "4.12e-5"
    browser.run("dispatchEvent(new Event('beforeprint'))")
    words = browser.run("return document.querySelector('.printed').textContent")
    assert words.startswith(
        "At q = (−1.4706, 2.9413), q̇ = (0, 0), q̈ = (5, −5). With m2 = 0.00004123 kg instead of 1 kg."
    )
    theme = "return document.documentElement.dataset.theme"
    assert browser.run(theme) == "light"
    assert browser.run(PIXELS.replace(".scene", ".labels"))[0] > 100  # a printer sees no WebGL that is just drawn
    assert browser.run("return document.querySelectorAll('main details:not([open])').length") == 0
    browser.run("dispatchEvent(new Event('afterprint'))")
    assert browser.run(theme) == "dark"
    assert browser.run("return document.querySelectorAll('main details:not([open])').length") > 2


def test_themes_print_widths_and_silence(browser: Browser, reach: Path, ur5: Path) -> None:
    browser.open(reach)
    colour = "return getComputedStyle(document.body).backgroundColor"
    browser.run(UNFOLD)
    seen = {browser.run(f"document.getElementById('theme').click(); {colour}"): browser.run(CONTRAST) for _ in range(2)}
    assert list(seen.values()) == [{}, {}]  # light and dark
    for path in (reach, ur5):
        browser.open(path)
        browser.run(UNFOLD)
        for width in (1280, 800):
            browser.resize(width)
            assert (width, browser.run(OVERFLOW)) == (width, [0, []])
    pdf = b64decode(browser.driver.execute_cdp_cmd("Page.printToPDF", {"printBackground": True})["data"])
    assert pdf.startswith(b"%PDF")
    assert pdf.count(b"/Type /Page\n") + pdf.count(b"/Type /Page ") >= 4
    assert browser.errors() == []
    assert browser.requests() == []
