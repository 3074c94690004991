"""Every error and warning survives pickling and copying, so that processes can hand it back."""

from __future__ import annotations

import copy
import copyreg
import inspect
import multiprocessing
import pickle
import re
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dynamis
from dynamis.base.errors import ArgumentError, DynamisError, name_list
from dynamis.controllers import PDGravity
from dynamis.errors import BlowUpError, FormatError, MissingValuesError, UnknownNameError

SOURCE = Path(dynamis.__file__).parent
CLASS = re.compile(r"^class (\w+)\(\w*(?:Error|Exception|Warning)\):", re.MULTILINE)
VALUES: dict[str, Any] = {
    "str": "some text", "bool": True, "float": 2.5, "int": 3, "object": "some name", "Iterable[str]": ["m1", "m2"],
    "Array": np.array([1.0, 2.0]), "str | None": "some key", "int | None": 2, "dict[str, float] | None": {"tau": 3.0},
    "Iterable[str] | None": ["l1"], "Exception": ValueError("what went wrong"),
}  # fmt: skip
"""A value of each type that the errors' constructors take."""


def kinds() -> list[type[Exception]]:
    """All errors and warnings of ours; exceptions that never leave the package are not among them."""
    found: list[type[Exception]] = []
    for path in sorted(SOURCE.rglob("*.py")):
        module = ".".join(("dynamis", *path.relative_to(SOURCE).with_suffix("").parts))
        found += [getattr(import_module(module), name) for name in CLASS.findall(path.read_text())]
    return [kind for kind in found if issubclass(kind, DynamisError | Warning)]


def example(kind: type[Exception]) -> Exception:
    """An error with a value for every argument; of ours, at some place, with a cause and a note."""
    if "__init__" not in vars(kind) and not issubclass(kind, DynamisError):
        return kind("some text")
    given: list[Any] = []
    named: dict[str, Any] = {}
    for name, parameter in list(inspect.signature(kind).parameters.items()):
        if parameter.kind is parameter.KEYWORD_ONLY:
            named[name] = VALUES[parameter.annotation]
        else:
            given.append(VALUES[parameter.annotation])
    error = kind(*given, **named)
    if isinstance(error, DynamisError):
        error.at("arm.toml", 12)
        error.__cause__ = ArgumentError("what went before", key="q")
    error.add_note("some note")
    return error


def pickled(error: Exception) -> Exception:
    return pickle.loads(pickle.dumps(error))


@pytest.mark.parametrize("kind", kinds(), ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("again", [pickled, copy.copy, copy.deepcopy])
def test_errors_and_warnings_survive(kind: type[Exception], again: Callable[[Exception], Exception]) -> None:
    error = example(kind)
    found = again(error)
    assert type(found) is kind
    assert str(found) == str(error)
    assert found.args == error.args
    assert vars(found).keys() == vars(error).keys()
    for name, value in vars(error).items():
        np.testing.assert_equal(vars(found)[name], value)
    assert repr(found.__cause__) == repr(error.__cause__)


def test_all_errors_are_looked_at() -> None:
    """The search of the sources finds what Python knows, and the examples have data to lose."""
    known = {DynamisError}
    while more := {kind for one in known for kind in one.__subclasses__()} - known:
        known |= more
    ours = {kind for kind in known if kind.__module__.startswith("dynamis.")}
    assert ours == {kind for kind in kinds() if issubclass(kind, DynamisError)}
    assert len(ours) > 10
    assert any(vars(example(kind)).get("allowed") for kind in ours)


def test_a_foreign_cause_stays_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    """It may not unpickle; ours must. (Once distributed is imported, all exceptions go by its own rules.)"""
    monkeypatch.delitem(copyreg.dispatch_table, ArgumentError, raising=False)

    class Foreign(Exception):
        pass

    error = ArgumentError("q is wrong", key="q")
    error.__cause__ = Foreign()
    assert pickled(error).__cause__ is None
    error.__cause__ = ValueError("of Python's own")
    assert repr(pickled(error).__cause__) == repr(error.__cause__)


def blow_up() -> None:
    robot = dynamis.load("bar-2r")
    dynamis.simulate(robot, [0.5, 0.3], control=PDGravity(60, 20), goal=[1, 0.5], duration=5, step=0.05)


@pytest.mark.parametrize("method", ["spawn", "fork"])
def test_a_pool_of_processes_hands_errors_back(method: str) -> None:
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip(f"this system cannot {method}")
    with multiprocessing.get_context(method).Pool(1) as pool:
        asked = pool.apply_async(dynamis.load, ("pumma560",))
        with pytest.raises(UnknownNameError, match="did you mean") as caught:
            asked.get(timeout=60)
        assert caught.value.nearest == "puma560"
        asked = pool.apply_async(blow_up)
        with pytest.raises(BlowUpError) as caught:
            asked.get(timeout=60)
        assert caught.value.partial is not None
        assert caught.value.partial.times.size > 1


def test_a_message_is_short_whatever_it_quotes() -> None:
    """One bound for all errors, whoever raises them; names in a list are shortened one by one before."""
    name = "x" * 131_072
    for error in (
        FormatError(f"column {name} is unknown"),
        UnknownNameError("column", name, [name, f"{name}y"]),
        MissingValuesError("arm", [f"m{k}" for k in range(5000)]),
    ):
        assert len(str(error)) <= 2000
        assert str(pickle.loads(pickle.dumps(error))) == str(error)
    assert name_list([name, "q1"]) == f"{'x' * 97}..., q1"
