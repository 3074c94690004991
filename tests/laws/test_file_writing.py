"""Files are written by one module alone, so that all of them are written whole or not at all."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import dynamis

SOURCE = Path(dynamis.__file__).parent
WRITER = "base/writing.py"
# What others may do all the same, and why.
ALLOWED = {
    ("compute/backends/llvm/cache.py", "fdopen"),  # entries with their hash, renamed: half of one is taken for absent
    ("compute/backends/llvm/cache.py", "replace"),
    ("compute/backends/llvm/cache.py", "mkstemp"),
    ("compute/backends/llvm/cache.py", "open"),  # to read: an entry that is a link or a pipe is not followed
    ("motion/trajectories/array_files.py", "open"),  # reads a member of an archive
    ("cli/commands/show.py", "save"),  # of a drawing, which ends in the writer
    ("cli/commands/motion.py", "save"),  # of a film, which does so too
    ("telling/renderers/math_font.py", "save"),  # of a font, to memory
    ("apps/exports/targets/casadi.py", "save"),  # of a function, to a folder that goes when it is read
    ("apps/sweeps/tally.py", "savez"),  # to a file of the writer
    ("apps/sweeps/stores.py", "replace"),  # of a folder that is whole
    ("cli/commands/studio.py", "open"),  # of an address, in a browser
    ("apps/studio/tabs/export.py", "save"),  # of a report, which ends in the writer
    ("cli/ending.py", "open"),  # /dev/null in the place of a standard output that is closed
}
# By libraries that take a path: here they get that of the writer, or memory.
BY_LIBRARIES = {"savefig", "saving", "save", "write_table"}
PLACES = {"place", "str(place)", "image"}
ALWAYS = {
    "write_text", "write_bytes", "touch", "mkstemp", "NamedTemporaryFile", "symlink_to", "hardlink_to", "savetxt",
     "savez", "savez_compressed", "tofile", "to_csv", "to_parquet", "imsave", "imwrite", "copyfile", "copy2",
    "copyfileobj", "make_archive", "fdopen", "mkfifo", "truncate", "ftruncate",
}  # fmt: skip
OURS = {"to_csv", "to_parquet"}
"""Methods of results, which end in the writer."""


def writes(path: Path) -> Iterator[tuple[str, int]]:
    """Calls that write a file: (name, line)."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    imported = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("dynamis.")
        for alias in node.names
    }
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        if isinstance(node.func, ast.Name):
            name, owner = node.func.id, ""
            if name in imported:
                continue
        elif isinstance(node.func, ast.Attribute):
            name, owner = node.func.attr, ast.unparse(node.func.value)
        else:
            continue
        texts = [*(ast.unparse(x) for x in node.args), *(ast.unparse(x.value) for x in node.keywords)]
        match name:
            case "open":
                # `path.open(mode)`, and `open(path, mode)` with or without a module.
                mode = texts[0 if owner and owner not in ("os", "io", "gzip") else 1 :][:1]
                if owner == "os" or (mode and mode[0].strip("'\"") not in ("r", "rb", "rt", "utf-8")):
                    yield name, node.lineno
            case "replace" | "rename" | "renames":
                if owner in ("os", "shutil") or (len(node.args) == 1 and not node.keywords and name != "replace"):
                    yield name, node.lineno
            case _ if name in BY_LIBRARIES and owner:
                if not set(texts) & PLACES:
                    yield name, node.lineno
            case _ if name in ALWAYS and not (name in OURS and owner in ("found", "budget", "self", "run", "result")):
                yield name, node.lineno
            case _:
                pass


def test_no_other_module_writes_files() -> None:
    modules = {path.relative_to(SOURCE).as_posix(): path for path in sorted(SOURCE.rglob("*.py"))}
    calls = [
        f"{name}:{line}: {call}"
        for name, path in modules.items()
        if name != WRITER
        for call, line in writes(path)
        if (name, call) not in ALLOWED
    ]
    assert calls == []  # use dynamis.base.writing


@pytest.mark.parametrize(
    ("code", "count"),
    [
        ("open('x', 'w')", 1),
        ("open('x', mode='wb')", 1),
        ("open('x')\nopen('x', 'rb')\npath.open()\npath.open('rb')\npath.open(encoding='utf-8')", 0),
        ("path.open('w', encoding='utf-8')", 1),
        ("path.open(mode)", 1),
        ("os.open('x', os.O_WRONLY)", 1),
        ("path.write_text('x')\npath.write_bytes(b'')", 2),
        ("figure.savefig('x.png')\nfigure.savefig(path)\nimage.save(path)\nparquet.write_table(t, str(path))", 4),
        ("figure.savefig(image)\nimage.save(place)\nparquet.write_table(t, str(place))", 0),
        ("os.replace(a, b)\nos.rename(a, b)\npath.rename(b)", 3),
        ("'a'.replace('a', 'b')\nreplace(task, samples=3)", 0),
        ("from dynamis.base.writing import write_text\nwrite_text(path, 'x')", 0),
        ("np.savetxt(path, x)\nnp.save(path, x)\nx.tofile(path)", 3),
    ],
)
def test_what_this_law_finds(tmp_path: Path, code: str, count: int) -> None:
    (tmp_path / "module.py").write_text(code)
    assert len(list(writes(tmp_path / "module.py"))) == count
