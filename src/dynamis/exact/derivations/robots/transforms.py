"""Homogeneous transforms: A_i of a link on its parent, T_ab between any two frames, CoM frames among them.

T_ab takes coordinates in frame b to those in frame a. Frames are links by their numbers (0 is the base), c2 for the
frame in the CoM of link 2 with the link's axes, or names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from dynamis.base.errors import literal
from dynamis.base.faces import option, request
from dynamis.exact.closed_form.closed_form import ClosedForm
from dynamis.exact.derivations.robots.setup import chain, placement_chain
from dynamis.model.placement import Placement
from dynamis.model.robot import RobotModel
from dynamis.scalars.exact.ring import Exact
from dynamis.telling import symbols as s
from dynamis.telling.blocks import Equation, Part, Words
from dynamis.telling.formula import ONE, Formula, Sym

MOST_LINKS = 3
"""Links of a robot whose CoM frames are on the page of every derivation as matrices."""
MANY_LINKS = 12
"""Links of a robot above which a page without steps has no transforms."""
MOST_TERMS = 40
"""Terms of a matrix above which a page without steps has the product that it is, and not the matrix."""


def link_transforms(model: ClosedForm, link: int | None = None, steps: bool = True) -> Iterator[Part]:
    """A_i of every link, or of one (from 0): the chain of its steps, and their product; without `steps` if short."""
    yield Words((
        "The matrix ", (s.link_transform.at("i"),), " takes coordinates in the frame of link i to those in the frame "
        "of its parent: its last column is the origin, the columns before are the axes.",
    ))  # fmt: skip
    parents, rest = parent_numbers(model.robot), list[str]()
    for k in range(len(parents)) if link is None else (link,):
        matrix = model.transform(parents[k], k + 1)
        whole = steps or _is_short(matrix)
        rest.extend([] if whole else [f"A[{k + 1}]"])
        way = chain(model.robot.links[k].joint)
        yield Equation(s.link_transform.at(k + 1), matrix if whole else None, (way,))
    yield from _how_to_ask(model, rest)


def _how_to_ask(model: ClosedForm, products: list[str]) -> Iterator[Words]:
    if products:
        entry = request("derive", model.robot.argument, only=products[0])
        yield Words(f"Long products are left as they are; {entry} multiplies one out.")


def _is_short(matrix: list[list[Exact]]) -> bool:
    return sum(len(entry) for row in matrix for entry in row) <= MOST_TERMS


def direct_kinematics(model: ClosedForm, steps: bool = True) -> Iterator[Part]:
    """T_0i of the links that do not stand on the base, T_0ci, and T_0tool with a place of its own, as products.

    Their matrices too: with `steps` all (T_0ci of a small robot), without them short ones.
    """
    robot = model.robot
    parents = parent_numbers(robot)
    first = [model.transform(parent, k) for k, parent in enumerate(parents, 1)]
    long = {k for k, A in enumerate(first, 1) if not steps and not _is_short(A)}
    rest: list[str] = []

    def carried(link: int) -> Sym:
        """T_0i, which is A_i of a link on the base."""
        return transform_symbol("0", str(link)) if parents[link - 1] else s.link_transform.at(link)

    def product(frame: str, link: int, way: Formula, few: bool = True) -> Equation:
        """T_0 of a frame on a link as a product, and as a matrix; what is long with the link is longer with more."""
        place = robot.numbered_frame(frame) or robot.frame(frame)
        matrix = model.transform(0, place) if few and link not in long else None
        if matrix and not steps and not _is_short(matrix):
            matrix = None
        rest.extend([f"T[0,{frame}]"] if matrix is None else [])
        return Equation(transform_symbol("0", frame), matrix, (way,))

    yield Words((
        "The matrix ", (s.transform.at("0i"),), " takes coordinates in the frame of link i to those in the frame of "
        "the base; ", (s.transform.at("0ci"),), " those in the frame in its CoM, which has the axes of the link.",
    ))  # fmt: skip
    for k, parent in enumerate(parents, 1):
        if parent:
            equation = product(str(k), parent, (carried(parent), s.link_transform.at(k)), k not in long)
            long |= {k} if equation.right is None else set()
            yield equation
    for k, link in enumerate(robot.links, 1):
        if (com := Placement.offset(link.com)).steps:
            yield product(f"c{k}", k, (carried(k), *placement_chain(com)), len(parents) <= MOST_LINKS)
    if robot.tool is not None and robot.tool.placement.steps:
        number = [robot.base, *(link.name for link in robot.links)].index(robot.tool.link)
        way = (*((carried(number),) if number else ()), *placement_chain(robot.tool.placement))
        yield product("tool", number, way)
    yield from _how_to_ask(model, rest)


def many_links(model: ClosedForm) -> Iterator[Part]:
    """How to ask for the transforms of a robot that has too many."""
    count = len(model.robot.links)
    single = [option("only", literal(f"{name}{count}]")) for name in ("A[", "T[0,")]
    yield Words(f"The robot has {count} links; {single[0]} and {single[1]} give single transforms.")


def transform(model: ClosedForm, a: str, b: str) -> Iterator[Part]:
    """T_ab, from the steps between the two frames."""
    said = tuple(frame_words(model.robot, frame) for frame in (b, a))
    yield Words(("The matrix ", (transform_symbol(a, b),), f" takes coordinates in {said[0]} to those in {said[1]}."))
    yield _equation(model, a, b)


def position(model: ClosedForm, frame: str) -> Iterator[Part]:
    """The origin of a frame in base axes: the last column of T_0 of it."""
    yield Words(f"The origin of {frame_words(model.robot, frame)}, in the axes of the base.")
    *_, last = zip(*model.transform("0", frame), strict=True)
    yield Equation(s.p.at(re.sub(r"[^A-Za-z0-9]", "", frame)), list(last[:3]), frame="0")


def _equation(model: ClosedForm, a: str, b: str) -> Equation:
    return Equation(transform_symbol(a, b), model.transform(a, b), (_way(model.robot, a, b),))


def _way(robot: RobotModel, a: str, b: str) -> Formula:
    """The steps from a to b where a carries b; else T_ra^-1 T_rb with the last link r that carries both."""
    first, second = robot.frame(a), robot.frame(b)
    numbers = {robot.base: 0} | {link.name: k for k, link in enumerate(robot.links, 1)}
    parents = parent_numbers(robot)
    above, at = [numbers[second.link]], numbers[second.link]
    while at:
        at = parents[at - 1]
        above.append(at)
    root = numbers[first.link]
    while root not in above:
        root = parents[root - 1]
    if root != numbers[first.link] or first.placement.steps:
        back = transform_symbol(str(root), a).to(-1)
        return (back,) if b == str(root) else (back, transform_symbol(str(root), b))
    joints = (robot.links[k - 1].joint for k in reversed(above[: above.index(root)]))
    steps = [step for joint in joints for step in chain(joint) if step != ONE]
    return (*steps, *placement_chain(second.placement)) or (ONE,)


def parent_numbers(robot: RobotModel) -> list[int]:
    """The number of the parent of every link; 0 is the base."""
    numbers = {link.name: k for k, link in enumerate(robot.links, 1)}
    return [numbers.get(link.parent, 0) for link in robot.links]


def transform_symbol(a: str, b: str) -> Sym:
    """T_02, T_0c2, T_2,tool; of a frame's name only letters and digits."""
    first, second = (re.sub(r"[^A-Za-z0-9]", "", frame) for frame in (a, b))
    short = re.fullmatch(r"\d", first) and re.fullmatch(r"c?\d", second)
    return s.transform.at(f"{first}{'' if short else ','}{second}")


def frame_words(robot: RobotModel, frame: str) -> str:
    """A frame in a sentence."""
    if frame == "0":
        return "the frame of the base"
    number = re.fullmatch(r"c?(\d+)", frame)
    if number is None or int(number[1]) > len(robot.links):
        return f'the frame "{frame}"'
    link = f'link {number[1]} ("{robot.links[int(number[1]) - 1].name}")'
    return f"the frame in the CoM of {link}" if frame[0] == "c" else f"the frame of {link}"
