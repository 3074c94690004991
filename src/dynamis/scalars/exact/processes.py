"""Operations of FLINT that cannot be taken apart, in a process of their own where they are large.

Factors, common divisors, Groebner bases and echelon forms may take any time and any memory, and FLINT ends the
process where memory is short. Small ones are done here, at once. A large one is done by a second interpreter
(0.1 s to start), which is ended when the time of the model is over and has a bound on its memory.
"""

from __future__ import annotations

import ctypes
import io
import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Any

from flint import Ordering, fmpq, fmpq_mat, fmpq_mpoly, fmpq_mpoly_ctx, fmpz_mpoly_ctx, fmpz_mpoly_vec

from dynamis.base.errors import MemoryLimitError, TimeLimitError

if TYPE_CHECKING:
    from dynamis.scalars.exact.ring import Ring

LARGE_COST = 4000
"""Terms times degrees of a polynomial up to which factors and divisors take milliseconds.

Of random products of two polynomials, 225 terms in 16 symbols (14 000) take more than 8 s, 25 terms (1600) take 16 ms.
"""
LARGE_MATRIX_ENTRIES = 1_000_000
"""Entries of a matrix up to which its echelon form takes less than 0.1 s."""
INTERPRETER_BYTES = 2 * 10**9
"""Address space of an interpreter that has loaded FLINT, generously."""
_CLOCK_INTERVAL = 256
_CHILD = "from dynamis.scalars.exact.processes import answer; answer()"
Number = tuple[int, int]
Terms = list[tuple[tuple[int, ...], Number]]


def factor_polynomial(p: Any, ring: Ring) -> tuple[Any, list[tuple[Any, int]]]:
    """(content, [(irreducible factor, its power), ...])."""
    return _run_operation(_factor_directly, (p,), cost(p) > LARGE_COST, ring)


def cancel_common_divisor(p: Any, q: Any, ring: Ring) -> tuple[Any, Any]:
    """p and q without their greatest common divisor."""
    return _run_operation(_cancel_directly, (p, q), cost(p) + cost(q) > LARGE_COST, ring)


def divide_polynomials(p: Any, q: Any, ring: Ring) -> tuple[Any, Any]:
    """(quotient, remainder) of p by q; dividing by a number or by p itself is quick."""
    large = cost(p) + cost(q) > LARGE_COST and not q.is_constant() and p != q
    return _run_operation(divmod, (p, q), large, ring)


def groebner(members: Sequence[Any], limits: tuple[int, int, int], ring: Ring) -> tuple[list[Any], bool]:
    """(a reduced basis of the ideal of `members`, whether it was completed within `limits`)."""
    return _run_operation(_groebner, (members, limits), sum(map(cost, members)) > LARGE_COST, ring)


def pivots(rows: Sequence[Mapping[int, Fraction]], columns: int, ring: Ring) -> list[int]:
    """The columns where the rows of the reduced echelon form begin."""
    ring.reserve(32 * len(rows) * columns)
    return _run_operation(_pivots, (rows, columns), len(rows) * columns > LARGE_MATRIX_ENTRIES, ring)


def cost(p: Any) -> int:
    """Terms times degrees."""
    return len(p) * sum(int(degree) for degree in p.degrees() if degree > 0)


def terms_of(p: Any, ring: Ring) -> Terms:
    """All terms of a polynomial as numbers of Python, with a look at the clock in between."""
    # A tuple of exponents, a fraction, and their place in a list.
    ring.reserve(len(p) * (8 * len(ring.symbols) + 300))
    terms: Terms = []
    for k in range(len(p)):
        if k % _CLOCK_INTERVAL == 0:
            ring.check_time()
        x = p.coefficient(k)
        terms.append((tuple(map(int, p.monomial(k))), (int(x.p), int(x.q))))
    return terms


def matrix(rows: Sequence[Mapping[int, Fraction]], columns: int) -> Any:
    """A matrix of FLINT from its entries that are not zero."""
    entries: list[list[Any]] = [[0] * columns for _ in rows]
    for line, row in zip(entries, rows, strict=True):
        for k, x in row.items():
            line[k] = fmpq(x.numerator, x.denominator)
    return fmpq_mat(entries)


def pivot_columns(matrix: Any) -> list[int]:
    """The columns where the rows of the reduced echelon form of a FLINT matrix begin."""
    reduced, rank = matrix.rref()
    columns: list[int] = []
    for row in range(rank):
        column = columns[-1] + 1 if columns else 0
        while reduced[row, column] == 0:
            column += 1
        columns.append(column)
    return columns


def _run_operation(operation: Callable[..., Any], arguments: Any, large: bool, ring: Ring) -> Any:
    """The result of an operation, in another process if it is large."""
    ring.check_time()
    if not large:
        return operation(*arguments)
    seconds = None if ring.deadline is None else ring.deadline.left
    memory = ring.memory.most - ring.memory.used
    # The modules of this process, wherever it has found them.
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    question = pickle.dumps((memory, seconds, len(ring.symbols)))
    question += _pickle_terms((operation, arguments), lambda p: terms_of(p, ring))
    try:
        child = subprocess.run(
            [sys.executable, "-P", "-c", _CHILD], input=question, capture_output=True, timeout=seconds,
            env=environment, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise TimeLimitError(ring.deadline.seconds if ring.deadline is not None else 0.0) from None
    if child.returncode:
        raise MemoryLimitError(ring.memory.most / 10**9)
    return _Unpickler(io.BytesIO(child.stdout), ring.context).load()


def answer() -> None:
    """What the other process does: an operation from standard input, its result to standard output."""
    memory, seconds, symbols = pickle.load(sys.stdin.buffer)
    _bound(memory, seconds)
    context: Any = fmpq_mpoly_ctx.get([f"x{k}" for k in range(symbols)], Ordering.lex)
    operation, arguments = _Unpickler(sys.stdin.buffer, context).load()
    sys.stdout.buffer.write(_pickle_terms(operation(*arguments), _plain_terms))


def _pickle_terms(value: Any, terms: Callable[[Any], Terms]) -> bytes:
    """A pickle in which polynomials are their terms."""
    file = io.BytesIO()
    _Pickler(file, terms).dump(value)
    return file.getvalue()


class _Pickler(pickle.Pickler):
    """Writes polynomials as their terms."""

    def __init__(self, file: Any, terms: Callable[[Any], Terms]) -> None:
        super().__init__(file)
        self.terms = terms

    def persistent_id(self, obj: Any) -> Terms | None:
        return self.terms(obj) if isinstance(obj, fmpq_mpoly) else None


class _Unpickler(pickle.Unpickler):
    """Reads terms as polynomials of a context."""

    def __init__(self, file: Any, context: Any) -> None:
        super().__init__(file)
        self.context = context

    def persistent_load(self, pid: Terms) -> Any:
        return self.context.from_dict({key: fmpq(*number) for key, number in pid})


def _plain_terms(p: Any) -> Terms:
    return [(tuple(map(int, key)), (int(x.p), int(x.q))) for key, x in p.to_dict().items()]


def _factor_directly(p: Any) -> tuple[Any, list[tuple[Any, int]]]:
    content, factors = p.factor()
    return content, [(factor, int(power)) for factor, power in factors]


def _cancel_directly(p: Any, q: Any) -> tuple[Any, Any]:
    common = p.gcd(q)
    return p / common, q / common


def _groebner(members: Sequence[Any], limits: tuple[int, int, int]) -> tuple[list[Any], bool]:
    rational = members[0].context()
    context = fmpz_mpoly_ctx.get(rational.names(), Ordering.lex)
    vector: Any = fmpz_mpoly_vec([_integral(p, context) for p in members], context)
    basis, done = vector.buchberger_naive(limits=limits)
    return [rational.from_dict(dict(p.to_dict())) for p in basis.autoreduction()] if done else [], bool(done)


def _integral(polynomial: Any, context: Any) -> Any:
    """The polynomial times a number, with integer coefficients."""
    terms = polynomial.to_dict()
    scale = lcm(*(int(value.q) for value in terms.values()))
    return context.from_dict({key: int(value.p) * (scale // int(value.q)) for key, value in terms.items()})


def _pivots(rows: Sequence[Mapping[int, Fraction]], columns: int) -> list[int]:
    return pivot_columns(matrix(rows, columns))


def _bound(memory: float, seconds: float | None) -> None:
    """Limits that the system keeps: FLINT listens to nobody, and whoever asked may have been ended."""
    with suppress(AttributeError, OSError):
        prctl_on_parent_death = 1
        ctypes.CDLL(None).prctl(prctl_on_parent_death, int(signal.SIGKILL))
    with suppress(AttributeError):
        signal.setitimer(signal.ITIMER_REAL, 0 if seconds is None else seconds + 1)
    with suppress(ImportError, ValueError, OSError):
        import resource

        limit = int(memory) + INTERPRETER_BYTES
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
