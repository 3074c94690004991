"""What can be chosen in the studio, with a line about each."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

from dynamis import library
from dynamis.apps.exports.exported import STYLES
from dynamis.apps.exports.target import TARGETS
from dynamis.apps.live.live_report import FORMATS
from dynamis.apps.studio.request import Request
from dynamis.apps.studio.tabs.equations import VALUES
from dynamis.base.shipped_files import Shipped
from dynamis.exact.derivations.robots.methods import METHODS
from dynamis.model.formats.tasks.motion_file import OPTIONS, THROUGH
from dynamis.motion.tasks.task import tasks
from dynamis.simulation.controllers.catalogue import CATALOGUE
from dynamis.simulation.learning.learn import Learn
from dynamis.simulation.simulate import Simulate
from dynamis.simulation.task import simulations
from dynamis.telling.notation.schools import NOTATIONS
from dynamis.verbs.forms import form

TASKS, SIMULATIONS = Shipped("task", "motion/tasks"), Shipped("simulation", "simulation/tasks")


def menus(_: Request) -> dict[str, Any]:
    """Every menu of the page; the files that ship come with their texts."""
    return {
        "version": version("dynamis"), "robots": [*library.robots(), *library.estimates()], "methods": list(METHODS),
        "notations": list(NOTATIONS), "values": VALUES, "targets": {name: x.about for name, x in TARGETS.items()},
        "styles": STYLES, "reports": [suffix[1:] for suffix in FORMATS], 
        "forms": {"simulate": form(Simulate), "learn": form(Learn)},
        "tasks": {name: TASKS.path(name).read_text(encoding="utf-8") for name in tasks()},
        "simulations": {name: SIMULATIONS.path(name).read_text(encoding="utf-8") for name in simulations()},
        "motions": [
            {"name": name, "options": keys, "via": name in THROUGH} for name, keys in OPTIONS.items() if keys
        ],
        "controllers": [
            {"name": name, "description": x.description, "gains": dict(x.gains), "options": dict(x.options)}
            for name, x in CATALOGUE.items()
        ],
    }  # fmt: skip
