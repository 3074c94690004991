"""`dynamis check` as its user meets it."""

import json
import sys
from pathlib import Path

import pytest

from dynamis.cli import main


@pytest.fixture
def check(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path):
    def call(robot: str, text: str, *options: str) -> tuple[int, str, str]:
        path = tmp_path / "answer.txt"
        path.write_text(text, encoding="utf-8")
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(sys, "argv", ["dynamis", "check", robot, path.name, *options])
        monkeypatch.setattr(main.warnings, "showwarning", main.warnings.showwarning)
        code: object = 0
        try:
            main.run()
        except SystemExit as end:
            code = end.code
        captured = capsys.readouterr()
        return int(str(code or 0)), captured.out, captured.err

    return call


def test_right_and_wrong(check):
    code, out, _ = check("planar-elbow", "g[2] = m2*g*lc2*c12\nM[2,2] = I2 - m2*lc2^2")
    assert code == 1
    assert out == (
        "g[2]    equal\n"
        "M[2,2]  wrong\n"
        "    wrong sign: it is lc2^2*m2\n"
        "    at all letters 1: yours 0, it is 2\n"
        "1 of 2 entries are right, compared exactly with planar-elbow\n"
    )
    assert check("planar-elbow", "g[2] = m2*g*lc2*c12")[0] == 0


def test_json(check):
    code, out, _ = check("planar-elbow", "M[2,2] = I2", "--json")
    data = json.loads(out)
    assert code == 1
    assert data["entries"] == [
        {
            "name": "M[2,2]", "status": "wrong", "line": 1, "differences": ["missing: lc2^2*m2"],
            "point": {"values": {"I2": "1", "lc2": "1", "m2": "1"}, "yours": 1.0, "true": 2.0},
        }
    ]  # fmt: skip


def test_values(check):
    assert check("planar-elbow", "M[2,2] = I2 + 3", "--set", "m2=12", "--set", "lc2=0.5")[0] == 0


def test_a_syntax_error_is_shown_with_its_place(check):
    code, out, err = check("planar-elbow", "M[2,2] = I2 +")
    assert (code, out) == (2, "")
    assert err == (
        "error: answer.txt:1: column 14: the text ends where a number, a name or a bracket is expected\n"
        "    M[2,2] = I2 +\n"
        "                 ^\n"
    )
