"""`dynamis check` as its user meets it."""

import json
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import pytest

from dynamis import Robot
from dynamis.errors import MemoryLimitError
from dynamis.grading import check as grading
from tests.support.command_line import caller


@pytest.fixture
def check(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path):
    def call(robot: str, text: str, *options: str) -> tuple[int, str, str]:
        path = tmp_path / "answer.txt"
        path.write_text(text, encoding="utf-8")
        monkeypatch.chdir(tmp_path)
        done = caller(monkeypatch, capsys, "check")(robot, path.name, *options)
        return done.code, done.out, done.err

    return call


def test_right_and_wrong(check):
    code, out, _ = check("planar-elbow", "g[2] = m2*g*lc2*c12\nM[2,2] = I2 - m2*lc2^2")
    assert code == 1
    assert out == (
        "answer.txt against planar-elbow\n"
        "\n"
        "entry   verdict\n"
        "------  --------------------------------------------\n"
        "g[2]    equal\n"
        "M[2,2]  wrong\n"
        "        wrong sign: it should be m2*lc2^2\n"
        "        at all symbols 1: yours is 0, it should be 2\n"
        "1 of 5 entries are right, compared exactly with planar-elbow\n"
        "incomplete: g[1], M[1,1], M[1,2] are not given\n"
    )
    assert check("planar-elbow", "g[2] = m2*g*lc2*c12")[0] == 1  # incomplete
    assert check("planar-elbow", "g[1] = (m1*lc1 + m2*l1)*g*c1 + g[2]\ng[2] = m2*g*lc2*c12")[0] == 0


def test_json(check):
    code, out, _ = check("planar-elbow", "M[2,2] = I2", "--json")
    data = json.loads(out)
    assert code == 1
    assert data["entries"] == [
        {
            "name": "M[2,2]", "status": "wrong", "line": 1, "differences": ["missing: m2*lc2^2"],
            "corrections": [{"of": "M[2,2]", "written": "I2", "correct": "m2*lc2**2 + I2"}],
            "point": {"values": {"I2": "1", "lc2": "1", "m2": "1"}, "yours": 1.0, "true": 2.0},
        }
    ]  # fmt: skip


def test_values(check):
    rest = "M[1,1] = M[2,2] + 12*l1^2 + 12*l1*cos(q2) + I1 + m1*lc1^2\nM[1,2] = M[2,2] + 6*l1*cos(q2)"
    assert check("planar-elbow", f"M[2,2] = I2 + 3\n{rest}", "--set", "m2=12", "--set", "lc2=0.5")[0] == 0


def test_a_syntax_error_is_shown_with_its_place(check):
    code, out, err = check("planar-elbow", "M[2,2] = I2 +")
    assert (code, out) == (2, "")
    assert err == (
        "error: answer.txt:1: column 14: a number, a name or a bracket is expected here, and the text ends\n"
        "    M[2,2] = I2 +\n"
        "                 ^\n"
    )


def test_out_of_time_shows_what_was_finished(check, monkeypatch: pytest.MonkeyPatch):
    ticks = count()
    monkeypatch.setattr("dynamis.scalars.exact.limits.time", SimpleNamespace(monotonic=lambda: next(ticks) / 1000))
    code, out, _ = check("panda", "M[7,7] = 0\nc[1] = 0\ntau[1] = 0", "--seconds", "1.5")
    assert code == 1
    assert "\nM[7,7]  wrong\n" in out
    assert " ".join(out.split()).endswith(
        "time limit of 1.5 s reached: 2 of 3 entries were not compared (c[1], tau[1]); "
        "give more time with --seconds, or fewer entries"
    )


def test_json_says_how_an_entry_was_read(check):
    code, out, _ = check("bar-2r", "given m1 = 1\nM[2,2] = 0.333*m2*L2^2\ng[2] = a1*cos(q1 + q2)", "--json")
    data = json.loads(out)
    assert code == 1
    assert data["verdict"] == "incomplete"
    assert data["notes"] == ["compared for m1 = 1"]
    assert data["unfinished"] == []
    assert [entry["status"] for entry in data["entries"]] == ["equal up to rounding", "equal with coefficients"]
    assert [entry["because"] for entry in data["entries"]] == [["reading 0.333 as 1/3"], ["with a1 = 1/2*m2*L2*g"]]


def test_values_with_decimals_follow_the_rule_of_the_file(check):
    assert "equal, reading 0.333 as 1/3" in check("bar-2r", "M[2,2] = m2/27", "--set", "L2=0.333")[1]
    assert "M[2,2]  wrong" in check("bar-2r", "M[2,2] = m2/27", "--set", "L2=0.3")[1]


def test_a_file_that_cannot_be_read_costs_that_file_only(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    right = "M22 = I2 + m2*lc2^2;"
    Path("ann.m").write_bytes(f"% für Windows\n{right}".encode("cp1252"))
    Path("bob.m").write_bytes(f"% für PowerShell\n{right}".encode("utf-16"))
    Path("photo.m").write_bytes(bytes(range(256)))
    done = caller(monkeypatch, capsys, "check")("planar-elbow", "ann.m", "gone.m", "bob.m", "photo.m", "--json")
    data = json.loads(done.out)
    assert done.code == 2
    assert [answer["entries"][0]["status"] for answer in data["answers"]] == ["equal", "equal"]
    assert data["refused"] == {"gone.m": "gone.m: no such file", "photo.m": "photo.m: is not a text in UTF-8"}
    alone = caller(monkeypatch, capsys, "check")("planar-elbow", "photo.m")
    assert (alone.code, alone.err) == (2, "error: photo.m: is not a text in UTF-8\n")


@pytest.mark.parametrize("failure", [IndexError("list index out of range"), MemoryLimitError(1)])
def test_an_answer_that_cannot_be_judged_is_neither_right_nor_wrong_and_stops_no_other(
    failure: Exception, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    whole = grading.check_answer

    def failing(robot: Robot, text: str, *more: object) -> object:
        if "ouch" in text:
            raise failure
        return whole(robot, text, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(grading, "check_answer", failing)
    monkeypatch.chdir(tmp_path)
    Path("ann.txt").write_text("M22 = I2 + m2*lc2^2")
    Path("bob.txt").write_text("ouch")
    Path("eve.txt").write_text("M22 = I2")
    done = caller(monkeypatch, capsys, "check")("planar-elbow", "ann.txt", "bob.txt", "eve.txt")
    assert done.code == 2
    assert [line.split()[:3] for line in done.out.splitlines()[-3:]] == [
        ["ann.txt", "incomplete", "1"], ["eve.txt", "wrong", "0"], ["bob.txt", "not", "judged"],
    ]  # fmt: skip
    alone = caller(monkeypatch, capsys, "check")("planar-elbow", "bob.txt")
    assert (alone.code, alone.out) == (2, "")
    assert alone.err.startswith("error: ")
    assert str(failure) in alone.err
