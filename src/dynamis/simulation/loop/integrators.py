"""Fixed-step integrators, over any scalar.

`rk4`, Runge and Kutta's of order four, looks at the rates at the start, twice in the middle and at the end.

`midpoint` is the implicit midpoint rule in q and p = M qd, of order two. It is symplectic: it follows exactly a
robot whose energy is close to the true one, so the energy error of free motion stays bounded however long the
run. With v the velocity over the step and F = dL/dq + tau:

    p0 + h/2 F(q0 + h/2 v, v) = M(q0 + h/2 v) v        p1 = p0 + h F        q1 = q0 + h v

v is found by repeating v <- M^-1 (p0 + h/2 F), each of which makes its error smaller by a factor of the order
of h times the rate at which the robot's motion changes.

Sources: E. Hairer, S. P. Norsett, G. Wanner, Solving Ordinary Differential Equations I, 1993, section II.1; E. Hairer,
C. Lubich, G. Wanner, Geometric Numerical Integration, 2006, section VI.6.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from dynamis.simulation.loop.equations import LoopEquations

Values = list[Any]
MIDPOINT_REPEATS = 5
"""How often the midpoint's velocity is corrected; fewer repeats lose what makes it symplectic."""


def rk4(system: LoopEquations, x: Sequence[Any], h: Any, inputs: Sequence[Sequence[Any]]) -> Values:
    """x after a step h; the inputs are those of its start, middle and end."""
    start, middle, end = inputs
    k1 = system.rate(x, start)
    k2 = system.rate(_move_along(x, h / 2, k1), middle)
    k3 = system.rate(_move_along(x, h / 2, k2), middle)
    k4 = system.rate(_move_along(x, h, k3), end)
    return [a + h * ((p + s) / 6 + (q + r) / 3) for a, p, q, r, s in zip(x, k1, k2, k3, k4, strict=True)]


def midpoint(system: LoopEquations, x: Sequence[Any], h: Any, inputs: Sequence[Sequence[Any]]) -> Values:
    """x after a step h; there is one set of inputs, that of its middle."""
    (at_middle,) = inputs
    system, layout = system.holding(at_middle), system.loop.state
    now = layout.split(x)
    p = system.momentum(now["q"], now["qd"])
    v, memory = now["qd"], now["memory"]
    force: Values = []
    rates: Values = []
    powers: Values = []
    for _ in range(MIDPOINT_REPEATS):
        q = _move_along(now["q"], h / 2, v)
        middle = layout.join(**{**now, "q": q, "qd": v, "memory": memory})
        force, rates, powers = system.push(middle, at_middle)
        v = system.velocity(q, _move_along(p, h / 2, force))
        memory = _move_along(now["memory"], h / 2, rates)
    q = _move_along(now["q"], h, v)
    return layout.join(
        q=q,
        qd=system.velocity(q, _move_along(p, h, force)),
        memory=_move_along(now["memory"], h, rates),
        held=now["held"],
        work=_move_along(now["work"], h, powers),
    )


def _move_along(x: Sequence[Any], h: Any, rates: Sequence[Any]) -> Values:
    return [a + h * b for a, b in zip(x, rates, strict=True)]


@dataclass(frozen=True)
class Integrator:
    """A step, where in it the inputs are (in parts of the step), its order, and where it stops being stable.

    `reach` is the largest |h lambda| of a decaying mode that does not grow.
    """

    step: Callable[[LoopEquations, Sequence[Any], Any, Sequence[Sequence[Any]]], Values]
    instants: tuple[float, ...]
    order: int
    reach: float
    stages: tuple[tuple[int, float, float], ...] = ()
    """Of an explicit method: the instant of each stage, its weight, and how far ahead the next stage is."""


FIXED = {
    "rk4": Integrator(
        rk4, (0.0, 0.5, 1.0), 4, 2.785, ((0, 1 / 6, 0.5), (1, 1 / 3, 0.5), (1, 1 / 3, 1.0), (2, 1 / 6, 0.0))
    ),
    "symplectic": Integrator(midpoint, (0.5,), 2, 1.0),
}
"""The fixed-step integrators by name."""
