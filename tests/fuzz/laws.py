"""What must hold of a robot that was read: it can be shown, written and read again, asked for torques, and put on a
page in every format, whatever its names are."""

from __future__ import annotations

import json
import re
import unicodedata
from functools import cache
from html.parser import HTMLParser
from random import Random
from typing import Any

import numpy as np

from dynamis.base.errors import ArgumentError, DynamisError, MissingValuesError
from dynamis.base.toml_table import parse_toml
from dynamis.compute.quantities.reference import plain
from dynamis.exact.derive import derive_only
from dynamis.library import load
from dynamis.model.formats.robot_file.read import read_robot
from dynamis.model.formats.robot_file.write import write_toml
from dynamis.model.formats.urdf.read import read_urdf
from dynamis.model.formats.urdf.write import write_urdf
from dynamis.model.robot import RobotModel
from dynamis.robot import Robot
from dynamis.scalars.floats import number
from dynamis.telling.pages.lint import lint
from dynamis.telling.pages.robot import RobotDescription, robot_data
from dynamis.telling.renderers.page import render

SECONDS = 0.1
"""The time of a derivation [s]."""
PAGES = 0.06
"""The share of small robots whose equations are put on pages."""
TORQUES = 0.3
"""The share of robots whose torques are computed."""
COMPILED = 0.02
"""The share of Typst pages that are compiled; each takes a tenth of a second."""


class BrokenLaw(Exception):
    """Something that was accepted, and then did not do what it must."""


def robot_laws(robot: RobotModel, random: Random) -> None:
    """The laws of an accepted robot, the dear ones for a share of them."""
    terminal_is_safe(str(RobotDescription(robot)))
    json.dumps(robot_data(robot), allow_nan=False)
    lint(robot)
    again = read_robot(parse_toml(write_toml(robot), "again.toml"))
    if _outline(again) != _outline(robot):
        raise BrokenLaw("a robot written as TOML and read again is another one")
    text = write_toml(again)
    if write_toml(read_robot(parse_toml(text, "again.toml"))) != text:
        raise BrokenLaw("a robot that was read from our own TOML is written otherwise")
    if not robot.missing_values:
        _urdf_comes_back(robot)
        if 0 < robot.n <= 3 and random.random() < TORQUES:
            _same_torques(robot, again)
    if 0 < robot.n <= 2 and random.random() < PAGES:
        page_laws(Robot.from_model(robot), random)


def _outline(robot: RobotModel) -> list[Any]:
    """Names, kinds, and masses to twelve digits (a file rounds longer ones)."""
    masses = [number(link.mass, robot.values) for link in robot.links]
    return [
        robot.name, robot.description, robot.base, dict(robot.parameters), robot.missing_values,
        [(link.name, link.parent, link.joint.name, link.joint.kind) for link in robot.links],
        [None if mass is None else f"{mass:.12g}" for mass in masses],
    ]  # fmt: skip


def _same_torques(robot: RobotModel, again: RobotModel) -> None:
    """The torques of a state are those of the robot that was written and read again, to what its digits are worth."""
    q = [0.3 + 0.1 * k for k in range(robot.n)]
    with np.errstate(all="ignore"):  # of numbers such as 1e299, whose torques are infinite
        one, other = (plain(r, "inverse_dynamics", q, q, q)[0] for r in (robot, again))
        scale = float(np.nanmax(np.abs(one), initial=1.0))
        same = np.allclose(one, other, rtol=1e-6, atol=1e-9 * scale, equal_nan=True)
    if not same:
        raise BrokenLaw("a robot written as TOML and read again has other torques")


def _urdf_comes_back(robot: RobotModel) -> None:
    try:
        text = write_urdf(robot)
    except (ArgumentError, MissingValuesError):
        return
    again = read_urdf(text, "again.urdf")
    if [joint.name for joint in again.joints] != [joint.name for joint in robot.joints]:
        raise BrokenLaw("a robot written as URDF and read again has other joints")


def terminal_is_safe(text: str) -> None:
    """No control characters but newlines and tabs, and nothing that turns the direction of writing."""
    for character in set(text) - {"\n", "\t"}:
        if (
            unicodedata.category(character) == "Cc"
            or character in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
        ):
            raise BrokenLaw(f"the terminal gets U+{ord(character):04X}")


def page_laws(robot: Robot, random: Random) -> None:
    """One entry of the equations on a page of every format."""
    entry = random.choice(("M[1,1]", "g[1]", "tau[1]", "T"))
    form = random.choice(("text", "latex", "html", "typst", "markdown", "json"))
    try:
        page = render(derive_only(robot.equations(seconds=SECONDS), entry), form)
    except DynamisError:
        return
    _CHECKS[form](page, random)


def _text(page: str, random: Random) -> None:
    terminal_is_safe(page)


def _json(page: str, random: Random) -> None:
    json.loads(page)


_SELDOM = {
    "mfrac",
    "msqrt",
    "msup",
    "msub",
    "msubsup",
    "mover",
    "table",
    "tr",
    "td",
    "th",
    "mtable",
    "mtr",
    "mtd",
    "p",
    "mtext",
}
"""Tags of ours that only some pages have."""


class _Tags(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)


@cache
def _our_tags() -> set[str]:
    pages = [
        render(derive_only(load(name).equations(), entry), "html")
        for name in ("bar-2r", "genova-rp")
        for entry in ("tau[1]", "T")
    ]
    return {tag for page in pages for tag in _Tags(page).tags} | _SELDOM


def _html(page: str, random: Random) -> None:
    if other := _Tags(page).tags - _our_tags():
        raise BrokenLaw(f"the HTML page has the tags {sorted(other)}")


def _latex(page: str, random: Random) -> None:
    """Braces balanced, and no character that LaTeX takes for itself."""
    bare = re.sub(r"\\.", "", page, flags=re.DOTALL)
    depth = 0
    for character in bare:
        depth += (character == "{") - (character == "}")
        if depth < 0:
            break
    if depth:
        raise BrokenLaw("the braces of the LaTeX page do not close")
    if found := set(bare) & {"#", "%"}:
        raise BrokenLaw(f"the LaTeX page has a bare {found}")
    if bare.count("$") % 2:
        raise BrokenLaw("the LaTeX page has a $ too many")


def _typst(page: str, random: Random) -> None:
    if random.random() < COMPILED:
        import typst

        try:
            typst.compile(page.encode())
        except RuntimeError as error:
            raise BrokenLaw(f"the Typst page does not compile: {str(error)[:200]}") from None


def _markdown(page: str, random: Random) -> None:
    if re.search(r"(?<!\\)<\s*(script|b|img|iframe)\b", page):
        raise BrokenLaw("the Markdown page has HTML in it")


_CHECKS = {"text": _text, "json": _json, "html": _html, "latex": _latex, "typst": _typst, "markdown": _markdown}
