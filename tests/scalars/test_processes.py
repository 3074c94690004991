"""What FLINT cannot do in parts: at once where it is small, else in a process that can be ended."""

from __future__ import annotations

import time
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from dynamis.errors import MemoryLimitError, TimeLimitError
from dynamis.scalars.exact import processes as apart
from dynamis.scalars.exact.limits import Deadline
from dynamis.scalars.exact.processes import (
    cancel_common_divisor,
    divide_polynomials,
    factor_polynomial,
    groebner,
    pivots,
)
from dynamis.scalars.exact.ring import Exact, Ring
from tests.support.limited import limited, long_sum, robot_file
from tests.support.rings import ring as parameters

NAMES = tuple(f"x{k}" for k in range(16))


def scalar(ring: Ring, random: Random, terms: int, most: int) -> Exact:
    keys = [tuple(random.randint(0, most) for _ in ring.symbols) for _ in range(terms)]
    return ring.from_terms({key: Fraction(random.randint(1, 9), random.randint(1, 4)) for key in keys})


def test_another_process_gives_the_same(monkeypatch: pytest.MonkeyPatch):
    ring, random = parameters(NAMES[:4]), Random(1)
    a, b, c = (scalar(ring, random, 4, 2).polynomial for _ in range(3))
    x, y = ring.generators["x0"], ring.generators["x1"]
    rows = [{0: Fraction(1, 2), 1: Fraction(1, 3)}, {0: Fraction(3, 2), 1: Fraction(1)}, {2: Fraction(1)}]

    def results() -> list[object]:
        limits = (200, 500, 4000)
        return [
            factor_polynomial(a * a * b, ring),
            cancel_common_divisor(a * b, a * c, ring),
            divide_polynomials(a * b + c, b, ring),
            groebner([x * x + y - 1, x * y - 2], limits, ring),
            pivots(rows, 3, ring),
        ]

    here = results()
    monkeypatch.setattr(apart, "LARGE_COST", 0)
    monkeypatch.setattr(apart, "LARGE_MATRIX_ENTRIES", 0)
    assert results() == here
    assert here[-1] == [0, 2]


def test_factors_that_take_long_stop_within_their_time():
    """225 terms in 16 symbols take FLINT minutes."""
    ring, random = parameters(NAMES, deadline=Deadline(0.5)), Random(1)
    product = scalar(ring, random, 15, 2) * scalar(ring, random, 15, 2)
    start = time.monotonic()
    with pytest.raises(TimeLimitError, match=r"not finished in 0\.5 s"):
        product.factors()
    assert time.monotonic() - start < 10


def test_a_process_that_ends_itself_is_told_as_memory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    ring, random = parameters(NAMES), Random(1)
    product = scalar(ring, random, 15, 2) * scalar(ring, random, 15, 2)
    aborting = tmp_path / "aborting"
    aborting.write_text("#!/bin/sh\nkill -ABRT $$\n")
    aborting.chmod(0o755)
    monkeypatch.setattr("sys.executable", str(aborting))
    with pytest.raises(MemoryLimitError, match="needs more than 2 GB"):
        product.factors()


@pytest.mark.parametrize("mass", ["1/((a)^4 + x1)", "x1/(a) + x2/((a)*x1 + x3^3)^2", "1/(sin(x0)*(a)^2 + cos(x1)*x2)"])
def test_denominators_that_are_long_sums_end_within_their_time(tmp_path: Path, mass: str):
    file = robot_file(tmp_path, mass.replace("a", long_sum(24)), 24)
    done = limited("-m", "dynamis", "derive", str(file), "--seconds", "1")
    assert done.returncode in (0, 2), done.stderr
    assert "Traceback" not in done.stderr
    assert "an expression has at most" not in done.stderr
