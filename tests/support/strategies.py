"""Random robots and states, written as plain numbers so that two programs can be built from them.

Hypothesis draws the structure (how many links, who carries whom, which kinds of joints, which
special cases) and a seed; numpy fills in the numbers. So a failure shrinks to a small tree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from hypothesis import strategies as st

from dynamis import Force, Frame, Inertia, Joint, Link, Moment, Placement, Robot, ToolWrench
from dynamis.base.arrays import Array
from dynamis.base.expressions.parser import as_expression
from dynamis.model.placement import Step

Chain = tuple[tuple[str, str, float], ...]
KINDS = ("revolute", "continuous", "prismatic", "fixed")


@dataclass(frozen=True)
class Part:
    """A link and its joint; `inertia` is about the CoM in link axes, however the robot is told it."""

    name: str
    parent: int | None
    kind: str
    axis: Array
    before: Chain
    after: Chain
    mass: float
    com: Array
    inertia: Array
    about: str = "com"
    axes: Chain = ()
    damping: float = 0.0
    coulomb: float = 0.0
    gear_ratio: float = 1.0
    rotor_inertia: float = 0.0

    @property
    def moves(self) -> bool:
        return self.kind != "fixed"

    @property
    def revolute(self) -> bool:
        return self.kind in ("revolute", "continuous")

    @property
    def k(self) -> Array:
        return self.axis / np.linalg.norm(self.axis)

    @property
    def reflected(self) -> float:
        return self.gear_ratio**2 * self.rotor_inertia


@dataclass(frozen=True)
class Case:
    """A robot in plain numbers, a state of it, gravity and loads."""

    parts: tuple[Part, ...]
    tool_on: int
    tool: Chain
    gravity: Array
    q: Array
    qd: Array
    qdd: Array
    loads: tuple[Any, ...] = ()
    gravity_given: Any = True

    @property
    def moving(self) -> list[int]:
        return [i for i, part in enumerate(self.parts) if part.moves]

    @property
    def acting_gravity(self) -> Array:
        """The gravity vector that the call asks for."""
        if isinstance(self.gravity_given, bool):
            return self.gravity if self.gravity_given else np.zeros(3)
        return np.asarray(self.gravity_given)

    def of_part(self, values: Array) -> Array:
        """One value a part from one value a moving joint: zero at the fixed ones."""
        found = np.zeros(len(self.parts))
        found[self.moving] = values
        return found

    def robot(self) -> Robot:
        return build(self.parts, self.tool_on, self.tool, self.gravity)


def build(parts: Sequence[Part], tool_on: int, tool: Chain, gravity: Array) -> Robot:
    """The dynamis robot of the parts."""
    names = [part.name for part in parts]
    links = [
        Link(
            part.name,
            Joint(
                f"joint {part.name}", part.kind, part.axis, placement(part.before), placement(part.after),  # type: ignore[arg-type]
                **({} if part.kind == "fixed" else drive(part)),
            ),
            "base" if part.parent is None else names[part.parent],
            part.mass, part.com, told_inertia(part),
        )
        for part in parts
    ]  # fmt: skip
    return Robot("random", tuple(links), tool=Frame("tool", names[tool_on], placement(tool)), gravity=tuple(gravity))  # type: ignore[arg-type]


def drive(part: Part) -> dict[str, float]:
    """Friction and rotor, of a joint that moves."""
    return {key: getattr(part, key) for key in ("damping", "coulomb", "gear_ratio", "rotor_inertia")}


def told_inertia(part: Part) -> Inertia:
    """The inertia as a file might give it: about the CoM or the origin, in link or other axes."""
    tensor = part.inertia
    if part.about == "origin":
        tensor = tensor + point_inertia(part.mass, part.com)
    R = matrix(part.axes)[:3, :3]
    told = R.T @ tensor @ R
    return Inertia((told + told.T) / 2, about=part.about, axes=placement(part.axes))  # type: ignore[arg-type]


def point_inertia(mass: float, at: Array) -> Array:
    """The inertia of a point mass at `at` about the origin."""
    return mass * (at @ at * np.eye(3) - np.outer(at, at))


def placement(chain: Chain) -> Placement:
    return Placement(tuple(Step(kind, axis, as_expression(amount)) for kind, axis, amount in chain))  # type: ignore[arg-type]


def matrix(chain: Chain) -> Array:
    """The homogeneous matrix of a chain, by numpy alone."""
    T = np.eye(4)
    for kind, axis, amount in chain:
        step, i = np.eye(4), "xyz".index(axis)
        if kind == "T":
            step[i, 3] = amount
        else:
            j, k = (i + 1) % 3, (i + 2) % 3
            step[j, j] = step[k, k] = np.cos(amount)
            step[k, j], step[j, k] = np.sin(amount), -np.sin(amount)
        T = T @ step
    return T


@dataclass(frozen=True)
class Wishes:
    """What a test wants of its random robots; `solid` ones have no massless or thin links."""

    joints: tuple[int, int] = (1, 12)
    kinds: tuple[str, ...] = KINDS
    chain: bool = False
    friction: bool = False
    loads: bool = False
    solid: bool = False


@st.composite
def cases(draw: st.DrawFn, wishes: Wishes = Wishes()) -> Case:  # noqa: B008
    """A random robot in a random state."""
    count = draw(st.integers(*wishes.joints), label="joints")
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1), label="seed"))
    kinds = [draw(st.sampled_from(wishes.kinds)) for _ in range(count)]
    if wishes.chain:
        parents: list[int | None] = [None if i == 0 else i - 1 for i in range(count)]
    else:
        # Even ones of 0, 1, 2, 3 hang a link on the one before it, so that deep trees come too.
        drawn = [i - 1 if draw(st.integers(0, 3)) % 2 == 0 else draw(st.integers(-1, i - 1)) for i in range(count)]
        parents = [None if parent < 0 else parent for parent in drawn]
    parts = tuple(_part(rng, i, parents[i], kinds[i], wishes) for i in range(count))
    n = sum(part.moves for part in parts)
    case = Case(
        parts,
        tool_on=int(rng.integers(count)) if not wishes.chain else count - 1,
        tool=_chain(rng, 3),
        gravity=rng.normal(size=3) * 6,
        q=rng.uniform(-np.pi, np.pi, n),
        qd=rng.uniform(-3, 3, n),
        qdd=rng.uniform(-10, 10, n),
    )
    if not wishes.loads:
        return case
    given: Any = draw(st.sampled_from([True, False, "vector"]))
    return replace(
        case,
        loads=tuple(_load(rng, parts) for _ in range(draw(st.integers(0, 4)))),
        gravity_given=rng.normal(size=3) * 5 if given == "vector" else given,
    )


def robots(**wishes: Any) -> st.SearchStrategy[Case]:
    """Random robots: `robots(joints=(2, 6), kinds=("revolute",), chain=True)`."""
    return cases(Wishes(**wishes)).filter(has_dynamics)


def coupled(case: Case, seed: int, several: bool = True, follow_earlier: bool = False) -> tuple[Robot, Array, Array]:
    """The robot of a case with some joints coupled to others, and A, b of q = A y + b.

    `several`: a joint may follow more than one, and joints that are coupled themselves; else it follows one independent
    joint. `follow_earlier`: that comes before it.
    """
    robot, rng = case.robot(), np.random.default_rng(seed)
    n = len(robot.joints)
    order = list(range(n)) if follow_earlier else list(rng.permutation(n))
    rows: dict[int, tuple[Array, float]] = {}
    couplings: dict[str, dict[str, Any]] = {}
    independent: list[int] = []
    for place, j in enumerate(order):
        if place == 0 or rng.random() < 0.5:
            independent.append(j)
            rows[j] = np.eye(n)[j], 0.0
            continue
        known = list(rows) if several else independent
        chosen = rng.choice(known, size=min(len(known), int(rng.integers(1, 4)) if several else 1), replace=False)
        factors = np.where(rng.random(len(chosen)) < 0.3, -1.0, rng.uniform(0.2, 2, len(chosen)).round(6))
        offset = float(rng.uniform(-1, 1)) if rng.random() < 0.7 else 0.0
        terms = [(float(x), *rows[int(i)]) for x, i in zip(factors, chosen, strict=True)]
        row, b = sum(x * A for x, A, _ in terms), offset + sum(x * b for x, _, b in terms)
        if np.abs(row).max() < 1e-9:
            independent.append(j)
            rows[j] = np.eye(n)[j], 0.0
            continue
        rows[j] = np.asarray(row), float(b)
        names = [robot.joints[int(i)].name for i in chosen]
        couplings[robot.joints[j].name] = {
            "coupling": dict(zip(names, map(float, factors), strict=True)), "coupling_offset": offset
        }  # fmt: skip
    links = [replace(link, joint=replace(link.joint, **couplings.get(link.joint.name, {}))) for link in robot.links]
    A = np.array([rows[j][0] for j in range(n)])[:, sorted(independent)]
    return replace(robot, links=tuple(links)), A, np.array([rows[j][1] for j in range(n)])


def has_dynamics(case: Case) -> bool:
    """Whether something with a mass moves; torques of a robot without are refused."""
    moved: list[bool] = []
    for part in case.parts:
        moved.append(part.moves or (part.parent is not None and moved[part.parent]))
    return not case.moving or any(
        (moves and part.mass > 0) or (part.moves and part.rotor_inertia > 0)
        for part, moves in zip(case.parts, moved, strict=True)
    )


def _part(rng: np.random.Generator, i: int, parent: int | None, kind: str, wishes: Wishes) -> Part:
    mass = float(10 ** rng.uniform(-2, 1.3))
    # Second moments of the mass A A^T >= 0 give every physical inertia: I = tr(A A^T) 1 - A A^T.
    # Rank 0 is a point mass, rank 1 a thin rod, rank 2 a thin plate.
    A = rng.normal(size=(3, 3)) * 0.3
    if not wishes.solid:
        A[:, int(rng.choice([3, 3, 3, 3, 2, 1, 0])) :] = 0
        if rng.random() < 0.08:
            mass, A = 0.0, A * 0
    moments = mass * A @ A.T
    axis = rng.normal(size=3)
    if rng.random() < 0.3:
        axis = np.eye(3)[rng.integers(3)] * rng.choice([1.0, -1.0, 2.5])
    drive = rng.uniform(0, 2, 4) if wishes.friction else np.array([0.0, 0.0, 1.0, 0.0])
    return Part(
        name=f"link{i + 1}",
        parent=parent,
        kind=kind,
        axis=axis,
        before=_chain(rng, int(rng.integers(7))),
        after=_chain(rng, int(rng.choice([0, 2, 3, 6]))),
        mass=mass,
        com=rng.normal(size=3) * 0.5,
        inertia=np.trace(moments) * np.eye(3) - moments,
        about=str(rng.choice(["com", "origin"])),
        axes=tuple(step for step in _chain(rng, int(rng.choice([0, 4]))) if step[0] == "R"),
        damping=drive[0], coulomb=drive[1], gear_ratio=(drive[2] + 0.1) * rng.choice([1, -20]), rotor_inertia=drive[3],
    )  # fmt: skip


def _chain(rng: np.random.Generator, steps: int) -> Chain:
    found = []
    for _ in range(steps):
        kind, axis = str(rng.choice(["R", "T"])), str(rng.choice(["x", "y", "z"]))
        found.append((kind, axis, float(rng.uniform(-np.pi, np.pi) if kind == "R" else rng.normal() * 0.5)))
    return tuple(found)


def _load(rng: np.random.Generator, parts: Sequence[Part]) -> Force | Moment | ToolWrench:
    link = parts[rng.integers(len(parts))].name
    vector, other = rng.normal(size=3) * 30, rng.normal(size=3)
    axes = str(rng.choice(["world", "link"]))
    match int(rng.integers(3)):
        case 0:
            return Force(link, tuple(vector), axes, tuple(other), str(rng.choice(["world", "link"])))  # type: ignore[arg-type]
        case 1:
            return Moment(link, tuple(vector), axes)  # type: ignore[arg-type]
        case _:
            direction = str(rng.choice(["exerted_by_environment", "exerted_by_tool"]))
            return ToolWrench(direction, tuple(vector), tuple(other * 9), "tool" if axes == "link" else axes)  # type: ignore[arg-type]
