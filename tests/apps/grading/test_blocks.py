"""Answers in branches, loops and functions, none of which is followed, and names that change at once."""

import re

import pytest

from dynamis.apps.grading.reading.source import AnswerError
from tests.support.answers import checked, complaint

GRAVITY = "(m1*lc1 + m2*l1)*g*cos(q1) + m2*lc2*g*cos(q1 + q2)", "m2*lc2*g*cos(q1 + q2)"
ARRAY = f"G = np.array([{', '.join(GRAVITY)}])"
MATLAB = f"G = [{'; '.join(GRAVITY)}];"


def numpy(*lines: str) -> str:
    return "\n".join(("import numpy as np", *lines, ""))


@pytest.mark.parametrize("header", [
    "False", "0", "None", "(False)", "not True", "1 == 2", "(0 > 1)", "q1 != q1", "fast and 1 > 2",
    "not (1 < 2 or fast)",
])  # fmt: skip
def test_what_is_never_run_is_not_read(header: str):
    text = complaint(numpy(f"if {header}:", f"    {ARRAY}"))
    assert "line 2 keeps this from being run; write it outside of that block" in text


@pytest.mark.parametrize("text", [
    numpy("while False:", f"    {ARRAY}"),
    numpy("if False:", "    if fast:", f"        {ARRAY}"),
    numpy("def f(q):", "    return q", f"    {ARRAY}"),
    f"if False:\n    G1 = {GRAVITY[0]}\n    G2 = {GRAVITY[1]}\n",
    f"if false\n {MATLAB}\nend\n",
    f"while (0)\n {MATLAB}\nend\n",
    numpy("for k in []:", f"    {ARRAY}"),
    numpy("for k in range(3, 1):", f"    {ARRAY}"),
    numpy("debug = False", "if debug:", f"    {ARRAY}"),
    numpy("if True:", "    pass", "else:", f"    {ARRAY}"),
    numpy("import sys", "sys.exit()", ARRAY),
    f"for k = 1:0\n {MATLAB}\nend\n",
    f"mode = 1;\nif mode == 2\n {MATLAB}\nend\n",
    f"return;\n{MATLAB}\n",
    numpy("q1, q2 = q2, q1", ARRAY),
    numpy("(q1, q2) = (q2, q1)", ARRAY),
    numpy("q1, q2 = [q2, q1]", ARRAY),
    numpy("q1, q2 = np.array([q2, q1])", ARRAY),
    numpy("q2, q1 = q", ARRAY),
    numpy("m1, m2 = m2, m1", ARRAY),
    f"[q1, q2] = deal(q2, q1);\n{MATLAB}\n",
    f"G1, G2 = {GRAVITY[1]}, {GRAVITY[0]}\nG1, G2 = G2, G1\n",
])  # fmt: skip
def test_there_is_no_verdict(text: str):
    try:
        report = checked(text)
    except AnswerError:
        return
    assert report.verdict == "incomplete"
    assert report.unread
    assert not report.wrong


@pytest.mark.parametrize(("swap", "swapped"), [
    ("t = q1; q1 = q2; q2 = t;", {"q1": "q2", "q2": "q1"}),
    ("x = [q2; q1]; q1 = x(1); q2 = x(2);", {"q1": "q2", "q2": "q1"}),
    ("t = m1; m1 = m2; m2 = t;", {"m1": "m2", "m2": "m1"}),
])  # fmt: skip
def test_names_that_change_places_through_another(swap: str, swapped: dict[str, str]):
    """The formula in the old names is wrong then, and the one in the new names right."""
    renamed = re.sub(r"\b[mq]\d", lambda name: swapped.get(name[0], name[0]), MATLAB)
    assert checked(f"{swap}\n{MATLAB}\n").verdict == "wrong"
    assert checked(f"{swap}\n{renamed}\n").verdict == "right"


@pytest.mark.parametrize(("text", "note"), [
    (numpy("if fast:", f"    {ARRAY}"), "line 3 was read as if the branch of line 2 is taken"),
    (numpy("if False:", "    x = 1", "else:", f"    {ARRAY}"), "line 5 was read as if the branch of line 4 is taken"),
    (numpy("for k in range(2):", f"    {ARRAY}"), "line 3 was read as if the loop of line 2 runs once"),
    (f"if mode == 1\n {MATLAB}\nend\n", "line 2 was read as if the branch of line 1 is taken"),
    (numpy("def f(q):", f"    {ARRAY}", "    return G", "x = 3"), "line 3 is in the function f, which nothing in this"),
    (f"x = 3;\nfunction G = f(q)\n {MATLAB}\nend\n", "line 3 is in the function f, which nothing in this file calls"),
])  # fmt: skip
def test_what_may_not_be_run_is_noted(text: str, note: str):
    report = checked(text)
    assert report.verdict == "right"
    assert any(note in line for line in report.notes)


@pytest.mark.parametrize("text", [
    numpy("def f(q):", f"    {ARRAY}", "    return G"),
    numpy("class Arm:", "    def f(self, q):", f"        {ARRAY}", "        return G"),
    numpy("if __name__ == '__main__':", f"    {ARRAY}"),
    numpy("q1, q2 = q", ARRAY),
    numpy("if m1 < 0:", "    raise ValueError", ARRAY),
    f"function G = f(q)\nif m1 < 0\n  return\nend\n{MATLAB}\nend\n",
    numpy("q1, q2 = q[0], q[1]", ARRAY),
    numpy("m1, m2, l1 = p.m1, p.m2, p.l1", ARRAY),
    f"function G = f(q)\n {MATLAB}\nend\n",
])  # fmt: skip
def test_the_usual_forms_have_no_note(text: str):
    report = checked(text)
    assert report.verdict == "right"
    assert not any("read as if" in note or "nothing in this file" in note for note in report.notes)
