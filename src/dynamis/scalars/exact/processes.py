"""Operations of FLINT that cannot be taken apart, in a process of their own where they are large.

Factors, common divisors, Groebner bases and echelon forms may take any time and any memory, and FLINT ends the
process where memory is short. Small ones are done here, at once. A large one is done by a second interpreter
(0.1 s to start), which is ended when the time of the model is over and has a bound on its memory.
"""

from __future__ import annotations

import ctypes
import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from math import lcm
from typing import TYPE_CHECKING, Any

from flint import Ordering, fmpq, fmpq_mat, fmpq_mpoly_ctx, fmpz_mpoly_ctx, fmpz_mpoly_vec

from dynamis.errors import MemoryLimitError, TimeLimitError

if TYPE_CHECKING:
    from dynamis.scalars.exact.ring import Ring

LARGE = 4000
"""Terms times degrees of a polynomial up to which factors and divisors take milliseconds.

Of random products of two polynomials, 225 terms in 16 symbols (14 000) take more than 8 s, 25 terms (1600) take 16 ms.
"""
MANY = 1_000_000
"""Entries of a matrix up to which its echelon form takes less than 0.1 s."""
INTERPRETER = 2 * 10**9
"""Address space of an interpreter that has loaded FLINT, generously."""
_CLOCK = 256
Number = tuple[int, int]
Terms = list[tuple[tuple[int, ...], Number]]


def factored(p: Any, ring: Ring) -> tuple[Any, list[tuple[Any, int]]]:
    """(content, [(irreducible factor, its power), ...])."""
    ring.check_time()
    if cost(p) <= LARGE:
        content, factors = p.factor()
        return content, [(factor, int(power)) for factor, power in factors]
    content, factors = _polynomials(ring, "factor", p)
    return fmpq(*content), [(_polynomial(terms, ring.context), power) for terms, power in factors]


def cancelled(p: Any, q: Any, ring: Ring) -> tuple[Any, Any]:
    """p and q without their greatest common divisor."""
    ring.check_time()
    if cost(p) + cost(q) <= LARGE:
        return _cancelled(p, q)
    above, below = _polynomials(ring, "cancel", p, q)
    return _polynomial(above, ring.context), _polynomial(below, ring.context)


def divided(p: Any, q: Any, ring: Ring) -> tuple[Any, Any]:
    """(quotient, remainder) of p by q."""
    ring.check_time()
    if cost(p) + cost(q) <= LARGE:
        return divmod(p, q)
    quotient, rest = _polynomials(ring, "divide", p, q)
    return _polynomial(quotient, ring.context), _polynomial(rest, ring.context)


def groebner(members: Sequence[Any], limits: tuple[int, int, int], ring: Ring) -> tuple[list[Any], bool]:
    """(a reduced basis of the ideal of `members`, whether it was completed within `limits`)."""
    ring.check_time()
    if sum(map(cost, members)) <= LARGE:
        found, done = _groebner(members, limits)
        return [ring.context.from_dict(dict(p.to_dict())) for p in found], done
    found, done = _polynomials(ring, "groebner", *members, more=limits)
    return [_polynomial(terms, ring.context) for terms in found], done


def pivots(rows: Sequence[dict[int, Number]], columns: int, ring: Ring) -> list[int]:
    """The columns where the rows of the reduced echelon form begin."""
    ring.reserve(32 * len(rows) * columns)
    if len(rows) * columns <= MANY:
        return _pivots(rows, columns)
    return _elsewhere("pivots", (rows, columns), ring)


def cost(p: Any) -> int:
    """Terms times degrees."""
    return len(p) * sum(int(degree) for degree in p.degrees() if degree > 0)


def _polynomials(ring: Ring, operation: str, *given: Any, more: Any = None) -> Any:
    data = [terms_of(p, ring) for p in given]
    return _elsewhere(operation, (len(ring.symbols), data, more), ring)


def terms_of(p: Any, ring: Ring) -> Terms:
    """All terms of a polynomial as numbers of Python, with a look at the clock in between."""
    # A tuple of exponents, a fraction, and their place in a list.
    ring.reserve(len(p) * (8 * len(ring.symbols) + 300))
    found: Terms = []
    for k in range(len(p)):
        if k % _CLOCK == 0:
            ring.check_time()
        x = p.coefficient(k)
        found.append((tuple(map(int, p.monomial(k))), (int(x.p), int(x.q))))
    return found


def _elsewhere(operation: str, given: Any, ring: Ring) -> Any:
    """The result of an operation in another process."""
    seconds = None if ring.deadline is None else ring.deadline.left
    memory = ring.memory.most - ring.memory.used
    command = [sys.executable, "-P", "-m", "dynamis.scalars.exact.processes"]
    # The modules of this process, wherever it has found them.
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    asked = pickle.dumps((operation, given, memory, seconds))
    try:
        done = subprocess.run(
            command, input=asked, capture_output=True, timeout=seconds, env=environment, check=False
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise TimeLimitError(ring.deadline.seconds if ring.deadline is not None else 0.0) from None
    if done.returncode:
        raise MemoryLimitError(ring.memory.most / 10**9)
    return pickle.loads(done.stdout)


def _polynomial(terms: Terms, context: Any) -> Any:
    return context.from_dict({key: fmpq(*number) for key, number in terms})


def _cancelled(p: Any, q: Any) -> tuple[Any, Any]:
    common = p.gcd(q)
    return p / common, q / common


def _groebner(members: Sequence[Any], limits: tuple[int, int, int]) -> tuple[list[Any], bool]:
    context = fmpz_mpoly_ctx.get(members[0].context().names(), Ordering.lex)
    vector: Any = fmpz_mpoly_vec([_integral(p, context) for p in members], context)
    found, done = vector.buchberger_naive(limits=limits)
    return (list(found.autoreduction()) if done else []), bool(done)


def _integral(polynomial: Any, context: Any) -> Any:
    """The polynomial times a number, with whole coefficients."""
    terms = polynomial.to_dict()
    scale = lcm(*(int(value.q) for value in terms.values()))
    return context.from_dict({key: int(value.p) * (scale // int(value.q)) for key, value in terms.items()})


def _pivots(rows: Sequence[dict[int, Number]], columns: int) -> list[int]:
    entries = [[0] * columns for _ in rows]
    for line, row in zip(entries, rows, strict=True):
        for k, number in row.items():
            line[k] = fmpq(*number)  # type: ignore[call-overload]
    reduced: Any
    reduced, rank = fmpq_mat(entries).rref()
    found: list[int] = []
    for at in range(rank):
        column = found[-1] + 1 if found else 0
        while not reduced[at, column]:
            column += 1
        found.append(column)
    return found


def _plain(p: Any) -> Terms:
    return [(tuple(map(int, key)), (int(x.p), int(x.q))) for key, x in p.to_dict().items()]


def _answer(operation: str, given: Any) -> Any:
    """What the other process does."""
    if operation == "pivots":
        return _pivots(*given)
    count, data, more = given
    context: Any = fmpq_mpoly_ctx.get([f"x{k}" for k in range(count)], Ordering.lex)
    polynomials = [_polynomial(terms, context) for terms in data]
    if operation == "factor":
        content, factors = polynomials[0].factor()
        return (int(content.p), int(content.q)), [(_plain(p), int(power)) for p, power in factors]
    if operation == "groebner":
        found, done = _groebner(polynomials, more)
        return [[(tuple(map(int, key)), (int(x), 1)) for key, x in p.to_dict().items()] for p in found], done
    two: Callable[[Any, Any], tuple[Any, Any]] = divmod if operation == "divide" else _cancelled
    return tuple(map(_plain, two(*polynomials)))


def _bound(memory: float, seconds: float | None) -> None:
    """Limits that the system keeps: FLINT listens to nobody, and whoever asked may have been ended."""
    with suppress(AttributeError, OSError):
        prctl_on_parent_death = 1
        ctypes.CDLL(None).prctl(prctl_on_parent_death, int(signal.SIGKILL))
    with suppress(AttributeError):
        signal.setitimer(signal.ITIMER_REAL, 0 if seconds is None else seconds + 1)
    with suppress(ImportError, ValueError, OSError):
        import resource

        limit = int(memory) + INTERPRETER
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def main() -> None:
    """Read an operation from standard input, write its result to standard output."""
    operation, given, memory, seconds = pickle.load(sys.stdin.buffer)
    _bound(memory, seconds)
    sys.stdout.buffer.write(pickle.dumps(_answer(operation, given)))


if __name__ == "__main__":
    main()
