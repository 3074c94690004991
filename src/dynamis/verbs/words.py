"""A command in words, `derive deluca-2r --only "M[1,1]"`, as the verb that it asks for."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from typing import Any

from dynamis.base.errors import ArgumentError, UnknownNameError
from dynamis.base.verb import Verb
from dynamis.verbs.catalogue import verb_named
from dynamis.verbs.command_line import CommandLine
from dynamis.verbs.kind import Spelling
from dynamis.verbs.outputs import OUTPUTS
from dynamis.verbs.request import build_verb, spellings


def flags(one: Spelling) -> tuple[str, ...]:
    """How an option is typed: `--only`; `-o`, `--output`."""
    return (CommandLine().name(one.name), *([f"--{one.also}"] if one.also else []))


def verb_of(command: str) -> Verb[Any]:
    """The verb with the options of a command, as it is typed after `dynamis`.

    >>> verb_of("derive deluca-2r --only 'M[1,1]'").only
    ['M[1,1]']
    """
    name, *words = shlex.split(command)
    kind = verb_named(name)
    given = _given(words, [one for _, one in spellings(kind).values()], bool(kind.file))
    return build_verb(kind, given, given.get("file", ""))


def _given(words: Iterable[str], known: list[Spelling], has_file: bool) -> dict[str, Any]:
    """What the words give, by the names of arguments and options; the options of what is shown are let go."""
    typed = {flag: one for one in (*OUTPUTS.values(), *known) if not one.positional for flag in flags(one)}
    given: dict[str, Any] = {one.name: one.default for one in known if not one.positional}
    names: list[str] = []
    rest = iter(words)
    for word in rest:
        one = typed.get(word)
        if one is None and word.startswith("--"):
            raise UnknownNameError("option", word, typed)
        if one is None:
            names.append(word)
        elif one.repeated:
            given[one.name] = [*(given[one.name] or ()), next(rest)]
        else:
            given[one.name] = True if one.type is bool else one.type(next(rest))
    places = [one for one in known if one.positional]
    places[1:1] = [Spelling("file", str, "", positional=True)] if has_file else []
    for one in places:
        if not names and one.default is None:
            raise ArgumentError(f"{one.metavar or one.name.upper()} is missing")
        given[one.name] = names if one.repeated else names.pop(0)
        names = [] if one.repeated else names
    return given
