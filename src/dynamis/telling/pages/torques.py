"""The page of Newton-Euler's result: its torques, in closed form or in numbers."""

from __future__ import annotations

from typing import Any, cast

from dynamis.compute.mechanics.dynamics.newton_euler import InverseDynamics
from dynamis.telling.blocks import Document, Equation, Table
from dynamis.telling.symbols import tau


def torques_document(result: InverseDynamics[Any]) -> Document:
    """The torques, in closed form or in numbers; the vectors of every body are in its fields."""
    ring: Any = getattr(result.tau[0], "ring", None) if result.tau else None
    if ring is not None:
        return Document("", (Equation(tau, cast(Any, [*result.tau])),), ring=ring)
    return Document("", (Table(("coordinate", "tau"), tuple((k, str(t)) for k, t in enumerate(result.tau, 1))),))
