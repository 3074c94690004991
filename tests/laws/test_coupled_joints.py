"""Coupled joints, q = A y + b: agreement with Pinocchio on published URDFs with <mimic> and on random trees.

Two witnesses: Pinocchio's own mimic joints, where it can build them (a mimic joint must come after an independent one
there), and for every robot Pinocchio without couplings, whose torques and matrices are brought to the coordinates here
with A as it stands in the file. Pinocchio has no derivatives of mimic joints: those are A^T (dtau/dq) A of the second
witness. Forward dynamics is M^-1 (tau - bias) of it.
"""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass, replace
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pinocchio as pin
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from dynamis import Limits, Robot
from dynamis.compute.quantities.reference import plain
from dynamis.errors import MissingMassError
from dynamis.model.formats.urdf.read import read_urdf
from dynamis.model.formats.urdf.write import write_urdf
from tests.support.closeness import close, largest
from tests.support.pinocchio_trees import Reference
from tests.support.published_urdfs import FILES, MIMIC
from tests.support.strategies import Case, coupled, robots

Array = NDArray[np.float64]
PHASES = (Phase.explicit, Phase.reuse, Phase.generate)  # shrinking such trees takes minutes


@dataclass
class Uncoupled:
    """Pinocchio on the file without its <mimic>s, and A and b of q = A y + b for its joints."""

    model: Any
    A: Array
    b: Array
    names: list[str]

    @classmethod
    def of(cls, text: str, robot: Robot) -> Uncoupled:
        model = pin.buildModelFromXML(re.sub(r"<mimic\b[^>]*/>", "", text))
        model.gravity.linear = np.array([0, 0, -9.81])
        root = ElementTree.fromstring(text)
        follows = {joint.get("name"): joint.find("mimic") for joint in root.findall("joint")}
        y = [c.name for c in robot.coordinates]

        def row(joint: str) -> tuple[Array, float]:
            if joint in y:
                return np.eye(len(y))[y.index(joint)], 0.0
            mimic = follows[joint]
            assert mimic is not None
            A, b = row(mimic.attrib["joint"])
            factor = float(mimic.get("multiplier", 1))
            return factor * A, factor * b + float(mimic.get("offset", 0))

        names = list(model.names)[1:]
        rows = [row(name) for name in names]
        return cls(model, np.array([A for A, _ in rows]), np.array([b for _, b in rows]), names)

    def q(self, y: Array) -> Array:
        found = pin.neutral(self.model)
        for k, x in enumerate(self.A @ y + self.b):
            joint, at = self.model.joints[k + 1], self.model.idx_qs[k + 1]
            found[at : at + joint.nq] = [x] if joint.nq == 1 else [np.cos(x), np.sin(x)]
        return found

    def expected(self, y: Array, yd: Array, ydd: Array, frame: str) -> dict[str, Array]:
        """Everything per coordinate, in the order of the robot's; nv is one per joint here."""
        model, data, A = self.model, self.model.createData(), self.A[np.argsort(self.model.idx_vs[1:])]
        q, v, a = self.q(y), A @ yd, A @ ydd
        M = pin.crba(model, data, q)
        M = np.triu(M) + np.triu(M, 1).T
        M_y, tau = A.T @ M @ A, A.T @ pin.rnea(model, data, q, v, a)
        bias = A.T @ pin.nonLinearEffects(model, data, q, v)
        by_q, by_v, _ = (np.array(x) for x in pin.computeRNEADerivatives(model, data, q, v, a))
        pin.computeJointJacobians(model, data, q)
        pin.framesForwardKinematics(model, data, q)
        where = model.getFrameId(frame, pin.FrameType.BODY)
        J = pin.getFrameJacobian(model, data, where, pin.ReferenceFrame.LOCAL_WORLD_ALIGNED)
        damping = A.T @ np.diag(model.damping) @ A
        return {
            "tau": tau,
            "M": M_y,
            "bias": bias,
            "J": J @ A,
            "dtau_dq": A.T @ by_q @ A,
            "dtau_dqd": A.T @ by_v @ A + damping,
            "friction": damping @ yd + A.T @ (model.upperDryFrictionLimit * np.sign(v)),
            "C qd": A.T @ pin.computeCoriolisMatrix(model, data, q, v) @ A @ yd,
        }


def answers(robot: Robot, y: Array, yd: Array, ydd: Array, tau: Array, frame: str, ask: Any) -> dict[str, Array]:
    by_q, by_qd = ask("inverse_dynamics_derivatives", y, yd, ydd)
    return {
        "tau": ask("inverse_dynamics", y, yd, ydd)[0],
        "M": ask("mass_matrix", y)[0],
        "bias": ask("bias_torque", y, yd)[0],
        "J": ask("jacobian", y, frame=frame)[0],
        "dtau_dq": by_q,
        "dtau_dqd": by_qd,
        "C qd": ask("coriolis_matrix", y, yd)[0] @ yd,
    }


def compiled(robot: Robot, name: str, *values: Array, **options: str) -> tuple[Array, ...]:
    found: Any = robot.prepared(name, **options)(*values)
    return found if isinstance(found, tuple) else (found,)


def published(name: str) -> str:
    """A file that has mimic joints; the hands of alex follow joints of names without their side."""
    text = FILES[name].read_text(encoding="utf-8")
    for side in ("Left", "Right"):
        for finger in ("index", "middle", "ring", "pinky"):
            pattern = rf'(<joint[^>]*name\s*=\s*"{side}_{finger}_q2".*?<mimic joint = ")({finger}_q1)'
            text = re.sub(pattern, rf"\g<1>{side}_\g<2>", text, count=1, flags=re.DOTALL)
    return text


@pytest.mark.parametrize("name", sorted(MIMIC))
def test_published_files_agree_with_pinocchio(name: str) -> None:
    text = published(name)
    robot = Robot.from_model(read_urdf(text, name))
    witness = Uncoupled.of(text, robot)
    assert (robot.n, len(robot.joints)) == (witness.A.shape[1], witness.A.shape[0])
    assert robot.coupled
    random = np.random.default_rng(zlib.crc32(name.encode()))
    frame = robot.links[-1].name
    for _ in range(2):
        y, yd, ydd = random.uniform(-2, 2, (3, robot.n))
        expected = witness.expected(y, yd, ydd, frame)
        friction = expected.pop("friction")
        expected["tau"] = expected["tau"] + friction
        found = answers(robot, y, yd, ydd, expected["tau"], frame, lambda *a, **o: compiled(robot, *a, **o))
        reference = answers(robot, y, yd, ydd, expected["tau"], frame, lambda *a, **o: plain(robot, *a, **o))
        expected["bias"] = expected["bias"] + friction
        for key, value in expected.items():
            close(found[key], value, scale=largest(value))
            close(reference[key], value, scale=largest(value))
        if np.linalg.cond(expected["M"]) > 1e12:
            with pytest.raises(MissingMassError):
                robot.forward_dynamics(y, yd, expected["tau"])
            continue
        for ask in (compiled, plain):
            (qdd,) = ask(robot, "forward_dynamics", y, yd, expected["tau"])
            close(expected["M"] @ qdd, expected["tau"] - expected["bias"], scale=largest(expected["M"]) * largest(qdd))


@settings(max_examples=40, phases=PHASES)
@given(robots(friction=True, solid=True, loads=True), st.integers(0, 2**32 - 1))
def test_random_trees_agree_with_pinocchio(case: Case, seed: int) -> None:
    """Any couplings, to several joints and in chains; loads, friction and rotors among it."""
    if not case.moving:
        return
    robot, A, b = coupled(case, seed)
    y, yd, ydd = np.random.default_rng(seed).uniform(-2, 2, (3, A.shape[1]))
    q, qd, qdd = A @ y + b, A @ yd, A @ ydd
    options: dict[str, Any] = {"loads": case.loads, "gravity": case.gravity_given}
    reference = Reference.of(replace(case, q=q, qd=qd, qdd=qdd))
    model, data, moving = reference.model, reference.data, case.moving
    model.armature = np.array([part.reflected for part in case.parts])
    parts = [case.parts[i] for i in moving]
    friction = [part.damping * v + part.coulomb * np.sign(v) for part, v in zip(parts, qd, strict=True)]
    joint_tau, force, moment = reference.inverse_dynamics()
    wrenches = np.concatenate([force, moment], axis=1)
    tau = A.T @ (joint_tau + np.array(friction))
    size = largest(wrenches) + float(np.abs(joint_tau).max()) + float(np.abs(friction).max())

    found = robot.reactions(y, yd, ydd, **options)
    close(found.tau, tau, scale=size)
    close(robot.inverse_dynamics(y, yd, ydd, **options), tau, scale=size)
    close(found.wrench, wrenches, scale=largest(wrenches))
    close(sum(robot.torque_components(y, yd, ydd, **options).parts.T), tau, scale=size)
    close(robot.parameter_torques(y, yd, ydd, **options).sum(axis=-1), tau, scale=size)

    # Column by column: Pinocchio's crba wants the joints of a branch in a row.
    still = np.zeros(model.nv)
    M = np.array([pin.rnea(model, data, reference.q, still, e) for e in np.eye(model.nv)]).T
    M = M - pin.rnea(model, data, reference.q, still, still)[:, None]
    M_y = A.T @ M[np.ix_(moving, moving)] @ A
    close(robot.mass_matrix(y), M_y)
    close(robot.kinetic_energy(y, yd), yd @ M_y @ yd / 2)
    close(robot.inverse_mass_matrix(y) @ M_y, np.eye(robot.n), scale=float(np.linalg.cond(M_y)))
    L = robot.cholesky(y)
    close(L @ L.T, M_y)
    qdd_found = robot.forward_dynamics(y, yd, tau, **options)
    close(M_y @ (qdd_found - ydd), np.zeros(robot.n), scale=size + largest(M_y) * float(np.abs(ydd).max()))

    pin.computeJointJacobians(model, data, reference.q)
    tool = data.oMi[case.tool_on + 1] * reference.tool
    J = pin.getJointJacobian(model, data, case.tool_on + 1, pin.ReferenceFrame.WORLD).reshape(6, -1)[:, moving]
    J = np.vstack([J[:3] + np.cross(J[3:], tool.translation, axis=0), J[3:]]) @ A
    close(robot.jacobian(y), J, scale=1 + largest(J))
    close(robot.forward_kinematics(y), tool.homogeneous)
    motion = robot.frame_motion(y, yd, ydd)
    bias = robot.bias_acceleration(y, yd)
    close(np.concatenate([motion.velocity, motion.w]), J @ yd, scale=1 + largest(J) * 4)
    close(np.concatenate([motion.acceleration, motion.wd]), J @ ydd + bias, scale=1 + largest(J) * 10 + largest(bias))


@settings(max_examples=25, phases=PHASES)
@given(robots(friction=True, solid=True, loads=True, joints=(1, 7)), st.integers(0, 2**32 - 1))
def test_what_is_compiled_is_the_plain_reference(case: Case, seed: int) -> None:
    if not case.moving:
        return
    robot, A, _ = coupled(case, seed)
    y, yd, ydd = np.random.default_rng(seed).uniform(-2, 2, (3, A.shape[1]))
    loads: dict[str, Any] = {"loads": case.loads, "gravity": case.gravity_given}
    tau = robot.inverse_dynamics(y, yd, ydd, **loads)
    of_motion = ("inverse_dynamics_derivatives", "torque_components", "parameter_torques", "bearing_loads", "recursion")
    for name in of_motion:
        found: Any = robot.prepared(name, **loads)(y, yd, ydd)
        for ours, theirs in zip(
            found if isinstance(found, tuple) else (found,), plain(robot, name, y, yd, ydd, **loads), strict=True
        ):
            close(ours, theirs)
    close(robot.regressor(y, yd, ydd), plain(robot, "regressor", y, yd, ydd)[0])
    close(robot.coriolis_torque(y, yd), robot.coriolis_matrix(y, yd) @ yd, scale=largest(tau) + 1)
    close(robot.gravity_torque(y), plain(robot, "gravity_torque", y)[0])
    ours, theirs = robot.forward_dynamics(y, yd, tau, **loads), plain(robot, "forward_dynamics", y, yd, tau, **loads)[0]
    close(ours, theirs, tolerance=1e-10 * np.linalg.cond(robot.mass_matrix(y)))


@settings(max_examples=25, phases=PHASES)
@given(robots(friction=True, solid=True, loads=True, joints=(1, 7)), st.integers(0, 2**32 - 1))
def test_derivatives_are_the_slopes_of_the_torques(case: Case, seed: int) -> None:
    """Central differences, along q and qd; Coulomb friction has no slope."""
    if not case.moving:
        return
    robot, A, _ = coupled(case, seed)
    y, yd, ydd = np.random.default_rng(seed).uniform(-2, 2, (3, A.shape[1]))
    loads: dict[str, Any] = {"loads": case.loads, "gravity": case.gravity_given}
    slopes = robot.inverse_dynamics_derivatives(y, yd, ydd, **loads)
    by_q, by_qd = slopes.dtau_dq, slopes.dtau_dqd
    h, steps = 1e-5, np.eye(robot.n) * 1e-5
    torque = robot.inverse_dynamics
    slope_q = (torque(y + steps, yd, ydd, **loads) - torque(y - steps, yd, ydd, **loads)).T / (2 * h)
    coulomb = A.T @ [case.parts[i].coulomb * np.sign(v) for i, v in zip(case.moving, A @ yd, strict=True)]
    slope_qd = (torque(y, yd + steps, ydd, **loads) - torque(y, yd - steps, ydd, **loads)).T / (2 * h)
    size = largest(torque(y, yd, ydd, **loads)) + largest(by_q) + largest(coulomb) + 1
    close(by_q, slope_q, scale=size, tolerance=1e-6)
    if np.abs(A @ yd).min() > 1e-4:
        close(by_qd, slope_qd, scale=size, tolerance=1e-6)
    tau = torque(y, yd, ydd, **loads)
    found = robot.forward_dynamics_derivatives(y, yd, tau, **loads)
    M = robot.mass_matrix(y)
    limit = 1e-10 * float(np.linalg.cond(M))
    close(M @ found.dqdd_dq, -by_q, tolerance=limit)
    close(M @ found.dqdd_dqd, -by_qd, tolerance=limit)
    close(M @ found.dqdd_dtau, np.eye(robot.n), tolerance=limit)


@settings(max_examples=25, phases=PHASES)
@given(robots(solid=True, chain=True, kinds=("revolute", "prismatic"), joints=(2, 8)), st.integers(0, 2**32 - 1))
def test_mimic_joints_of_pinocchio(case: Case, seed: int) -> None:
    """Pinocchio's own mimic joints, which it reads from the URDF that is written."""
    robot, A, _ = coupled(case, seed, several=False, follow_earlier=True)
    # Pinocchio's continuous joints, which have no range, cannot mimic others.
    ranged = [replace(link, joint=replace(link.joint, limits=Limits(-10, 10))) for link in robot.links]
    robot = replace(robot, links=tuple(ranged)).with_gravity([0, 0, -9.81])
    model = pin.buildModelFromXML(write_urdf(robot), True)
    data = model.createData()
    assert model.nv == robot.n == A.shape[1]
    free = [model.getJointId(c.name) for c in robot.coordinates]
    q = pin.neutral(model)
    y, yd, ydd = np.random.default_rng(seed).uniform(-2, 2, (3, robot.n))
    v, a = np.zeros((2, model.nv))
    for k, i in enumerate(free):
        joint, at = model.joints[i], model.idx_qs[i]
        q[at : at + joint.nq] = [y[k]] if joint.nq == 1 else [np.cos(y[k]), np.sin(y[k])]
        v[model.idx_vs[i]], a[model.idx_vs[i]] = yd[k], ydd[k]
    order = [model.idx_vs[i] for i in free]
    tau = pin.rnea(model, data, q, v, a)[order]
    found = robot.reactions(y, yd, ydd)
    close(found.tau, tau, scale=largest(found.wrench))
    close(robot.inverse_dynamics(y, yd, ydd), tau, scale=largest(found.wrench))
    M = pin.crba(model, data, q)
    M = (np.triu(M) + np.triu(M, 1).T)[np.ix_(order, order)]
    close(robot.mass_matrix(y), M)
    bias = pin.nonLinearEffects(model, data, q, v)[order]
    residual = M @ robot.forward_dynamics(y, yd, tau) - (tau - bias)
    close(residual, np.zeros(robot.n), scale=largest(tau) + largest(bias) + largest(M))
    pin.computeJointJacobians(model, data, q)
    pin.framesForwardKinematics(model, data, q)
    tool = model.getFrameId("tool", pin.FrameType.BODY)
    J = pin.getFrameJacobian(model, data, tool, pin.ReferenceFrame.LOCAL_WORLD_ALIGNED).reshape(6, -1)[:, order]
    close(robot.jacobian(y), J, scale=1 + largest(J))
