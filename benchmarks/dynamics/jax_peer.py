"""JAX: the Newton-Euler recursion on 3-vectors for all states together, compiled by XLA."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.dynamics.competitor import Competitor, MissingError, peer_module
from benchmarks.dynamics.subject import Array, Subject
from dynamis.compute.mechanics.mechanism import Body, mechanism
from dynamis.robot import Robot

MOST_JOINTS = 20
"""XLA takes minutes for longer chains."""


def competitors(subject: Subject, threads: int) -> list[Competitor]:
    jax = peer_module("jax", "JAX", "jax")
    if subject.quantity != "inverse_dynamics" or subject.robot.n > MOST_JOINTS:
        return []
    jax.config.update("jax_enable_x64", True)
    jax.config.update("jax_platforms", "cpu")
    compiled = jax.jit(recursion(jax.numpy, subject.robot))
    inputs = [jax.device_put(array) for array in subject.arrays]

    def run(count: int) -> Any:
        return jax.block_until_ready(compiled(*inputs))

    def results(count: int) -> tuple[Array, ...]:
        return (np.asarray(run(count))[:count],)

    return [Competitor("JAX", run, results, all_or_nothing=True, several=True)]


def recursion(jnp: Any, robot: Robot) -> Any:
    """tau(q, qd, qdd) of a robot of revolute joints: Luh, Walker and Paul (1980), in link axes about joint points."""
    m = mechanism(robot, robot.floats())
    bodies = [_arrays(body) for body in m.bodies]
    if not all(body.revolute and body.joint is not None for body in m.bodies):
        raise MissingError("the JAX recursion is for revolute joints")
    down = -np.array([*m.gravity])

    def apply(R: Any, v: Any) -> Any:
        return jnp.einsum("nij,nj->ni", R, v)

    def tau(q: Any, qd: Any, qdd: Any) -> Any:
        still = jnp.zeros((q.shape[0], 3))
        w: list[Any] = []
        wd: list[Any] = []
        a: list[Any] = []
        turns: list[Any] = []
        forces: list[Any] = []
        moments: list[Any] = []
        for i, b in enumerate(bodies):
            c, s = jnp.cos(q[:, i, None, None]), jnp.sin(q[:, i, None, None])
            R = b["R0"] @ (b["kk"] + c * (np.eye(3) - b["kk"]) + s * b["skew"])
            T = jnp.swapaxes(R, 1, 2)
            p = b["parent"]
            w0, wd0, a0 = (w[p], wd[p], a[p]) if p is not None else (still, still, still + down)
            spin = b["k"] * qd[:, i, None]
            w.append(apply(T, w0) + spin)
            wd.append(apply(T, wd0) + b["k"] * qdd[:, i, None] + jnp.cross(apply(T, w0), spin))
            t = jnp.broadcast_to(b["t0"], w0.shape)
            a.append(apply(T, a0 + jnp.cross(wd0, t) + jnp.cross(w0, jnp.cross(w0, t))))
            com = jnp.broadcast_to(b["com"], w0.shape)
            force = b["mass"] * (a[i] + jnp.cross(wd[i], com) + jnp.cross(w[i], jnp.cross(w[i], com)))
            spun = jnp.cross(w[i], w[i] @ b["inertia"])
            turns.append(R)
            forces.append(force)
            moments.append(wd[i] @ b["inertia"] + spun + jnp.cross(com, force))
        for i in reversed(range(len(bodies))):
            p = bodies[i]["parent"]
            if p is not None:
                force = apply(turns[i], forces[i])
                arm = jnp.broadcast_to(bodies[i]["t0"], force.shape)
                forces[p] = forces[p] + force
                moments[p] = moments[p] + apply(turns[i], moments[i]) + jnp.cross(arm, force)
        torques = [moments[i] @ b["k"] + b["rotor"] * qdd[:, i] for i, b in enumerate(bodies)]
        return jnp.stack(torques, axis=1)

    return tau


def _arrays(body: Body[float]) -> dict[str, Any]:
    k = np.array([*body.k])
    return {
        "parent": body.parent, "R0": np.array([[*row] for row in body.R0]), "t0": np.array([*body.t0]), "k": k,
        "kk": np.outer(k, k), "skew": np.cross(np.eye(3), k), "mass": body.mass, "com": np.array([*body.com]),
        "inertia": np.array([[*row] for row in body.inertia]), "rotor": body.rotor,
    }  # fmt: skip
