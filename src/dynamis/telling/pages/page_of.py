"""Which page belongs to which type. `base.display` finds this module by its name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dynamis.compute.backends.program_function import ProgramFunction
from dynamis.compute.mechanics.dynamics.newton_euler import InverseDynamics
from dynamis.model.bodies.body import Body
from dynamis.model.bodies.mass_properties import MassProperties, PrincipalAxes
from dynamis.model.inertia import Inertia
from dynamis.model.link import Joint, Link
from dynamis.model.payload import Payload
from dynamis.telling.blocks import Document
from dynamis.telling.pages import bodies, functions, parts, torques
from dynamis.telling.renderers.page import render

PAGES: dict[type, Callable[[Any], Document]] = {
    Link: parts.link_document,
    Joint: parts.joint_document,
    Inertia: parts.inertia_document,
    Payload: parts.payload_document,
    Body: bodies.body_document,
    MassProperties: bodies.mass_document,
    PrincipalAxes: bodies.axes_document,
    InverseDynamics: torques.torques_document,
    ProgramFunction: functions.function_document,
}


def page_of(thing: Any) -> Document:
    """The document of what does not write its own: that of the first of its classes that has one."""
    return next(PAGES[kind] for kind in type(thing).__mro__ if kind in PAGES)(thing)


def notebook(thing: Any) -> str:
    """Its page in a notebook."""
    return render(thing, "notebook")
