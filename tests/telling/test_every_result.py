"""What public functions and methods return is a document, or it is listed here with the reason why it is none."""

from __future__ import annotations

import ast
import importlib
import inspect
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dynamis
from dynamis.exact.equations import Equations
from dynamis.telling.blocks import Document
from dynamis.telling.renderers.page import PAGE_FORMATS
from dynamis.telling.result import Result
from dynamis.trajectories import planar_inverse_kinematics, shortest_time
from website.reference import public

SOURCE = Path(dynamis.__file__).parent
WITHOUT = {
    "robots and bodies, and parts of them": (
        "Body", "Coordinate", "CoupledRow", "Expression", "Fit", "Frame", "Inertia", "Joint", "JointForces", "Link",
        "MassProperties", "Piece", "Placement", "PrincipalAxes", "Robot",
    ),
    "models; `derive` and `inertia` are their pages": ("Equations", "ExactBody"),
    "motions, tasks and questions, which other functions take or which are run": (
        "Budget", "Motion", "Peaks", "Simulate", "Task", "TorqueSamples",
    ),
    "control laws, and what they compute with": ("Command", "Condition", "Controller", "RobotAtState", "Scalars"),
    "functions of arrays": ("ArrayFunction", "ArrayLoop", "CasadiFunctions", "Engine", "Floats"),
    "exact scalars, and what algorithms make of them": (
        "Exact", "ExactScalars", "InverseDynamics", "LinkJacobian", "MassMatrix", "Matrix", "Mechanism", "Ring",
        "State", "Symbol", "Vector", "Wrench",
    ),
    "rows and parts of a result that is a document": (
        "Bracket", "Excitation", "Layer", "Phase", "Shares", "ToldParameters",
    ),
    "what a sweep goes over and keeps; it gives datasets of xarray": (
        "Points", "Samples",
        "Box", "Correlated", "Draw", "Exceeds", "Histogram", "Pareto", "Quantile", "Spread", "Sweep",
    ),
    "documents, what plays in a notebook, and where they come from": ("Document", "Figure", "Film", "Provenance"),
}  # fmt: skip
"""Classes that are no results."""


def classes() -> dict[str, str]:
    """The classes of dynamis by their names, with their modules; results first, where a name is used twice."""
    homes: dict[str, str] = {}
    for path in sorted(SOURCE.rglob("*.py")):
        module = ".".join(["dynamis", *path.relative_to(SOURCE).with_suffix("").parts])
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef):
                homes.setdefault(node.name, module)
                if "Result" in map(ast.unparse, node.bases):
                    homes[node.name] = module
    return homes


def verbs() -> Iterator[tuple[str, str]]:
    """Every public function and every public method and property of a public class, with what it returns."""
    for owner in (*public().values(), Equations):
        if not inspect.isclass(owner):
            yield owner.__name__, str(inspect.get_annotations(owner).get("return", ""))
            continue
        for base in owner.__mro__:
            for key, member in vars(base).items() if base.__module__.startswith("dynamis") else ():
                plain = member.__func__ if isinstance(member, classmethod | staticmethod) else member
                call = getattr(plain, "func", None) or getattr(plain, "fget", None) or plain
                if inspect.isfunction(call) and not key.startswith("_"):
                    yield f"{base.__name__}.{key}", str(inspect.get_annotations(call).get("return", ""))


def test_every_result_is_a_document() -> None:
    homes, other, without = classes(), set[str](), {name for names in WITHOUT.values() for name in names}
    for verb, returns in dict(verbs()).items():
        for name in set(re.findall(r"\w+", returns)) & set(homes):
            kind = getattr(importlib.import_module(homes[name]), name)
            if not issubclass(kind, Result):
                other.add(name)
                assert name in without, f"{verb} gives a {name}, which has no document(): inherit from Result"
    assert without == other, "these are results now, or nothing gives them: take them off the list"


@cache
def results() -> dict[str, Any]:
    """Results that are easily forgotten, for a robot with a hostile name."""
    robot = dynamis.Robot("<b>$&_%", (
        dynamis.Link("upper", dynamis.Joint("a_1<i>"), mass=1, com=(1, 0, 0)),
        dynamis.Link("fore", dynamis.Joint("b|%", before="Tx(1)"), "upper", mass=1, com=(1, 0, 0)),
    ), tool=dynamis.Frame("tool", "fore", "Tx(1)"))  # fmt: skip
    model, target = robot.equations(), robot.forward_kinematics([0.3, 0.4])[:3, 3]
    return {
        "rollouts": dynamis.rollouts(robot, np.zeros((2, 2)), duration=0.02, step=0.01, keep=1),
        "inverse kinematics": dynamis.inverse_kinematics(robot, target),
        "branches": planar_inverse_kinematics(robot, target),
        "shortest time": shortest_time(robot, [[0, 0], [1, 1]], acceleration=1.0, steps=10),
        "findings": dynamis.lint(robot),
        "proofs": model.prove(),
        "base parameters": model.base_parameters,
        "coefficients": model.coefficients,
        "factorisations": model.factorisations,
        "constant M": model.when_mass_matrix_is_constant(),
        "positive definite": model.positive_definite(),
        "answer": dynamis.check_answer(robot, "M[1,1] = 1"),
    }


def test_every_result_says_in_one_line_what_it_is() -> None:
    for name, result in results().items():
        line = repr(result)
        assert "\n" not in line, name
        assert line != f"<{type(result).__name__}>", name


@pytest.mark.parametrize("form", PAGE_FORMATS)
def test_every_format(form: str) -> None:
    for name, result in results().items():
        page = result.page(form)
        assert page.strip(), name
        if form == "json":
            data = json.loads(page)
            assert data.pop("provenance")["version"] == dynamis.__version__, name
            data.pop("references", None)
            assert data == result.as_dict(), name
        if form == "html":
            assert "<i>" not in page, name
            assert "<b>$" not in page, name


def kinds(kind: type[Result] = Result) -> Iterator[type[Result]]:
    for each in kind.__subclasses__():
        yield each
        yield from kinds(each)


def test_a_page_by_name_is_the_page_of_its_result():
    """`Displayable` imports the page by a string, which no type checker and no test of imports reads."""
    for module in sorted({*classes().values()}):
        if module.split(".")[1] not in ("torch", "jax"):
            importlib.import_module(module)
    found = {kind for kind in kinds() if kind.__module__.startswith("dynamis.")}
    assert len(found) > 40
    for kind in found:
        if kind.document is Result.document:
            page = importlib.import_module(kind._page)
            assert inspect.get_annotations(page.page_of, eval_str=True) == {
                "return": Document, next(iter(inspect.signature(page.page_of).parameters)): kind
            }, kind  # fmt: skip
