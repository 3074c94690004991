"""The exact equations of a robot: what its parameters are, its loads, time and memory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dynamis.base.errors import ArgumentError
from dynamis.base.faces import option_name
from dynamis.base.verb import Declared
from dynamis.verbs.acting import SYMBOLIC_LOAD
from dynamis.verbs.kind import JSON, TEXTS, Given, Hidden, Kind, Spelling, help_of
from dynamis.verbs.robot_name import ROBOT, VALUES, RobotName
from dynamis.verbs.subject import Subject

LEAST = 0.001
"""Of time [s] and memory [GB]: less cannot be meant."""
SECONDS, MEMORY = 60, 2
EXACT_ANGLES = Spelling(
    "exact_angles", bool, "Rounded angles are the multiples of 15 degrees that they round: 1.5708 is pi/2.",
    default=False,
)  # fmt: skip


class ExactModel(RobotName):
    """The closed-form model of a robot: parameters are symbols but those with values, or all of them numbers."""

    stands_last = True

    def spellings(self, x: Declared, is_in_file: bool) -> tuple[Spelling, ...]:
        symbols = "Every mass, CoM, inertia and length as a symbol, zeros too."
        return (
            ROBOT,
            Spelling("all_symbols", bool, symbols, default=False, also="all-letters"),
            Spelling("numeric", bool, "The values as exact rationals, no symbols.", default=False),
            EXACT_ANGLES, SYMBOLIC_LOAD,
            Spelling("seconds", float, "Time limit of the derivation [s].", least=LEAST, default=SECONDS),
            Spelling("memory", float, "Memory limit of its polynomials [GB].", least=LEAST, default=MEMORY),
            VALUES,
        )  # fmt: skip

    def value(self, x: Declared, given: Given, subject: Subject) -> Any:
        from dynamis.model.exact_angles import with_exact_angles
        from dynamis.model.with_numbers import substitute_values, with_numbers

        all_symbols, numeric = given["all_symbols"], given["numeric"]
        if all_symbols and numeric:
            names = f"{option_name('all_symbols')} and {option_name('numeric')}"
            raise ArgumentError(f"{names} exclude each other; give one of them", key="numeric")
        own = subject.as_it_is
        robot, loads = subject.under(given["load"], with_exact_angles(own) if given["exact_angles"] else own)
        if not numeric:
            fixed = [text.partition("=")[0].strip() for text in subject.values]
            loads = [substitute_values(load, {name: robot.values[name] for name in fixed}) for load in loads]
            robot = with_numbers(robot, fixed)
        robot = robot.symbolic(keep_zeros=False) if all_symbols else robot
        return robot.equations(numeric, given["seconds"], given["memory"], loads)

    def properties(self, x: Declared) -> dict[str, Any]:
        own = {one.name: _form(one) for one in self.spellings(x, False)}
        return own | super().properties(x)

    def values_from_json(self, x: Declared, given: Given, subject: Subject) -> Mapping[str, Any]:
        usual = {one.name: one.default for one in self.spellings(x, False)}
        return {x.name: self.value(x, usual | dict(given), subject)}


def _form(one: Spelling) -> dict[str, Any]:
    """The schema of an option."""
    if one.repeated:
        return {**TEXTS, "description": one.help}
    least = {} if one.least is None else {"minimum": one.least}
    return {"type": JSON[one.type.__name__], "description": one.help, **least}


class LoadedRobot(RobotName):
    """A robot under loads, which may have symbols of their own."""

    def spellings(self, x: Declared, is_in_file: bool) -> tuple[Spelling, ...]:
        return ROBOT, SYMBOLIC_LOAD, VALUES

    def values(self, x: Declared, given: Given, subject: Subject) -> Mapping[str, Any]:
        robot, loads = subject.under(given["load"])
        return {x.name: robot, "loads": loads}

    def values_from_json(self, x: Declared, given: Given, subject: Subject) -> Mapping[str, Any]:
        return self.values(x, {"load": given.get("loads")}, subject)


class SymbolicLoads(Hidden):
    """The loads of a loaded robot, which stand with it."""

    def values_from_json(self, x: Declared, given: Given, subject: Subject) -> Mapping[str, Any]:
        return {}


class TimeLimit(Kind):
    """Seconds, which the command line limits unless it is told otherwise."""

    def spellings(self, x: Declared, is_in_file: bool) -> tuple[Spelling, ...]:
        return (Spelling(x.name, float, help_of(x), least=LEAST, default=SECONDS),)
