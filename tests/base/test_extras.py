"""Where a package is missing the sentence names an extra that has it: extras know which versions dynamis works with."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from pathlib import Path

import pytest

import dynamis
from dynamis.base.extras import import_extra, install
from dynamis.errors import ArgumentError
from dynamis.sweeps import box, sobol
from tests.support.architecture import SOURCE

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = {
    extra: {re.split(r"[\[><= ]", text)[0] for text in packages}
    for extra, packages in PROJECT["optional-dependencies"].items()
}
ALONE = {"cupy-cuda12x", "dynamis"}
"""CuPy's package depends on the CUDA of the machine; llvmlite comes with dynamis itself."""


def test_every_package_is_in_the_extra_that_its_sentence_names() -> None:
    calls = [
        (path.name, [argument.value for argument in node.args if isinstance(argument, ast.Constant)])
        for path in SOURCE.rglob("*.py") for node in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "import_extra"
    ]  # fmt: skip
    named = [(str(words[0]).partition(".")[0], words[2]) for _, words in calls if len(words) == 3]
    assert {package for package, _ in named} >= {"matplotlib", "typst", "pandas", "xarray", "zarr", "casadi", "sympy"}
    assert [(package, extra) for package, extra in named if package not in EXTRAS[str(extra)]] == []


def test_no_sentence_installs_a_package_of_an_extra_by_its_own_name() -> None:
    text = "".join(path.read_text("utf-8") for path in SOURCE.rglob("*.py") if path.name != "extras.py")
    assert set(re.findall(r"pip install (?![\"'])([\w-]+)", text)) == ALONE
    assert re.findall(r"pip install [\"']", text) == []
    assert set(re.findall(r"install\(['\"](\w+)['\"]\)", text)) <= EXTRAS.keys()


def test_the_page_on_installation_has_every_extra() -> None:
    page = (ROOT / "docs/installation.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE)) == EXTRAS.keys()


def test_a_missing_package_is_a_sentence() -> None:
    assert import_extra("json", "this needs", "report").loads("1") == 1
    with pytest.raises(ArgumentError) as caught:
        import_extra("no_such_package.part", "this needs", "report", key="output")
    assert (str(caught.value), caught.value.key) == (f"this needs no_such_package: {install('report')}", "output")


@pytest.mark.parametrize(("package", "store", "what"), [
    ("xarray", None, "the results of a sweep need xarray"), ("zarr", "kept.zarr", "a .zarr store needs zarr"),
])  # fmt: skip
def test_a_sweep_says_it_before_anything_is_computed(
    package: str, store: str | None, what: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Hours of work ended in it."""
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.chdir(tmp_path)
    sweep = dynamis.sweep(dynamis.load("bar-2r"), "gravity_torque", {"q": box(-1, 1)}, sobol(64))
    told: list[int] = []
    with pytest.raises(ArgumentError) as caught:
        sweep.run(store=store, progress=lambda done, _: told.append(done))
    assert (str(caught.value), told) == (f"{what}: {install('scale')}", [])
    assert list(tmp_path.iterdir()) == []
