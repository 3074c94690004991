"""The tree of docs/architecture.md: the rooms from low to high, each with the first sentence of its docstring.

`python -m tests.support.architecture` prints the tree as it should stand in the page, in the page's order.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import dynamis

SOURCE = Path(dynamis.__file__).parent
PAGE = Path(__file__).parents[2] / "docs" / "architecture.md"
WIDTH = 25


def printed_tree() -> str:
    """The block of the page that begins with `src/dynamis/`."""
    block = re.search(r"```text\nsrc/dynamis/\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert block, "docs/architecture.md has no tree of src/dynamis"
    return block[1]


def layers() -> dict[str, tuple[str, ...]]:
    """Packages and modules of the root from low to high, as the page lists them, each with the rooms inside of it."""
    layers: dict[str, tuple[str, ...]] = {}
    top = ""
    for indent, name in re.findall(r"^(  |    )([a-z_]+)(?:/|\.py) ", printed_tree(), re.MULTILINE):
        top = name if len(indent) == 2 else top
        layers[top] = () if len(indent) == 2 else (*layers[top], name)
    return layers


def rooms(package: Path) -> list[str]:
    """The rooms of a package: the packages in it and, of applications, which stand side by side, the modules too."""
    inner = [path.parent.name for path in package.glob("*/__init__.py")]
    modules = [path.stem for path in package.glob("*.py") if path.stem != "__init__"] if package.name == "apps" else []
    return sorted(inner + modules)


def tree(layers: dict[str, tuple[str, ...]]) -> str:
    """The tree of the source: layers in this order, and the rooms inside each."""
    return "".join(f"{line}\n" for name, inner in layers.items() for line in _lines(name, inner))


def _lines(name: str, inner: tuple[str, ...]) -> Iterator[str]:
    yield _line("  ", SOURCE, name)
    for room in inner:
        yield _line("    ", SOURCE / name, room)


def _line(indent: str, folder: Path, name: str) -> str:
    package = (folder / name).is_dir()
    path = folder / name / "__init__.py" if package else folder / f"{name}.py"
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    label = f"{indent}{name}{'/' if package else '.py'}"
    return f"{label:<{WIDTH}}{docstring.partition(chr(10))[0]}"


if __name__ == "__main__":
    print(tree(layers()), end="")
