"""Lines that define a name without saying `let`: `c1 = cos(q1)`, `h = -m2*l1*lc2*sin(q2)`, `a2 = m2*l1*d2`.

What cannot be an entry of the model, or is plainly an abbreviation, is a definition; the report names them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

from dynamis.grading.reading.literals import NAMES
from dynamis.grading.reading.names import LUMPED
from dynamis.grading.reading.targets import KNOWN, LINK_VECTORS, Left
from dynamis.grading.reading.unicode import NAME, ascii_name
from dynamis.model.robot import RobotModel

# Matched against a right side without the blanks around it; no two neighbours in a pattern match the same characters.
_FORM = r"(?:(?:\w+\.)?(?:simplify|trigsimp|expand|factor|nsimplify)\s*\(\s*)?"
_MATRIX = re.compile(
    rf"[^=;\n]*\\begin\b|{_FORM}(?:(?:(?:\\left|\\[bB]igg?l?)\s*)?\[|(?:\w+\.)?(?:{'|'.join(NAMES)})\b)"
)
_INNER = re.compile(r"(?<![\w\])])\[[^\[\]]*;")
_TRIG = re.compile(r"(?:\w+\.|\\)?(?:sin|cos)\s*(?:\([^()]*\)|\{[^{}]*\}|\\?[A-Za-z]+_?\{?\d*\}?)")
_INDICES = {"M": (2,), "C": (1, 2), "c": (1, 3), "g": (1,), "tau": (1,), "T": (0, 1), "U": (0, 1)}


def is_definition(left: Left, right: str, words: Mapping[str, int], robot: RobotModel) -> bool:
    """Whether a line without `let` gives a name to a scalar; `words` are those of the file."""
    if left.index is not None or not left.head:
        return False
    if is_matrix(right):
        return left.kind not in KNOWN and words.get(left.head, 0) > 1
    if left.word in LUMPED and left.digits and left.word != "h":
        return True
    if left.word in ("c", "s", "C", "S") and left.digits and _TRIG.fullmatch(right.strip("; \t\n")):
        return True
    if left.word == "d" and words.get(left.head, 0) > 1:
        return True
    single = robot.n == 1 and left.kind in ("M", "C", "c", "g", "tau")
    if left.kind not in KNOWN or (left.kind in LINK_VECTORS and left.digits):
        return words.get(left.head, 0) > 1
    if left.digits or single or left.kind in ("T", "U"):
        return False
    return left.word != left.kind or left.kind in LINK_VECTORS


def is_matrix(right: str) -> bool:
    """Whether a right side begins with a matrix, or has one of several rows in it, as g*[a; b]."""
    return _MATRIX.match(right.lstrip()) is not None or _INNER.search(right) is not None


def is_parameter(left: Left, right: str, robot: RobotModel) -> bool:
    """Whether a line would give a parameter a value, which `given` does."""
    if left.index is not None or is_matrix(right) or left.head not in {n.replace("_", "") for n in robot.parameters}:
        return False
    single = robot.n == 1 and left.kind in ("M", "C", "c", "g", "tau")
    return not single and len(left.digits) not in _INDICES.get(left.kind, ())


def words_of(text: str) -> Counter[str]:
    """How often every name stands in a text, without the marks of LaTeX."""
    plain = re.sub(r"[\\_{}]", "", text)
    unicode_names = (ascii_name(name) for name in NAME.findall(plain) if not name.isascii())
    return Counter(re.findall(r"[A-Za-z]+[0-9]*", plain)) + Counter(unicode_names)
