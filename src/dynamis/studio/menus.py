"""What can be chosen in the studio, with a line about each."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

from dynamis import library
from dynamis.derivations.robots.methods import METHODS
from dynamis.document.notation.schools import NOTATIONS
from dynamis.exports.target import TARGETS
from dynamis.formats.tasks.motion_file import OPTIONS, THROUGH
from dynamis.motion.tasks.task import tasks
from dynamis.simulation.controllers.catalogue import CATALOGUE
from dynamis.simulation.task import simulations
from dynamis.studio.request import Request


def menus(_: Request) -> dict[str, Any]:
    """Every menu of the page."""
    return {
        "version": version("dynamis"), "robots": [*library.robots(), *library.estimates()], "methods": list(METHODS),
        "notations": list(NOTATIONS), "targets": list(TARGETS), "tasks": tasks(), "simulations": simulations(),
        "motions": [{"name": name, "options": keys, "via": name in THROUGH} for name, keys in OPTIONS.items()],
        "controllers": [
            {"name": name, "description": x.description, "gains": dict(x.gains), "options": dict(x.options)}
            for name, x in CATALOGUE.items()
        ],
    }  # fmt: skip
