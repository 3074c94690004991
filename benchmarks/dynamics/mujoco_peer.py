"""MuJoCo: mj_inverse, mj_forward and the mass matrix of the same URDF, called from Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.dynamics.competitor import Competitor, MissingError, one_by_one, peer_module
from benchmarks.dynamics.subject import Array, Subject
from dynamis.compute.mechanics.mechanism import mechanism
from dynamis.model.formats.urdf.write import write_urdf

QUANTITIES = ("inverse_dynamics", "forward_dynamics", "mass_matrix")


def competitors(subject: Subject, threads: int) -> list[Competitor]:
    """One call per state; nothing is simulated, and constraints are switched off."""
    mujoco = peer_module("mujoco", "MuJoCo", "mujoco")
    if subject.quantity not in QUANTITIES:
        return []
    m = mechanism(subject.robot, subject.robot.floats())
    try:
        model: Any = mujoco.MjModel.from_xml_string(write_urdf(subject.robot))
    except ValueError as error:
        why = " ".join(str(error).split("\n")[0].split())
        raise MissingError(f"MuJoCo does not load {subject.robot.name}: {why}") from None
    model.opt.gravity[:] = [*m.gravity]
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    model.dof_armature[:] = [body.rotor for body in m.bodies if body.joint is not None]
    return [one_by_one("MuJoCo call", subject, calls_of(mujoco, model)[subject.quantity])]


def calls_of(mujoco: Any, model: Any) -> dict[str, Callable[..., Any]]:
    """Every quantity of a model as a function of a state."""
    data = mujoco.MjData(model)
    M = np.zeros((model.nv, model.nv))

    def inverse_dynamics(q: Array, v: Array, a: Array) -> Any:
        data.qpos[:], data.qvel[:], data.qacc[:] = q, v, a
        mujoco.mj_inverse(model, data)
        return data.qfrc_inverse

    def forward_dynamics(q: Array, v: Array, tau: Array) -> Any:
        data.qpos[:], data.qvel[:], data.qfrc_applied[:] = q, v, tau
        mujoco.mj_forward(model, data)
        return data.qacc

    def mass_matrix(q: Array) -> Any:
        data.qpos[:] = q
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        mujoco.mj_crb(model, data)
        mujoco.mj_fullM(model, data, M)
        return M

    return {"inverse_dynamics": inverse_dynamics, "forward_dynamics": forward_dynamics, "mass_matrix": mass_matrix}
