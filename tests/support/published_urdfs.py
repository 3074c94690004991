"""The URDFs of the example-robot-data package, and Pinocchio on the same files."""

from __future__ import annotations

import re
from importlib import metadata
from pathlib import Path

import numpy as np
import pinocchio

from dynamis import Robot
from dynamis.model.formats.urdf.read import read_urdf

FILES = {
    "/".join(file.parts[-3:]): Path(str(file.locate()))
    for file in metadata.files("example-robot-data") or []
    if file.suffix == ".urdf"
}
MIMIC = {
    "alex_description/urdf/alex_psyonic_hands.urdf",
    "baxter_description/urdf/baxter.urdf",
    "panda_description/urdf/panda.urdf",
    "panda_description/urdf/panda_collision.urdf",
    "pr2_description/urdf/pr2.urdf",
    "romeo_description/urdf/romeo.urdf",
    "talos_data/robots/talos_full_v2.urdf",
    "talos_data/robots/talos_full_v2_box.urdf",
    "tiago_pro_description/robots/tiago_pro.urdf",
}


def published(name: str) -> str:
    """The text of a file, without its <mimic> elements if it is one of those that have them."""
    text = FILES[name].read_text(encoding="utf-8")
    return re.sub(r"<mimic\b[^>]*/>", "", text) if name in MIMIC else text


def load(text: str) -> Robot:
    return Robot.from_model(read_urdf(text, "robot.urdf"))


class Witness:
    """Pinocchio on the same file, asked in the order of the robot's joints."""

    def __init__(self, text: str, robot: Robot) -> None:
        self.model = pinocchio.buildModelFromXML(text)
        self.model.gravity.linear = np.array([0, 0, -9.81])
        self.data = self.model.createData()
        self.ids = [self.model.getJointId(joint.name) for joint in robot.joints]
        assert sorted(self.ids) == list(range(1, self.model.njoints))

    def move(self, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> None:
        model = self.model
        q_pin, v_pin, a_pin = pinocchio.neutral(model), np.zeros(model.nv), np.zeros(model.nv)
        for k, i in enumerate(self.ids):
            at, joint = model.idx_qs[i], model.joints[i]
            q_pin[at : at + joint.nq] = [q[k]] if joint.nq == 1 else [np.cos(q[k]), np.sin(q[k])]
            v_pin[model.idx_vs[i]], a_pin[model.idx_vs[i]] = qd[k], qdd[k]
        pinocchio.rnea(model, self.data, q_pin, v_pin, a_pin)
        pinocchio.framesForwardKinematics(model, self.data, q_pin)
        self.v = v_pin

    @property
    def tau(self) -> np.ndarray:
        """Pinocchio's rnea leaves friction out: it is added from Pinocchio's own reading of the file."""
        friction = self.model.damping * self.v + self.model.upperDryFrictionLimit * np.sign(self.v)
        return (self.data.tau + friction)[[self.model.idx_vs[i] for i in self.ids]]

    @property
    def wrenches(self) -> np.ndarray:
        return np.array([self.data.f[i].vector for i in self.ids])

    def poses(self) -> dict[str, np.ndarray]:
        frames = [frame for frame in self.model.frames if frame.type == pinocchio.FrameType.BODY]
        ids = [self.model.getFrameId(frame.name, pinocchio.FrameType.BODY) for frame in frames]
        return {frame.name: self.data.oMf[i].homogeneous for frame, i in zip(frames, ids, strict=True)}
