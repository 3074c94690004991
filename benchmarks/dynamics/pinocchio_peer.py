"""Pinocchio: its Python call in a loop, and its own batch calls where it has them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np

from benchmarks.dynamics.competitor import Competitor, batched, one_by_one, peer_module
from benchmarks.dynamics.subject import Array, Subject
from dynamis.compute.mechanics.mechanism import mechanism
from dynamis.model.formats.urdf.write import write_urdf
from dynamis.model.inertial_parameters import STANDARD
from dynamis.robot import Robot

# Pinocchio's order of a link's ten parameters.
_PARAMETERS = ("m", "mx", "my", "mz", "Ixx", "Ixy", "Iyy", "Ixz", "Iyz", "Izz")
Call = Callable[..., Any]
PARALLEL = {"inverse_dynamics": "rneaInParallel", "forward_dynamics": "abaInParallel"}


def competitors(subject: Subject, threads: int) -> list[Competitor]:
    """The columns of Pinocchio for a quantity; none if it does not compute it."""
    pin = peer_module("pinocchio", "Pinocchio", "pin")
    model = model_of(pin, subject.robot)
    columns: list[Competitor] = []
    calls = _calls(pin, model, subject.robot)
    if subject.quantity in calls:
        function, convert = calls[subject.quantity]
        columns.append(one_by_one("Pinocchio call", subject, function, convert))
    name = PARALLEL.get(subject.quantity)
    if name and hasattr(pin, name):
        for count in dict.fromkeys((1, threads)):
            column = "Pinocchio batch" if count == 1 else f"Pinocchio batch {count} threads"
            run = _in_parallel(pin, model, getattr(pin, name), subject, count)
            columns.append(batched(column, run, several=count > 1))
    return columns


def parallel_note() -> str | None:
    """What is missing for Pinocchio's own batch calls, if something is."""
    try:
        pin: Any = import_module("pinocchio")
    except ImportError:
        return None
    if hasattr(pin, "rneaInParallel"):
        return None
    return "this Pinocchio has no rneaInParallel and abaInParallel (built without OpenMP): its Python call stands in"


def model_of(pin: Any, robot: Robot) -> Any:
    """The same robot in Pinocchio, its rotors as armature."""
    m = mechanism(robot, robot.floats())
    model = pin.buildModelFromXML(write_urdf(robot))
    model.armature = np.array([body.rotor for body in m.bodies if body.joint is not None])
    model.gravity.linear = np.array([*m.gravity])
    return model


def _in_parallel(pin: Any, model: Any, call: Any, subject: Subject, threads: int) -> Callable[[int], tuple[Array, ...]]:
    pool = pin.ModelPool(model, threads)
    out = np.zeros((subject.batch, subject.robot.n))

    def run(count: int) -> tuple[Array, ...]:
        call(threads, pool, *(array[:count].T for array in subject.arrays), out[:count].T)
        return (out[:count],)

    return run


def _calls(pin: Any, model: Any, robot: Robot) -> dict[str, tuple[Call, Callable[[Any], Any]]]:
    """A Python call for each quantity, and what brings its result to our shapes."""
    data: Any = model.createData()
    tool = model.getFrameId("tool")
    aligned = pin.LOCAL_WORLD_ALIGNED
    weightless = model.copy()
    weightless.gravity.linear = np.zeros(3)
    still = np.zeros(robot.n)
    shift = _shift(robot)
    linalg: Any = np.linalg

    def of(call: Any, of_model: Any = model) -> Call:
        return partial(call, of_model, data)

    def same(result: Any) -> Any:
        return result

    def cholesky(q: Array) -> Any:
        return linalg.cholesky(pin.crba(model, data, q).T)  # reads the lower triangle

    def pose(q: Array) -> Any:
        pin.framesForwardKinematics(model, data, q)
        return data.oMf[tool].homogeneous

    def jacobian(q: Array) -> Any:
        return pin.computeFrameJacobian(model, data, q, tool, aligned)

    def bias_acceleration(q: Array, v: Array) -> Any:
        pin.forwardKinematics(model, data, q, v, still)
        return pin.getFrameClassicalAcceleration(model, data, tool, aligned).vector

    def operational_inertia(q: Array) -> Any:
        J = jacobian(q)
        return linalg.inv(J @ pin.computeMinverse(model, data, q) @ J.T)

    def reactions(q: Array, v: Array, a: Array) -> Any:
        tau = pin.rnea(model, data, q, v, a)
        return tau, [f.linear for f in data.f[1:]], [f.angular for f in data.f[1:]]

    return {
        "inverse_dynamics": (of(pin.rnea), same),
        "forward_dynamics": (of(pin.aba), same),
        "mass_matrix": (of(pin.crba), _symmetric),
        "inverse_mass_matrix": (of(pin.computeMinverse), _symmetric),
        "cholesky": (cholesky, same),
        "coriolis_matrix": (of(pin.computeCoriolisMatrix), same),
        "coriolis_torque": (of(pin.nonLinearEffects, weightless), same),
        "gravity_torque": (of(pin.computeGeneralizedGravity), same),
        "bias_torque": (of(pin.nonLinearEffects), same),
        "kinetic_energy": (of(pin.computeKineticEnergy), same),
        "potential_energy": (of(pin.computePotentialEnergy), same),
        "forward_kinematics": (pose, same),
        "jacobian": (jacobian, same),
        "bias_acceleration": (bias_acceleration, same),
        "regressor": (of(pin.computeJointTorqueRegressor), lambda Y: Y @ shift),
        "operational_inertia": (operational_inertia, same),
        "inverse_dynamics_derivatives": (of(pin.computeRNEADerivatives), lambda result: tuple(result[:2])),
        "forward_dynamics_derivatives": (
            of(pin.computeABADerivatives),
            lambda result: (*result[:2], _symmetric(result[2])),
        ),
        "reactions": (reactions, same),
    }


def _symmetric(M: Array) -> Array:
    """The whole matrix from its upper triangle, which is all that Pinocchio promises."""
    upper = np.triu(M)
    return upper + np.triu(M, 1).T


def _shift(robot: Robot) -> Array:
    """Pinocchio's parameters (about the joint point P) from ours (about the origin O of the link frame).

    With o from P to O: h_P = h + m o, I_P = I + m (o.o 1 - o o^T) + 2 o.h 1 - o h^T - h o^T.
    """
    shift = np.zeros((10 * len(robot.links), 10 * len(robot.links)))
    for i, body in enumerate(mechanism(robot, robot.floats()).bodies):
        o, one = np.array([*body.origin]), np.eye(3)
        for k, unit in enumerate(np.eye(10)):
            ours: dict[str, Any] = dict(zip(STANDARD, unit, strict=True))
            m, h = ours["m"], unit[1:4]
            inertia = m * (o @ o * one - np.outer(o, o)) + 2 * (o @ h) * one - np.outer(o, h) - np.outer(h, o)
            theirs: dict[str, Any] = dict(zip(("m", "mx", "my", "mz"), (m, *(h + m * o)), strict=True))
            for name in _PARAMETERS[4:]:
                theirs[name] = inertia["xyz".index(name[1]), "xyz".index(name[2])] + ours[name]
            shift[10 * i : 10 * i + 10, 10 * i + k] = [theirs[name] for name in _PARAMETERS]
    return shift
