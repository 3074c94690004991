"""Files of `texts/`, what exports have in common for all robots, with their fields filled in."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

TEXTS = Path(__file__).parent / "texts"


@cache
def text(name: str) -> str:
    """A file of `texts/`."""
    return (TEXTS / name).read_text(encoding="utf-8")


def fill_template(name: str, **fields: str) -> str:
    """A file of `texts/` with a value for every `@FIELD@`; what stands in a value is not filled in.

    >>> fill_template("ros2/solver.cpp.in", PACKAGE="arm", CLASS="ArmSolver").splitlines()[0]
    '#include "arm/solver.hpp"'
    """
    return re.sub(r"@([A-Z_]+)@", lambda match: fields[match[1]], text(name))
