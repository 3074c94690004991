"""A mechanism in a state as the efficient algorithms see it: aligned frames, regrouped moments of its bodies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic

from dynamis.compute.mechanics.efficient.regrouping.body_moments import BodyMoments, moments_in_body_axes
from dynamis.compute.mechanics.efficient.regrouping.dh_frames import FrameChange, align_frames
from dynamis.compute.mechanics.efficient.regrouping.joint_transforms import JointTransform, joint_transforms
from dynamis.compute.mechanics.mechanism import Mechanism, State, Wrench
from dynamis.scalars.vectors import S


@dataclass(frozen=True, slots=True)
class Regrouped(Generic[S]):
    """The mechanism and its state in aligned frames, its joints, and the moments of its bodies in the bodies' axes."""

    m: Mechanism[S]
    state: State[S]
    joints: list[JointTransform[S]]
    moments: list[BodyMoments[S]]
    changes: list[FrameChange[S] | None]

    def loads(self, wrenches: Sequence[Wrench[S] | None]) -> list[Wrench[S] | None]:
        """Wrenches on the bodies, given in link axes about the joint points, in the axes of the bodies."""
        loads: list[Wrench[S] | None] = []
        for change, joint, load in zip(self.changes, self.joints, wrenches or [None] * len(self.joints), strict=True):
            if load is not None and change is not None:
                load = change.wrench(load)
            if load is not None and (rotation := joint.own_rotation) is not None:
                load = Wrench(rotation.R @ load.force, rotation.R @ load.moment)
            loads.append(load)
        return loads

    def composites(self) -> list[BodyMoments[S]]:
        """The moments of every body with all that it carries, about its joint point."""
        moments = list(self.moments)
        for i in reversed(range(len(moments))):
            if (p := self.m.bodies[i].parent) is not None:
                moments[p] = moments[p].joined(moments[i].turned(self.joints[i]), self.joints[i].r)
        return moments


def regroup_mechanism(m: Mechanism[S], state: State[S]) -> Regrouped[S]:
    """The mechanism in a state, regrouped."""
    m, state, changes = align_frames(m, state)
    joints = joint_transforms(m, state)
    return Regrouped(m, state, joints, moments_in_body_axes(m, joints), changes)
