"""A verb as a form: the options that a person fills in as text, and their values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dynamis.base.errors import ArgumentError, literal
from dynamis.base.faces import option_name
from dynamis.base.verb import Verb, declared_options
from dynamis.verbs.kinds import kind_of


def form(kind: type[Verb[Any]]) -> list[dict[str, Any]]:
    """The fields of a form, as data for the script that draws them."""
    return [
        {
            "name": x.name, "label": x.name.replace("_", " "), "file": x.about.file, "unit": x.about.unit,
            "help": x.about.help, "choices": x.names(), "usual": "" if x.required or x.default is None else x.default,
        }
        for x in declared_options(kind).values()
        if kind_of(x).is_text
    ]  # fmt: skip


def values_of(kind: type[Verb[Any]], texts: Mapping[str, Any]) -> dict[str, Any]:
    """The options that were typed in; those that are empty are left to the verb."""
    known = declared_options(kind)
    values: dict[str, Any] = {}
    for x in form(kind):
        text = texts.get(x["name"], "")
        if not isinstance(text, str):
            raise ArgumentError(f"{option_name(x['name'])} must be a text, got {literal(text)}", key=x["name"])
        if text := text.strip():
            values[x["name"]] = kind_of(known[x["name"]]).from_text(known[x["name"]], text)
    return values
