"""`dynamis motion` from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.command_line import caller

REACH = "two-bar-reach"


def call(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    done = caller(monkeypatch, capsys, "motion")(*arguments)
    return done.code, done.out, done.err


def test_the_four_figures_of_the_report(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    folder = tmp_path / "reach"
    code, out, err = call(monkeypatch, capsys, "bar-2r", REACH, "-o", str(folder))
    assert (code, err) == (0, "")
    assert "51 % of the peak of joint 1 is load 1 (tool wrench)" in out
    names = {path.name for path in folder.iterdir()}
    four = {"1-tool.png", "2-torques.png", "3-torques-without-gravity.png", "4-gravity-ratio.png"}
    assert four | {"budget.txt", "budget.json", "history.csv"} <= names
    assert all((folder / name).read_bytes().startswith(b"\x89PNG") for name in four)
    code, _, err = call(monkeypatch, capsys, "bar-2r", REACH, "-o", str(folder))
    assert code == 2
    assert "exists and is not empty; use --force" in err
    options = ("--force", "--figures", "none", "--history", "none")
    assert call(monkeypatch, capsys, "bar-2r", REACH, "-o", str(folder), *options)[0] == 0


def test_json(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(monkeypatch, capsys, "bar-2r", REACH, "--json", "--samples", "11", "--no-gravity")
    data = json.loads(out)
    assert code == 0
    assert data["samples"] >= 11
    assert data["effects"]["gravity"]["highest"] == [0.0, 0.0]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("bar-2r", "nowhere.toml"), "no such file"),
        (("puma560", REACH), "so it has no branches; leave branch out"),
        (("bar-2r", REACH, "--figures", "gif"), 'unknown format of figures "gif"'),
        (("bar-2r", REACH, "--history", "xlsx"), 'unknown format of samples "xlsx"'),
        (("bar-2r", REACH, "--table", "everything"), 'unknown table "everything"'),
    ],
)
def test_wrong_input_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], sentence: str
) -> None:
    code, _, err = call(monkeypatch, capsys, *arguments)
    assert code == 2
    assert err.startswith("error: ")
    assert err.count("\n") == 1
    assert sentence in err


def test_a_robot_without_a_tool_has_no_figure_of_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    robot, task = tmp_path / "pole.toml", tmp_path / "task.toml"
    head = '[robot]\nname = "pole"\nconvention = "offset"\n'
    link = 'parent = "base"\njoint = { name = "JOINT", kind = "revolute" }\naxis = [0, 0, 1]\nmass = 1\n'
    link += "offset = [0, 0, 0]\n"
    links = [f'[[link]]\nname = "pole {k}"\n{link.replace("JOINT", f"q{k}")}' for k in (1, 2)]
    robot.write_text(head + "".join(links), "utf-8")
    task.write_text('[motion]\nkind = "quintic"\nstart = [0, 0]\ngoal = [1, 1]\nduration = 1\n', "utf-8")
    code, out, err = call(monkeypatch, capsys, str(robot), str(task), "-o", str(tmp_path / "x"))
    assert code == 0, err
    assert "1-joints.png" in out
    assert "not drawn, as all torques are zero: " in out
    assert 'note: robot "pole" has no tool, so there is no figure of its motion; name a frame in the task' in err


def test_figures_of_a_motion_that_is_not_kept(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Where only the torques of so many samples are kept, the other figures come from fewer, and that is said."""
    monkeypatch.setattr("dynamis.motion.torque_budget.budget_of_motion.MOST_KEPT", 100_000)
    arguments = "bar-2r", REACH, "-o", str(tmp_path / "x"), "--samples", "10000", "--history", "none"
    code, out, err = call(monkeypatch, capsys, *arguments)
    assert code == 0
    assert "2-torques.png" in out
    assert "samples the torques alone are kept (256 MB); tool, torques, torques-without-gravity, bearings " in err
    assert "are drawn from 4,001 samples" in err
    assert (tmp_path / "x" / "2-torques.png").exists()


@pytest.mark.parametrize("head", ["[motion]", "[[segment]]"])
def test_tables_are_in_the_unit_of_the_file(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, head: str
) -> None:
    task = tmp_path / "task.toml"
    motion = f'{head}\nkind = "quintic"\nstart = [0, 0]\ngoal = [90, 0]\nduration = 1\n'
    speeds: list[str] = []
    for unit, line in (("[rad/s]", ""), ("[deg/s]", "degrees = true\n")):
        task.write_text(motion + line)
        _, out, _ = call(monkeypatch, capsys, "bar-2r", str(task), "--table", "sizing", "--samples", "101")
        assert unit in out
        speeds.append(next(row.split()[6] for row in out.splitlines() if row.startswith("1 ")))
    assert speeds == ["168.750", "168.750"]
