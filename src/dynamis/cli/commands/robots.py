"""`dynamis robots`: what ships."""

from __future__ import annotations

import warnings
from textwrap import shorten
from typing import TYPE_CHECKING

from dynamis.cli.options import JsonOption, print_json

if TYPE_CHECKING:
    from dynamis.robot import Robot


def command(as_json: JsonOption = False) -> None:
    """List the robots, the exercises and the bodies that ship with dynamis."""
    from dynamis.document.blocks import Document, Table, Words
    from dynamis.document.renderers.page import render
    from dynamis.errors import UnphysicalWarning
    from dynamis.formats.body_file import BODIES, read_body_file
    from dynamis.library import exercises, load, robots

    warnings.simplefilter("ignore", UnphysicalWarning)
    shipped = [load(name) for name in robots()]
    solved = [load(name) for name in exercises()]
    shapes = [(name, read_body_file(name).description) for name in BODIES.names()]
    if as_json:
        print_json({
            "robots": [
                {
                    "name": r.name, "joints": r.n, "kinds": [j.kind for j in r.joints], "numeric": not r.missing_values,
                    "description": r.description, "source": r.source,
                }
                for r in shipped
            ],
            "exercises": [{"name": t.name, "joints": t.n, "description": t.description} for t in solved],
            "bodies": [{"name": name, "description": description} for name, description in shapes],
        })  # fmt: skip
        return
    rows = [
        (r.name, kinds(r), "symbolic" if r.missing_values else "numeric", first_sentence(r.description))
        for r in shipped
    ]
    blocks = (
        Table(("robot", "joints", "values", "description"), tuple(rows)),
        Table(("exercise", "joints", "description"), tuple((t.name, kinds(t), t.description) for t in solved)),
        Table(("body", "description"), tuple((name, first_sentence(text)) for name, text in shapes)),
        Words(("A robot with symbolic values needs numbers before it can compute: --set NAME=VALUE.",)),
    )
    print(render(Document("", blocks), width=200), end="")


def kinds(robot: Robot) -> str:
    """`RRPRRR`, as robot people write it."""
    return "".join("P" if joint.kind == "prismatic" else "R" for joint in robot.joints)


def first_sentence(text: str) -> str:
    """What stands before the first full stop, in one line; `dynamis show` has the rest."""
    return shorten(text.split(". ")[0].rstrip("."), 90, placeholder=" ...")
