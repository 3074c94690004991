"""The tree of docs/architecture.md: the layers from low to high, each with the first sentence of its docstring.

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
WIDTH = 26


def printed_tree() -> str:
    """The block of the page that begins with `src/dynamis/`."""
    block = re.search(r"```text\nsrc/dynamis/\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert block, "docs/architecture.md has no tree of src/dynamis"
    return block[1]


def layers() -> tuple[str, ...]:
    """Packages and root modules from low to high, as the page lists them."""
    return tuple(re.findall(r"^  ([a-z_]+)(?:/|\.py) ", printed_tree(), re.MULTILINE))


def tree(order: tuple[str, ...]) -> str:
    """The tree of the source: layers in this order, and the packages inside each."""
    return "".join(f"{line}\n" for name in order for line in _lines(name))


def _lines(name: str) -> Iterator[str]:
    path = SOURCE / name
    if not path.is_dir():
        yield _line(f"  {name}.py", SOURCE / f"{name}.py")
        return
    yield _line(f"  {name}/", path / "__init__.py")
    for inner in sorted(path.rglob("__init__.py")):
        if inner.parent != path:
            depth = len(inner.parent.relative_to(path).parts)
            yield _line(f"  {'  ' * depth}{inner.parent.name}/", inner)


def _line(label: str, path: Path) -> str:
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return f"{label:<{WIDTH}}{docstring.partition(chr(10))[0]}"


if __name__ == "__main__":
    print(tree(layers()), end="")
