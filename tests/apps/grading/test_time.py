"""The time that an answer takes: linear in its text whatever it says, and within `--seconds`.

Every input runs in a process that can be ended. Its processor time is measured, which other programs do not change.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence

# Hostile inputs, each as large as an answer may be; read in linear time they take less than 0.6 s.
SEVERE = {
    "blanks before a word": "M11 = m1\n" + " " * 190_000 + "x",
    "blanks around a declaration": "a" + " " * 90_000 + "= symbols(" + ")" * 1000 + " " * 90_000 + "x",
    "blanks in an open bracket": "M11 = (\n" + " " * 190_000 + "x\nM12 = 1",
    "blanks before a right side": "M11 =" + " " * 190_000 + "x",
    "blanks behind a cosine": "c1 = cos(q1)" + " " * 190_000 + "x\nM11 = 1",
    "names that are products of names": "\n".join(f"let {'a1' * k} = q1" for k in range(1, 25))
    + "\nM11 = "
    + "a1" * 24
    + "zz",
    "signs of equality": "a=" * 95_000,
    "left sides": "M11=" * 20_000 + "a=" * 50_000 + "1",
    "semicolons": "M11 = 1" + ";" * 190_000,
    "semicolons before": ";" * 190_000 + "M11 = 1",
    "blanks in a condition": "x = 1" + " " * 90_000 + "y\nif x" + " " * 90_000 + "y\n    M11 = 1",
    "names behind": "M11 = 1" + " =: h" * 38_000,
    "conditions": "x = 1\n" + "if x == 1 and (x or 2 > 1):\n M11 = m1\n" * 900,
    "tags": "M11 = 1 " + r"\tag{" * 38_000,
    "letters side by side": "M_{11} = " + "ab" * 95_000,
    "a cosine of many joints": "M11 = c" + "1" * 190_000,
}
# Longer than the time that they are given: 0.3 s, and ten times that is allowed.
LARGE = {
    "terms": "M11 = (m1 + m2 + l1 + l2 + g + I1 + I2 + lc1 + lc2)^8",
    "decimals": "M11 = " + "+".join(f"0.{k + 101}*m1^{k % 7}*m2^{k // 7 % 7}*l1^{k // 49 % 7}" for k in range(398)),
    "decimals in brackets": "M11 = " + "*".join(f"(0.{k}1*m1 + m2)" for k in range(1, 30)),
    "entries": "M = [1, 2; 3, 4]\n" * 1900,
    "coefficients": "\n".join(
        "M11 = " + "+".join(f"a{k}*m1^{k * j % 5}*l1^{(k + j) % 3}*sin(q1)^{k % 3}" for k in range(1, 40))
        for j in range(30)
    ),
}
PIECES = [
    " ", "\t", "\n", "(", ")", "[", "]", "{", "}", "=", "+=", ",", ";", "'", '"', "\\", "\\\\", "|", "│ a ", "&", "$",
    "^", "_", ".", "...", "-", "+", "*", ":", "#", "0", "1", "a", "ab", "a1", "q1", "sin", "cos q_1 ", "1 ", "[1 ",
    "M11=", "let a=", "given m1=", "1;", "1,", r"\frac1", r"\begin{", r"\end{", r"\mathrm{", r"\dot{", "Derivative(",
    "simplify(", "symbols(", "\u0307", "\u2081", "é", '"""', "%{\n", ".diff(", "jacobian(", "a, ", "return ",
    "a, b = c\n", "$a = 1$ word ", "\\quad a", "(t, ", "m1 = 3\n", "word ",
]  # fmt: skip
FRAMES = [
    "{}",
    "M11 = {}",
    "M11 = m1{}x",
    "M11 = (\n{}x",
    r"M_{{11}} = \sin {}",
    "M = [{}]",
    "c1 = cos(q1){}x\nM11 = 1",
]
SMALL = 8_000
LEAST = 0.05
"""Seconds below which nothing can be told."""


def costs(inputs: Sequence[tuple[str, float]]) -> list[tuple[float, str]]:
    """The processor time in seconds and the outcome of each answer."""
    command = [sys.executable, "-m", "tests.support.hostile_answers"]
    done = subprocess.run(
        command, input=json.dumps(inputs), capture_output=True, text=True, timeout=300, encoding="utf-8", check=False
    )
    found = [tuple(json.loads(line)) for line in done.stdout.splitlines()]
    assert done.returncode == 0, f"answer {len(found)} ended it: {done.stderr[-500:]}"
    return found


def test_hostile_inputs():
    found = dict(zip(SEVERE, costs([(text, 60) for text in SEVERE.values()]), strict=True))
    assert {name: cost for name, (cost, _) in found.items() if cost > 6} == {}


def test_seconds_hold():
    found = dict(zip(LARGE, costs([(text, 0.3) for text in LARGE.values()]), strict=True))
    assert {name: cost for name, (cost, _) in found.items() if cost > 3} == {}


def test_four_times_the_text_takes_four_times_as_long():
    """Sixteen times would be quadratic. Each piece stands in two of the frames; the short text is timed where the long
    one takes so long that it could be too much."""
    pairs = [(piece, FRAMES[(k + 3 * turn) % len(FRAMES)]) for k, piece in enumerate(PIECES) for turn in range(2)]

    def times(size: int, pairs: Sequence[tuple[str, str]]) -> list[float]:
        return [cost for cost, _ in costs([(frame.format(piece * (size // len(piece))), 60) for piece, frame in pairs])]

    long = {pair: cost for pair, cost in zip(pairs, times(4 * SMALL, pairs), strict=True) if cost > 10 * LEAST}
    short = dict(zip(long, times(SMALL, [*long]), strict=True)) if long else {}
    assert {pair: (short[pair], cost) for pair, cost in long.items() if cost > 10 * max(short[pair], LEAST)} == {}
