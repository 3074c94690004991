"""The pages of the API: every public name, from its docstring, with an example for every verb.

An example is a doctest in the docstring, or stands in docs/reference/examples: text files in which a line `## NAME`
begins what belongs to it. What stands under the name of a class is shown once and runs before the examples of verbs.
"""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections.abc import Callable, Iterator
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

import dynamis
from website.docstrings import code, has_example, markdown

EXAMPLES = Path(__file__).parents[1] / "docs" / "reference" / "examples"

PAGES: dict[str, tuple[str, tuple[str, ...]]] = {
    "loading": ("Loading and saving", ("library", "telling.pages.lint", "model.formats.body_file")),
    "robot": ("The robot", ("robot",)),
    "model": ("Parts of a robot", ("model",)),
    "bodies": ("Bodies", ("model.bodies", "exact.derivations.bodies")),
    "states": ("Results of states", ("telling", "motion.single_states", "base.display")),
    "equations": ("Equations", ("exact", "apps.grading")),
    "motion": ("Motions and torque budgets", ("motion",)),
    "controllers": ("Controllers", ("simulation.controllers",)),
    "learning": ("Learning", ("simulation.learning", "model.inertial_parameters")),
    "simulation": ("Simulation", ("simulation",)),
    "identification": ("Identification", ("apps.identification",)),
    "sweeps": ("Sweeps", ("apps.sweeps",)),
    "backends": ("Backends", ("compute.backends",)),
    "exports": ("Code in other languages", ("apps.exports",)),
    "live": ("Live reports", ("apps.live",)),
    "errors": ("Errors", ("base.errors",)),
}
"""The page of a name: that with the longest of these beginnings of its home."""

RETURNED = {
    "Equations": "dynamis.exact.equations",
    "Report": "dynamis.apps.grading.judging.report",
    "Result": "dynamis.telling.result",
    "Displayable": "dynamis.base.display",
}
"""Classes that people get and do not import: they have no public name, but public verbs."""


@dataclasses.dataclass(frozen=True)
class Entry:
    """A public class or function."""

    name: str
    value: Any

    @cached_property
    def page(self) -> str:
        home = self.value.__module__.removeprefix("dynamis.") + "."
        fitting = [
            (len(start), page)
            for page, (_, starts) in PAGES.items()
            for start in starts
            if home.startswith(start + ".")
        ]
        return max(fitting)[1]

    @cached_property
    def is_error(self) -> bool:
        return inspect.isclass(self.value) and issubclass(self.value, BaseException)

    @cached_property
    def doc(self) -> str:
        return inspect.getdoc(self.value) or ""

    @cached_property
    def bases(self) -> list[type]:
        """Classes of the reference that this one inherits from."""
        known = {entry.value for entry in entries().values()}
        return [base for base in self.value.__mro__[1:] if base in known] if inspect.isclass(self.value) else []

    @cached_property
    def members(self) -> dict[str, Member]:
        """Public members, those of bases without an entry included, by name."""
        if not inspect.isclass(self.value) or self.is_error:
            return {}
        found: dict[str, Member] = {}
        for owner in self.value.__mro__:
            if owner.__module__.startswith("dynamis") and not any(issubclass(base, owner) for base in self.bases):
                for name, raw in vars(owner).items():
                    if not name.startswith("_") and name not in found and (function := _function(raw)):
                        found[name] = Member(self, name, raw, function)
        return found


@dataclasses.dataclass(frozen=True)
class Member:
    """A verb or a property of a class."""

    owner: Entry
    name: str
    raw: Any
    function: Callable[..., Any]

    @property
    def full_name(self) -> str:
        return f"{self.owner.name}.{self.name}"

    @property
    def is_verb(self) -> bool:
        """A verb, and not one that a base in the reference already explains."""
        return inspect.isfunction(self.raw) or isinstance(self.raw, classmethod | staticmethod)

    @property
    def explained_by_base(self) -> str:
        return next((base.__name__ for base in self.owner.bases if self.name in entries()[base.__name__].members), "")

    @property
    def doc(self) -> str:
        return inspect.getdoc(self.function) or ""


def _function(raw: Any) -> Callable[..., Any] | None:
    plain: Any = getattr(raw, "__func__", raw)
    wrapped: Any = getattr(plain, "func", None) or getattr(plain, "fget", None) or plain
    return wrapped if inspect.isfunction(wrapped) else None


@cache
def public() -> dict[str, Any]:
    """Every public class and function by its name: those of `dynamis`, and of its public modules."""
    names: list[str] = getattr(dynamis, "__all__")  # noqa: B009 (made on demand, so checkers do not know it)
    top = {name: getattr(dynamis, name) for name in names}
    modules = [value for value in top.values() if inspect.ismodule(value)]
    held = {name: value for module in modules for name, value in vars(module).items() if _is_public(module, value)}
    return {name: value for name, value in (held | top).items() if not inspect.ismodule(value)}


def _is_public(module: Any, value: Any) -> bool:
    """Whether it is a class or a function that the module offers."""
    if module.__name__ in ("dynamis.torch", "dynamis.jax"):
        return False  # their `load` is that of `dynamis`, on another backend
    if module.__name__ == "dynamis.library":
        return getattr(value, "__name__", "") in ("estimates", "exercises")
    return inspect.isclass(value) or inspect.isfunction(value)


@cache
def entries() -> dict[str, Entry]:
    """All of the reference by name."""
    returned = {name: getattr(import_module(home), name) for name, home in RETURNED.items()}
    return {name: Entry(name, value) for name, value in sorted((public() | returned).items())}


@cache
def examples() -> dict[str, str]:
    """What stands in the files of examples, by name."""
    found: dict[str, str] = {}
    for path in sorted(EXAMPLES.glob("*.txt")):
        parts = re.split(r"^## (.+)\n", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
        found |= dict(zip(parts[1::2], parts[2::2], strict=True))
    return found


def runs() -> Iterator[tuple[str, str]]:
    """Every example of the files, after what its class begins with, by name: to be run by a test."""
    for name, text in examples().items():
        owner = name.partition(".")[0]
        yield name, (examples().get(owner, "") if owner != name else "") + text


def without_example() -> list[str]:
    """Verbs that nobody shows."""
    verbs = [(entry.name, entry.doc) for entry in entries().values() if not inspect.isclass(entry.value)]
    for entry in entries().values():
        verbs += [
            (verb.full_name, verb.doc) for verb in entry.members.values() if verb.is_verb and not verb.explained_by_base
        ]
    return [name for name, doc in verbs if not has_example(doc) and name not in examples()]


def pages() -> Iterator[tuple[str, str, str]]:
    """Name, title and Markdown of every page, in their order."""
    for page, (title, _) in PAGES.items():
        inside = [entry for entry in entries().values() if entry.page == page]
        functions = [entry for entry in inside if not inspect.isclass(entry.value)]
        classes = [entry for entry in inside if inspect.isclass(entry.value)]
        yield page, title, f"# {title}\n\n" + "\n".join(map(_entry, functions + classes))


def index() -> str:
    """All names with the first sentences of their docstrings."""
    parts = [
        "# Reference",
        "Every public name, from its docstring. All of them are imported from `dynamis`: `dynamis.load`. The commands"
        " have [a page of their own](commands.md). Every example here runs as a test.",
    ]
    for page, (title, _) in PAGES.items():
        rows = [
            f"| [`{entry.name}`]({page}.md#{entry.name}) | {_cell(entry.doc.partition(chr(10))[0])} |"
            for entry in entries().values()
            if entry.page == page
        ]
        parts.append(f"## [{title}]({page}.md)\n\n| | |\n|---|---|\n" + "\n".join(rows))
    return "\n\n".join(parts) + "\n"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _entry(entry: Entry) -> str:
    prefix = "" if entry.name in RETURNED else "dynamis."
    parts = [f"## {prefix}{entry.name} {{ #{entry.name} }}"]
    is_contract = getattr(entry.value, "_is_protocol", False)
    is_made_by_us = entry.name in RETURNED or any(base.__name__ == "Result" for base in entry.bases)
    if not (entry.is_error or is_contract or is_made_by_us):
        parts.append(_signature(entry.name, entry.value))
    parts.append(_linked(markdown(entry.doc), entry))
    if example := examples().get(entry.name):
        before = "The examples below begin with:\n\n" if entry.members else ""
        parts.append(before + code(example))
    if entry.bases and not entry.is_error:
        names = " and ".join(f"[`{base.__name__}`]({_place(base.__name__, entry)})" for base in entry.bases)
        parts.append(f"Inherits the verbs of {names}.")
    if is_made_by_us and (fields := _fields(entry)):
        parts.append("| field | type |\n|---|---|\n" + "\n".join(fields))
    parts += [_member(member) for member in entry.members.values() if not member.explained_by_base]
    return "\n\n".join(parts) + "\n"


def _fields(entry: Entry) -> list[str]:
    if not dataclasses.is_dataclass(entry.value):
        return []
    return [
        f"| `{field.name}` | `{_cell(str(field.type))}` |"
        for field in dataclasses.fields(entry.value)
        if not field.name.startswith("_")
    ]


def _member(member: Member) -> str:
    parts = [f"### {member.name} {{ #{member.full_name} }}"]
    if member.is_verb:
        parts.append(_signature(member.name, member.function, bound=not isinstance(member.raw, staticmethod)))
    else:
        kind = inspect.signature(member.function).return_annotation
        parts.append(f"```python\n{member.owner.name}.{member.name}: {kind}\n```")
    parts.append(_linked(markdown(member.doc), member.owner))
    if member.full_name in examples():
        parts.append(code(examples()[member.full_name]))
    return "\n\n".join(parts)


def _signature(name: str, function: Any, bound: bool = False) -> str:
    signature = inspect.signature(function)
    arguments = list(signature.parameters.values())[bound:]
    texts: list[str] = []
    for before, argument in zip([None, *arguments], arguments, strict=False):
        if argument.kind is argument.KEYWORD_ONLY and (before is None or before.kind < argument.VAR_POSITIONAL):
            texts.append("*")
        text = str(argument).replace("'", "") if isinstance(argument.annotation, str) else str(argument)
        if argument.default is not argument.empty and len(repr(argument.default)) > 40:
            text = text.partition("=")[0] + "= ..."
        elif isinstance(argument.default, str):
            text = text.partition("=")[0] + f"= {argument.default!r}".replace("'", '"')
        texts.append(text)
    returned = "" if inspect.isclass(function) else f" -> {signature.return_annotation}"
    line = f"{name}({', '.join(texts)}){returned}"
    if len(line) > 90:
        line = f"{name}(\n" + "".join(f"    {text},\n" for text in texts) + f"){returned}"
    return f"```python\n{line}\n```"


def _place(name: str, seen_from: Entry) -> str:
    """The link to a name from the page of an entry."""
    owner = entries()[name.partition(".")[0]]
    return f"#{name}" if owner.page == seen_from.page else f"{owner.page}.md#{name}"


def _linked(text: str, seen_from: Entry) -> str:
    """Public names in backquotes become links, outside of code."""

    def link(match: re.Match[str]) -> str:
        name = match[1].removeprefix("dynamis.")
        full = f"{seen_from.name}.{name}" if name in seen_from.members else name
        owner, _, member = full.partition(".")
        known = owner in entries() and (not member or member in entries()[owner].members)
        if not known or full == seen_from.name:
            return match[0]
        return f"[{match[0]}]({_place(full, seen_from)})"

    parts = re.split(r"(```.*?```)", text, flags=re.DOTALL)
    return "".join(part if part.startswith("```") else re.sub(r"`([A-Za-z_][\w.]*)`", link, part) for part in parts)
