"""The page of a map in headless Chromium: cells tell their values, layers change, nothing is asked for."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import dynamis
from dynamis.sweeps import sobol, torque_map
from tests.support.browser import Browser

POINT = """const map = document.querySelector('canvas.cells'), box = map.getBoundingClientRect();
const [clientX, clientY] = [box.left + arguments[0], box.top + arguments[1]];
map.dispatchEvent(new PointerEvent('pointermove', { clientX, clientY }));
return document.querySelector('.told').innerText;"""
CHOOSE = """const select = document.getElementById('layer');
select.value = arguments[0]; select.dispatchEvent(new Event('change'));
return document.querySelector('#map .about').textContent;"""
PRESS = """document.querySelector(arguments[0]).dispatchEvent(new KeyboardEvent('keydown', { key: arguments[1] }));
return document.querySelector('.told').innerText;"""
COLOURS = """const { data } = arguments[0].getContext('2d').getImageData(0, 0, arguments[0].width, arguments[0].height);
return new Set(Array.from({ length: data.length / 4 }, (_, k) => data.slice(4 * k, 4 * k + 3).join())).size;"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    one = Browser()
    yield one
    one.driver.quit()


def test_cells_tell_their_values(browser: Browser, tmp_path: Path) -> None:
    robot = dynamis.load("ur5")
    *others, elbow, last = robot.links
    long = replace(elbow, joint=replace(elbow.joint, name=f"joint_of_the_{'very_' * 15}long_arm"))
    robot = replace(robot, links=(*others, long, last))
    made = torque_map(robot, draw=sobol(2**14), by={axis: (f"tool.{axis}", 8) for axis in "xyz"})
    made.save(tmp_path / "map.html")
    browser.open(tmp_path / "map.html")
    told = browser.run(POINT, 160, 240)
    (x, y, z) = (float(text.split()[2]) for text in told.split("\n")[1].split(", "))
    cell = made.at(x=x, y=y, z=z)
    assert told.split("\n")[told.split("\n").index("torque of q2") + 1] == cell["torque of q2"]
    assert "its state" in told
    assert "q.q1 = " in told.replace("\u00a0", " ")
    assert " rad," in told.replace("\u00a0", " ")
    assert browser.run(CHOOSE, 2) == made.layers[2].about
    assert browser.run(PRESS, "canvas.cells", "ArrowRight") != told
    for canvas in ("canvas.cells", "canvas.points"):
        assert (
            browser.run(
                f"const canvas = document.querySelector('{canvas}');\n" + COLOURS.replace("arguments[0]", "canvas")
            )
            > 10
        )
    for width in (1280, 400):
        browser.resize(width)
        assert browser.run("return document.documentElement.scrollWidth - innerWidth") <= 0
    torque_map(robot, draw=sobol(2**10), by={"r": ("tool.radius", 8)}).save(tmp_path / "line.html")
    browser.open(tmp_path / "line.html")
    assert "r = " in browser.run(PRESS, "canvas.cells", "ArrowRight")
    assert browser.requests() == []
    assert browser.errors() == []
