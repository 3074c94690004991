"""The kinds of values, by the names that fields say.

A field whose type is a number, a text or a flag is written as that. The others say their kind.
"""

from __future__ import annotations

from math import isfinite
from pkgutil import resolve_name
from typing import Any

from dynamis.base.errors import ArgumentError, literal
from dynamis.base.faces import named
from dynamis.base.verb import Declared
from dynamis.verbs.acting import GRAVITY, Gravity, HeldPayload
from dynamis.verbs.exact_model import ExactModel, LoadedRobot, SymbolicLoads, TimeLimit
from dynamis.verbs.kind import NUMBERS, TEXTS, Given, Hidden, Kind, Spelling, Switch, Texts, Without, Written
from dynamis.verbs.robot_in_state import ActingLoads, Convention, DrawnRobot, Reactions, RobotInState
from dynamis.verbs.robot_name import Conditions, RobotName
from dynamis.verbs.subject import Subject


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
            raise ArgumentError(f"{named('no_check')} and {named('check_with')} exclude each other")
        return False if given.get("no_check") else given.get("check_with") or True

    def schema(self, x: Declared) -> dict[str, Any]:
        return {"type": ["boolean", "string"]}


def number_or_list(name: str, text: str) -> Any:
    """`5` is a number, `5,4,3` a list.

    >>> number_or_list("kp", "5"), number_or_list("kp", "5, 4")
    (5.0, [5.0, 4.0])
    """
    try:
        found = [float(part) for part in text.replace("\N{MINUS SIGN}", "-").split(",")]
    except ValueError:
        raise ArgumentError(
            f"{named(name)} must be a number or a list such as 5,4,3, got {literal(text)}", key=name
        ) from None
    if not all(map(isfinite, found)):
        raise ArgumentError(f"{named(name)} must be finite, got {literal(text)}", key=name)
    return found[0] if len(found) == 1 else found


def numbers_or_model(name: str, text: str) -> Any:
    """Numbers, or the word `model`."""
    return text if text == "model" else number_or_list(name, text)


def frame_name(name: str, text: str) -> str:
    """The name of a frame or a link."""
    if not text.strip():
        raise ArgumentError(f"{named(name)} is empty; name a frame or a link, or leave it out for the tool", key=name)
    return text


ONE_OR_MORE = {"anyOf": [{"type": "number"}, NUMBERS]}
KINDS: dict[str, Kind] = {
    "": Kind(), "name": Kind(), "python": Hidden(), "joints": Hidden(NUMBERS), "loads": ActingLoads(TEXTS),
    "symbolic loads": SymbolicLoads(TEXTS),
    "conditions": Conditions({"type": "object", "additionalProperties": {"type": ["number", "string"]}}),
    "switch": Switch(), "without": Without(), "texts": Texts(), "arguments": Texts(is_argument=True),
    "numbers": Written(number_or_list, ONE_OR_MORE),
    "numbers or model": Written(numbers_or_model, {"anyOf": [*ONE_OR_MORE["anyOf"], {"const": "model"}]}),
    "robot": RobotName(), "equations": ExactModel(), "loaded robot": LoadedRobot(),
    "robot in a state": RobotInState(), "drawn robot": DrawnRobot(),
    "gravity": Gravity(), "acceleration": Hidden(GRAVITY), "payload": HeldPayload(), "reactions": Reactions(),
    "convention": Convention(), "frame": Written(frame_name, {"type": "string"}),
    "time limit": TimeLimit(), "check": Check(),
}  # fmt: skip
"""By the kinds that fields say; an application brings others, `module:object`."""


def kind_of(x: Declared) -> Kind:
    """How the values of a field are written."""
    kind = x.about.kind
    return resolve_name(kind) if ":" in kind else KINDS[kind]
