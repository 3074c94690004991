"""`dynamis simulate` from the command line, simulation files, and the page about them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dynamis
from dynamis.files import load_simulation, simulations
from dynamis.simulation.runs.flow import Flow
from tests.support.command_line import Call, caller

PAGE = (Path(__file__).parents[2] / "docs" / "simulation.md").read_text(encoding="utf-8")
ROBOTS = {
    "double-pendulum": "bar-2r",
    "panda-falls": "panda",
    "puma-tracking": "puma560",
    "two-bar-encoders": "bar-2r",
    "ur5-regulation": "ur5",
}


@pytest.fixture
def call(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Call:
    return caller(monkeypatch, capsys, "simulate")


def blocks(kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL)


def test_every_shipped_simulation_has_its_robot() -> None:
    assert simulations() == sorted(ROBOTS)


@pytest.mark.parametrize("name", sorted(ROBOTS))
def test_shipped_simulations_run(call: Call, name: str) -> None:
    done = call(ROBOTS[name], name, "--json", "--no-check", "--samples", "11")
    data = json.loads(done.out)
    assert done.code == 0
    assert data["energy"]["drift"] < 1e-6
    assert not data["ended"]


def test_files_and_words(call: Call, tmp_path: Path) -> None:
    folder = tmp_path / "falls"
    done = call("bar-2r", "double-pendulum", "-o", str(folder), "--duration", "2")
    assert (done.code, done.err) == (0, "")
    assert "a second run with a hundredth of the tolerances" in done.out
    assert "energy is conserved" in done.out
    names = {path.name for path in folder.iterdir()}
    assert "not drawn, as all values are zero to rounding: torque" in done.out
    figures = {"1-position.png", "2-velocity.png", "3-energy.png", "4-phase.png"}
    assert names == figures | {"simulation.txt", "simulation.json", "history.csv", "animation.html"}
    assert all((folder / name).read_bytes().startswith(b"\x89PNG") for name in figures)
    assert call("bar-2r", "double-pendulum", "-o", str(folder)).err.endswith("use --force to write into it\n")


def test_conditions_are_told(call: Call) -> None:
    done = call("ur5", "ur5-regulation", "--no-check", "--duration", "0.1")
    assert "Sufficient conditions (a loop may be stable without them)" in done.out
    assert "K_P, K_D > 0, so that the robot comes to rest for any constant goal: holds" in done.out


@pytest.mark.parametrize("inner", ['kind = "pd"', 'kind = "momentum-observer"\ninner = "pd"\ngain = 20'])
@pytest.mark.parametrize("model", ["", "mass_error = 10\n"])
def test_conditions_are_those_in_the_gravity_of_the_run(call: Call, tmp_path: Path, inner: str, model: str) -> None:
    file = tmp_path / "task.toml"
    file.write_text(f"duration = 0.01\n{START}[control]\n{inner}\nkp = 10\nkd = 2\ngoal = [0, 0]\n{model}")
    assert "at the goal itself: does not hold" in call("bar-2r", str(file), "--no-check").out
    assert "at the goal itself: holds" in call("bar-2r", str(file), "--no-check", "--no-gravity").out


def test_the_file_of_the_page(call: Call, tmp_path: Path) -> None:
    (text,) = blocks("toml")
    file = tmp_path / "task.toml"
    file.write_text(text, "utf-8")
    done = call("bar-2r", str(file), "--json")
    found = json.loads(done.out)
    assert done.code == 0
    assert found["settings"]["period"] == 0.002
    assert found["settings"]["torque_limit"] == [20.0, 8.0]
    asked = load_simulation(file, dynamis.load("bar-2r"))
    assert np.allclose(asked.q0, np.radians([20, 30]))
    assert np.allclose(asked.goal, np.radians([60, 30]))
    model = asked.control.model
    assert np.allclose(model.gravity_torque([0, 0]), 1.1 * dynamis.load("bar-2r").gravity_torque([0, 0]))


def test_the_python_of_the_page() -> None:
    scope: dict[str, object] = {}
    for block in blocks("python"):
        exec(compile(block, "docs/simulation.md", "exec"), scope)
    assert np.shape(scope["many"].q_history) == (1000, 11, 2)  # type: ignore[attr-defined]


START = "[start]\nq = [0.1, 0.2]\n"


def test_torques_over_time(call: Call, tmp_path: Path) -> None:
    file = tmp_path / "task.toml"
    file.write_text(f'duration = 1\n{START}[control]\nkind = "torque"\ntimes = [0, 0.5, 1]\n'
                    "torque = [[1, 0], [2, 0.5], [0, 0]]\nhold = true\n")  # fmt: skip
    run = load_simulation(file, dynamis.load("bar-2r")).run(samples=5)
    assert run.tau.tolist() == [[1, 0], [1, 0], [2, 0.5], [2, 0.5], [0, 0]]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("duration = 1\n", "[start] is missing; write q = [...] under [start]"),
        (START, "task.toml: duration is missing"),
        (f"duration = 0\n{START}", "duration must be a positive number [s], got 0"),
        ("duration = 1\n[start]\nq = [1]\n", 'q has 1 values; robot "bar-2r" has 2 joints'),
        (f"duration = 1\nlenght = 2\n{START}", 'unknown key "lenght"'),
        (f"duration = 1\nmotoin = 2\n{START}", 'unknown key "motoin" in the file; did you mean "motion"?'),
        (f'duration = 1\n{START}[control]\nkind = "pdd"\n', 'unknown control "pdd"; did you mean "pd"?'),
        (f'duration = 1\n{START}[control]\nkind = "pd"\nkp = 1\nkd = 1\n', "PD needs a goal=..."),
        (f'duration = 1\n{START}[control]\nkind = "pd"\nkp = 1\ngoal = [0, 0]\n', 'controller "pd" needs kd'),
        (f'duration = 1\n{START}[control]\nkind = "pd"\nkp = 1\nkd = 1\nki = 1\ngoal = [0, 0]\n', 'unknown gain "ki"'),
        (f'duration = 1\n{START}[control]\nkind = "torque"\n', "[control] has no torque"),
        (
            f'duration = 1\n{START}[control]\nkind = "torque"\ntorque = [1]\n',
            "control must have one value per joint, got 1 value",
        ),
        (f'duration = 1\n{START}[integrator]\nkind = "euler"\n', 'unknown integrator "euler"'),
        (f'duration = 1\n{START}[integrator]\nkind = "rk4"\n', "rk4 has a fixed step"),
        (f"duration = 1\n{START}[integrator]\nstep = -1\n", "task.toml:5: step must be a positive number [s], got -1"),
        (f'duration = 1\n{START}[limits]\nkind = "wall"\n', 'unknown treatment of limits "wall"'),
        (f"duration = 1\n{START}[limits]\nrestitution = 2\n", "restitution must be a number from 0 to 1, got 2"),
        (
            f'duration = 1\n{START}[control]\nkind = "pd"\nkp = {{ a = 1 }}\nkd = 1\ngoal = [0, 0]\n',
            "kp must be a number, a text or a list, got a table",
        ),
    ],
)
def test_wrong_files_are_one_sentence(call: Call, tmp_path: Path, text: str, sentence: str) -> None:
    file = tmp_path / "task.toml"
    file.write_text(text)
    done = call("bar-2r", str(file))
    assert done.code == 2
    assert sentence in done.err
    assert done.err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("bar-2r", "doble-pendulum"), 'unknown simulation "doble-pendulum"; did you mean "double-pendulum"?'),
        (("bar-2r", "nowhere.toml"), "no such file"),
        (("bar-2r", "double-pendulum", "--animation", "avi"), "--film must be html, gif, mp4 or none"),
        (("bar-2r", "double-pendulum", "--figures", "gif"), 'unknown format of figures "gif"'),
        (("bar-2r", "double-pendulum", "--step", "1e-3", "--integrator", "radau"), "radau chooses its steps itself"),
        (("puma560", "double-pendulum"), 'q has 2 values; robot "puma560" has 6 joints'),
    ],
)
def test_wrong_words(call: Call, arguments: tuple[str, ...], sentence: str) -> None:
    done = call(*arguments)
    assert done.code == 2
    assert sentence in done.err


def test_a_run_that_blows_up_is_told_and_kept(call: Call, tmp_path: Path) -> None:
    file = tmp_path / "task.toml"
    file.write_text(f'duration = 1\n{START}[control]\nkind = "pd"\nkp = 10\nkd = -50\ngoal = [0, 0]\n')
    done = call("bar-2r", str(file), "-o", str(tmp_path / "out"), "--figures", "none", "--film", "none")
    assert done.code == 2
    assert "the simulation blew up after t = " in done.err
    assert "the loop is unstable" in done.err
    assert (
        done.out
        == f"wrote history.csv, simulation.txt, simulation.json to {tmp_path / 'out'}, of the run until it blew up\n"
    )
    rows = (tmp_path / "out" / "history.csv").read_text()
    assert "nan" not in rows
    assert rows.count("\n") > 2


def test_without_matplotlib_it_is_said_before_anything_is_computed(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dynamis.cli.output.find_spec", lambda name: None)
    done = call("bar-2r", "double-pendulum", "-o", str(tmp_path / "out"), "--figures", "svg")
    assert done.err == 'error: figures need matplotlib: pip install "dynamis[report]", or --figures none\n'
    assert not (tmp_path / "out").exists()
    asked = ("--duration", "0.1", "--figures", "none", "--no-check")
    assert call("bar-2r", "double-pendulum", "-o", str(tmp_path / "out"), *asked).code == 0
    assert (tmp_path / "out" / "animation.html").exists()


def test_an_interrupt_tells_what_was_computed(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    rate = Flow.rate

    def interrupted(flow: Flow, t: float, x: Any) -> Any:
        if t > 0.5:
            raise KeyboardInterrupt
        return rate(flow, t, x)

    monkeypatch.setattr(Flow, "rate", interrupted)
    done = call("bar-2r", "double-pendulum")
    assert done.code == 130
    assert "ended early: interrupted at t = 0." in done.out


def test_tables_are_in_the_unit_of_the_file(call: Call, tmp_path: Path) -> None:
    """A file in degrees is answered in degrees; JSON has radians."""
    task = tmp_path / "task.toml"
    start = "duration = 0.01\n[start]\nq = [30, 60]\n"
    task.write_text(start)
    assert "[rad]" in call("bar-2r", str(task), "--no-check").out
    task.write_text(start + "degrees = true\n")
    out = call("bar-2r", str(task), "--no-check").out
    assert "[deg]" in out
    assert "30.000" in out
    assert "[rad" not in out
    start = json.loads(call("bar-2r", str(task), "--no-check", "--json").out)["summary"]["start"]
    assert np.allclose(start, [np.pi / 6, np.pi / 3])
