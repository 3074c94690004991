"""How values of each kind are written: as options of a command line, as text in a field, and in JSON.

A field whose type is a number, a text or a flag is written as that. The others say their kind.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass
from math import isfinite
from typing import Any

from dynamis.base.errors import ArgumentError, literal
from dynamis.base.faces import named
from dynamis.base.verb import Declared

LONGEST_NUMBER = 40
"""Characters: longer ones are no numbers that people type."""
Given = Mapping[str, Any]
"""What was written behind the options of a field, by their names; None or False where nothing was."""
JSON = {"float": "number", "int": "integer", "bool": "boolean", "str": "string"}


@dataclass(frozen=True)
class Spelling:
    """One option of a command line; a field may have several."""

    name: str
    type: Any
    help: str
    metavar: str = ""
    choices: str = ""
    least: float | None = None
    most: float | None = None
    default: Any = None
    repeated: bool = False


class Kind:
    """A number, a text or a flag."""

    is_text = True
    """Whether a person can write it as one text."""

    def spellings(self, x: Declared, is_in_file: bool) -> tuple[Spelling, ...]:
        """Its options; nothing is their default where the file of the verb may have another one."""
        types: dict[str, type] = {"float": float, "int": int, "bool": bool, "str": str}
        plain = types[x.plain or "str"]
        unset = is_in_file or x.default is MISSING or x.default is None
        about = x.about
        return (
            Spelling(
                x.name, plain, _help(x), about.metavar, about.choices, about.least, about.most,
                None if unset else x.default,
            ),
        )  # fmt: skip

    def value(self, x: Declared, given: Given) -> Any:
        """The value of the field; MISSING leaves it to the verb, or to its file."""
        value = given.get(x.name)
        return MISSING if value is None else value

    def schema(self, x: Declared) -> dict[str, Any]:
        """What JSON may have for it."""
        about = x.about
        bounds = {"minimum": about.least, "maximum": about.most, "enum": x.names() or None}
        return {"type": JSON[x.plain or "str"], **{key: value for key, value in bounds.items() if value is not None}}

    def from_json(self, value: Any) -> Any:
        """The value of the field, of JSON that keeps to the schema."""
        return value

    def from_text(self, x: Declared, text: str) -> Any:
        """The value of the field, of a text; whether it may have this value is the verb's to say."""
        if x.plain not in ("float", "int"):
            return text
        what = "a number" if x.plain == "float" else "an integer"
        try:
            value = float(text.replace("\N{MINUS SIGN}", "-")) if x.plain == "float" else int(text)
            if isfinite(value) and len(text) <= LONGEST_NUMBER:
                return value
        except ValueError:
            pass
        raise ArgumentError(f"{named(x.name)} must be {what}, got {literal(text)}", key=x.name)


class Written(Kind):
    """What is written as a text, which a function reads."""

    def __init__(self, read: Callable[[str, str], Any], schema: Mapping[str, Any]) -> None:
        self.read = read
        self._schema = dict(schema)

    def spellings(self, x: Declared, is_in_file: bool) -> tuple[Spelling, ...]:
        return (Spelling(x.name, str, _help(x), x.about.metavar, x.about.choices),)

    def value(self, x: Declared, given: Given) -> Any:
        text = given.get(x.name)
        return MISSING if text is None else self.read(x.name, text)

    def schema(self, x: Declared) -> dict[str, Any]:
        return self._schema

    def from_text(self, x: Declared, text: str) -> Any:
        return self.read(x.name, text)


class Gravity(Kind):
    """The robot's own, or none."""

    is_text = False

    def spellings(self, x: Declared, is_in_file: bool) -> tuple[Spelling, ...]:
        return (Spelling("no_gravity", bool, "Without gravity.", default=False),)

    def value(self, x: Declared, given: Given) -> Any:
        return False if given.get("no_gravity") else MISSING

    def schema(self, x: Declared) -> dict[str, Any]:
        return {"anyOf": [{"type": "boolean"}, {**NUMBERS, "minItems": 3, "maxItems": 3}]}


class HeldPayload(Kind):
    """A mass, its CoM and its inertia."""

    is_text = False

    def spellings(self, x: Declared, is_in_file: bool) -> tuple[Spelling, ...]:
        return (
            Spelling("payload", float, "Mass held in the tool frame [kg].", "KG", least=0),
            Spelling("payload_com", str, "CoM of the payload in the tool frame [m]; its origin if left out.", "X,Y,Z"),
            Spelling(
                "payload_inertia", str,
                "Inertia of the payload about its CoM [kg m^2], also with XY,XZ,YZ; a point mass if left out.",
                "XX,YY,ZZ",
            ),
        )  # fmt: skip

    def value(self, x: Declared, given: Given) -> Any:
        from dynamis.model.payload import payload_from

        rows = {name: text for name in ("payload_com", "payload_inertia") if (text := given.get(name)) is not None}
        if given.get("payload") is None:
            for name in rows:
                raise ArgumentError(f"{named(name)} goes with {named('payload')}, which is missing", key="payload")
            return MISSING
        values = [numbers(name, rows[name]) if name in rows else None for name in ("payload_com", "payload_inertia")]
        return payload_from(given["payload"], *values)

    def schema(self, x: Declared) -> dict[str, Any]:
        parts = {"mass": {"type": "number", "minimum": 0}, "com": NUMBERS, "inertia": NUMBERS}
        whole = {"type": "object", "properties": parts, "required": ["mass"], "additionalProperties": False}
        return {"anyOf": [{"type": "number", "minimum": 0}, whole]}

    def from_json(self, value: Any) -> Any:
        from dynamis.model.payload import payload_from

        return payload_from(**value) if isinstance(value, dict) else payload_from(value)


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

    def value(self, x: Declared, given: Given) -> Any:
        if given.get("no_check") and given.get("check_with"):
            raise ArgumentError(f"{named('no_check')} and {named('check_with')} exclude each other")
        return False if given.get("no_check") else given.get("check_with") or True

    def schema(self, x: Declared) -> dict[str, Any]:
        return {"type": ["boolean", "string"]}


class Hidden(Kind):
    """What only Python has, or the file of the verb."""

    is_text = False

    def __init__(self, schema: Mapping[str, Any] | None = None) -> None:
        self._schema = dict(schema or {})

    def spellings(self, x: Declared, is_in_file: bool) -> tuple[Spelling, ...]:
        return ()

    def value(self, x: Declared, given: Given) -> Any:
        return MISSING

    def schema(self, x: Declared) -> dict[str, Any]:
        return self._schema


def numbers(name: str, text: str) -> list[float]:
    """`5,4,3` as a list."""
    from dynamis.model.formats.tasks.state_file import numbers

    return numbers(text, named(name))


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


NUMBERS = {"type": "array", "items": {"type": "number"}}
ONE_OR_MORE = {"anyOf": [{"type": "number"}, NUMBERS]}
KINDS: dict[str, Kind] = {
    "": Kind(), "name": Kind(), "python": Hidden(), "robot": Hidden({"type": "string"}), "joints": Hidden(NUMBERS),
    "numbers": Written(number_or_list, ONE_OR_MORE),
    "numbers or model": Written(numbers_or_model, {"anyOf": [*ONE_OR_MORE["anyOf"], {"const": "model"}]}),
    "gravity": Gravity(), "payload": HeldPayload(), "check": Check(),
}  # fmt: skip
"""By the kinds that fields say."""


def kind_of(x: Declared) -> Kind:
    """How the values of a field are written."""
    return KINDS[x.about.kind]


def _help(x: Declared) -> str:
    """As a sentence, with its unit."""
    text = x.about.help[:1].upper() + x.about.help[1:]
    return f"{text}{f' [{x.about.unit}]' if x.about.unit else ''}."
