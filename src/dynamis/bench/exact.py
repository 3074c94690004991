"""The exact world: how long M, all Christoffel symbols, g and the proof NE = EL take.

Every mass, CoM, inertia and length is a letter. SymPy runs the same algorithms on its own
expressions, for the arms that it finishes in reasonable time.
"""

from __future__ import annotations

import resource
import statistics
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module
from importlib.util import find_spec
from multiprocessing import get_context
from typing import Any

from dynamis.algorithms.mass_matrix import mass_matrix
from dynamis.algorithms.mechanism import State, mechanism
from dynamis.algorithms.newton_euler import newton_euler
from dynamis.library import load
from dynamis.model.expression import Expression, evaluate
from dynamis.model.inertia import Inertia
from dynamis.model.link import Joint, Link
from dynamis.robot import Robot

ROBOTS = ("deluca-2r", "stanford", "puma560", "panda")
# The figures, in seconds on one core of the machine that dynamis was built on.
AIMS = {"deluca-2r": 0.1, "stanford": 0.5, "puma560": 0.5, "panda": 2.0, "chain of 9": 20.0}
REPEATS = 3


@dataclass(frozen=True)
class Row:
    """One robot: seconds for M, + Christoffel and g, + both torques and their equality; terms; memory."""

    robot: str
    letters: int
    mass_matrix: float
    christoffel: float
    proved: float
    terms: int
    memory_gb: float
    aim: float | None
    sympy: float | None = None


def rows(largest: int = 9) -> Iterator[Row]:
    """The shipped arms, then chains with a growing number of joints."""
    for name in ROBOTS:
        robot = load(name).symbolic(keep_zeros=False)
        yield in_its_own_process(name, robot, sympy_seconds(robot) if robot.n <= 2 else None)
    for n in range(6, largest + 1):
        yield in_its_own_process(f"chain of {n}", chain(n), None)


def in_its_own_process(name: str, robot: Robot, sympy: float | None) -> Row:
    """`measure` in a fresh process, so that its memory is its own."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(measure, name, robot, sympy).result()


def measure(name: str, robot: Robot, sympy: float | None = None) -> Row:
    """The median of a few runs, each from a fresh model; equality is checked before it counts."""
    times: list[tuple[float, float, float]] = []
    terms = 0
    for _ in range(REPEATS if robot.n < 8 else 1):
        start = time.perf_counter()
        model = robot.equations()
        model.M.rows()
        first = time.perf_counter() - start
        _ = model.coriolis_matrix, model.gravity
        second = time.perf_counter() - start
        if model.torques != model.newton_euler.tau:
            raise AssertionError(f"Newton-Euler and Lagrange differ for {name}")
        times.append((first, second, time.perf_counter() - start))
        terms = sum(map(len, model.torques))
    first, second, third = (statistics.median(column) for column in zip(*times, strict=True))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    letters = len(robot.used_parameters())
    return Row(name, letters, first, second, third, terms, memory, AIMS.get(name), sympy)


def chain(n: int) -> Robot:
    """A chain of n revolute joints, twisted by right angles, every parameter a letter."""
    names: dict[str, str] = {}

    def letter(name: str) -> str:
        names[name] = ""
        return name

    links: list[Link] = []
    for k in range(1, n + 1):
        twist = ("0", "pi/2", "-pi/2")[(k + 1) % 3]
        before: Any = f"Tx({letter(f'a{k}')}) Tz({letter(f'd{k}')}) Rx({twist})"
        six: Any = {entry: letter(f"I{k}{entry}") for entry in ("xx", "yy", "zz", "xy", "xz", "yz")}
        com: Any = tuple(letter(f"c{k}{axis}") for axis in "xyz")
        mass: Any = letter(f"m{k}")
        parent = f"link{k - 1}" if k > 1 else "base"
        links.append(Link(f"link{k}", Joint(f"q{k}", before=before), parent, mass, com, Inertia.of(**six)))
    gravity: Any = (0, 0, f"-{letter('g')}")
    return Robot(f"chain of {n}", tuple(links), gravity=gravity, parameters=names)


def sympy_seconds(robot: Robot) -> float | None:
    """The same derivation and proof on SymPy expressions, or None where SymPy is not installed."""
    if find_spec("sympy") is None:
        return None
    sympy: Any = import_module("sympy")

    class Symbols:
        def number(self, value: Fraction) -> Any:
            return sympy.Rational(value.numerator, value.denominator)

        def pi(self) -> Any:
            return sympy.pi

        def parameter(self, name: str) -> Any:
            return sympy.Symbol(name)

        def cos_sin(self, angle: Expression) -> tuple[Any, Any]:
            value: Any = evaluate(angle, self)
            return sympy.cos(value), sympy.sin(value)

        def sqrt(self, argument: Expression) -> Any:
            return sympy.sqrt(evaluate(argument, self))

    start = time.perf_counter()
    m: Any = mechanism(robot, Symbols())
    n = robot.n
    q, qd, qdd = (sympy.symbols(" ".join(f"{letter}{k}" for k in range(n)), seq=True) for letter in ("q", "u", "w"))
    cos, sin = [sympy.cos(x) for x in q], [sympy.sin(x) for x in q]
    state: Any = State(q, cos, sin, qd, qdd, [sympy.Integer(0)] * n)
    M = mass_matrix(m, state)
    torques = newton_euler(m, state).tau
    potential: Any = sum(
        -(m.gravity.dot(place) * body.mass) for body, place in zip(m.bodies, _coms(m, state), strict=True)
    )
    for k in range(n):
        lagrange = sum(M[k][j] * qdd[j] for j in range(n)) + sympy.diff(potential, q[k])
        for i in range(n):
            for j in range(n):
                slopes = sympy.diff(M[k][j], q[i]) + sympy.diff(M[k][i], q[j]) - sympy.diff(M[i][j], q[k])
                lagrange += slopes / 2 * qd[i] * qd[j]
        if sympy.simplify(sympy.expand(lagrange - torques[k])) != 0:
            raise AssertionError("SymPy does not see that the two derivations agree")
    return time.perf_counter() - start


def _coms(m: Any, state: Any) -> list[Any]:
    from dynamis.algorithms.kinematics import com_position, poses

    where = poses(m, state)
    return [com_position(m, where, i) for i in range(len(m.bodies))]
