"""What a robot is: a tree of links on a fixed base, its frames, gravity and parameters."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, Self

from dynamis.base.errors import ArgumentError, MissingValuesError, ModelError, UnknownNameError, literal
from dynamis.base.expressions.expression import Expression
from dynamis.base.expressions.parser import as_expression
from dynamis.base.printable import in_a_line
from dynamis.base.provenance import without_folders
from dynamis.model.checks import check_robot
from dynamis.model.coordinate import Coordinate, CoupledRow, coordinates, resolve
from dynamis.model.fields import check_name, check_parameter_name, check_type
from dynamis.model.inertia import Inertia
from dynamis.model.joint_forces import terms_of
from dynamis.model.link import NO_INERTIA, Joint, Link
from dynamis.model.map_expressions import parameters_in
from dynamis.model.placement import IDENTITY, Placement, triple
from dynamis.scalars.floats import Floats

Triple = tuple[Expression, Expression, Expression]
EARTH: Triple = triple((0, 0, -9.81), "gravity")
MAX_LINKS = 2000


@dataclass(frozen=True)
class Frame:
    """A named frame that is fixed on a link (or on the base)."""

    name: str
    link: str
    placement: Placement = IDENTITY

    def __post_init__(self) -> None:
        check_name("frame", self.name)
        object.__setattr__(self, "placement", Placement.of(self.placement))


@dataclass(frozen=True)
class Place:
    """Where numbers stand in a file: `arm.toml:12`; of which link (or none), and in which of its keys."""

    link: str
    key: str
    values: tuple[float, ...]
    place: str


@dataclass(frozen=True, repr=False)
class RobotModel:
    """A robot as data: validated, frozen, without algorithms.

    `links` stand in an order in which parents come before children (the constructor sorts them);
    the moving joints are numbered from 1 in this order. `gravity` is the acceleration vector in
    the base frame [m/s^2]. `parameters` maps names to descriptions, `values` to numbers. `notes`
    says what a reader did to a file (merged fixed joints, ignored entries).
    """

    name: str
    links: tuple[Link, ...]
    base: str = "base"
    frames: tuple[Frame, ...] = ()
    tool: Frame | None = None
    gravity: Triple = EARTH
    parameters: Mapping[str, str] = field(default_factory=dict[str, str])
    values: Mapping[str, Expression] = field(default_factory=dict[str, Expression])
    description: str = ""
    source: str = ""
    notes: tuple[str, ...] = ()
    file: str = field(default="", compare=False)
    """What it was loaded by: the name of a shipped robot or the path of a file; empty for one made in Python."""
    places: tuple[Place, ...] = field(default=(), compare=False)
    """Where numbers of its file stand that look like mistakes."""

    def __post_init__(self) -> None:
        check_name("robot", self.name)
        for link in self.links:
            check_type("links", link, Link)
        links = _sorted_tree(tuple(self.links), self.base)
        gravity = triple(self.gravity, "gravity")
        values = {name: _value(name, value) for name, value in self.values.items()}
        parameters = {name: self.parameters.get(name, "") for name in (*self.parameters, *values)}
        for name in parameters:
            check_parameter_name(name)
        changed = {
            "links": links, "gravity": gravity, "frames": tuple(self.frames), "notes": tuple(self.notes),
            "values": MappingProxyType(values), "parameters": MappingProxyType(parameters),
            "tool": self.tool or _last_link_as_tool(links),
        }  # fmt: skip
        for key, value in changed.items():
            object.__setattr__(self, key, value)
        check_robot(self)

    def __getstate__(self) -> dict[str, Any]:
        """The fields as plain data, so that robots can be pickled and copied."""
        state = {key.name: getattr(self, key.name) for key in fields(self)}
        return {**state, "parameters": dict(self.parameters), "values": dict(self.values)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        frozen = {key: MappingProxyType(state[key]) for key in ("parameters", "values")}
        for key, value in {**state, **frozen}.items():
            object.__setattr__(self, key, value)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}: {len(self.joints)} joints, {len(self.links)} links>"

    def __hash__(self) -> int:
        return hash((self.name, self.links))

    @property
    def argument(self) -> str:
        """The robot in a command line that a page proposes: arm.toml, quoted where it must be, or ROBOT."""
        return shlex.quote(in_a_line(without_folders(self.file))) if self.file else "ROBOT"

    @cached_property
    def joints(self) -> tuple[Joint, ...]:
        """The moving joints, one per axis, joint 1 first, coupled ones too; `coordinates` are the free variables."""
        return tuple(link.joint for link in self.links if link.joint.moves)

    @cached_property
    def couplings(self) -> tuple[CoupledRow, ...]:
        """How the coordinates y move the joints: one row of q = A y + b per moving joint."""
        return resolve(self.links)

    @cached_property
    def coordinates(self) -> tuple[Coordinate, ...]:
        """The independent variables, one for each moving joint that is not coupled to others."""
        return coordinates(self.joints, self.couplings, self.values)

    @property
    def force_terms(self) -> tuple[str, ...]:
        """The terms of the forces of the joints themselves, such as "damping": what any of them has."""
        return terms_of(joint.forces for joint in self.joints)

    @property
    def coupled(self) -> bool:
        """Whether joints are coupled; else q = y."""
        return any(joint.coupling for joint in self.joints)

    @property
    def n(self) -> int:
        """The number of coordinates: of moving joints that are not coupled to others."""
        return len(self.coordinates)

    @property
    def missing_values(self) -> tuple[str, ...]:
        """The parameters that have no value yet."""
        return tuple(name for name in self.parameters if name not in self.values)

    def link(self, name: str) -> Link:
        """A link by name; an unknown name suggests the nearest."""
        name = str(name)  # an array would be compared entry by entry
        for link in self.links:
            if link.name == name:
                return link
        raise UnknownNameError("link", name, [link.name for link in self.links], within=f'robot "{self.name}"')

    def frame(self, name: str) -> Frame:
        """A frame by name: the tool, a named frame, a link's own frame, or the base.

        Where nothing has that name, "2" is the frame of link 2 (links count from 1, 0 is the base) and "c2" the frame
        in its CoM, with its axes.
        """
        name = str(name)
        if name == "tool" and self.tool is not None:
            return self.tool
        for frame in self.frames:
            if frame.name == name:
                return frame
        if name == self.base or any(link.name == name for link in self.links):
            return Frame(name, name)
        if (numbered := self.numbered_frame(name)) is not None:
            return numbered
        if name == "tool":
            how = "with robot.with_tool(placement, link), or [tool] in its .toml file"
            raise ArgumentError(f'robot "{self.name}" has no tool; give it one {how}', key="frame")
        names = [*(k.name for k in self.links), *(f.name for f in self.frames), *(["tool"] if self.tool else [])]
        raise UnknownNameError("link or frame", name, names, within=f'robot "{self.name}"', key="link")

    def frame_of_index(self, name: str) -> Frame:
        """The frame of an index, as in T[0,c2]: `frame`, but refused where the name and the number mean two frames."""
        frame, numbered = self.frame(name), self.numbered_frame(name)
        if numbered is None or (frame.link, frame.placement) == (numbered.link, numbered.placement):
            return frame
        named = "frame" if any(f.name == name for f in self.frames) else "base" if name == self.base else "link"
        number = [self.base, *(link.name for link in self.links)].index(frame.link)
        other = "the base" if name == "0" else f"{'the CoM of ' if name[0] == 'c' else ''}link {name.lstrip('c')}"
        way = "" if named == "frame" else f", or write {number} for its frame"
        raise ArgumentError(
            f'"{name}" is both the {named} of that name and {other}; give the {named} another name{way}', key="link"
        )

    def numbered_frame(self, name: str) -> Frame | None:
        """The frame of link 2 by "2", of the base by "0", in the CoM of link 2 by "c2"."""
        if name == "0":
            return Frame(name, self.base)
        match = re.fullmatch(r"(c?)([1-9][0-9]{0,5})", name)
        if match is None or int(match[2]) > len(self.links):
            return None
        link = self.links[int(match[2]) - 1]
        return Frame(name, link.name, Placement.offset(link.com) if match[1] else IDENTITY)

    def body_frame(self, name: str) -> Frame:
        """The frame of a link, or a named frame on one: where a load can act."""
        frame = self.frame(name)
        if frame.link == self.base:
            raise ArgumentError(f'"{name}" stands on the base, which does not move; a load acts on a link', key="link")
        return frame

    def floats(self) -> Floats:
        """Floats with the values of the parameters; an error names those that have none."""
        needed = self.used_parameters() if self.missing_values else ()
        if missing := [name for name in self.missing_values if name in needed]:
            raise MissingValuesError(self.name, missing)
        return Floats(self.values, self.name)

    def used_parameters(self) -> frozenset[str]:
        """The names of the parameters that numbers are needed for."""
        return parameters_in(self)

    def with_values(self, values: Mapping[str, Any] | None = None, /, **more: Any) -> Self:
        """A robot whose parameters have these numbers (the others keep theirs)."""
        if values is not None and not isinstance(values, Mapping):  # type: ignore[redundant-expr]
            raise ArgumentError(
                f"values must be a mapping of parameters to values, got {literal(values)}", key="values"
            )
        new = {**(values or {}), **more}
        for name in new:
            if name not in self.parameters:
                raise UnknownNameError("parameter", name, self.parameters, within=f'robot "{self.name}"')
        return replace(self, values={**self.values, **{k: as_expression(v, k) for k, v in new.items()}})

    def with_tool(self, placement: Any, link: str | None = None) -> Self:
        """A robot with its tool frame at `placement` (a chain or an offset) in the frame of `link`.

        `link` may also be a named frame; without it, the tool stays on the link that has it. The name of a frame
        alone, with_tool("tool0"), makes that frame the tool.
        """
        if isinstance(placement, str) and link is None and re.search(r"\w", placement) and "(" not in placement:
            placement, link = IDENTITY, placement.strip()
        if link is None:
            link = self.tool.link if self.tool else self._only_tip("a tool")
        on = self.frame(link)
        return replace(self, tool=Frame("tool", on.link, on.placement * Placement.of(placement)))

    def with_payload(
        self, mass: Any, com: Any = (0, 0, 0), inertia: Inertia | None = None, name: str = "payload"
    ) -> Self:
        """A robot that holds a body in its tool frame; `com` [m] and `inertia` are in that frame.

        The payload is a link of its own on a fixed joint, so its joint's reaction is the grasp.
        """
        tool = self.tool or Frame("tool", self._only_tip("a payload"))
        joint = Joint(f"{name}_joint", "fixed", before=tool.placement)
        payload = Link(name, joint, tool.link, mass, com, NO_INERTIA if inertia is None else inertia)
        return replace(self, links=(*self.links, payload), tool=tool)

    def with_gravity(self, gravity: Any) -> Self:
        """A robot with another gravity vector [m/s^2] in the base frame."""
        return replace(self, gravity=triple(gravity, "gravity"))

    def _only_tip(self, what: str) -> str:
        tips = _tips(self.links)
        if len(tips) != 1:
            raise ArgumentError(
                f'robot "{self.name}" has {len(tips)} tips ({", ".join(tips)}): say which link has {what}'
            )
        return tips[0]


def _sorted_tree(links: Sequence[Link], base: str) -> tuple[Link, ...]:
    """Parents before children, otherwise in the order of the argument."""
    if not links:
        raise ModelError("a robot has at least one link")
    if len(links) > MAX_LINKS:
        raise ModelError(f"the robot has {len(links)} links; at most {MAX_LINKS} are allowed")
    names = [link.name for link in links]
    for what, taken in (("link", [base, *names]), ("joint", [link.joint.name for link in links])):
        if twice := next((name for k, name in enumerate(taken) if name in taken[:k]), None):
            owner = twice if what == "link" else [link.name for link in links if link.joint.name == twice][-1]
            sentence = f'{what} name "{twice}" is used twice; each {what} has its own name'
            raise ModelError(sentence, link=owner, key="name" if what == "link" else "joint")
    for link in links:
        if link.parent != base and link.parent not in names:
            error = UnknownNameError("parent", link.parent, [base, *names], within=f'link "{link.name}"', key="parent")
            error.link = link.name
            raise error
    placed, waiting, done = list[Link](), list(links), {base}
    while waiting:
        ready = next((link for link in waiting if link.parent in done), None)
        if ready is None:
            ring = _ring(waiting)
            cycle = " -> ".join([*ring, ring[0]])
            raise ModelError(
                f"links {cycle} hang on each other in a cycle; every link leads to the base", link=ring[0], key="parent"
            )
        waiting.remove(ready)
        placed.append(ready)
        done.add(ready.name)
    return tuple(placed)


def _ring(waiting: Sequence[Link]) -> list[str]:
    """The links of a cycle, each on the next, out of links that all lead to one."""
    parents = {link.name: link.parent for link in waiting}
    path = [waiting[0].name]
    while parents[path[-1]] not in path:
        path.append(parents[path[-1]])
    return path[path.index(parents[path[-1]]) :]


def _tips(links: Sequence[Link]) -> list[str]:
    parents = {link.parent for link in links}
    return [link.name for link in links if link.name not in parents]


def _last_link_as_tool(links: Sequence[Link]) -> Frame | None:
    tips = _tips(links)
    return Frame("tool", tips[0]) if len(tips) == 1 else None


def _value(name: str, value: Any) -> Expression:
    expression = as_expression(value, name)
    if symbols := sorted(expression.parameters()):
        raise ArgumentError(
            f'value of "{name}" uses {", ".join(symbols)}; a value is a number such as 0.5 or "pi/2"', key=name
        )
    return expression
