"""Animations of simulations: the figure is the robot's, the page asks for nothing, equal runs give equal files."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dynamis
from dynamis import DynamisError
from dynamis.compute.mechanics.mechanism import mechanism
from dynamis.errors import ArgumentError
from dynamis.model.link import Joint, Link
from dynamis.results import Simulation
from dynamis.robot import Robot
from dynamis.simulation.animation.animate import MAX_FRAMES
from dynamis.simulation.animation.frames import MAX_POINTS, animation
from dynamis.simulation.animation.page import page, page_data
from dynamis.simulation.animation.skeleton import joint_axes, skeleton
from dynamis.simulation.film import film
from dynamis.telling.drawing.view import view
from tests.support.browser import Browser
from tests.support.simulation_runs import RUNS, run_of

STEPS = """
window.frames_ = [];
window.requestAnimationFrame = (f) => window.frames_.push(f);
window.step = (now) => window.frames_.splice(0).forEach((f) => f(now));
"""
"""Frames come when the test asks for them."""
SAID = """
const text = (x) => document.querySelector(x).textContent;
return {
  name: text("h1"), about: text("#about"), clock: text(".clock"), event: text("#event"), button: text(".play"),
  speed: document.querySelector(".player select").value, marks: document.querySelectorAll(".marks i").length,
  values: [...document.querySelectorAll("tbody tr")].map((row) => [...row.cells].map((cell) => cell.textContent)),
};"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    one = Browser()
    one.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": STEPS})
    yield one
    one.driver.quit()


def short(name: str) -> Any:
    return animation(run_of(name), 10.0, 1.0, MAX_FRAMES[".html"])


@pytest.mark.parametrize("name", RUNS)
def test_the_figure_is_the_robot(name: str) -> None:
    found, run = short(name), run_of(name)
    np.testing.assert_allclose(found.q, run.at(found.times)[0])
    links = run.robot.link_motions(found.q)
    np.testing.assert_array_equal(found.points[:, 0], 0.0)
    np.testing.assert_array_equal(found.points[:, 1 : 1 + len(run.robot.links)], links.point_position)
    np.testing.assert_array_equal(found.points[:, found.figure.tip], run.robot.forward_kinematics(found.q)[:, :3, 3])
    np.testing.assert_allclose(found.path[:: found.finer], found.points[:, found.figure.tip], atol=1e-12)
    if found.goal is not None and run.goal is not None:
        np.testing.assert_allclose(found.goal[-1, 1:], run_points(run, run.goal[-1:])[0, 1:], atol=1e-12)


def run_points(run: Simulation, q: Any) -> Any:
    return skeleton(run.robot, q).points(q)


def test_every_link_has_a_length_where_it_has_one() -> None:
    """A link without a tool beyond its joint ends in its centre of mass."""
    links = (
        Link("arm", Joint("a"), mass=1, com=(0.5, 0, 0)),
        Link("left", Joint("l", before="Tx(1)"), "arm", mass=1, com=(0, 0.5, 0)),
        Link("right", Joint("r", before="Tx(1)"), "arm", mass=1, com=(0, -0.5, 0)),
    )
    robot = Robot("two arms", links)
    q = np.zeros((1, 3))
    figure = skeleton(robot, q)
    assert figure.segments == ((0, 1), (1, 2), (1, 3), (2, 4), (3, 5))
    np.testing.assert_allclose(figure.points(q)[0, 4:], [[1, 0.5, 0], [1, -0.5, 0]])
    np.testing.assert_allclose(joint_axes(robot, q)[0], [[0, 0, 1]] * 3)
    assert view(mechanism(robot, robot.floats()), figure.points(q)).flat


@pytest.mark.parametrize(
    ("name", "flat"),
    [("falling", True), ("sliding", True), ("offset", False), ("reaching", False), ("stopping", False)],
)
def test_flat_robots_stay_in_their_plane(name: str, flat: bool) -> None:
    run, found = run_of(name), short(name).view
    assert found.flat is flat
    np.testing.assert_allclose(found.axes @ found.axes.T, np.eye(3), atol=1e-12)
    assert np.linalg.det(found.axes) == pytest.approx(1)
    assert np.linalg.det(found.page()) == pytest.approx(1)
    if flat:
        q = np.random.default_rng(0).uniform(-3, 3, (50, run.n))
        assert np.ptp(run_points(run, q) @ found.axes[2]) < 1e-12


def test_up_is_where_gravity_does_not_pull() -> None:
    assert short("falling").view.axes.tolist() == np.eye(3).tolist()
    assert short("sliding").view.axes[:2].tolist() == [[1, 0, 0], [0, 0, 1]]
    assert short("reaching").view.axes[2].tolist() == [0, 0, 1]


def test_axes_turn_with_the_robot() -> None:
    run = run_of("following")
    axes = joint_axes(run.robot, run.q[:5])
    np.testing.assert_allclose(np.linalg.norm(axes, axis=-1), 1.0)
    J = run.robot.jacobian(run.q[:5])
    np.testing.assert_allclose(axes[:, 2], J[:, :3, 2], atol=1e-12)
    np.testing.assert_allclose(axes[:, 4], J[:, 3:, 4], atol=1e-12)


@pytest.mark.parametrize(
    ("fps", "speed", "count"), [(30, 1, 31), (30, 0.5, 61), (60, 2, 31), (1e6, 1, 1500), (1e-3, 1, 2)]
)
def test_how_many_frames(fps: float, speed: float, count: int) -> None:
    found = animation(run_of("falling"), fps, speed, MAX_FRAMES[".html"])
    assert len(found.times) == count
    assert (len(found.times) - 1) / found.fps == pytest.approx(1 / speed)
    assert found.times[[0, -1]].tolist() == [0.0, 1.0]


def test_large_robots_have_fewer_frames() -> None:
    links = [Link(f"l{k}", Joint(f"q{k}", before="Tx(0.1)"), f"l{k - 1}" if k else "base", mass=1) for k in range(60)]
    robot = Robot("snake", tuple(links))
    run = run_of("falling")
    still = np.zeros((2, 60))
    many = replace(run, robot=robot, times=np.array([0.0, 1000.0]), q=still, qd=still, qdd=still, tau=still)
    found = animation(many, 30.0, 1.0, 1500)
    assert found.points.shape[0] * found.points.shape[1] <= MAX_POINTS


@pytest.mark.parametrize("name", ["falling", "reaching", "stopping", "sliding", "following"])
def test_the_player_plays(browser: Browser, name: str, tmp_path: Path) -> None:
    run = run_of(name)
    run.animate(tmp_path / "run.html", fps=20, speed=0.5)
    browser.open(tmp_path / "run.html")
    first = browser.run(SAID)
    assert (first["name"], first["speed"], first["marks"]) == (run.robot.name, "0.5", len(run.events))
    assert first["clock"] == f"0.000 / {run.duration:.3f} s"
    browser.run("document.querySelector('.play').click(); step(1000); step(1500)")
    playing = browser.run(SAID)
    assert (playing["clock"], playing["button"]) == (f"0.250 / {run.duration:.3f} s", "Pause")
    browser.run("for (let now = 2000; frames_.length; now += 500) step(now)")
    over = browser.run(SAID)
    assert over["button"] == "Play"
    for said, t in ((first, 0.0), (over, run.duration)):
        q = run.at(t)[0]
        for j, (label, value, *degrees) in enumerate(said["values"]):
            assert label == f"{j + 1}  {run.joints[j]}"
            assert float(value) == pytest.approx(q[j], abs=1e-3)
            assert len(degrees) == any(run.revolute)
            assert (degrees not in ([], [""])) is run.revolute[j]
    past = [event for event in run.events if event.time <= run.duration]
    assert over["event"] == (f"{past[-1].time:.3f} s: {past[-1].what}" if past else "")
    assert browser.run("return document.documentElement.scrollWidth") <= 1280
    browser.resize(400)
    assert browser.run("return document.documentElement.scrollWidth") <= 400
    assert (browser.errors(), browser.requests()) == ([], [])


def test_the_robot_is_drawn_and_turned_and_played_by_the_space_bar(browser: Browser, tmp_path: Path) -> None:
    run_of("reaching").animate(tmp_path / "run.html", fps=20)
    browser.open(tmp_path / "run.html")
    picture = "return document.querySelector('.scene').toDataURL()"
    key = "document.querySelector('.scene').dispatchEvent(new KeyboardEvent('keydown', {key: arguments[0]}))"
    shown = [browser.run(picture)]
    for name in ("ArrowLeft", "0", "+"):
        browser.run(key, name)
        shown.append(browser.run(picture))
    assert shown[0] == shown[2]
    assert len({*shown}) == 3
    browser.run("document.body.dispatchEvent(new KeyboardEvent('keydown', {code: 'Space', bubbles: true}))")
    assert browser.run(SAID)["button"] == "Pause"
    browser.run("step(0); step(400)")
    assert browser.run(picture) not in shown
    assert browser.run(SAID)["clock"].startswith("0.400")


def test_a_film_that_is_scrolled_away_gives_its_memory_back(browser: Browser, tmp_path: Path) -> None:
    """A notebook may have many films: of twenty, a browser would take the views of the first ones."""
    page = film(dynamis.load("bar-2r"), [[0, 0], [1, 1]], fps=5)._repr_html_()
    (tmp_path / "many.html").write_text(f"<!doctype html><html data-ready=yes>{page * 20}</html>")
    browser.open(tmp_path / "many.html")
    lost = """
    const films = [...document.querySelectorAll("iframe")].map((frame) => frame.contentDocument);
    if (!films.every((film) => film.documentElement.dataset.ready === "yes")) return null;
    return films.map((film) => film.querySelector(".scene").getContext("webgl").isContextLost());"""
    for k in (0, 19, 0):
        browser.run("document.querySelectorAll('iframe')[arguments[0]].scrollIntoView()", k)
        browser.wait(f"const lost = (() => {{{lost}}})(); return lost && !lost[{k}] && lost[{19 - k}]")


def test_the_page_asks_for_nothing(tmp_path: Path) -> None:
    run_of("reaching").animate(tmp_path / "run.html")
    text = (tmp_path / "run.html").read_text().replace('"http://www.w3.org/2000/svg"', "")  # the name of a format
    assert not re.search(r"https?:|//[a-z]|\bsrc\s*=|href|@import|url\(|fetch|XMLHttp|WebSocket|import\s*\(", text)
    assert "default-src 'none'" in text
    assert text.isascii()


def test_names_are_escaped(browser: Browser, tmp_path: Path) -> None:
    evil = '</script><script>alert("1")</script>&amp;@DATA@'
    robot = replace(dynamis.load("bar-2r"), name=evil)
    run = replace(run_of("falling"), robot=robot, control="<b>", ended="<!-- <i>")
    text = page(animation(run, 10, 1, 100))
    assert text.count("<script") == 2
    assert text.count("</script>") == 2
    assert "<b>" not in text
    assert "<!--" not in text
    (tmp_path / "run.html").write_text(text)
    browser.open(tmp_path / "run.html")
    bar = "const bar = document.querySelector('.player input');"
    browser.run(f"{bar} bar.value = bar.max; bar.dispatchEvent(new Event('input'))")
    said = browser.run(SAID)
    assert said["name"] == evil
    assert said["about"].startswith("<b>, 1 s")
    assert said["event"] == "ended early: <!-- <i>"
    assert browser.errors() == []
    assert "<title>&lt;/script&gt;" in text


def test_points_are_fine_enough() -> None:
    found = short("stopping")
    data = page_data(found)
    drawn = np.array(data["points"]).reshape(found.points.shape) * data["unit"]
    assert np.abs(drawn - found.points).max() < 1e-4 * np.ptp(found.points)


@pytest.mark.parametrize("suffix", [".html", ".HTML", ".gif"])
def test_the_same_run_is_the_same_file(suffix: str, tmp_path: Path) -> None:
    if suffix == ".gif":
        pytest.importorskip("matplotlib")
    for k in (1, 2):
        run_of("falling").animate(tmp_path / f"{k}{suffix}", fps=5)
    assert (tmp_path / f"1{suffix}").read_bytes() == (tmp_path / f"2{suffix}").read_bytes()


@pytest.mark.parametrize("name", ["falling", "reaching", "following"])
def test_a_gif_lasts_as_long_as_the_motion(name: str, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    image = pytest.importorskip("PIL.Image")
    run = run_of(name)
    run.animate(tmp_path / "run.gif", fps=6.7)
    picture = image.open(tmp_path / "run.gif")
    lasts, pictures = 0, list[Any]()
    for k in range(picture.n_frames):
        picture.seek(k)
        lasts += picture.info["duration"]
        pictures.append(np.asarray(picture.convert("RGB")))
    found = animation(run, 6.7, 1.0, MAX_FRAMES[".gif"])
    assert lasts / 1000 == pytest.approx(run.duration + 1 / found.fps, abs=0.011)
    assert picture.n_frames == len(found.times)
    assert (pictures[0] != pictures[-1]).any()
    assert np.ptp(pictures[0]) > 100


def test_mp4_gives_the_frames_to_ffmpeg(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    fake = tmp_path / "ffmpeg"
    fake.write_text(
        f"#!{sys.executable}\nimport sys\nframes = sys.stdin.buffer.read()\nopen(sys.argv[-1], 'wb').write(frames)\n"
    )
    fake.chmod(0o755)
    monkeypatch.setitem(matplotlib.rcParams, "animation.ffmpeg_path", str(fake))
    run_of("falling").animate(tmp_path / "run.mp4", fps=4)
    assert (tmp_path / "run.mp4").stat().st_size == 5 * 560 * 560 * 4
    fake.write_text(f"#!{sys.executable}\nimport sys\nsys.stdin.buffer.read()\nsys.exit(3)\n")
    with pytest.raises(DynamisError, match=r"run\.mp4: ffmpeg could not write it.*\.html or \.gif"):
        run_of("falling").animate(tmp_path / "run.mp4", fps=4)


def test_mp4_without_ffmpeg_names_the_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ArgumentError, match="requires the program ffmpeg, which was not found; HTML and GIF"):
        run_of("falling").animate(tmp_path / "run.mp4")
    assert not list(tmp_path.iterdir())


def test_errors(tmp_path: Path) -> None:
    run = run_of("falling")
    with pytest.raises(ArgumentError, match=r"must end in \.html, \.gif, \.mp4, got .*run\.avi"):
        run.animate(tmp_path / "run.avi")
    for value in (0, -1, float("nan"), float("inf"), "fast"):
        for key in ("fps", "speed"):
            with pytest.raises(ArgumentError, match="must be a positive number") as caught:
                run.animate(tmp_path / "run.html", **{key: value})
            assert caught.value.key == key
    for name in ("x/run.html", "x/run.gif"):
        with pytest.raises(DynamisError, match="cannot be written: there is no folder"):
            run.animate(tmp_path / name)
    (tmp_path / "dir.html").mkdir()
    with pytest.raises(DynamisError, match="cannot be written: it is a folder"):
        run.animate(tmp_path / "dir.html")
    with pytest.raises(ArgumentError, match="fps must be at most 50 for a GIF, got 80"):
        run.animate(tmp_path / "run.gif", fps=80)


def test_a_page_needs_no_matplotlib(tmp_path: Path) -> None:
    code = (
        "import sys; sys.modules['matplotlib'] = None; sys.modules['PIL'] = None\n"
        "import dynamis\n"
        "run = dynamis.simulate(dynamis.load('bar-2r'), [0.5, 0.3], duration=0.1)\n"
        f"run.animate({str(tmp_path / 'run.html')!r})\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
    assert (tmp_path / "run.html").stat().st_size > 1000
