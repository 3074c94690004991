"""What the torques of a state say: who accelerates and who brakes, what gravity does, which reaction is the largest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dynamis.base.arrays import Array
from dynamis.compute.mechanics.friction import friction_torque
from dynamis.compute.mechanics.mechanism import mechanism
from dynamis.robot import Robot
from dynamis.telling.pages.reactions import Reactions

NEGLIGIBLE_SHARE = 1e-9
"""A share of the largest value below which a torque, a power or a reaction is taken for the rounding of it."""

OVERFLOW = "not all numbers are finite: this state leads to some beyond 1e308, where arithmetic ends"
"""The note on numbers that are not there."""


@dataclass(frozen=True)
class StateWords:
    """One state: velocities and accelerations (n), torques and reactions, and `less`, the same without gravity.

    Reactions are those of the table, in its convention; `less` is None where there is no gravity. `level` are the
    coordinates on which gravity cannot act: revolute ones whose axis is parallel to it, and prismatic ones across it.
    """

    robot: Robot
    qd: Array
    qdd: Array
    reactions: Reactions
    less: Reactions | None
    loaded: bool
    level: Sequence[int] = ()

    @property
    def tau(self) -> Array:
        """The torques (n)."""
        return self.reactions.tau

    @property
    def _scale(self) -> float:
        """The largest torque or reaction."""
        both = (self.reactions, self.less or self.reactions)
        return max(float(np.abs(x).max(initial=0.0)) for one in both for x in (one.tau, one.wrench))

    def sentences(self) -> tuple[str, ...]:
        """A few, with units; joints have the numbers of the table."""
        one, less = self.reactions, self.less or self.reactions
        if not all(np.isfinite(x).all() for x in (one.tau * self.qd, one.tau, one.wrench, less.tau, less.wrench)):
            return (f"{OVERFLOW[0].upper()}{OVERFLOW[1:]}.",)
        return (*self._motion(), *self._power(), *self._gravity(), *self._reactions())

    def _motion(self) -> list[str]:
        if not self.qd.any() and not self.qdd.any():
            held = ["gravity"] * (self.less is not None) + ["the loads"] * self.loaded
            return [
                f"The robot is at rest: the motors only hold it against {_and(held)}."
                if held
                else "The robot is at rest, without gravity and loads: no torque is needed."
            ]
        kinds = {
            ("accelerates", "accelerate"): self.qd * self.qdd > 0,
            ("brakes", "brake"): self.qd * self.qdd < 0,
            ("moves at constant speed", "move at constant speed"): (self.qd != 0) & (self.qdd == 0),
            ("starts from rest", "start from rest"): (self.qd == 0) & (self.qdd != 0),
            ("stands still", "stand still"): (self.qd == 0) & (self.qdd == 0),
        }
        clauses = [f"{_joints(which)} {verb[int(which.sum() > 1)]}" for verb, which in kinds.items() if which.any()]
        return [_sentence(clauses)]

    def _power(self) -> list[str]:
        power = _clear_rounding(_clear_rounding(self.tau, self._scale) * self.qd)
        if not power.any():
            return []
        clauses: list[str] = []
        for which, verbs in ((power > 0, ("drives", "drive")), (power < 0, ("holds back", "hold back"))):
            values = [f"{_short(x)} W" for x in power[which]]
            if values:
                many = len(values) > 1
                clauses.append(f"the motor{'s' * many} of {_joints(which)} {verbs[many]} ({_and(values)})")
        total = f"; {_short(power.sum())} W in all" * int(np.count_nonzero(power) > 1)
        lines = [f"{_sentence(clauses)[:-1]}{total}."]
        friction = friction_torque(self.robot, self.qd)
        for k in np.flatnonzero(power * self.qd * self.qdd < 0):
            driven = power[k] < 0
            # Friction of a joint that follows several coordinates can pull one of them along.
            rubs = (friction[k] * self.qd[k] < 0) if driven else (friction[k] * self.qd[k] > 0)
            joints = "the other joints" if self.robot.n > 1 else "the joints that follow it"
            others = [joints] * (len(self.robot.joints) > 1) + ["friction"] * bool(rubs) + ["a load"] * self.loaded
            if self.less is not None and self.less.tau[k] * self.qd[k] * power[k] < 0:
                others = ["gravity"]
            verb = ("pull" if driven else "hold") + "s" * (others[-1:] != [joints])
            cause = f"{' or '.join(others)} {verb} it {'along' if driven else 'back'}"
            but = "accelerates although its motor holds it back" if driven else "brakes although its motor drives it"
            lines.append(f"Joint {k + 1} {but}: {cause}.")
        return lines

    def _gravity(self) -> list[str]:
        if self.less is None:
            return []
        units = [joint.unit for joint in self.robot.coordinates]
        nouns = ["torque" if joint.revolute else "force" for joint in self.robot.coordinates]
        tau, less = (_clear_rounding(x, self._scale) for x in (self.tau, self.less.tau))
        part = _clear_rounding(tau - less, self._scale)
        changed = np.flatnonzero(part)
        if not changed.size:
            return ["Gravity changes no torque."]
        if not less.any():
            torques = _and([f"{_short(tau[k])} {units[k]} at joint {k + 1}" for k in changed])
            kinds = " and ".join(dict.fromkeys(f"{nouns[k]}s" for k in changed))
            lines = [f"Gravity alone makes the {kinds}: {torques}."]
        else:
            steps, noun = list[str](), ""
            for k in changed:
                what = "" if nouns[k] == noun else f"the {nouns[k]} "
                steps.append(f"{what}of joint {k + 1} from {_short(less[k])} to {_short(tau[k])} {units[k]}")
                noun = nouns[k]
            lines = [f"Gravity changes {_and(steps)}."]
            turned, larger = tau * less < 0, np.abs(part) > np.abs(less)
            lines.append(f"It turns the sign at {_joints(turned)}." if turned.any() else "It turns no sign.")
            if larger.any():
                lines.append(f"It is the larger part at {_joints(larger)}.")
        if (none := part == 0).any():
            turns = np.array([joint.revolute for joint in self.robot.coordinates])
            level = none & np.isin(np.arange(len(none)), self.level)
            parallel, across = level & turns, level & ~turns
            reasons: list[str] = []
            if parallel.any():
                axes = ("axis", "is") if parallel.sum() == 1 else ("axes", "are")
                reasons.append(f"the {axes[0]} of {_joints(parallel)} {axes[1]} parallel to it")
            if across.any():
                reasons.append(f"{_joints(across)} {'slides' if across.sum() == 1 else 'slide'} across it")
            lines.append(f"{'; '.join([f'It does not act on {_joints(none)}', *reasons])}.")
        return lines

    def _reactions(self) -> list[str]:
        """The largest entries of the table of reactions, apart from those that only repeat what a drive gives."""
        lines: list[str] = []
        about = {"joint": "about its joint point", "parent_tip": "about the tip of its parent"}
        points = {"force": "in link axes", "moment": f"in link axes, {about[self.reactions.convention]}"}
        removed, coupled = self.reactions.convention == "parent_tip", self.robot.n < len(self.robot.joints)
        others = f"apart from those {'along the joint axes' if coupled else 'of the drives'}"
        all_axes = self._axes()
        for kind, symbol, unit in (("force", "f", "N"), ("moment", "n", "N m")):
            driven = [link.joint.moves and link.joint.revolute == (kind == "moment") for link in self.robot.links]
            axes = np.where(np.reshape(driven, (-1, 1)), all_axes, 0.0)
            drives = np.abs(axes) > 1 - NEGLIGIBLE_SHARE if not removed and not coupled else np.zeros(axes.shape, bool)
            values = np.where(drives, 0.0, _clear_rounding(getattr(self.reactions, kind), self._scale))
            apart = bool(drives.any()) or (removed and any(driven))
            if not values.any():
                own = np.array([joint.revolute == (kind == "moment") for joint in self.robot.coordinates])
                apart = apart and bool(coupled or _clear_rounding(self.tau, self._scale)[own].any())
                lines.append(f"The reaction {kind}s are zero{f', {others}' * apart}.")
                continue
            k, axis = np.unravel_index(np.abs(values).argmax(), values.shape)
            mixed = not removed and not coupled and bool(abs(axes[k, axis]) > NEGLIGIBLE_SHARE)
            point = points[kind] + ", part of it the drive's" * mixed
            where = f"{symbol}{'xyz'[axis]} of {self._place(int(k))} ({point})"
            alone = f"apart from entries that are a drive's {'torque' if kind == 'moment' else 'force'} alone"
            start = f"{(alone if mixed else others).capitalize()}, the" if apart else "The"
            line = f"{start} largest reaction {kind} is {where}, {_short(values[k, axis])} {unit}"
            if self.less is not None:
                without = _clear_rounding(getattr(self.less, kind), self._scale)
                line += f"; without gravity it is {_short(without[k, axis])} {unit}"
            lines.append(f"{line}.")
        if coupled:
            lines.append(
                "The forces in what couples the joints (a belt, gears, a closing bar) are not in the reactions."
            )
        return lines

    def _axes(self) -> Array:
        """The joint axes in link axes (links, 3); zero for fixed joints."""
        m = mechanism(self.robot, self.robot.floats())
        return np.array([[*body.k] if body.joint is not None else [0.0] * 3 for body in m.of_links(m.bodies)])

    def _place(self, link: int) -> str:
        joint = self.reactions.numbers[link]
        what = "fixed" if self.reactions.kinds[link] == "fixed" else "coupled"
        return f"joint {joint}" if joint else f"{what} joint {self.reactions.joints[link]}"


def level_coordinates(robot: Robot, q: Array, gravity: Array) -> list[int]:
    """The coordinates, from 0, whose joint gravity cannot move at q, wherever the masses are; none if some follow."""
    levels: list[int] = []
    if robot.n < len(robot.joints):
        return levels
    names = {joint.name: k for k, joint in enumerate(robot.coordinates)}
    for link in robot.links:
        if (k := names.get(link.joint.name)) is not None and link.joint.kind != "fixed":
            column = robot.jacobian(q, link.name)[:, k]
            axis = column[3:] if link.joint.revolute else column[:3]
            across = np.cross(axis, gravity) if link.joint.revolute else axis @ gravity
            if np.abs(across).max() <= NEGLIGIBLE_SHARE * np.linalg.norm(gravity):
                levels.append(k)
    return levels


def _clear_rounding(values: Array, scale: float | None = None) -> Array:
    """Rounding is zero."""
    largest = float(np.abs(values).max(initial=0.0)) if scale is None else scale
    return np.where(np.abs(values) <= NEGLIGIBLE_SHARE * max(largest, NEGLIGIBLE_SHARE), 0.0, values)


def _short(value: float) -> str:
    return f"{value:.4g}"


def _joints(which: NDArray[np.bool_]) -> str:
    numbers = [str(k + 1) for k in np.flatnonzero(which)]
    return f"joint{'s' * (len(numbers) > 1)} {_and(numbers)}"


def _and(words: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def _sentence(clauses: Sequence[str]) -> str:
    text = ", ".join(clauses)
    return f"{text[0].upper()}{text[1:]}."
