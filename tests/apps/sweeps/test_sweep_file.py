"""Sweep files and the command: what a file says is what the function takes, and what is wrong is told with its line."""

import json
from pathlib import Path

import numpy as np
import pytest

import dynamis
from dynamis import DynamisError, sweep
from dynamis.apps.sweeps.sweep_file import load_sweep
from dynamis.sweeps import box, correlated, exceeds, grid, histogram, lattice, normal
from tests.support.command_line import caller

EVERYTHING = """
quantity = "inverse_dynamics"
payload = 2.0
keep = ["max", "argmax", "q90", { exceeds = "effort" }, { histogram = [7, -2, 5] }, { exceeds = [1, 2, 3, 4, 5, 6] }]
draw = { kind = "lattice", count = 1e3, seed = 3 }

[over]
q = { box = "limits" }
qd.q2 = { box = ["-pi/2", 1] }
qdd = [0, 0, 0, 0, 0, 1]
payload.mass = [0, 1]
forearm.mass = { normal = [2, 0.1] }
masses = { correlated = ["shoulder.mass", "upper_arm.mass"], mean = [3, 8], covariance = [[0.2, 0.1], [0.1, 0.3]] }

[by]
z = { of = "tool.z", cells = 3, from = -1, to = 1 }
"""


def test_a_file_says_what_the_function_takes(tmp_path: Path) -> None:
    file = tmp_path / "a.toml"
    file.write_text(EVERYTHING)
    robot = dynamis.load("ur5")
    over = {
        "q": box("limits"), "qd.q2": box(-np.pi / 2, 1), "qdd": [0, 0, 0, 0, 0, 1], "payload.mass": [0, 1],
        "forearm.mass": normal(2, 0.1),
        ("shoulder.mass", "upper_arm.mass"): correlated([3, 8], [[0.2, 0.1], [0.1, 0.3]]),
    }  # fmt: skip
    keep = ["max", "argmax", "q90", exceeds("effort"), histogram(7, -2, 5), exceeds([1, 2, 3, 4, 5, 6])]
    by = {"z": ("tool.z", 3, -1, 1)}
    assert load_sweep(file, robot) == sweep(
        robot.with_payload(2.0), "inverse_dynamics", over, lattice(1000, seed=3), by, keep
    )
    file.write_text('quantity = "gravity_torque"\ndraw = { kind = "grid", count = 3 }\n[over]\nq = { box = 1 }')
    assert load_sweep(file, robot).parts.draw == grid(3)


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('"inverse_dynamics"', '"inverse_dynamic"', ':2: unknown quantity "inverse_dynamic"; did you mean'),
        ('"argmax"', '"argmux"', ':4: unknown reduction "argmux"; did you mean "argmax"?'),
        ('{ exceeds = "effort" }', '{ exceed = "effort" }', ":4: keep has {'exceed': 'effort'}; give a word, or"),
        ('"effort"', '["effort", 2]', ":4: limit must be a finite number or a list of them, got ('effort', 2)"),
        ("1e3", "1.5", ":5: count must be a whole number, got 1.5"),
        ("1e3", "1e30", ":5: a sweep has at most 2^52"),
        ('"lattice"', '"latice"', ':5: unknown kind "latice"; did you mean "lattice"?'),
        ('["-pi/2", 1]', "[2, 1]", ":9: this box is empty: its least value 2 is above its greatest 1"),
        ('{ normal = [2, 0.1] }', "{ normal = 1, box = 2 }", ":12: forearm.mass must have one of box, normal"),
        ("forearm.mass", "forarm.mass", 'did you mean "forearm.mass"?'),
        ('"tool.z"', '"tool.zz"', ':15: unknown cell variable "tool.zz"; did you mean "tool.z"?'),
        ("[by]", '[options]\nkeep = "tool"\n[by]', ':16: unknown option "keep"'),
        (", to = 1", "", ":16: [by.z] needs both from and to, or neither"),
        ("cells = 3", "cells = 0", ":16: cells must be a positive integer, got 0"),
        ('{ box = ["-pi/2", 1] }', "{ bx = 1 }", ':9: qd.q2 has "bx"; did you mean "box"?'),
        ('["-pi/2", 1]', '"limit"', ':9: qd.q2 has box = "limit"; did you mean "limits"?'),
        ('{ normal = [2, 0.1] }', "{ normal = 1 }", ":12: normal takes mean, deviation; it has 1 value here"),
        ("payload = 2.0", 'map = "torque"', ":2: a map has a quantity of its own; leave out either quantity or map"),
        ("payload = 2.0", "bracket = 3", ":3: bracket must be true or a table, got 3"),
        ("payload = 2.0", "paylod = 2.0", ':3: unknown key "paylod" in the file; did you mean "payload"?'),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_its_line(tmp_path: Path, old: str, new: str, sentence: str) -> None:
    file = tmp_path / "a.toml"
    assert old in EVERYTHING
    file.write_text(EVERYTHING.replace(old, new))
    with pytest.raises(DynamisError) as error:
        load_sweep(file, dynamis.load("ur5"))
    assert sentence in str(error.value)


def test_the_command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    call = caller(monkeypatch, capsys)
    folder = tmp_path / "map"
    assert "9.81" in call("sweep", "bar-2r", "two-bar-gravity", "-o", str(folder)).out
    assert {path.name for path in folder.iterdir()} == {"sweep.nc", "1-map.png", "sweep.txt", "sweep.json"}
    data = json.loads((folder / "sweep.json").read_text())
    (peak,) = (x for x in data["values"] if x["name"] == "q1")
    robot = dynamis.load("bar-2r")
    assert np.isclose(abs(robot.gravity_torque(peak["argpeak"]["state"]["q"])[0]), peak["peak"])
    assert "time on this machine" in call("sweep", "bar-2r", "two-bar-gravity", "--explain").out
    (tmp_path / "a.toml").write_text(
        'quantity = "gravity_torque"\nkeep = ["argmax"]\ndraw.count = 9\n[over]\nq = { box = 1 }\nm2 = [1, 2]\n'
    )
    values = json.loads(call("sweep", "bar-2r", str(tmp_path / "a.toml"), "--json").out)["values"]
    assert [x["case"] for x in values] == [{"m2": 1.0}] * 2 + [{"m2": 2.0}] * 2
    assert values[3]["argmax"]["state"]["m2"] == 2.0


def test_ctrl_c_keeps_what_is_done(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Every run is interrupted after one slice more; the last one has all, as a run without a break has."""
    file, folder, part = tmp_path / "a.toml", tmp_path / "out", tmp_path / "out.part"
    file.write_text('quantity = "gravity_torque"\ndraw.count = 250_000\n[over]\nq = { box = 3 }\n')
    command = ("sweep", "bar-2r", str(file), "-o", str(folder), "--figures", "none")
    call, told = caller(monkeypatch, capsys), list[str]()

    def interrupted(_: object, what: str) -> None:
        told.append(what)
        if len(told) < 4:
            raise KeyboardInterrupt

    monkeypatch.setattr("dynamis.cli.terminal.Progress.__call__", interrupted)
    for k in range(3):
        ended = call(*command)
        assert ended.code == 130
        assert f"what is done is kept in {part}; the same command goes on from there" in ended.err
        with np.load(part) as saved:
            assert int(saved["done"]) == k + 1
    assert call(*command).code == 0
    assert told == [f"{n:,} of 250,000 states" for n in (65536, 131072, 196608, 250000)]
    assert not part.exists()
    data = json.loads((folder / "sweep.json").read_text())
    whole = load_sweep(file, dynamis.load("bar-2r")).run()
    assert [x["peak"] for x in data["values"]] == whole["peak"].values.tolist()
