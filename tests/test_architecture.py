"""docs/architecture.md prints the tree of the source as it is."""

from __future__ import annotations

from tests.support.architecture import SOURCE, layers, printed_tree, tree


def test_the_printed_tree_is_the_tree() -> None:
    assert printed_tree() == tree(layers()), "run `python -m tests.support.architecture` and paste its output"


def test_every_package_and_module_of_the_root_is_in_the_tree() -> None:
    packages = {path.parent.name for path in SOURCE.glob("*/__init__.py")}
    modules = {path.stem for path in SOURCE.glob("*.py")} - {"__init__", "__main__"}
    assert sorted(layers()) == sorted(packages | modules)
