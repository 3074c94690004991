"""What a kind of values is: how it is written as options of a command line, as text in a field, and in JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, replace
from math import isfinite
from typing import Any, ClassVar, cast

from dynamis.base.errors import ArgumentError, literal
from dynamis.base.faces import option_name
from dynamis.base.verb import Declared
from dynamis.verbs.subject import Subject

LONGEST_NUMBER = 40
"""Characters: longer ones are no numbers that people type."""
Given = Mapping[str, Any]
"""What was written behind the options of a field, by their names; None or False where nothing was."""
JSON = {"float": "number", "int": "integer", "bool": "boolean", "str": "string"}
NUMBERS = {"type": "array", "items": {"type": "number"}}
TEXTS = {"type": "array", "items": {"type": "string"}}


@dataclass(frozen=True)
class Spelling:
    """One option of a command line, or one of its arguments; a field may have several."""

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
    also: str = ""
    """Another name of the option, as it is typed but for its dashes."""
    positional: bool = False
    """Whether it stands by its place, without its name; one without a default must be given."""


class Kind:
    """A number, a text or a flag; `plain` is its type where that of the field has more."""

    is_text: ClassVar[bool] = True
    """Whether a person can write it as one text."""
    stands_last: ClassVar[bool] = False
    """Whether its options are listed after those of the other fields."""

    def __init__(self, plain: str = "") -> None:
        self.plain = plain

    def _type(self, x: Declared) -> str:
        return self.plain or x.plain or "str"

    def spellings(self, x: Declared, is_in_file: bool) -> tuple[Spelling, ...]:
        """Its options; nothing is their default where the file of the verb may have another one."""
        types: dict[str, type] = {"float": float, "int": int, "bool": bool, "str": str}
        about, default = x.about, None if is_in_file or x.default in (MISSING, "", ()) else x.default
        return (
            Spelling(
                x.written, types[self._type(x)], help_of(x), about.metavar, offered_at(x), about.least, about.most,
                default, required=x.required and not is_in_file,
            ),
        )  # fmt: skip

    def value(self, x: Declared, given: Given, subject: Subject) -> Any:
        """The value of the field; MISSING leaves it to the verb, or to its file."""
        value = given.get(x.written)
        return MISSING if value is None else value

    def values(self, x: Declared, given: Given, subject: Subject) -> Mapping[str, Any]:
        """The values by their fields: of this one, and of others that are written with it."""
        value = self.value(x, given, subject)
        return {} if value is MISSING else {x.name: value}

    def schema(self, x: Declared) -> dict[str, Any]:
        """What JSON may have for it."""
        about = x.about
        bounds = {"minimum": about.least, "maximum": about.most, "enum": x.names() or None}
        return {"type": JSON[self._type(x)], **{key: value for key, value in bounds.items() if value is not None}}

    def properties(self, x: Declared) -> dict[str, Any]:
        """The keys that JSON has for it, each with its schema."""
        form = self.schema(x)
        return {x.name: form} if form else {}

    def from_json(self, value: Any, subject: Subject) -> Any:
        """The value of the field, of JSON that keeps to the schema."""
        return value

    def values_from_json(self, x: Declared, given: Given, subject: Subject) -> Mapping[str, Any]:
        """The values by their fields."""
        return {x.name: self.from_json(given[x.name], subject)} if x.name in given else {}

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
        raise ArgumentError(f"{option_name(x.name)} must be {what}, got {literal(text)}", key=x.name)


class Written(Kind):
    """What is written as a text, which a function reads."""

    def __init__(self, read: Callable[[str, str], Any], schema: Mapping[str, Any]) -> None:
        super().__init__("str")
        self.read = read
        self._schema = dict(schema)

    def spellings(self, x: Declared, is_in_file: bool) -> tuple[Spelling, ...]:
        return tuple(replace(one, default=_written(one.default)) for one in super().spellings(x, is_in_file))

    def value(self, x: Declared, given: Given, subject: Subject) -> Any:
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
                x.written, self.type, help_of(x, more), about.metavar, offered_at(x), repeated=True,
                positional=x.required,
            ),
        )  # fmt: skip

    def value(self, x: Declared, given: Given, subject: Subject) -> Any:
        texts = given.get(x.written)
        return self.gathered(self.read(x.name, text) for text in texts) if texts else MISSING


class Argument(Kind):
    """A text that stands by its place."""

    def spellings(self, x: Declared, is_in_file: bool) -> tuple[Spelling, ...]:
        return tuple(replace(one, positional=True) for one in super().spellings(x, is_in_file))


class Arguments(Repeated):
    """Texts that stand at the end, none perhaps."""

    def spellings(self, x: Declared, is_in_file: bool) -> tuple[Spelling, ...]:
        (one,) = super().spellings(x, is_in_file)
        return (replace(one, help=help_of(x), positional=True, default=()),)


class Switch(Kind):
    """A flag that is off on the command line unless it is asked for, whatever it is in Python."""

    def spellings(self, x: Declared, is_in_file: bool) -> tuple[Spelling, ...]:
        return (Spelling(x.written, bool, help_of(x), default=False),)

    def value(self, x: Declared, given: Given, subject: Subject) -> Any:
        return bool(given.get(x.written))

    def schema(self, x: Declared) -> dict[str, Any]:
        return {"type": "boolean"}


class Without(Kind):
    """What is there unless it is switched off; the help of its option is what stands before the colon."""

    def spellings(self, x: Declared, is_in_file: bool) -> tuple[Spelling, ...]:
        return (Spelling(f"no_{x.name}", bool, f"Without {x.about.help.partition(':')[0]}.", default=False),)

    def value(self, x: Declared, given: Given, subject: Subject) -> Any:
        return False if given.get(f"no_{x.name}") else MISSING

    def schema(self, x: Declared) -> dict[str, Any]:
        return {"type": "boolean"}


class Hidden(Kind):
    """What only Python has, or the file of the verb, or what is written with another field."""

    is_text = False

    def __init__(self, schema: Mapping[str, Any] | None = None) -> None:
        self._schema = dict(schema or {})

    def spellings(self, x: Declared, is_in_file: bool) -> tuple[Spelling, ...]:
        return ()

    def value(self, x: Declared, given: Given, subject: Subject) -> Any:
        return MISSING

    def schema(self, x: Declared) -> dict[str, Any]:
        return self._schema


def offered_at(x: Declared) -> str:
    """Where the names are that a shell offers."""
    return x.about.choices or x.about.offered


def help_of(x: Declared, more: str = "") -> str:
    """As a sentence, with its unit; what it may be in Python is left out."""
    text, _, _ = x.about.help.partition("; in Python")
    end = "" if text.endswith("...") and not more else "."
    text = text[:1].upper() + text[1:]
    return f"{text}{f' [{x.about.unit}]' if x.about.unit else ''}{more}{end}"


def _written(default: Any) -> str | None:
    """A default as it is typed; None where it has no such text."""
    if isinstance(default, tuple):
        return ",".join(cast("tuple[str, ...]", default)) or None
    return None if default is None else f"{default:g}" if isinstance(default, float) else str(default)
