"""Whether the condition of a branch or a loop is true whatever the robot does: `if 1 == 2:`, `while flag`.

It is one where its names are constants of the file, which it sets once: `flag = False`. Nothing is run.

>>> [truth(text) for text in ("True", "1 == 2", "not (0 or x)", "(x and (False))", "x != x", "mode == 2")]
[True, False, None, False, False, None]
>>> truth("mode == 2 && ~debug", {"mode": "1", "debug": "false"})
False
"""

from __future__ import annotations

import operator
import re
from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from dynamis.apps.grading.reading.programs import closing

# Longer conditions, or such with more brackets, are not those of a student.
MAX_LENGTH = 200
_VALUE = (
    r"(?:[-+]?\d{1,9}(?:\.\d{0,9})?|[Tt]rue|[Ff]alse|None|\"[^\"\n]{0,40}\"|'[^'\n]{0,40}'|\[\s?\]|\(\s?\)|\{\s?\})"
)
_CONSTANT = re.compile(rf"^[ \t]*([A-Za-z]\w{{0,40}})[ \t]*=[ \t]*({_VALUE})[ \t;,]*$", re.MULTILINE)
_GIVEN = re.compile(r"^[ \t]*([A-Za-z]\w{0,40})(?:[ \t]|\[[^\]\n]{0,40}\])*[-+*/]?=(?!=)", re.MULTILINE)
_BOUND = re.compile(r"\b(?:for|as|def|function|global|nonlocal)\b([^\n]{0,200})")
_COMPARISON = re.compile(r"(==|~=|!=|<=|>=|<|>|\bis not\b|\bis\b)")
_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq, "is": operator.eq, "~=": operator.ne, "!=": operator.ne, "is not": operator.ne,
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
_NOT = re.compile(r"(?:not\b|~(?!=)|!(?!=))")
_EMPTY = re.compile(
    r"(?:\bin\b|=)[ \t(]*(?:\[\s?\]|\(\s?\)|\{\s?\}|\"\"|''"
    r"|range\([ \t]*(-?\d{1,9})[ \t]*(?:,[ \t]*(-?\d{1,9})[ \t]*)?\)|(-?\d{1,9}):(-?\d{1,9}))[ \t)]*:?[\s;,]*$"
)
_JOINTS = re.compile(r"[()\[\]]|\band\b|\bor\b|&&|\|\||&|\|")


def constants(text: str) -> dict[str, str]:
    """The names that a file gives a value once, and nothing else: name -> value."""
    times = Counter(match[1] for match in _GIVEN.finditer(text))
    bound = {name for match in _BOUND.finditer(text) for name in re.findall(r"\w+", match[1])}
    pairs = ((match[1], match[2]) for match in _CONSTANT.finditer(text))
    return {name: value for name, value in pairs if times[name] == 1 and name not in bound}


def truth(condition: str, names: Mapping[str, str] | None = None) -> bool | None:
    """Whether a condition is always true or never; None where that depends on something."""
    text = condition.strip()
    if len(text) > MAX_LENGTH:
        return None
    for words, decisive in ((("or", "||", "|"), True), (("and", "&&", "&"), False)):
        if len(parts := _split(text, words)) > 1:
            values = [truth(part, names) for part in parts]
            return decisive if decisive in values else None if None in values else not decisive
    if negated := _NOT.match(text):
        inner = truth(text[negated.end() :], names)
        return None if inner is None else not inner
    if text[:1] == "(" and closing(text, 0) == len(text) - 1 > 1:
        return truth(text[1:-1], names)
    left, sign, right = (*map(str.strip, _COMPARISON.split(text, maxsplit=1)), "", "")[:3]
    if sign and left == right:
        return sign in ("==", "is", "<=", ">=")
    if sign:
        a, b = (_value(side, names or {}) for side in (left, right))
        if a is None or b is None or (type(a) is not type(b) and sign not in ("==", "is", "~=", "!=")):
            return None
        return bool(_COMPARE[sign](a, b))
    value = _value(text, names or {})
    return None if value is None else bool(value)


def _value(text: str, names: Mapping[str, str]) -> Fraction | str | None:
    """A constant; truths are numbers, and what is empty is an empty text."""
    text = names.get(text, text)
    if text.lower() in ("true", "false"):
        return Fraction(text.lower() == "true")
    if not re.fullmatch(_VALUE, text):
        return None
    return Fraction(text) if re.match(r"[-+\d]", text) else "" if text == "None" else text.strip("[](){}'\" ")


def _split(text: str, words: tuple[str, ...]) -> list[str]:
    """The parts between words outside of brackets."""
    depth, begin, parts = 0, 0, list[str]()
    for mark in _JOINTS.finditer(text):
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(mark[0], 0)
        if depth == 0 and mark[0] in words:
            parts.append(text[begin : mark.start()])
            begin = mark.end()
    return [*parts, text[begin:]]


def never_repeats(header: str) -> bool:
    """Whether a loop has nothing to go through: `for k in []:`, `range(0)`, `for k = 1:0`.

    >>> [never_repeats(text) for text in ("for k in range(2, 1):", "for k in range(2):", "for k = 1:2", "for k = []")]
    [True, False, False, True]
    """
    match = _EMPTY.search(header[:MAX_LENGTH])
    if match is None:
        return False
    first, stop, low, high = match.groups()
    if first is not None:
        return int(first) <= 0 if stop is None else int(stop) <= int(first)
    return low is None or int(high) < int(low)
