"""The part of the model that a line is about, with the true value of each of its entries.

Angles, frames and signs of the quantities are those of `reading.left_sides`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from functools import cache
from itertools import product

from dynamis.derivations.robots.plane import plane_of
from dynamis.equations.closed_form.closed_form import ClosedForm
from dynamis.errors import UnknownNameError
from dynamis.grading.reading.left_sides import ANSWERABLE, TRANSFORMS, Index, LeftSide, index_range, shapes
from dynamis.grading.reading.lines import Line
from dynamis.mechanics.dynamics.link_jacobians import inertia_in_base_axes
from dynamis.mechanics.dynamics.newton_euler import newton_euler
from dynamis.mechanics.kinematics.motion import velocities
from dynamis.mechanics.kinematics.poses import com_position, frame_pose, jacobian, poses
from dynamis.mechanics.mechanism import place
from dynamis.model.robot import Frame, RobotModel
from dynamis.scalars.exact.ring import Exact
from dynamis.scalars.vectors import Vector

AXES = ("x", "y", "z", "the rotation about x", "the rotation about y", "the rotation about z")
LINEAR = ("pc", "v", "vc", "vd", "vdc", "F", "f")
"""Vectors that a planar arm has in its plane, where two entries are enough."""
TrueEntry = Callable[[Index], Exact]
"""The true value of an entry by its index, which counts from 0 here; computed when it is asked for."""


@dataclass(frozen=True)
class Target:
    """A quantity of the model with its shape, and which of its entries (`indices`, from 0) a line is about."""

    label: str
    kind: str
    shape: tuple[int, ...]
    indices: tuple[Index, ...]
    size: tuple[int, int]
    """Rows and columns of these entries."""
    entry: TrueEntry
    without_gravity: TrueEntry | None = None
    """Accelerations and net forces as in books that add the weight separately."""
    note: str = ""
    """What the reader should know, such as the rows of a planar Jacobian."""
    reading: str = ""
    """How the left side was read, where it could be something else."""
    frames: tuple[str, str] | None = None
    """Of a transform the frames a and b of T_ab."""

    def name(self, index: Index) -> str:
        """`M[1,2]`, counted from 1."""
        return f"{self.label}[{','.join(str(k + 1) for k in index)}]" if index else self.label

    def representative(self, index: Index) -> Index:
        """One index for all entries that are equal by symmetry: of M, of Ibase, of the Christoffel symbols c[i,j,k]."""
        symmetric = self.kind in ("M", "Ibase") or len(index) == 3
        return (*sorted(index[:2]), *index[2:]) if symmetric else index


def _as_joint_quantity(left: LeftSide, size: tuple[int, int], n: int, orders: Collection[int]) -> tuple[LeftSide, str]:
    """F2, or T2 with accelerations, as the torque of joint 2, a vector C as c, V2 without speeds as U2; and why."""
    kind, digits = left.kind, left.digits
    if left.index is not None or len(digits) > 1 or (n == 1 and kind not in ("F", "f")):
        return left, ""
    if size == (1, 1) and digits and left.word == "V" and orders and not {1, 2} & set(orders):
        potential = replace(left, kind="U", word="U")
        return potential, f"{left.head} has no speeds: compared with the potential energy U{digits} of link {digits}"
    if size == (1, 1) and digits and (kind in ("F", "f") or (kind == "T" and 2 in orders)):
        why = "has accelerations" if kind == "T" else "is a scalar"
        torque = replace(left, kind="tau", word="tau", digits="", index=digits)
        return torque, f"{left.head} {why}: compared with tau[{digits}]"
    if kind == "C" and (size == (1, 1) if digits else 1 in size):
        what = f"is a scalar: compared with c[{digits}]" if digits else "is a vector: compared with c"
        return replace(left, kind="c", word="c", digits="", index=digits or None), f"{left.head} {what}"
    return left, ""


def target_of(line: Line, equations: ClosedForm, size: tuple[int, int], orders: Collection[int] = ()) -> Target:
    """What a line is about; `size` is that of its right side, `orders` are those of the derivatives in it."""
    left = line.left
    if left is None or len(line.left_text) > 200:
        raise line.error("the left side must be a name with its indices, such as M[1,2]")
    left, reading = _as_joint_quantity(left, size, equations.n, orders)
    kind, digits, index = left.kind, left.digits, left.index
    if left.word == "V" and size == (1, 1) and not digits and index is None:
        kind = "U"
    if kind not in ANSWERABLE:
        definition = f"; write let {left.head[:40]} = ... to define a name of your own" if index is None else ""
        hint = f"; left sides are such as M[1,2], g[1], Jv2[1,1] or f2[3]{definition}"
        raise line.source.unknown(line.left_start, left.head[:40], ANSWERABLE, "quantity", hint)
    if kind == "Q" and not equations.loads:
        raise line.error("Q is the generalised force of the loads, and there are none; give them with --load")
    if kind in ("T", "U") and index is not None:
        what = "kinetic" if kind == "T" else "potential"
        problem = f"{left.word} is the {what} energy, a scalar: write {left.word} = ..., or M[1,1] for the mass matrix"
        raise line.error(problem)
    link = None
    if kind == "Tab" and size == (1, 1) and index is None and re.fullmatch(r"[1-9],\d", digits):
        kind, digits = "T", digits.replace(",", "")  # the kinetic energy of link 12
    if kind == "Tab":
        _check_frames(line, equations.robot, digits.split(","))
    elif left.of_link and digits:
        link, count = int(digits[:6]) - 1, len(equations.robot.links)
        tool = kind in ("f", "n") and link == count and equations.robot.tool is not None
        if not 0 <= link < count and not tool:
            raise line.error(f"there is no link {link + 1}; the robot has links 1 to {count}")
    elif left.of_link and kind not in ("T", "U", "Jv", "Jw"):
        raise line.error(f"{kind} belongs to a link; write its number, such as {kind}2")
    elif digits and index is None:
        index = ",".join(digits)  # M12 is M[1,2]
    label = left.head if kind == "Tab" else kind + (digits if left.of_link else "")
    parts = index.split(",") if index is not None else []
    shape = (equations.n,) * 3 if kind == "c" and len(parts) == 3 else shapes(equations.n)[kind]
    if len(shape) == 3 and ":" in (index or ""):
        raise line.error(f"write {label} with its three indices, such as c[1,2,1]")
    column = left.index is not None and len(parts) == len(shape) + 1 and parts[-1] == "1"  # g(2,1)
    if parts and len(parts) != len(shape) and not column:
        example = f"; write {label}[{','.join('12'[: len(shape)])}]" if left.index is None else ""
        count = f"{len(shape)} {'index' if len(shape) == 1 else 'indices'}"
        raise line.error(f"{label} has {count}, not {len(parts)}{example}")
    ranges: list[range] = []
    for part, most in zip(parts or [":"] * len(shape), shape, strict=False):
        if (numbers := index_range(part, most)) is None:
            raise line.error(f'{label} has no index "{part}"; it goes from 1 to {most}')
        ranges.append(range(numbers.start - 1, numbers.stop - 1))
    rows, columns, *_ = (*map(len, ranges), 1, 1)
    frames = _frames(kind, digits, equations.robot) if kind in TRANSFORMS else None
    entry = _transform_entry(frames, equations) if frames else _true_entry(kind, link, equations)
    weightless = _true_entry(kind, link, equations, weight=False) if kind in ("vd", "vdc", "F") else None
    size_here = rows, columns if len(shape) == 2 else 1
    target = Target(
        label, kind, shape, tuple(product(*ranges)), size_here, entry, weightless, reading=reading, frames=frames
    )
    if frames and size == (3, 3) and index is None and (plane := plane_of(equations)) is not None:
        kept = (*plane.axes, 3)
        note = f"transforms of 3x3 were compared in the plane of {' and '.join('xyz'[k] for k in plane.axes)}"
        return replace(target, indices=tuple(product(kept, kept)), size=size, note=note)
    if kind in LINEAR and sorted(size) == [1, 2] and index is None and (plane := plane_of(equations)) is not None:
        note = f"{label}: its 2 entries were compared as those of {' and '.join('xyz'[k] for k in plane.axes)}"
        return replace(target, indices=tuple((k,) for k in plane.axes), size=(2, 1), note=note)
    if kind == "Jw" and size == (1, equations.n) and index is None and (plane := plane_of(equations)) is not None:
        note = f"{label}: its row was compared as that of {AXES[plane.normal + 3]}"
        return replace(target, indices=tuple((plane.normal, k) for k in range(equations.n)), size=size, note=note)
    return _in_the_plane(target, size) if kind in ("J", "Jv", "Jw") and index is None else target


def _check_frames(line: Line, robot: RobotModel, frames: list[str]) -> None:
    for frame in frames:
        try:
            _frame(robot, frame)
        except UnknownNameError:
            count = len(robot.links)
            known = f"frames are links 0 (the base) to {count}, c1 to c{count} and the tool"
            raise line.error(f"there is no frame {frame}; {known}") from None


def _frame(robot: RobotModel, index: str) -> Frame:
    """The frame of 2, c2 or tool; what links are called does not count on a left side."""
    return robot.numbered_frame(index) or robot.frame(index)


def _frames(kind: str, digits: str, robot: RobotModel) -> tuple[str, str]:
    """The frames a and b of T_ab, or of A of a link on its parent, as 0, 2, c2 or tool."""
    if kind == "Tab":
        a, b = digits.split(",")
        return a, b
    numbers = {robot.base: 0, **{link.name: k for k, link in enumerate(robot.links, 1)}}
    return str(numbers[robot.links[int(digits) - 1].parent]), digits


def _transform_entry(frames: tuple[str, str], e: ClosedForm) -> TrueEntry:
    """An entry of the transform between two frames."""
    a, b = (_frame(e.robot, frame) for frame in frames)
    matrix = cache(lambda: e.transform(a, b))
    return lambda at: matrix()[at[0]][at[1]]


def _in_the_plane(jacobian: Target, size: tuple[int, int]) -> Target:
    """A Jacobian of a planar robot may be given without the rows that are zero."""
    (count, n), angular = jacobian.shape, jacobian.kind == "Jw"
    if size[1] != n or size[0] not in (2, 3) or size == jacobian.size:
        return jacobian
    nonzero = [row for row in range(count) if any(jacobian.entry((row, column)) for column in range(n))]
    linear = [row for row in nonzero if row < 3 or angular]
    rows = nonzero if len(nonzero) == size[0] else linear if len(linear) == size[0] else []
    if len(linear) != 2 or not rows:
        return jacobian
    names = ", ".join(AXES[row + 3 * angular] for row in rows)
    note = f"{jacobian.label}: its {len(rows)} rows were compared as those of {names}"
    return replace(jacobian, indices=tuple(product(rows, range(n))), size=(len(rows), n), note=note)


def _true_entry(kind: str, link: int | None, e: ClosedForm, weight: bool = True) -> TrueEntry:
    """The entries of a quantity, of a link if one is named; C1 has the Christoffel symbols of joint 1."""
    links = e.mechanism.links
    if link == len(links):  # what the tool exerts
        wrench = e.tool_wrench
        return lambda at: tuple(wrench.force if kind == "f" else wrench.moment)[at[0]]
    bodies = list(links[link]) if link is not None and kind != "C" else list[int]()
    match kind:
        case "M":
            return lambda at: e.M[at[0], at[1]]
        case "C" if link is not None:
            return lambda at: e.christoffel(at[0] + 1, at[1] + 1, link + 1)
        case "C":
            return lambda at: e.coriolis_matrix[at[0]][at[1]]
        case "c":
            return lambda at: e.coriolis[at[0]] if len(at) == 1 else e.christoffel(*(i + 1 for i in at))
        case "g":
            return lambda at: e.gravity[at[0]]
        case "tau":
            return lambda at: e.torques[at[0]]
        case "Q":
            return lambda at: e.load_torques[at[0]]
        case "T":
            return lambda _: sum((e.kinetic_energies[k] for k in bodies), e.ring.zero) if bodies else e.kinetic_energy
        case "U" if bodies:
            return lambda _: sum((e.potential_energies[k] for k in bodies), e.ring.zero)
        case "U":
            return lambda _: e.potential_energy
        case "J" | "Jv" | "Jw":
            columns, first = (
                cache(lambda: _jacobian_columns(bodies[-1] if bodies else None, e)),
                3 if kind == "Jw" else 0,
            )
            return lambda at: columns()[at[1]][first + at[0]]
        case "Ibase":
            rows = cache(lambda: _inertia_in_base(bodies[-1], e))
            return lambda at: rows()[at[0]][at[1]]
        case _:
            vector = cache(lambda: tuple(_link_vector(kind, bodies[-1], e, weight)))
            return lambda at: vector()[at[0]]


def _jacobian_columns(body: int | None, e: ClosedForm) -> list[tuple[Exact, ...]]:
    """v and w per joint rate: of the CoM of a body, or of the tool (of the last link's frame without one)."""
    robot, where = e.robot, poses(e.mechanism, e.state)
    if body is None:
        on = place(robot, e.mechanism, robot.tool or Frame("end", robot.links[-1].name))
        linear, angular = jacobian(e.mechanism, where, on.body, frame_pose(where, on).p)
    else:
        linear, angular = jacobian(e.mechanism, where, body, com_position(e.mechanism, where, body))
    return [(*v, *w) for v, w in zip(linear, angular, strict=True)]


def _inertia_in_base(body: int, e: ClosedForm) -> list[tuple[Exact, ...]]:
    return [tuple(row) for row in inertia_in_base_axes(e.mechanism, poses(e.mechanism, e.state), body)]


def _link_vector(kind: str, body: int, e: ClosedForm, weight: bool) -> Vector[Exact]:
    if kind == "pc":
        return com_position(e.mechanism, poses(e.mechanism, e.state), body)
    if kind in ("v", "vc"):
        velocity = velocities(e.mechanism, e.state)[body]
        return velocity.at(e.mechanism.bodies[body].origin) if kind == "v" else velocity.v_com
    solved = e.newton_euler if weight else newton_euler(e.mechanism, e.state, e.mechanism.null)
    motion, net, wrench = solved.motions[body], solved.net[body], solved.wrenches[body]
    return {
        "w": motion.w, "wd": motion.wd, "vd": motion.a, "vdc": motion.a_com,
        "F": net.force, "N": net.moment, "f": wrench.force, "n": wrench.moment,
    }[kind]  # fmt: skip
