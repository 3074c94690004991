"""JAX: robots whose verbs take and give arrays of JAX, on the CPU and on GPUs, with gradients of every order.

    import dynamis.jax

    robot = dynamis.jax.load("panda")
    tau = jax.jit(robot.inverse_dynamics)(q, qd, qdd)   # arrays (..., 7); jax.grad, jax.jvp and jax.vmap work

A robot that is there already becomes one of these by `robot.on("jax")`. JAX is imported when it is asked for.
"""

from __future__ import annotations

from pathlib import Path

from dynamis import library
from dynamis.robot import Robot


def load(name: str | Path) -> Robot:
    """A robot on JAX: the name of a shipped one, or the path of a .toml or .urdf file."""
    return library.load(name).on("jax")
