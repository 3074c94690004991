"""Sweep files of tolerance bands, certified bounds and design searches: what the functions give, as commands."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dynamis
from dynamis import DynamisError
from dynamis.apps.sweeps.sweep_file import Study, load_sweep
from dynamis.files import load_task
from dynamis.sweeps import box, bracket, design_search, normal, sobol, tolerance_bands
from tests.support.command_line import caller

ROBOT = dynamis.load("bar-2r")
BANDS = """map = "tolerance-bands"
motion = "two-bar-reach"
share = 0.9
[draw]
count = 64
[over]
m1 = { normal = [1, 0.05] }
"""
BOUNDS = """quantity = "gravity_torque"
[over]
q = { box = 2 }
[draw]
count = 64
[bracket]
seconds = 2
tolerance = 0.01
sides = "max"
"""
SEARCH = """quantity = ["gravity_torque", "tool"]
[over]
q = { box = 3 }
[draw]
count = 64
[search]
aims = ["max tool.radius", "-peak gravity_torque.q1"]
trials = 200
seed = 1
parameters = { L1 = { box = [0.2, 0.8] }, L2 = { box = [0.2, 0.6] } }
"""
TEXTS = {"bands": BANDS, "bounds": BOUNDS, "search": SEARCH}


def study(folder: Path, text: str, **options: Any) -> Study:
    file = folder / "study.toml"
    file.write_text(text)
    made = load_sweep(file, ROBOT, **options)
    assert isinstance(made, Study)
    return made


def test_what_files_say_is_what_functions_take(tmp_path: Path) -> None:
    budget = load_task("two-bar-reach", ROBOT).budget()
    bands: Any = study(tmp_path, BANDS).run()
    expected = tolerance_bands(ROBOT, budget, {"m1": normal(1, 0.05)}, sobol(64), 0.9)
    np.testing.assert_array_equal(bands.high, expected.high)
    bounds: Any = study(tmp_path, BOUNDS).run()
    swept = dynamis.sweep(ROBOT, "gravity_torque", {"q": box(2)}, sobol(64))
    told = list[tuple[int, int]]()
    same = bracket(swept, 2, 0.01, "max", progress=lambda done, all: told.append((done, all)))
    assert told == [(1, 2), (2, 2)]
    assert [(x.value, x.side, x.bound) for x in bounds.brackets] == [(x.value, x.side, x.bound) for x in same.brackets]
    found: Any = study(tmp_path, SEARCH).run()
    lengths = {"L1": box(0.2, 0.8), "L2": box(0.2, 0.6)}
    aims = ("max tool.radius", "-peak gravity_torque.q1")
    known = design_search(
        ROBOT, ["gravity_torque", "tool"], lengths, {"q": box(3)}, aims, sobol(64), trials=200, seed=1
    )
    np.testing.assert_array_equal(found.designs, known.designs)


def test_a_motion_beside_the_file(tmp_path: Path) -> None:
    (tmp_path / "hold.toml").write_text('[motion]\nkind = "quintic"\nstart = [0, 0]\ngoal = [1, 0]\nduration = 2\n')
    bands: Any = study(tmp_path, BANDS.replace("two-bar-reach", "hold.toml")).run()
    assert bands.t[-1] == 2


@pytest.mark.parametrize("kind", TEXTS)
def test_the_command(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    call = caller(monkeypatch, capsys, "sweep", "bar-2r")
    file, folder = tmp_path / "study.toml", tmp_path / "out"
    file.write_text(TEXTS[kind])
    schema = {"bands": "tolerance-bands", "bounds": "brackets", "search": "design-front"}[kind]
    assert json.loads(call(str(file), "--json").out)["schema"] == f"dynamis/{schema}/1"
    assert "time on this machine" in call(str(file), "--explain").out
    table = "brackets" if kind == "bounds" else "values"
    printed = call(str(file), "--table", table, "-o", str(folder)).out
    assert {"bands": "nominal peak", "bounds": "certified bound", "search": "max tool.radius"}[kind] in printed
    names = {path.name for path in folder.iterdir()}
    figure = {"bands": {"sweep.csv", "1-bands.png"}, "bounds": set[str](), "search": {"sweep.csv", "1-front.png"}}[kind]
    assert names == {"sweep.txt", "sweep.json"} | figure


def test_bounds_of_any_sweep(tmp_path: Path) -> None:
    plain = BOUNDS[: BOUNDS.index("[bracket]")]
    made: Any = study(tmp_path, plain, bracketed=True)
    assert study(tmp_path, f"bracket = true\n{plain}").explain().seconds > 10
    assert made.run().of("q1").bound >= 9.81


@pytest.mark.parametrize(
    ("kind", "old", "new", "sentence"),
    [
        ("bands", 'motion = "two-bar-reach"\n', "", "study.toml: the file has no motion"),
        ("bands", "two-bar-reach", "two-bar-reech", 'unknown task "two-bar-reech"; did you mean "two-bar-reach"?'),
        ("bands", "0.9", "90", "share must be between 0 and 1, got 90"),
        ("bands", "m1 =", "q =", "over must have boxes and distributions of parameters alone"),
        ("bands", "m1 =", "m7 =", 'unknown parameter "m7" in robot "bar-2r"'),
        ("bands", "tolerance-bands", "tolerance-band", 'did you mean "tolerance-bands"?'),
        ("bounds", '"max"', '"mix"', 'sides must be "max", "min" or "max min"'),
        ("bounds", "tolerance", "tolerence", 'unknown key "tolerence"'),
        ("bounds", "box = 2", "normal = [0, 1]", "a normal distribution has no bounds"),
        ("search", "max tool.radius", "max tool.radios", 'unknown value "tool.radios"; did you mean "tool.radius"?'),
        ("search", "L1 = {", "L3 = {", 'unknown parameter "L3" in robot "bar-2r"'),
        ("search", "trials = 200", "trials = 5", "trials"),
        ("search", "[search]", "[bracket]\n[search]", "a file has either [bracket] or [search]"),
        ("search", 'quantity = ["gravity_torque", "tool"]', 'map = "torque"', "a map has no search"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said(tmp_path: Path, kind: str, old: str, new: str, sentence: str) -> None:
    text = TEXTS[kind]
    assert old in text
    with pytest.raises(DynamisError) as error:
        study(tmp_path, text.replace(old, new)).run()
    assert sentence in str(error.value)
    assert "\n" not in str(error.value)
