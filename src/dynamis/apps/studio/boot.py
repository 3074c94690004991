"""The robot that the studio starts with, as a text that needs no other files."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from dynamis import library
from dynamis.base.errors import DynamisError
from dynamis.base.writing import write_bytes
from dynamis.model.formats.robot_formats import robot_text


def robot_file(name: str) -> tuple[str, str]:
    """The name and the text of a robot's file; raises where it cannot be read.

    A robot whose file names other files (bodies, meshes) is written anew, with what they gave in its place.
    """
    robot, path = library.load(name), library.robot_path(name)
    with TemporaryDirectory() as folder:
        copy = Path(folder, path.name)
        write_bytes(copy, path.read_bytes())
        try:
            library.read(copy)
        except DynamisError:
            return f"{path.stem}.toml", robot_text(robot, Path("robot.toml"))
    return path.name, path.read_text(encoding="utf-8-sig")
