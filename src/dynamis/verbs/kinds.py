"""How values of each kind are written: as options of a command line, as text in a field, and in JSON.

A field whose type is a number, a text or a flag is written as that. The others say their kind.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, replace
from math import isfinite
from pathlib import Path
from typing import Any, cast

from dynamis.base.errors import ArgumentError, literal
from dynamis.base.faces import named
from dynamis.base.verb import Declared
from dynamis.verbs.texts import (
    corners,
    joint_position,
    link_mesh,
    names,
    number_or,
    number_or_list,
    numbers,
    numbers_or,
    so_many,
)

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
    required: bool = False
    positional: bool = False
    """Whether it stands by its place, without its name."""


class Kind:
    """A number, a text or a flag; `plain` is its type where that of the field has more."""

    is_text = True
    """Whether a person can write it as one text."""

    def __init__(self, plain: str = "") -> None:
        self.plain = plain

    def _type(self, x: Declared) -> str:
        return self.plain or x.plain or "str"

    def spellings(self, x: Declared, is_in_file: bool) -> tuple[Spelling, ...]:
        """Its options; nothing is their default where the file of the verb may have another one."""
        types: dict[str, type] = {"float": float, "int": int, "bool": bool, "str": str}
        about, default = x.about, None if is_in_file or x.default is MISSING else x.default
        return (
            Spelling(
                x.written, types[self._type(x)], _help(x), about.metavar, about.choices or about.offered, about.least,
                about.most, default, required=x.required and not is_in_file,
            ),
        )  # fmt: skip

    def value(self, x: Declared, given: Given) -> Any:
        """The value of the field; MISSING leaves it to the verb, or to its file."""
        value = given.get(x.written)
        return MISSING if value is None else value

    def schema(self, x: Declared) -> dict[str, Any]:
        """What JSON may have for it."""
        about = x.about
        bounds = {"minimum": about.least, "maximum": about.most, "enum": x.names() or None}
        return {"type": JSON[self._type(x)], **{key: value for key, value in bounds.items() if value is not None}}

    def from_json(self, value: Any) -> Any:
        """The value of the field, of JSON that keeps to the schema."""
        return value

    def from_text(self, x: Declared, text: str) -> Any:
        """The value of the field, of a text; whether it may have this value is the verb's to say."""
        if self._type(x) not in ("float", "int"):
            return text
        what = "a number" if self._type(x) == "float" else "an integer"
        try:
            value = float(text.replace("\N{MINUS SIGN}", "-")) if self._type(x) == "float" else int(text)
            if isfinite(value) and len(text) <= LONGEST_NUMBER:
                return value
        except ValueError:
            pass
        raise ArgumentError(f"{named(x.name)} must be {what}, got {literal(text)}", key=x.name)


class Written(Kind):
    """What is written as a text, which a function reads."""

    def __init__(self, read: Callable[[str, str], Any], schema: Mapping[str, Any]) -> None:
        super().__init__("str")
        self.read = read
        self._schema = dict(schema)

    def spellings(self, x: Declared, is_in_file: bool) -> tuple[Spelling, ...]:
        return tuple(replace(one, default=_written(one.default)) for one in super().spellings(x, is_in_file))

    def value(self, x: Declared, given: Given) -> Any:
        text = given.get(x.written)
        return MISSING if text is None else self.read(x.name, text)

    def schema(self, x: Declared) -> dict[str, Any]:
        return self._schema

    def from_text(self, x: Declared, text: str) -> Any:
        return self.read(x.name, text)


class Repeated(Written):
    """What may be written several times, each as a text that a function reads, as a list or as pairs of a dict."""

    is_text = False

    def __init__(
        self,
        read: Callable[[str, str], Any],
        each: Mapping[str, Any],
        gathered: Callable[[Any], Any] = list,
        type: type = str,
    ) -> None:
        kind = (
            {"type": "object", "additionalProperties": each} if gathered is dict else {"type": "array", "items": each}
        )
        super().__init__(read, kind)
        self.gathered, self.type = gathered, type

    def spellings(self, x: Declared, is_in_file: bool) -> tuple[Spelling, ...]:
        about, more = x.about, "" if x.required else "; may be repeated"
        return (
            Spelling(
                x.written, self.type, _help(x, more), about.metavar, about.choices, repeated=True, positional=x.required
            ),
        )  # fmt: skip

    def value(self, x: Declared, given: Given) -> Any:
        texts = given.get(x.written)
        return self.gathered(self.read(x.name, text) for text in texts) if texts else MISSING


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


NUMBERS = {"type": "array", "items": {"type": "number"}}
ONE_OR_MORE = {"anyOf": [{"type": "number"}, NUMBERS]}
NUMBER_OR_NAME = {"type": ["number", "string"]}
NAMES = {"type": "array", "items": {"type": "string"}}
KINDS: dict[str, Kind] = {
    "": Kind(),
    "name": Kind(),
    "number": Kind("float"),
    "python": Hidden(),
    "robot": Hidden({"type": "string"}),
    "joints": Hidden(NUMBERS),
    "numbers": Written(number_or_list, ONE_OR_MORE),
    "numbers or model": Written(numbers_or("model"), {"anyOf": [*ONE_OR_MORE["anyOf"], {"const": "model"}]}),
    "numbers or estimate": Written(numbers_or("estimate"), {"anyOf": [*ONE_OR_MORE["anyOf"], {"const": "estimate"}]}),
    "number or auto": Written(number_or("auto"), NUMBER_OR_NAME),
    "number, auto or none": Written(number_or("auto", "none"), {"type": ["number", "string", "null"]}),
    "names": Written(names, NAMES),
    "files": Repeated(lambda _, file: str(file), {"type": "string"}, type=Path),
    "box": Written(corners, {"type": "array", "items": NUMBERS, "minItems": 2, "maxItems": 2}),
    "planes": Repeated(so_many(4), NUMBERS),
    "positions": Repeated(joint_position, {"type": "number"}, dict),
    "meshes": Repeated(link_mesh, {"type": "string"}, dict),
    "gravity": Gravity(),
    "payload": HeldPayload(),
    "check": Check(),
}
"""By the kinds that fields say."""


def kind_of(x: Declared) -> Kind:
    """How the values of a field are written."""
    return KINDS[x.about.kind]


def _help(x: Declared, more: str = "") -> str:
    """As a sentence, with its unit; what it may be in Python is left out."""
    text, _, _ = x.about.help.partition("; in Python")
    text = text[:1].upper() + text[1:]
    return f"{text}{f' [{x.about.unit}]' if x.about.unit else ''}{more}."


def _written(default: Any) -> str | None:
    """A default as it is typed; None where it has no such text."""
    if isinstance(default, tuple):
        return ",".join(cast("tuple[str, ...]", default)) or None
    return None if default is None else f"{default:g}" if isinstance(default, float) else str(default)
