"""The robot that is asked about, by its name: its file, values of parameters, and the state of an exercise."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any

from dynamis.base.errors import ArgumentError
from dynamis.base.faces import option_name

if TYPE_CHECKING:
    from dynamis.model.loads import Load
    from dynamis.robot import Robot


class Subject:
    """What a request is about; its file is read when it is needed."""

    def __init__(self, name: str, values: Iterable[str] | None = None) -> None:
        self.name = name
        self.values = tuple(values or ())

    @cached_property
    def _content(self) -> Any:
        from dynamis.library import read

        return read(self.name)

    @cached_property
    def state(self) -> dict[str, Any]:
        """What an exercise says besides its robot: q, qd, qdd, loads, gravity; nothing of a robot."""
        from dynamis.model.robot import RobotModel

        names = () if isinstance(self._content, RobotModel) else ("q", "qd", "qdd", "loads", "gravity")
        return {name: getattr(self._content, name) for name in names}

    @cached_property
    def as_it_is(self) -> Robot:
        """The robot as its file has it."""
        from dynamis.robot import Robot

        return Robot.from_model(self._content.robot if self.state else self._content, self.name)

    @cached_property
    def robot(self) -> Robot:
        """The robot with the values that are given."""
        return with_values(self.as_it_is, self.values)

    def under(self, texts: Iterable[str] | None, robot: Robot | None = None) -> tuple[Robot, list[Load]]:
        """The loads of these texts, and the robot (by default as it is) with their symbols and the given values."""
        from dynamis.model.formats.tasks.state_file import parse_load
        from dynamis.model.loads import with_load_symbols

        robot = self.as_it_is if robot is None else robot
        loads = [load for text in texts or () for load in parse_load(text, robot, symbols=True)]
        return with_values(with_load_symbols(robot, loads), self.values), loads


def with_values(robot: Robot, texts: Iterable[str]) -> Robot:
    """The robot with values of parameters, each NAME=VALUE."""
    values = pairs(texts)
    return robot.with_values(values) if values else robot


def pairs(texts: Iterable[str]) -> dict[str, str]:
    """The values of NAME=VALUE, by name."""
    return dict(pair(text, "m1=2.5") for text in texts)


def pair(text: str, example: str) -> tuple[str, str]:
    """A name and its value."""
    name, sign, value = text.partition("=")
    if not sign or not value.strip():
        raise ArgumentError(f'{option_name("values")} "{text}" is not NAME=VALUE, such as {example}', key="set")
    return name.strip(), value
