"""A verb asked in JSON, as programs and assistants do: its schema, and the verb that an object asks for.

{"verb": "simulate", "robot": "bar-2r", "file": "double-pendulum", "duration": 2}
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING
from pkgutil import resolve_name
from typing import Any, cast

from dynamis.base.errors import ArgumentError, UnknownNameError, literal
from dynamis.base.verb import Verb, declared_options
from dynamis.verbs.catalogue import verb_named
from dynamis.verbs.kinds import kind_of
from dynamis.verbs.subject import Subject

DIALECT = "https://json-schema.org/draft/2020-12/schema"
WORDS = {"number": "a number", "integer": "an integer", "string": "a text", "boolean": "true or false", "null": "null"}


def schema(name: str) -> dict[str, Any]:
    """The JSON schema of what a verb takes.

    >>> schema("simulate")["properties"]["duration"]["type"]
    ['number', 'null']
    """
    kind = verb_named(name)
    known: dict[str, Any] = {"verb": {"const": name}}
    if kind.file:
        known["file"] = {"type": "string", "description": "the name of a shipped file of this verb, or a path"}
    prose, _, _ = (kind.__doc__ or "").partition("\n")
    return {
        "$schema": DIALECT, "title": name, "description": prose, "type": "object", "properties": known | _options(kind),
        "required": ["verb", *_robot(kind)], "additionalProperties": False,
    }  # fmt: skip


def _options(kind: type[Verb[Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for x in declared_options(kind).values():
        parts = kind_of(x).properties(x)
        form = parts.get(x.name)
        if form is None or "description" in form:
            found |= parts
            continue
        if x.default is None and "type" in form:
            form = {**form, "type": [form["type"], "null"]}
        unit = f" [{x.about.unit}]" if x.about.unit else ""
        usually = x.default
        default: Any = list(cast("tuple[Any, ...]", usually)) if isinstance(usually, tuple) else usually
        usual = {} if default is MISSING or default in (None, "") else {"default": default}
        found[x.name] = {**form, "description": f"{x.about.help}{unit}", **usual}
    return found


def verb_from_json(data: Any) -> Verb[Any]:
    """The verb that an object asks for; raise where it does not keep to the schema."""
    given = dict(cast("dict[str, Any]", data)) if isinstance(data, dict) else {}
    kind = verb_named(_text(given, "verb"))
    for key in _robot(kind):
        _text(given, key)
    known = schema(given.pop("verb"))["properties"]
    for key, value in given.items():
        if key not in known:
            raise UnknownNameError("key", key, known, key=key)
        problem = _problem(value, known[key])
        if problem:
            raise ArgumentError(f"{key} must be {problem}, got {literal(value)}", key=key)
    subject = Subject(given.get("robot", ""), [f"{name}={value}" for name, value in given.get("values", {}).items()])
    own: dict[str, Any] = {}
    for x in declared_options(kind).values():
        own |= kind_of(x).values_from_json(x, given, subject)
    if "file" in given:
        held = own.pop("payload", None)
        return resolve_name(kind.file)(given["file"], own.pop("robot"), held).changed(**own)
    missing = [x.name for x in declared_options(kind).values() if x.required and x.name not in own]
    if missing:
        # What only Python can say comes from a file here.
        names = ["file"] * bool(kind.file) + [name for name in missing if name in known][:1]
        raise ArgumentError(f"{', or '.join(names or missing[:1])} is missing", key=(names or missing)[0])
    return kind(**own)


def _robot(kind: type[Verb[Any]]) -> list[str]:
    """The key of the robot, of a verb that has one."""
    return ["robot"] if any("robot" in kind_of(x).properties(x) for x in declared_options(kind).values()) else []


def _text(given: Mapping[str, Any], key: str) -> str:
    """What must be there, and a text."""
    if not isinstance(given.get(key), str):
        raise ArgumentError(
            f'a request must be an object such as {{"verb": "simulate", "robot": "bar-2r", ...}}; {key} is missing',
            key=key,
        )
    return given[key]


def _problem(value: Any, form: Mapping[str, Any]) -> str:
    """What a value must be, of a schema of our own; empty where it is that."""
    if "anyOf" in form:
        problems = [_problem(value, one) for one in form["anyOf"]]
        return "" if "" in problems else " or ".join(problems)
    if "const" in form:
        return "" if value == form["const"] else literal(form["const"])
    if "enum" in form and value is not None:
        return "" if value in form["enum"] else f"one of {', '.join(form['enum'])}"
    types: list[str] = [form["type"]] if isinstance(form["type"], str) else form["type"]
    if not any(_is_of_type(value, one) for one in types):
        return " or ".join(_words(one, form) for one in types)
    if isinstance(value, list):
        entries = cast("list[Any]", value)
        if not form.get("minItems", 0) <= len(entries) <= form.get("maxItems", len(entries)):
            return f"a list of {form['minItems']} numbers"
        return next((f"a list, each entry {p}" for entry in entries if (p := _problem(entry, form["items"]))), "")
    if isinstance(value, dict):
        parts, given = form.get("properties", {}), cast("dict[str, Any]", value)
        usual = form.get("additionalProperties")
        strange = next((key for key in given if key not in parts), None) if not usual else None
        if strange is not None or any(key not in given for key in form.get("required", ())):
            return f"an object with {', '.join(parts)}"
        each = ((key, _problem(entry, parts.get(key, usual))) for key, entry in given.items())
        return next((f"an object whose {key} is {problem}" for key, problem in each if problem), "")
    if isinstance(value, int | float) and not isinstance(value, bool):
        least, most = form.get("minimum"), form.get("maximum")
        if least is not None and value < least:
            return f"at least {least:g}"
        if most is not None and value > most:
            return f"at most {most:g}"
    return ""


def _is_of_type(value: Any, name: str) -> bool:
    kinds: dict[str, Any] = {"number": (int, float), "integer": int, "string": str, "boolean": bool, "array": list}
    if name == "null" or name == "object":
        return value is None if name == "null" else isinstance(value, dict)
    return isinstance(value, kinds[name]) and (name == "boolean") == isinstance(value, bool)


def _words(name: str, form: Mapping[str, Any]) -> str:
    return "a list" if name == "array" else "an object" if name == "object" else WORDS[name]
