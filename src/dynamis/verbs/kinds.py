"""The kinds of values, by the names that fields say.

A field whose type is a number, a text or a flag is written as that. The others say their kind.
"""

from __future__ import annotations

from pathlib import Path
from pkgutil import resolve_name
from typing import Any

from dynamis.base.errors import ArgumentError
from dynamis.base.faces import option_name
from dynamis.base.verb import Declared
from dynamis.verbs.acting import GRAVITY, Gravity, HeldPayload
from dynamis.verbs.exact_model import ExactModel, LoadedRobot, SymbolicLoads, TimeLimit
from dynamis.verbs.kind import (
    NUMBERS,
    TEXTS,
    Argument,
    Arguments,
    Given,
    Hidden,
    Kind,
    Repeated,
    Spelling,
    Switch,
    Without,
    Written,
)
from dynamis.verbs.robot_in_state import ActingLoads, Convention, DrawnRobot, Reactions, RobotInState
from dynamis.verbs.robot_name import Conditions, RobotName
from dynamis.verbs.subject import Subject, pair
from dynamis.verbs.texts import (
    corners,
    joint_position,
    link_mesh,
    names,
    number_or,
    number_or_list,
    numbers_or,
    so_many,
)


class Check(Kind):
    """A second run; the command line has one unless it is told otherwise."""

    is_text = False

    def spellings(self, x: Declared, is_in_file: bool) -> tuple[Spelling, ...]:
        integrators = "dynamis.simulation.runs.adaptive:ADAPTIVE dynamis.simulation.loop.integrators:FIXED"
        return (
            Spelling("no_check", bool, "No second run that tells how long the first can be trusted.", default=False),
            Spelling(
                "check_with", str, "Integrator of the second run, if not the first one's.", "INTEGRATOR", integrators
            ),
        )

    def value(self, x: Declared, given: Given, subject: Subject) -> Any:
        if given.get("no_check") and given.get("check_with"):
            raise ArgumentError(f"{option_name('no_check')} and {option_name('check_with')} exclude each other")
        return False if given.get("no_check") else given.get("check_with") or True

    def schema(self, x: Declared) -> dict[str, Any]:
        return {"type": ["boolean", "string"]}


def frame_name(name: str, text: str) -> str:
    """The name of a frame or a link."""
    if not text.strip():
        raise ArgumentError(
            f"{option_name(name)} is empty; name a frame or a link, or leave it out for the tool", key=name
        )
    return text


ONE_OR_MORE = {"anyOf": [{"type": "number"}, NUMBERS]}
NUMBER_OR_NAME = {"type": ["number", "string"]}
TEXT = {"type": "string"}
KINDS: dict[str, Kind] = {
    "": Kind(),
    "name": Kind(),
    "number": Kind("float"),
    "switch": Switch(),
    "without": Without(),
    "texts": Repeated(lambda _, text: text, TEXT),
    "argument": Argument(),
    "arguments": Arguments(lambda _, text: text, TEXT),
    "values": Repeated(lambda _, text: pair(text, "r=0.1"), NUMBER_OR_NAME, dict),
    "python": Hidden(),
    "joints": Hidden(NUMBERS),
    "numbers": Written(number_or_list, ONE_OR_MORE),
    "numbers or model": Written(numbers_or("model"), {"anyOf": [*ONE_OR_MORE["anyOf"], {"const": "model"}]}),
    "numbers or estimate": Written(numbers_or("estimate"), {"anyOf": [*ONE_OR_MORE["anyOf"], {"const": "estimate"}]}),
    "number or auto": Written(number_or("auto"), NUMBER_OR_NAME),
    "number, auto or none": Written(number_or("auto", "none"), {"type": ["number", "string", "null"]}),
    "names": Written(names, TEXTS),
    "files": Repeated(lambda _, file: str(file), TEXT, type=Path),
    "box": Written(corners, {"type": "array", "items": NUMBERS, "minItems": 2, "maxItems": 2}),
    "planes": Repeated(so_many(4), NUMBERS),
    "positions": Repeated(joint_position, {"type": "number"}, dict),
    "meshes": Repeated(link_mesh, TEXT, dict),
    "robot": RobotName(),
    "equations": ExactModel(),
    "loaded robot": LoadedRobot(),
    "symbolic loads": SymbolicLoads(TEXTS),
    "conditions": Conditions({"type": "object", "additionalProperties": NUMBER_OR_NAME}),
    "robot in a state": RobotInState(),
    "drawn robot": DrawnRobot(),
    "loads": ActingLoads(TEXTS),
    "gravity": Gravity(),
    "acceleration": Hidden(GRAVITY),
    "payload": HeldPayload(),
    "reactions": Reactions(),
    "convention": Convention(),
    "frame": Written(frame_name, TEXT),
    "time limit": TimeLimit(),
    "check": Check(),
}
"""By the kinds that fields say; an application brings others, `module:object`."""


def kind_of(x: Declared) -> Kind:
    """How the values of a field are written."""
    kind = x.about.kind
    return resolve_name(kind) if ":" in kind else KINDS[kind]
