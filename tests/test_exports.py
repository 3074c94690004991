"""The public names: sorted, complete, importable, and each with a docstring."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import dynamis
from dynamis.base import errors

SOURCE = Path(dynamis.__file__).parent


def test_sorted() -> None:
    assert dynamis.__all__ == sorted(set(dynamis.__all__))


MODULES = {name: value for name in dynamis.__all__ if isinstance(value := getattr(dynamis, name), ModuleType)}
OWN = ("library", "torch", "jax")
"""Public modules that define what they hold; the others import it."""


def held(module: ModuleType) -> list[str]:
    """The public names of a public module."""
    named = {name: value for name, value in vars(module).items() if inspect.isclass(value) or inspect.isfunction(value)}
    own = module.__name__.rpartition(".")[2] in OWN
    return [name for name, value in named.items() if not own or value.__module__ == module.__name__]


NAMES = [(dynamis, name) for name in dynamis.__all__ if name not in MODULES]
NAMES += [(module, name) for module in MODULES.values() for name in held(module)]
"""Every public name, in its module."""


@pytest.mark.parametrize(("module", "name"), NAMES, ids=lambda x: x if isinstance(x, str) else x.__name__)
def test_importable(module: ModuleType, name: str) -> None:
    assert getattr(module, name).__name__ == name


def test_some_thirty_names() -> None:
    assert len(dynamis.__all__) - len(MODULES) < 40
    assert set(MODULES) >= {"trajectories", "controllers", "sweeps", "results", "errors"}


MOVED = [
    (name, module)
    for module, names in re.findall(
        r"^  \| `dynamis\.(\w+)` \| (.*) \|$", (SOURCE.parents[1] / "CHANGELOG.md").read_text("utf-8"), re.M
    )
    for name in names.split(", ")
]


@pytest.mark.parametrize(("name", "module"), MOVED)
def test_an_old_name_answers_with_where_it_is_now(name: str, module: str) -> None:
    with pytest.raises(AttributeError, match=rf"^dynamis\.{name} is now dynamis\.{module}\.{name}$"):
        getattr(dynamis, name)
    assert getattr(getattr(dynamis, module), name).__name__ == name


def test_all_moved_names_are_in_the_changelog() -> None:
    assert len(MOVED) > 80
    moved = {name for name, module in MOVED if module not in OWN}
    assert moved == {name for key, module in MODULES.items() if key not in OWN for name in held(module)} - {
        *dynamis.__all__
    }


def test_the_same_names_for_type_checkers() -> None:
    """Each is exported from one home in the list that checkers read, as "X as X"."""
    tree = ast.parse((SOURCE / "__init__.pyi").read_text())
    names = [alias for node in tree.body if isinstance(node, ast.ImportFrom) for alias in node.names]
    assert sorted(alias.asname or "" for alias in names) == dynamis.__all__
    assert all(alias.name == alias.asname for alias in names)


def test_every_error_is_public() -> None:
    kinds = [
        name for name, kind in vars(errors).items() if inspect.isclass(kind) and kind.__module__ == errors.__name__
    ]
    assert set(kinds) <= set(vars(dynamis.errors))
    assert all(issubclass(getattr(errors, kind), errors.DynamisError | Warning) for kind in kinds)


def test_dir_and_unknown_names() -> None:
    assert set(dynamis.__all__) <= set(dir(dynamis))
    with pytest.raises(AttributeError, match="module 'dynamis' has no attribute 'robotz'"):
        _ = dynamis.robotz


def public(owner: Any, name: str) -> Iterator[tuple[str, Any]]:
    """The object and, of a class, its public methods and properties, with their full names."""
    yield name, owner
    if not inspect.isclass(owner):
        return
    for key, member in vars(owner).items():
        plain = member.__func__ if isinstance(member, classmethod | staticmethod) else member
        wrapped = getattr(plain, "func", None) or getattr(plain, "fget", None) or plain
        if not key.startswith("_") and inspect.isfunction(wrapped):
            yield f"{name}.{key}", wrapped


def documented() -> list[tuple[str, Any]]:
    """Public names; and what public classes inherit from classes of dynamis that are not public."""
    found: dict[str, Any] = {}
    for module, name in NAMES:
        value = getattr(module, name)
        for base in value.__mro__ if inspect.isclass(value) else [value]:
            if base.__module__.startswith("dynamis"):
                found |= dict(public(base, base.__name__))
    return sorted(found.items())


@pytest.mark.parametrize(("name", "value"), documented(), ids=[name for name, _ in documented()])
def test_docstrings(name: str, value: Any) -> None:
    text = inspect.getdoc(value) or ""
    assert text, f"{name} has no docstring"
    assert not text.startswith(f"{name}("), f"{name} has only the docstring that dataclass makes"


@pytest.mark.parametrize("path", sorted(SOURCE.rglob("*.py")), ids=lambda path: str(path.relative_to(SOURCE)))
def test_every_module_and_public_class_says_what_it_is(path: Path) -> None:
    tree = ast.parse(path.read_text())
    if path.name != "__init__.py":
        assert ast.get_docstring(tree), "the module has no docstring"
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            assert ast.get_docstring(node), f"class {node.name} has no docstring"


def test_it_is_typed() -> None:
    assert (SOURCE / "py.typed").exists()
