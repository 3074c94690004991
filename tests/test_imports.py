"""The layers: a module imports its own layer and the layers below it, never one above."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from importlib import import_module
from itertools import pairwise
from pathlib import Path

import pytest

from tests.support.architecture import SOURCE, layers

# From low to high: packages and modules of the root, each with its rooms; docs/architecture.md lists them.
ROOMS = layers()
LAYERS = (*ROOMS, "__main__")
MODULES = sorted(path for path in SOURCE.rglob("*.py") if path != SOURCE / "__init__.py")


def name_of(path: Path) -> str:
    """`model.robot` for model/robot.py."""
    return ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")


def level(module: str) -> int:
    name = module.split(".")[0]
    assert name in LAYERS, f"dynamis.{module} stands in no layer: name it in docs/architecture.md"
    return LAYERS.index(name)


KNOWN = {name_of(module) for module in MODULES}


@pytest.mark.parametrize("module", sorted(KNOWN - {"__main__"}))
def test_every_module_can_be_imported(module: str):
    """Its doctests are left out where it cannot; only those of other libraries may lack these."""
    try:
        import_module(f"dynamis.{module}")
    except ModuleNotFoundError as error:
        if error.name not in ("jax", "torch"):
            raise
        pytest.skip(f"{module} needs {error.name}")


@cache
def imports(path: Path, *, when_running: bool = False) -> tuple[str, ...]:
    """The dynamis modules that a file imports; `when_running` leaves out those for type checkers."""
    return tuple(_imports(path, when_running))


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


def _imports(path: Path, when_running: bool) -> Iterator[str]:
    for node in nodes(parsed(path), when_running):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            base = node.module or ""
            for alias in node.names:
                inner = f"{base}.{alias.name}".removeprefix("dynamis.")
                if base.split(".")[0] == "dynamis":
                    yield inner if inner in KNOWN else base.removeprefix("dynamis").removeprefix(".")
        elif isinstance(node, ast.Import):
            yield from (a.name.removeprefix("dynamis.") for a in node.names if a.name.split(".")[0] == "dynamis")


def nodes(tree: ast.AST, when_running: bool) -> Iterator[ast.AST]:
    pending = [tree]
    while pending:
        node = pending.pop()
        if when_running and isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING":
            continue
        yield node
        pending += reversed([*ast.iter_child_nodes(node)])


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_imports_go_down(path: Path) -> None:
    module = name_of(path)
    for target in imports(path):
        assert target, f"{module} imports the package dynamis itself; import the module that has the name"
        assert level(target) <= level(module), f"{module} imports {target}, which is above it"


def cycle(graph: Mapping[str, Collection[str]]) -> list[str]:
    """Nodes that import each other in a circle, the first one again at the end; empty where there is an order."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(reversed(error.args[1]))
    return []


KNOTS = {
    "apps.grading.reading.parser": ("calls", "literals"),  # a formula has calls and matrices, which have formulas
    "apps.grading.reading.answer_values": ("tree_values",),  # a line is read in the values of those before it
    "model.bodies.body": ("overlap",),  # a body that is made checks that its parts fit together
    "model.robot": ("checks", "planar_inertia"),  # a robot that is made checks itself
    "scalars.exact.ring": ("denominators", "processes", "products", "relations"),  # a ring and its normal form
}
"""Modules that need each other by type: each is imported so by these neighbours, which it imports when running.

None is a result and its page: a page imports its result, which knows it by name alone (`base.display`).
"""


@pytest.mark.parametrize("when_running", [True, False])
def test_no_module_imports_itself_in_a_circle(when_running: bool) -> None:
    graph = {name_of(path): {*imports(path, when_running=when_running)} - {name_of(path)} for path in MODULES}
    if not when_running:
        for module, neighbours in KNOTS.items():
            for neighbour in neighbours:
                graph[f"{module.rpartition('.')[0]}.{neighbour}"].remove(module)
    assert cycle(graph) == []


def siblings() -> dict[str, dict[str, dict[str, str]]]:
    """Package -> part -> other part -> an import that says so; parts are the modules and packages of a package."""
    graph: dict[str, dict[str, dict[str, str]]] = {}
    for path in MODULES:
        ours = name_of(path).split(".")
        for target in imports(path, when_running=True):
            theirs = target.split(".")
            same = next((k for k, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b), None)
            if same is not None:
                edges = graph.setdefault(".".join(ours[:same]), {}).setdefault(ours[same], {})
                edges.setdefault(theirs[same], f"{name_of(path)} imports {target}")
    return graph


@pytest.mark.parametrize(("package", "graph"), sorted(siblings().items()), ids=str)
def test_parts_of_a_package_have_an_order(package: str, graph: dict[str, dict[str, str]]) -> None:
    """Modules and packages that stand side by side do not import each other in a circle of any length."""
    circle = cycle(graph)
    assert not circle, "; ".join(graph[a][b] for a, b in pairwise(circle))


def test_rooms_are_listed_from_low_to_high() -> None:
    graph = siblings()
    wrong = [
        reason
        for package, rooms in ROOMS.items()
        for part, edges in graph.get(package, {}).items()
        for other, reason in edges.items()
        if {part, other} <= {*rooms} and rooms.index(other) > rooms.index(part)
    ]
    assert wrong == []


def test_circles_of_any_length_are_found() -> None:
    assert cycle({"a": ["b", "c"], "b": ["c"]}) == []
    assert cycle({"a": ["b"], "b": ["a"]}) in (["a", "b", "a"], ["b", "a", "b"])
    circle = cycle({"results": ["animation", "x"], "animation": ["runs"], "runs": ["results"], "x": []})
    assert "results animation runs results animation".find(" ".join(circle[:3])) >= 0
    assert (circle[0], len(circle)) == (circle[-1], 4)


def test_the_package_imports_nothing_before_it_is_asked() -> None:
    assert list(imports(SOURCE / "__init__.py", when_running=True)) == []


def test_what_this_test_would_find(tmp_path: Path) -> None:
    """The reader of imports sees all forms of an import."""
    text = "import dynamis.robot\nfrom dynamis.model import robot\nfrom dynamis import load\nfrom numpy import array\n"
    later = "def f():\n    from dynamis.cli.main import run\nif TYPE_CHECKING:\n    from dynamis.library import load\n"
    path = tmp_path / "x.py"
    path.write_text(text + later)
    assert list(imports(path)) == ["robot", "model.robot", "", "cli.main", "library"]
    assert list(imports(path, when_running=True)) == ["robot", "model.robot", "", "cli.main"]


def test_helpers_of_tests_live_in_support() -> None:
    """No test module imports another one: what two of them need is in tests/support."""
    folder = Path(__file__).parent
    importing = [
        f"{path.relative_to(folder)}: {line}"
        for path in sorted(folder.rglob("*.py"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if re.match(r"\s*(?:from|import) tests\.(?:\w+\.)*(?:test_\w+)\b", line)
    ]
    assert importing == []
