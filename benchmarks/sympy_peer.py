"""The peer: the same algorithms on SymPy expressions, in two ways.

Closed form: M, Christoffel symbols, g and the proof NE = EL, by expanding and simplifying.
For code, in the manner of SymPyBotics (C. Sousa, 2014): every intermediate result of the recursion
becomes an auxiliary variable, so that nothing grows; what comes out are assignments for a computer,
not a formula for a reader. Both are checked before they count, and stopped after a limit.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from importlib import import_module
from importlib.util import find_spec
from multiprocessing import get_context
from typing import Any

from dynamis.base.expressions.expression import Expression
from dynamis.compute.mechanics.dynamics.mass_matrix import mass_matrix
from dynamis.compute.mechanics.dynamics.newton_euler import newton_euler
from dynamis.compute.mechanics.kinematics.poses import com_position, poses
from dynamis.compute.mechanics.mechanism import mechanism, state_at
from dynamis.robot import Robot
from dynamis.scalars.scalars import Scalars

LIMIT = 20.0


@dataclass(frozen=True)
class Peer:
    """Seconds for the closed form with its proof, and for code; None where it took more than `limit`.

    `tried` says whether the closed form was begun at all.
    """

    proved: float | None
    code: float | None
    limit: float = LIMIT
    tried: bool = True

    def __str__(self) -> str:
        """`0.31, code 0.05`."""
        proved, code = (
            f"more than {self.limit:g}" if seconds is None else f"{seconds:.2f}" for seconds in (self.proved, self.code)
        )
        return f"{proved if self.tried else 'not tried'}, code {code}"

    def __format__(self, spec: str) -> str:
        return str(self)


def peer(robot: Robot, limit: float = LIMIT, closed_form: bool = True) -> Peer | None:
    """Both figures, each from a process of its own; None where SymPy is not installed."""
    if find_spec("sympy") is None:
        return None
    proved = limited(sympy_seconds, robot, limit) if closed_form else None
    return Peer(proved, limited(code_seconds, robot, limit), limit, closed_form)


def limited(measured: Callable[[Robot], float | None], robot: Robot, limit: float) -> float | None:
    """What `measured` returns, from a fresh process that is stopped after `limit` seconds of work."""
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_send, args=(theirs, measured, robot), daemon=True)
    process.start()
    ours.poll(60)
    ours.recv()  # it has started: imports do not count
    answer: Any = ours.recv() if ours.poll(limit) else None
    process.kill()
    process.join()
    if isinstance(answer, str):
        raise AssertionError(answer)
    return answer


def _send(connection: Any, measured: Callable[[Robot], float | None], robot: Robot) -> None:
    import_module("sympy")
    connection.send("ready")
    try:
        connection.send(measured(robot))
    except AssertionError as error:
        connection.send(str(error))


class _Symbols(Scalars[Any]):
    """SymPy expressions as scalars."""

    def __init__(self, sympy: Any) -> None:
        self.sympy = sympy

    def constant(self, value: Fraction) -> Any:
        return self.sympy.Rational(value.numerator, value.denominator)

    def pi(self) -> Any:
        return self.sympy.pi

    def parameter(self, name: str) -> Any:
        return self.sympy.Symbol(name)

    def cos_sin(self, x: Any, /) -> tuple[Any, Any]:
        return self.sympy.cos(x), self.sympy.sin(x)

    def sqrt(self, x: Any, /) -> Any:
        return self.sympy.sqrt(x)


def sympy_seconds(robot: Robot) -> float | None:
    """The same derivation and proof on SymPy expressions, or None where SymPy is not installed."""
    if find_spec("sympy") is None:
        return None
    sympy: Any = import_module("sympy")
    start = time.perf_counter()
    m: Any = mechanism(robot, _Symbols(sympy))
    n = robot.n
    q, qd, qdd = (sympy.symbols(" ".join(f"{letter}{k}" for k in range(n)), seq=True) for letter in ("q", "u", "w"))
    state = state_at(m, q, qd, qdd, sign=[m.zero] * n)
    M = mass_matrix(m, state)
    torques = newton_euler(m, state).tau
    where = poses(m, state)
    potential: Any = sum(-(m.gravity.dot(com_position(m, where, i)) * body.mass) for i, body in enumerate(m.bodies))
    for k in range(n):
        lagrange = sum(M[k][j] * qdd[j] for j in range(n)) + sympy.diff(potential, q[k])
        for i in range(n):
            for j in range(n):
                slopes = sympy.diff(M[k][j], q[i]) + sympy.diff(M[k][i], q[j]) - sympy.diff(M[i][j], q[k])
                lagrange += slopes / 2 * qd[i] * qd[j]
        if sympy.simplify(sympy.expand(lagrange - torques[k])) != 0:
            raise AssertionError("SymPy does not see that the two derivations agree")
    return time.perf_counter() - start


@dataclass
class _Code:
    """Assignments: the same expression gets the same variable."""

    sympy: Any
    lines: list[tuple[Any, Any]] = field(default_factory=list[tuple[Any, Any]])
    variables: dict[Any, Any] = field(default_factory=dict[Any, Any])

    def variable(self, value: Any) -> Any:
        if value.is_Atom or (-value).is_Atom:
            return value
        if value not in self.variables:
            self.variables[value] = self.sympy.Symbol(f"x{len(self.lines)}")
            self.lines.append((self.variables[value], value))
        return self.variables[value]


class _Variable:
    """A SymPy expression whose sums and products become variables at once."""

    def __init__(self, value: Any, code: _Code) -> None:
        self.value, self.code = code.variable(value), code

    def __add__(self, other: _Variable) -> _Variable:
        return _Variable(self.value + other.value, self.code)

    def __sub__(self, other: _Variable) -> _Variable:
        return _Variable(self.value - other.value, self.code)

    def __mul__(self, other: _Variable) -> _Variable:
        return _Variable(self.value * other.value, self.code)

    def __truediv__(self, other: _Variable) -> _Variable:
        return _Variable(self.value / other.value, self.code)

    def __neg__(self) -> _Variable:
        return _Variable(-self.value, self.code)


class _Variables(_Symbols):
    """Auxiliary variables as scalars."""

    def __init__(self, sympy: Any) -> None:
        super().__init__(sympy)
        self.code = _Code(sympy)

    def of(self, value: Any) -> Any:
        return _Variable(value, self.code)

    def constant(self, value: Fraction) -> Any:
        return self.of(super().constant(value))

    def pi(self) -> Any:
        return self.of(self.sympy.pi)

    def parameter(self, name: str) -> Any:
        return self.of(self.sympy.Symbol(name))

    def cos_sin_of(self, angle: Expression) -> tuple[Any, Any]:
        cos, sin = _Symbols(self.sympy).cos_sin_of(angle)
        return self.of(cos), self.of(sin)

    def sqrt_of(self, argument: Expression) -> Any:
        return self.of(_Symbols(self.sympy).sqrt_of(argument))

    def cos_sin(self, x: Any, /) -> tuple[Any, Any]:
        cos, sin = super().cos_sin(x.value)
        return self.of(cos), self.of(sin)


def code_seconds(robot: Robot) -> float | None:
    """tau and M as assignments with auxiliary variables, or None where SymPy is not installed.

    Without gravity and at rest tau is M qdd; that is checked in numbers.
    """
    if find_spec("sympy") is None:
        return None
    sympy: Any = import_module("sympy")
    start = time.perf_counter()
    scalars = _Variables(sympy)
    m: Any = mechanism(robot, scalars)
    n, letters = robot.n, {key: sympy.symbols(f"{key}:{robot.n}", seq=True) for key in ("q", "u", "w")}
    q, qd, qdd = ([scalars.of(x) for x in letters[key]] for key in ("q", "u", "w"))
    state = state_at(m, q, qd, qdd, sign=[scalars.zero] * n)
    torques = newton_euler(m, state).tau
    M = mass_matrix(m, state)
    seconds = time.perf_counter() - start
    at = _values(scalars.code, robot, letters)
    for k in range(n):
        left = _value(torques[k].value, at, sympy)
        right = math.fsum(_value(M[k][j].value, at, sympy) * at[letters["w"][j]] for j in range(n))
        if abs(left - right) > 1e-6 * max(1.0, abs(left)):
            raise AssertionError("the code of SymPy does not agree with itself")
    return seconds


def _values(code: _Code, robot: Robot, letters: dict[str, Any]) -> dict[Any, float]:
    """Every variable of the code at a point at rest and without gravity."""
    names = {name for entry in robot.gravity for name in entry.parameters()}
    parameters = sorted(robot.used_parameters())
    at = {code.sympy.Symbol(p): 0.0 if p in names else 0.3 + k / len(parameters) for k, p in enumerate(parameters)}
    for key, value in (("q", 0.4), ("u", 0.0), ("w", 0.7)):
        at |= {x: value * (1 + k / 7) for k, x in enumerate(letters[key])}
    for variable, expression in code.lines:
        at[variable] = _value(expression, at, code.sympy)
    return at


def _value(expression: Any, at: dict[Any, float], sympy: Any) -> float:
    return float(expression.xreplace({x: sympy.Float(at[x]) for x in expression.free_symbols}))
