"""A random robot (`strategies.Case`) as a Pinocchio model, built from the same numbers in another way.

Its joint frame is the frame of the motion (where `before` and the motion lead), not the link frame, so `after` goes
into the bodies and the children instead of into the axis. A fixed joint is a revolute joint held still, so that all
six components of its reaction appear.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pinocchio as pin

from dynamis import Force, Moment
from dynamis.base.arrays import Array
from tests.support.strategies import Case, matrix


@dataclass
class Reference:
    """The same robot in Pinocchio, one Pinocchio joint a part (fixed ones held at zero)."""

    case: Case
    model: Any
    data: Any
    after: list[Any]
    tool: Any

    @classmethod
    def of(cls, case: Case) -> Reference:
        model = pin.Model()
        model.gravity.linear = case.acting_gravity
        after = [pin.SE3(matrix(part.after)) for part in case.parts]
        for i, part in enumerate(case.parts):
            before = pin.SE3(matrix(part.before))
            parent = 0 if part.parent is None else part.parent + 1
            placement = before if part.parent is None else after[part.parent] * before
            slides = part.kind == "prismatic"
            joint = pin.JointModelPrismaticUnaligned if slides else pin.JointModelRevoluteUnaligned
            index = model.addJoint(parent, joint(part.k), placement, part.name)
            assert index == i + 1
            model.appendBodyToJoint(index, pin.Inertia(part.mass, part.com, part.inertia), after[i])
        return cls(case, model, model.createData(), after, after[case.tool_on] * pin.SE3(matrix(case.tool)))

    @property
    def q(self) -> Array:
        return self.case.of_part(self.case.q)

    @property
    def v(self) -> Array:
        return self.case.of_part(self.case.qd)

    @property
    def a(self) -> Array:
        return self.case.of_part(self.case.qdd)

    def link_pose(self, i: int) -> Any:
        """The link frame in the world; forward kinematics must have run."""
        return self.data.oMi[i + 1] * self.after[i]

    def applied(self) -> Any:
        """The loads, as wrenches in Pinocchio's joint frames."""
        pin.forwardKinematics(self.model, self.data, self.q)
        wrenches = [pin.Force.Zero() for _ in range(self.model.njoints)]
        names = [part.name for part in self.case.parts]
        for load in self.case.loads:
            i = self.case.tool_on if not isinstance(load, Force | Moment) else names.index(load.link)
            joint, link = self.data.oMi[i + 1], self.link_pose(i)
            if isinstance(load, Force):
                force = vector(load.vector) if load.axes == "world" else link.rotation @ vector(load.vector)
                at = vector(load.point) if load.point_in == "world" else link * vector(load.point)
                moment = np.cross(at, force)
            elif isinstance(load, Moment):
                force, moment = np.zeros(3), vector(load.vector)
                moment = moment if load.axes == "world" else link.rotation @ moment
            else:
                tool = joint * self.tool
                R = np.eye(3) if load.axes == "world" else tool.rotation
                sign = -1 if load.direction == "exerted_by_tool" else 1
                force, moment = sign * R @ vector(load.force), sign * R @ vector(load.moment)
                moment = moment + np.cross(tool.translation, force)
            wrenches[i + 1] += joint.actInv(pin.Force(force, moment))
        found = pin.StdVec_Force()
        found.extend(wrenches)
        return found

    def inverse_dynamics(self) -> tuple[Array, Array, Array]:
        """tau of the moving joints; force and moment at every joint, in link axes."""
        applied = self.applied()
        tau = pin.rnea(self.model, self.data, self.q, self.v, self.a, applied)[self.case.moving]
        turns = [placement.rotation.T for placement in self.after]
        force = [R @ self.data.f[i + 1].linear for i, R in enumerate(turns)]
        moment = [R @ self.data.f[i + 1].angular for i, R in enumerate(turns)]
        return tau, np.array(force), np.array(moment)


def vector(entries: Any) -> Array:
    """The numbers of a load, whose entries are exact rationals."""
    return np.array([float(entry.value) for entry in entries])
