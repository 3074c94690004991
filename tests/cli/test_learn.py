"""`dynamis learn` from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.command_line import caller

TASK = """
[motion]
kind = "quintic"
start = [-1.47, 2.94]
goal = [-0.45, 0.9]
duration = 0.5
"""
QUICK = ("--period", "0.0025", "--trials", "4")


@pytest.fixture
def task(tmp_path: Path) -> str:
    path = tmp_path / "reach.toml"
    path.write_text(TASK, encoding="utf-8")
    return str(path)


def call(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    done = caller(monkeypatch, capsys, "learn")(*arguments)
    return done.code, done.out, done.err


def test_a_row_a_trial_then_the_sentences_and_files(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, task: str
) -> None:
    folder = tmp_path / "learned"
    arguments = ("bar-2r", task, *QUICK, "--mass-error", "20", "-o", str(folder))
    code, out, err = call(monkeypatch, capsys, *arguments)
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].split()[:2] == ["trial", "error"]
    assert [line.split()[0] for line in lines[2:6]] == ["1", "2", "3", "4"]
    assert (lines[0].split()[-2:], lines[2].split()[-1]) == (["torque", "[%]"], "20")
    for words in (
        "suggested from the mass matrix",
        "Ended: all 4 trials are done.",
        "u(0) learns from the error of the next sample",
        "holds.",
    ):
        assert words in out
    names = {path.name for path in folder.iterdir()}
    pictures = {"1-errors.png", "2-torque.png", "3-tracking-error.png"}
    assert names == pictures | {"learning.txt", "learning.json", "torque.csv"}
    assert all((folder / name).read_bytes().startswith(b"\x89PNG") for name in pictures)
    code, _, err = call(monkeypatch, capsys, *arguments)
    assert code == 2
    assert "exists and is not empty; use --force" in err
    assert call(monkeypatch, capsys, *arguments, "--force", "--figures", "none")[0] == 0


def test_json_is_all_that_is_printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], task: str
) -> None:
    options = (
        "--json", "--kp", "20", "--kd", "8,7", "--noise", "1e-4,1e-3", "--seed", "2", "--resolution", "1e-4",
        "--torque-limit", "30", "--ahead", "1", "--cutoff", "20", "--step", "0.00125", "--first", "gravity",
    )  # fmt: skip
    code, out, _ = call(monkeypatch, capsys, "bar-2r", task, *QUICK, *options)
    data = json.loads(out)
    assert code == 0
    assert len(data["trials"]) == 4
    settings = data["settings"]
    assert (settings["kp"], settings["kd"], settings["noise"]) == ([20, 20], [8, 7], [1e-4, 1e-3])
    assert (settings["ahead"], settings["cutoff"], settings["step"], settings["first"]) == (1, 20, 0.00125, "gravity")


def test_the_shipped_task_with_its_load(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    options = ("--period", "0.01", "--trials", "3", "--table", "torque", "--law", "pd-type", "--lp", "60", "--ld", "9")
    code, out, _ = call(monkeypatch, capsys, "bar-2r", "two-bar-reach", *options, "--no-gravity")
    assert code == 0
    assert "du 2" in out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--step", "0.01"), "(Ts > Tc)"),
        (("--kp", "five", "--kd", "1"), '--kp must be a number or a list such as 5,4,3, got "five"'),
        (("--kp", "-5", "--kd", "1"), "kp of joint q1 must be non-negative, got -5"),
        (("--mass-error", "-100"), "mass_error must be a number > -100 [%], got -100"),
        (("--figures", "gif"), 'unknown format of figures "gif"'),
        (("--table", "all"), 'unknown table "all"'),
        (("--law", "p-type"), 'unknown law of learning "p-type"'),
        (("--torque-limit", "model"), "has no effort limits"),
        (("--trials", "0"), "Invalid value for '--trials'"),
    ],
)
def test_wrong_input_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], task: str, arguments: tuple[str, ...],
    sentence: str,
) -> None:  # fmt: skip
    code, out, err = call(monkeypatch, capsys, "bar-2r", task, *arguments)
    assert (code, out) == (2, "")
    assert sentence in err


def test_a_motion_of_another_robot(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], task: str
) -> None:
    code, _, err = call(monkeypatch, capsys, "ur5", task)
    assert code == 2
    assert "6" in err
