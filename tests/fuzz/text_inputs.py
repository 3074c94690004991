"""Expressions and chains of frames from a grammar, with all that such a grammar should refuse."""

from __future__ import annotations

from random import Random

from tests.fuzz import hostile

_NAMES = (
    "m1",
    "l1",
    "q1",
    "q2",
    "pi",
    "x",
    "Ixx",
    "lc2",
    "a_b",
    "g",
    "e",
    "I",
    "inf",
    "nan",
    "__class__",
    "lambda",
    "é",
    "q̈",
)
_CALLS = ("sin", "cos", "sqrt", "exp", "tan", "eval", "__import__", "open", "sin cos", "Matrix", "log", "abs", "f")
_OPERATORS = ("+", "-", "*", "/", "^", "**", " ", "//", "%", "@", ".*", ",", "=", "==", "+-", "--")


def expression(random: Random, depth: int = 0) -> str:
    """A text that may be an expression."""
    kind = random.randrange(14)
    if depth > 5 or kind < 4:
        return random.choice(_NAMES) if random.random() < 0.6 else hostile.number(random)
    match kind:
        case 4 | 5 | 6 | 7:
            operator = random.choice(_OPERATORS[: 5 if random.random() < 0.8 else None])
            return f"{expression(random, depth + 1)}{operator}{expression(random, depth + 1)}"
        case 8:
            return f"({expression(random, depth + 1)})"
        case 9:
            return f"{random.choice(_CALLS[: 3 if random.random() < 0.7 else None])}({expression(random, depth + 1)})"
        case 10:
            power = random.choice(("2", "8", "-8", "9", "99999999", "(2)", "0.5", "2^2"))
            return f"{expression(random, depth + 1)}^{power}"
        case 11:
            levels = random.choice((2, 10, 41, 500))
            return "(" * levels + expression(random, depth + 1) + ")" * levels
        case 12:
            return random.choice(("+", "*", "-", "/", "1*", "x+")) * random.choice((2, 30, 399, 700)) + "x"
        case _:
            return hostile.name(random)


def chain(random: Random) -> str:
    """A text that may be a chain of elementary transforms."""
    steps = random.choice((0, 1, 1, 2, 3, 60))
    heads = ("Rx", "Ry", "Rz", "Tx", "Ty", "Tz") if random.random() < 0.9 else ("Rw", "Q", "R", "")
    return random.choice((" ", "*", "", "  ")).join(
        f"{random.choice(heads)}({expression(random, 3)})" for _ in range(steps)
    )
