"""How a sentence names an option: every face of dynamis has its own words for it.

An error or a note says what would help, `option("seconds", 600)`, and not how that is typed: it is `seconds=600` in
Python, `--seconds 600` on the command line, and a field in the studio. A face says once that it speaks, with
`speaking`, and every sentence that is made meanwhile is in its words.

>>> option("seconds", 600), option("whole")
('seconds=600', 'whole=True')
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol


class Face(Protocol):
    """Who speaks to a person."""

    def option(self, name: str, value: str, call: str) -> str:
        """An option with a value, or switched on where `value` is empty; `call` is the Python call that takes it."""
        ...

    def name(self, name: str) -> str:
        """An option without a value."""
        ...

    def request(self, verb: str, robot: str, options: dict[str, str]) -> str:
        """A verb about a robot with these options, as something that can be typed or done."""
        ...


class Python:
    """The face of whoever calls functions."""

    def option(self, name: str, value: str, call: str) -> str:
        if name == "values":
            return f"{call or 'robot.with_values'}({value})"
        text = f"{name}={value or 'True'}"
        return f"{call}({text})" if call else text

    def name(self, name: str) -> str:
        return name

    def request(self, verb: str, robot: str, options: dict[str, str]) -> str:
        return CALLS.get((verb, *options), verb).format(*options.values())


CALLS: dict[tuple[str, ...], str] = {
    ("derive",): "dynamis.derive(robot.equations())",
    ("derive", "only"): 'dynamis.derive_only(robot.equations(), "{}")',
    ("derive", "method"): 'dynamis.derive(robot.equations(), "{}")',
    ("derive", "steps"): "dynamis.derive(robot.equations(), steps=True)",
    ("state", "q", "only"): 'dynamis.robot_state(robot, {}, only="{}")',
    ("show",): "print(robot)",
}
"""What Python types for a request: the verb and the names of its options."""

_PYTHON = Python()
_face: ContextVar[Face] = ContextVar("face")


@contextmanager
def speaking(face: Face) -> Generator[None]:
    """Sentences that are made inside are in the words of this face."""
    token = _face.set(face)
    try:
        yield
    finally:
        _face.reset(token)


def option(name: str, value: object = "", call: str = "") -> str:
    """An option in the words of the face that speaks.

    name: as in Python; `values` are those of parameters, written NAME=VALUE
    value: in a text as it is typed; nothing for an option that is switched on
    call: the function of Python that takes it, where that is not the one that was called
    """
    return _face.get(_PYTHON).option(name, str(value), call)


def option_name(name: str) -> str:
    """The name of an option in the words of the face that speaks."""
    return _face.get(_PYTHON).name(name)


def request(verb: str, robot: str, **options: object) -> str:
    """A verb about a robot in the words of the face that speaks.

    >>> request("derive", "bar-2r", only="M[1,1]")
    'dynamis.derive_only(robot.equations(), "M[1,1]")'
    """
    return _face.get(_PYTHON).request(verb, robot, {name: str(value) for name, value in options.items()})
