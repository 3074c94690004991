"""Loading robots: a shipped one by its name, or a file by its path."""

from __future__ import annotations

import os
import warnings
from pathlib import Path
from typing import Any

from dynamis.base.errors import ArgumentError, DynamisError, FormatError, UnknownNameError, UnphysicalWarning, literal
from dynamis.base.shipped_files import Shipped
from dynamis.base.toml_table import exists
from dynamis.base.writing import write_text
from dynamis.compute.mechanics.dynamics.missing_masses import warn_of_missing_masses
from dynamis.model.degrees_meant import degrees_meant
from dynamis.model.formats.robot_file.joint_table import Exercise
from dynamis.model.formats.robot_formats import add_comment, read_file, robot_text, suffixes
from dynamis.model.robot import RobotModel
from dynamis.robot import Robot

ROBOTS, EXERCISES = Shipped("robot", "robots"), Shipped("exercise", "robots/exercises")
ESTIMATES = Shipped("robot", "robots/estimates")
"""Robots whose numbers have no source but ours; `robots` leaves them out."""


def robots() -> list[str]:
    """The names of the robots that ship with dynamis, without those whose numbers are estimates (`estimates`).

    >>> "puma560" in robots()
    True
    """
    return ROBOTS.names()


def estimates() -> list[str]:
    """The names of the shipped robots whose numbers are invented or estimated, as their descriptions say.

    >>> estimates()
    ['niryo-one-estimated']
    """
    return ESTIMATES.names()


def exercises() -> list[str]:
    """The names of the exercises that ship with dynamis: each has a robot, a state, loads and printed results."""
    return EXERCISES.names()


def load(name: str | Path) -> Robot:
    """A robot: the name of a shipped one, or the path of a .toml or .urdf file.

    `dynamis.torch.load` and `dynamis.jax.load` give robots whose verbs take tensors and JAX's arrays.

    >>> load("genova-2r").n
    2
    """
    content = read(name)
    return Robot.from_model(content.robot if isinstance(content, Exercise) else content, str(name))


def read(name: str | Path) -> RobotModel | Exercise:
    """What a name or a file holds: a robot, or an exercise with its robot, state and loads."""
    path = robot_path(name)
    try:
        found = read_file(path)
    except DynamisError as error:
        raise error.at(str(path)) from None
    if path.suffix.lower() != ".toml" and isinstance(found, RobotModel):  # other programs' files leave out bodies
        warn_of_missing_masses(found, stacklevel=4)
    robot: RobotModel = found if isinstance(found, RobotModel) else found.robot
    for each in degrees_meant(robot):
        link = f'link "{each.link}" ' if each.link else ""
        warnings.warn(f"{each.place(robot) or path}: {link}{each.message}", UnphysicalWarning, stacklevel=3)
    return found


def save(robot: RobotModel, path: str | Path) -> None:
    """Write a robot as a native .toml or as a .urdf file (which needs values)."""
    write_text(path, file_text(robot, path))


def file_text(robot: RobotModel, path: str | Path, comment: str = "") -> str:
    """A robot as the text of a file with this name, and with a comment in its first lines."""
    if not isinstance(robot, RobotModel):  # type: ignore[redundant-expr]
        raise ArgumentError(f"robot must be a dynamis.Robot, got {literal(robot)}", key="robot")
    if not isinstance(path, str | os.PathLike):  # type: ignore[redundant-expr]
        raise ArgumentError(f"path must be the name of a file, got {literal(path)}", key="path")
    text = robot_text(robot, Path(path))
    return add_comment(text, comment) if comment else text


def robot_path(name: str | Path) -> Path:
    """The file of a shipped robot or exercise, or the given file itself."""
    text = str(name)
    for shipped in (ROBOTS, ESTIMATES, EXERCISES):
        if text in shipped.names():
            return shipped.path(text)
    path, names = Path(text), [*ROBOTS.names(), *EXERCISES.names()]
    there, suffix = exists(path), path.suffix.lower()
    if suffix in suffixes():
        if not there:
            hint = f'; did you mean the shipped robot "{path.stem}"?' if path.stem in names else ""
            raise FormatError(f"no such file{hint}").at(text)
        return path
    if not there or not text:
        raise UnknownNameError("robot", text, names)
    if suffix == ".xacro":
        target = f"{path.stem.removesuffix('.urdf')}.urdf"
        raise FormatError(f"is a xacro file, which must be expanded first: xacro {path.name} > {target}").at(text)
    raise FormatError(f"its kind is not known; a robot is a {', '.join(suffixes())} file").at(text)


def require_robot(robot: Any, name: str = "robot") -> None:
    """Raise unless the argument `name` is a robot with verbs, as `load` gives it."""
    if not isinstance(robot, Robot):
        raise ArgumentError(
            f"{name} must be a robot, such as dynamis.load(...) returns, got {literal(robot)}", key=name
        )
