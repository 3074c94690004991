"""What a shell offers behind an argument or an option: the names that it may have; where none fits, files."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pkgutil import resolve_name
from typing import Any

import typer

from dynamis.base.verb import OF_ROBOT, names_at

NAMES = {
    "robot": ("dynamis.library:robots", "dynamis.library:estimates", "dynamis.library:exercises"),
    "task": ("dynamis.motion.tasks.task:tasks",),
    "simulation": ("dynamis.simulation.task:simulations",),
    "sweep": ("dynamis.apps.sweeps.sweep_file:sweeps",),
    "document": ("dynamis.apps.readings.reading:readings",),
    "work": ("dynamis.telling.works:method_names",),
    "format": ("dynamis.telling.renderers.page:PAGE_FORMATS",),
    "notation": ("dynamis.telling.notation.schools:NOTATIONS",),
    "figures": ("dynamis.cli.output:FIGURES",),
    "history": ("dynamis.cli.output:HISTORIES",),
    "film": ("dynamis.cli.film:FORMATS",),
}
"""Where the names of each kind are: in a tuple, in a mapping, or from a function. They are imported when asked for."""


def names_of(kind: str) -> list[str]:
    """All names of a kind.

    >>> names_of("format")
    ['text', 'latex', 'markdown', 'html', 'typst', 'json']
    """
    return names_at(" ".join(NAMES[kind]))


def complete_names(kind: str) -> Callable[..., list[str]]:
    """What a shell offers for a name of this kind."""
    return completed_at(" ".join(NAMES[kind]))


def completed_at(places: str) -> Callable[..., list[str]]:
    """What a shell offers for a name that is at one of these places; of several names with commas the last one."""

    if places.endswith(OF_ROBOT):
        return completed_by_robot(lambda robot: resolve_name(places.removesuffix(OF_ROBOT))(robot))

    def offer(incomplete: str) -> list[str]:
        return _beginning(names_at(places), incomplete)

    return offer


def completed_by_robot(part: Callable[[Any], Iterable[str]]) -> Callable[[typer.Context, str], list[str]]:
    """What a shell offers for a name that the robot of the command has; nothing where that cannot be read."""

    def offer(ctx: typer.Context, incomplete: str) -> list[str]:
        from dynamis.base.errors import DynamisError
        from dynamis.library import load

        try:
            return _beginning(part(load(ctx.params.get("robot") or (*ctx.args, "")[0])), incomplete)
        except DynamisError:
            return []

    return offer


def _beginning(names: Iterable[str], incomplete: str) -> list[str]:
    before, comma, last = incomplete.rpartition(",")
    return [f"{before}{comma}{name}" for name in names if name.startswith(last)]
