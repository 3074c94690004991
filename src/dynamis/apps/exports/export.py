"""`dynamis.export`: what can be asked of functions of a robot in another language."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY
from pathlib import Path
from typing import TYPE_CHECKING

from dynamis.apps.exports.target import TARGETS
from dynamis.base.verb import Verb, function, option, verb

if TYPE_CHECKING:
    from dynamis.apps.exports.exported import Export as Export
    from dynamis.base.provenance import Provenance
    from dynamis.robot import Robot
    from dynamis.simulation.controllers.law import Controller


@verb
class ExportFunctions(Verb["Export"]):
    """Write a robot's functions as code in another language, with test vectors and a self-check.

    >>> import dynamis
    >>> out = dynamis.export(dynamis.load("bar-2r"), "c", functions=["gravity_torque"])
    >>> sorted(out.files)
    ['Makefile', 'README.md', 'bar_2r.c', 'bar_2r.h', 'bar_2r.hpp', 'check.c', 'vectors.json']
    """

    answer = "dynamis.apps.exports.traced_export:export_functions"

    robot: Robot = option("the robot, with numbers for its parameters, except those that are arguments", kind="robot")
    to: str = option(
        f"the language or the machine: {', '.join(TARGETS)}", choices="dynamis.apps.exports.target:TARGETS",
        metavar="TARGET",
    )  # fmt: skip
    folder: str | Path | None = option(
        "where the files go; must be empty or not there, unless `force`", default=None, kind="python"
    )
    _: KW_ONLY
    functions: str | Sequence[str | Controller] | None = option(
        "what to export: quantities (jacobian:frame=tool), control laws (pd-gravity), steps (step:control=pd-gravity), "
        "all; the usual ones if left out; in Python also controllers with their gains",
        default=None, kind="names", offered="dynamis.apps.exports.functions:names", metavar="NAMES",
    )  # fmt: skip
    parameters: Sequence[str] = option(
        "what stays an argument: parameters of the robot such as m1, also forearm.mass, payload, gravity", default=(),
        kind="names", metavar="NAMES",
    )  # fmt: skip
    style: str = option(
        "style: fast (few operations), or readable (the closed form in the textbook's names, for small robots)",
        default="fast", choices="dynamis.apps.exports.exported:STYLES", metavar="STYLE",
    )  # fmt: skip
    force: bool = option("write into a folder that has files", default=False, kind="python")
    provenance: Provenance | None = option("of the command that exports", default=None, kind="python")


export = function(ExportFunctions, "export")
