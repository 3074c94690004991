"""TOML files changed as trees: tables and values deleted, doubled, swapped, retyped, renamed, made extreme."""

from __future__ import annotations

import copy
import tomllib
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from tests.fuzz import hostile
from tests.fuzz.mutations import mutate_bytes
from tests.fuzz.text_inputs import chain, expression

Tree = dict[str, Any]
Place = tuple[Any, Any]


class Literal(str):
    """A value as it is written in the file."""

    __slots__ = ()


def parse(text: str) -> Tree:
    """A TOML text as a tree whose floats keep their digits."""
    return tomllib.loads(text, parse_float=Literal)


def mutated(trees: Sequence[Tree], random: Random) -> bytes:
    """One of the files, changed in a few places."""
    tree = copy.deepcopy(random.choice(trees))
    if random.random() < 0.3:
        _rename_all(tree, random)
        return write(tree, random).encode("utf-8", "surrogatepass")
    for _ in range(random.choice((0, 1, 1, 1, 2, 2, 3, 5))):
        if places := _places(tree):
            random.choice(_CHANGES)(tree, random.choice(places), random, trees)
    try:
        data = write(tree, random).encode("utf-8", "surrogatepass")
    except RecursionError:
        data = b"x = " + b"[" * 3000
    return mutate_bytes(data, random) if random.random() < 0.15 else data


def _places(tree: Any) -> list[Place]:
    """Every (container, key) of a tree."""
    found: list[Place] = []
    pending = [tree]
    while pending and len(found) < 2000:
        inside = pending.pop()
        entries = inside.items() if isinstance(inside, dict) else enumerate(inside)
        for key, value in entries:
            found.append((inside, key))
            if isinstance(value, dict | list):
                pending.append(value)
    return found


def _rename_all(tree: Tree, random: Random) -> None:
    """Hostile names and texts in a file that is right otherwise, so that they come to where they are printed."""
    renamed = {x[key] for x, key in _places(tree) if key == "name" and isinstance(x[key], str)}
    names = {name: random.choice(hostile.TEXT_NAMES) for name in sorted(renamed) if random.random() < 0.7}
    for inside, key in _places(tree):
        if isinstance(inside[key], str) and not isinstance(inside[key], Literal):
            if key in ("description", "source") or inside is tree.get("parameters"):
                inside[key] = hostile.name(random)
            elif key in ("name", "link", "parent", "base"):
                inside[key] = names.get(inside[key], inside[key])


def value(random: Random, depth: int = 0) -> Any:
    """A value of any type."""
    kind = random.randrange(12 if depth < 3 else 8)
    match kind:
        case 0 | 1 | 2:
            return Literal(hostile.number(random))
        case 3:
            return expression(random)
        case 4:
            return hostile.name(random)
        case 5:
            return chain(random)
        case 6:
            return random.random() < 0.5
        case 7:
            return Literal(random.choice(("1979-05-27", "07:32:00", "1979-05-27T07:32:00Z", "'''a\nb'''", "{}", "[]")))
        case 8 | 9:
            return [value(random, depth + 1) for _ in range(random.choice((0, 1, 2, 3, 3, 3, 6)))]
        case 10:
            return {random.choice(("x", "name", "kind", "")): value(random, depth + 1)}
        case _:
            return [{"name": hostile.name(random)} for _ in range(random.randint(1, 3))]


def _delete(tree: Tree, place: Place, random: Random, trees: Sequence[Tree]) -> None:
    inside, key = place
    del inside[key]


def _replace(tree: Tree, place: Place, random: Random, trees: Sequence[Tree]) -> None:
    place[0][place[1]] = value(random)


def _number(tree: Tree, place: Place, random: Random, trees: Sequence[Tree]) -> None:
    place[0][place[1]] = Literal(hostile.number(random))


def _text(tree: Tree, place: Place, random: Random, trees: Sequence[Tree]) -> None:
    inside, key = place
    old = inside[key] if isinstance(inside[key], str) else ""
    inside[key] = random.choice((hostile.name(random), expression(random), chain(random), old + hostile.name(random)))


def _rename(tree: Tree, place: Place, random: Random, trees: Sequence[Tree]) -> None:
    inside, key = place
    if isinstance(inside, dict):
        known = [k for _, k in _places(random.choice(trees)) if isinstance(k, str)]
        inside[hostile.name(random) if random.random() < 0.5 else random.choice(known)] = inside.pop(key)


def _double(tree: Tree, place: Place, random: Random, trees: Sequence[Tree]) -> None:
    inside, key = place
    if isinstance(inside, list):
        inside[key:key] = [copy.deepcopy(inside[key]) for _ in range(random.choice((1, 1, 2, 30)))]
    else:
        inside[hostile.name(random)] = copy.deepcopy(inside[key])


def _swap(tree: Tree, place: Place, random: Random, trees: Sequence[Tree]) -> None:
    (a, i), (b, j) = place, random.choice(_places(tree))
    a[i], b[j] = copy.deepcopy(b[j]), copy.deepcopy(a[i])


def _retype(tree: Tree, place: Place, random: Random, trees: Sequence[Tree]) -> None:
    inside, key = place
    old = inside[key]
    inside[key] = random.choice(([old], {"x": old}, [[old]], str(old), [old, old, old], True, Literal("1")))


def _nest(tree: Tree, place: Place, random: Random, trees: Sequence[Tree]) -> None:
    inside, key = place
    deep: Any = inside[key]
    for _ in range(random.choice((5, 39, 60, 150))):
        deep = [deep] if random.random() < 0.7 else {"a": deep}
    inside[key] = deep


def _splice(tree: Tree, place: Place, random: Random, trees: Sequence[Tree]) -> None:
    other, key = random.choice(_places(random.choice(trees)))
    new = copy.deepcopy(other[key])
    if isinstance(place[0], dict) and isinstance(key, str) and random.random() < 0.6:
        place[0][key] = new
    else:
        place[0][place[1]] = new


Change = Callable[[Tree, Place, Random, Sequence[Tree]], None]
_CHANGES: tuple[Change, ...] = (
    _delete, _replace, _replace, _number, _number, _number, _text, _text, _rename, _double, _swap, _retype, _splice,
    _splice,
    _nest,
)  # fmt: skip


def write(tree: Tree, random: Random) -> str:
    """The tree as TOML, with headers where they can stand and sometimes inline."""
    lines: list[str] = []
    _write_table(tree, (), lines, random)
    return "\n".join(lines) + "\n"


def _write_table(table: Tree, path: tuple[str, ...], lines: list[str], random: Random) -> None:
    later: list[tuple[str, Any]] = []
    for key, entry in table.items():
        is_tables = isinstance(entry, list) and bool(entry) and all(isinstance(x, dict) for x in entry)
        if (isinstance(entry, dict) or is_tables) and len(path) < 3 and random.random() < 0.9:
            later.append((key, entry))
        else:
            lines.append(f"{_key(key)} = {_inline(entry)}")
    for key, entry in later:
        inner = (*path, _key(key))
        for one in entry if isinstance(entry, list) else [entry]:
            lines.append(f"[[{'.'.join(inner)}]]" if isinstance(entry, list) else f"[{'.'.join(inner)}]")
            _write_table(one, inner, lines, random)


def _key(key: Any) -> str:
    text = str(key)
    plain = bool(text) and text.isascii() and text.replace("_", "a").replace("-", "a").isalnum()
    return text if plain else _quoted(text)


def _inline(entry: Any) -> str:
    match entry:
        case Literal():
            return str(entry)
        case bool():
            return str(entry).lower()
        case str():
            return _quoted(entry)
        case list():
            return f"[{', '.join(map(_inline, entry))}]"
        case dict():
            return "{" + ", ".join(f"{_key(key)} = {_inline(x)}" for key, x in entry.items()) + "}"
        case _:
            return str(entry)


def _quoted(text: str) -> str:
    return '"' + "".join(c if c.isprintable() and c not in '"\\' else f"\\U{ord(c):08x}" for c in text) + '"'
