"""Every reader of dynamis: how its inputs are made, and how they are read."""

from __future__ import annotations

import contextlib
import io
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import typer

from dynamis.bodies.mesh import read_mesh
from dynamis.cli import main
from dynamis.document.notation.schools import read_notation
from dynamis.errors import DynamisError
from dynamis.expressions.parser import parse
from dynamis.formats.body_file import read_body_file
from dynamis.formats.collada import read_collada
from dynamis.formats.robot_file.joint_table import Exercise
from dynamis.formats.tasks.state_file import numbers, parse_load, read_state
from dynamis.formats.urdf.visuals import read_visuals
from dynamis.grading.check import check_answer
from dynamis.library import load, read
from dynamis.model.placement import Placement
from dynamis.motion.tasks.task import load_task
from dynamis.motion.trajectories.sampled import sampled_file
from dynamis.scalars.floats import number
from dynamis.simulation.task import load_simulation
from dynamis.toml_table import parse_toml, read_text
from tests.fuzz import (
    answer_inputs,
    command_inputs,
    corpus,
    mesh_inputs,
    sample_inputs,
    tables,
    toml_inputs,
    xml_inputs,
)
from tests.fuzz.laws import BrokenLaw, derive_only, render, robot_laws, terminal_is_safe
from tests.fuzz.mutations import mutate_bytes
from tests.fuzz.text_inputs import chain, expression

CHECK_SECONDS = 0.2
_OPEN_QUOTE = '"a b'


@dataclass(frozen=True)
class Reader:
    """`make` an input, and `read` it from a file; `weight` is its share of the inputs, `seconds` what one may take."""

    name: str
    weight: int
    make: Callable[[Random], bytes]
    read: Callable[[Path, Random], Any]
    file: str = ""
    """The name of the file; empty where the input's first line says its suffix."""
    seconds: float = 2.0
    writes: bool = False
    """Whether files may be written."""

    def put(self, data: bytes, folder: Path) -> Path:
        """The input as a file in a folder."""
        if self.file:
            return _file(folder, self.file, data)
        suffix, _, content = data.partition(b"\n")
        return _file(folder, f"{self.name}.{re.sub('[^a-z]', '', suffix.decode('latin-1'))[:9]}", content)


@cache
def robot(name: str = "bar-2r") -> Any:
    return load(name)


def _file(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def _read_robot(path: Path, random: Random) -> None:
    found = read(path)
    robot_laws(found.robot if isinstance(found, Exercise) else found, random)


def _read_urdf(path: Path, random: Random) -> None:
    with contextlib.suppress(DynamisError):
        read_visuals(read_text(path), str(path))
    _read_robot(path, random)


def _read_collada(path: Path, random: Random) -> None:
    for part in read_collada(read_text(path), str(path)):
        if len(part.faces) and not 0 <= part.faces.min() <= part.faces.max() < len(part.vertices):
            raise BrokenLaw("a face of an accepted scene names a vertex that is not there")


def _read_notation(path: Path, random: Random) -> None:
    notation = read_notation(path)
    if random.random() < 0.05:
        terminal_is_safe(render(derive_only(robot().equations(), "g[1]"), "text", notation=notation))


def _read_state(path: Path, random: Random) -> None:
    read_state(parse_toml(read_text(path), str(path)), robot())


def _read_task(path: Path, random: Random) -> None:
    trajectory = load_task(path, robot()).trajectory
    if not np.isfinite(trajectory.at(trajectory.duration / 2)[0]).all():
        raise BrokenLaw("the motion of an accepted task is not finite")


def _read_simulation(path: Path, random: Random) -> None:
    load_simulation(path, robot())


def _read_body(path: Path, random: Random) -> None:
    found = read_body_file(path)
    body = found.with_values
    if not body.parameters():
        body.properties()


def _read_mesh(path: Path, random: Random) -> None:
    mesh = read_mesh(path, density=1, repair=random.random() < 0.5)
    _ = mesh.inertial


def _read_samples(path: Path, random: Random) -> None:
    moving = sampled_file(path)
    if not np.isfinite(moving.at(moving.duration / 2)[0]).all():
        raise BrokenLaw("an accepted sampled motion is not finite")


def _check(path: Path, random: Random) -> None:
    report = check_answer(robot("planar-elbow"), read_text(path), str(path), seconds=CHECK_SECONDS)
    terminal_is_safe(str(report))


def _expression(path: Path, random: Random) -> None:
    text = path.read_bytes().decode("utf-8", "surrogatepass")
    kind, _, text = text.partition("\n")
    match kind:
        case "chain":
            Placement.parse(str(Placement.parse(text)))
        case "numbers":
            numbers(text, "--q")
        case "load":
            parse_load(text, robot())
        case _:
            found = parse(text)
            if len(written := str(found)) <= 1000:
                parse(written)
            number(found, {})


def _make_expression(random: Random) -> bytes:
    kind = random.choice(("expression", "expression", "chain", "numbers", "load"))
    match kind:
        case "chain":
            text = chain(random)
        case "load":
            force = ",".join(expression(random, 4) for _ in range(3))
            text = f"link={random.choice(('link1', 'x', _OPEN_QUOTE))} force={force}"
        case _:
            text = expression(random)
    data = f"{kind}\n{text}".encode("utf-8", "surrogatepass")
    if random.random() < 0.2:
        data = mutate_bytes(data, random).decode("utf-8", "replace").encode()
    return data


@cache
def _command() -> Any:
    return typer.main.get_command(main.app)


def _command_line(path: Path, random: Random) -> None:
    _run(path.read_bytes().decode("utf-8", "surrogatepass").split("\0"), path.parent)


def _shown(path: Path, random: Random) -> None:
    """What the commands print about a robot that a stranger wrote, if it can be read or not."""
    verb = random.choice(("show", "lint", "inverse", "convert", "derive"))
    more = {
        "inverse": ["--q", "0.1"],
        "convert": ["out.toml", "--force"],
        "derive": ["--only", "T", "--seconds", "0.1"],
    }
    _run([verb, path.name, *more.get(verb, [])], path.parent)


def _run(words: list[str], folder: Path) -> None:
    """As `dynamis WORDS` in a folder, with the tree of commands built once."""
    out, err = io.StringIO(), io.StringIO()
    before = sys.argv, main.app, main.warnings.showwarning
    sys.argv = ["dynamis", *words]
    main.app = _command()
    try:
        with contextlib.chdir(folder), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            main.run()
    except SystemExit as end:
        if end.code not in (None, 0, 1, 2):
            raise BrokenLaw(f"the exit code is {end.code}") from None
    finally:
        sys.argv, main.app, main.warnings.showwarning = before
    terminal_is_safe(out.getvalue() + err.getvalue())
    if "Traceback" in err.getvalue():
        raise BrokenLaw(err.getvalue()[-300:])


def _toml(trees: Callable[[], Any]) -> Callable[[Random], bytes]:
    return lambda random: toml_inputs.mutated(trees(), random)


def _xml(trees: Callable[[], Any]) -> Callable[[Random], bytes]:
    return lambda random: xml_inputs.mutated(trees(), random)


def _answer(random: Random) -> bytes:
    return answer_inputs.mutated(corpus.answers(), random)


READERS = {
    reader.name: reader
    for reader in (
        Reader("answer", 46, _answer, _check, "a.txt", 2.0 + CHECK_SECONDS),
        Reader("robot", 20, _toml(corpus.robot_trees), _read_robot, "robot.toml"),
        Reader("joint-table", 6, _toml(corpus.exercise_trees), _read_robot, "table.toml"),
        Reader("urdf", 16, _xml(corpus.urdf_trees), _read_urdf, "robot.urdf"),
        Reader("log", 14, sample_inputs.log, tables.read_log),
        Reader("sweep", 12, _toml(corpus.sweep_trees), tables.read_sweep, "sweep.toml"),
        Reader("draw", 8, sample_inputs.states, tables.read_draw),
        Reader("store", 5, tables.store, tables.read_store, writes=True),
        Reader("state", 7, _toml(corpus.state_trees), _read_state, "state.toml"),
        Reader("task", 8, _toml(corpus.task_trees), _read_task, "task.toml"),
        Reader("simulation", 6, _toml(corpus.simulation_trees), _read_simulation, "s.toml"),
        Reader("body", 6, _toml(corpus.body_trees), _read_body, "body.toml"),
        Reader("mesh", 6, mesh_inputs.mutated, _read_mesh),
        Reader("collada", 5, _xml(corpus.collada_trees), _read_collada, "mesh.dae"),
        Reader("samples", 8, sample_inputs.mutated, _read_samples),
        Reader("notation", 5, _toml(corpus.notation_trees), _read_notation, "notation.toml"),
        Reader("expression", 14, _make_expression, _expression, "expression"),
        Reader("shown", 5, _toml(corpus.robot_trees), _shown, "shown.toml", 4.0, writes=True),
        Reader("command", 6, command_inputs.mutated, _command_line, "words", 4.0, writes=True),
    )
}
"""By name, weighed by how much of what they read comes from strangers; none has less than 2 % of the inputs."""


def prepare(folder: Path) -> None:
    """A few inputs for every reader, so that modules are imported before it counts; then the files that inputs name."""
    for reader in READERS.values():
        random = Random(0)
        for _ in range(20):
            with contextlib.suppress(Exception):
                reader.read(reader.put(reader.make(random), folder), random)
    _file(folder, "arm.toml", corpus.seed("robot/1.toml").encode())
    _file(folder, "arm.urdf", corpus.seed("urdf/1.urdf").encode())
    _file(folder, "parts.toml", corpus.seed("body/1.toml").encode())
    _file(folder, "answer.txt", corpus.seed("answer/1.txt").encode())
    _file(folder, "solid.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n")
    _file(folder, "recorded.csv", b"t,q1,q2\n0,0,0\n1,1,1\n2,0,1\n")
    _file(folder, "task.toml", corpus.seed("task/1.toml").encode())
