"""JAX: our algorithms on its arrays, one array of all states a scalar, compiled by XLA."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from dynamis.algorithms.mechanism import State, mechanism
from dynamis.bench.dynamics.competitor import Competitor, MissingError
from dynamis.bench.dynamics.subject import NO_LOADS, Array, Subject
from dynamis.plain import quantity
from dynamis.quantities import Setting

LONGEST = 1500
"""Operations of a program that is still given to XLA, which takes minutes for long ones."""


def competitors(subject: Subject, threads: int) -> list[Competitor]:
    try:
        jax: Any = import_module("jax")
    except ImportError:
        raise MissingError("JAX is not installed (pip install jax)") from None
    if len(subject.function.program.operations) > LONGEST:
        return []
    jax.config.update("jax_enable_x64", True)
    jax.config.update("jax_platforms", "cpu")
    jnp: Any = jax.numpy
    robot, wanted = subject.robot, quantity(subject.quantity)

    def recursion(*arrays: Any) -> Any:
        zero = jnp.zeros_like(arrays[0][:, 0])
        x = {name: [zero] * robot.n for name in ("q", "qd", "qdd", "tau")}
        for name, array in zip(wanted.inputs, arrays, strict=True):
            x[name] = [array[:, k] for k in range(robot.n)]
        cos, sin, sign = ([call(v) for v in x[of]] for call, of in ((jnp.cos, "q"), (jnp.sin, "q"), (jnp.sign, "qd")))
        world = robot.world()
        m: Any = mechanism(robot, world)
        state: Any = State(x["q"], cos, sin, x["qd"], x["qdd"], sign)
        setting = Setting(robot, world, m, state, x["tau"], None, NO_LOADS, fast=True, sqrt=jnp.sqrt)
        return tuple(_stacked(jnp, found, zero) for found in wanted.compute(setting, **subject.options))

    compiled = jax.jit(recursion)
    given = [jax.device_put(array) for array in subject.arrays]

    def run(count: int) -> Any:
        return jax.block_until_ready(compiled(*given))

    def results(count: int) -> tuple[Array, ...]:
        return tuple(np.asarray(found)[:count] for found in run(count))

    return [Competitor("JAX", run, results)]


def _stacked(jnp: Any, nested: Any, zero: Any) -> Any:
    """Nested lists of arrays (N) as one array (N, ...)."""
    if isinstance(nested, list):
        return jnp.stack([_stacked(jnp, part, zero) for part in nested], axis=1)  # type: ignore[reportUnknownVariableType]
    return zero + nested
