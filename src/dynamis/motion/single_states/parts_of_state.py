"""The parts of a state that are asked for, or all that are shown unasked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from dynamis.base.errors import ArgumentError, MissingMassError, UnknownNameError, literal
from dynamis.base.faces import option_name, request
from dynamis.compute.quantities.arguments import broadcast, joint_values
from dynamis.compute.quantities.entry_names import KINDS, EntryName, split_names
from dynamis.library import require_robot
from dynamis.model.loads import check_loads
from dynamis.model.payload import payload_words
from dynamis.motion.single_states.parts import OF_FRAMES, OF_LINKS, PARTS, Question
from dynamis.motion.single_states.robot_state import RobotState, of_frames
from dynamis.motion.single_states.state import State
from dynamis.motion.single_states.state_torques import StateTorques
from dynamis.robot import Robot
from dynamis.telling.pages.entries import Entries
from dynamis.telling.result import Result


def tell_state(asked: State) -> RobotState:
    """The parts that are asked for, or all that are shown unasked: each with its numbers."""
    robot, only, frame = asked.robot, asked.only, asked.frame
    require_robot(robot)
    if not isinstance(only, str | list | tuple):  # type: ignore[redundant-expr]
        raise ArgumentError(
            f'{option_name("only")} must be names of parts, such as "M g", got {literal(only)}', key="only"
        )
    check_loads(robot, asked.loads)
    entries = [entry for text in ([only] if isinstance(only, str) else only) for entry in _entries(str(text), robot)]
    names = list(dict.fromkeys(entry.name for entry in entries if not (of_frames(entry) or _of_link(entry))))
    tool = frame or ("tool" if robot.tool else "")
    if not tool and any(PARTS[name].of_frame for name in names):
        raise ArgumentError(f'robot "{robot.name}" has no tool; name a frame or a link', key="frame")
    motion = [
        (key, joint_values(key, np.zeros(robot.n) if x is None else x, robot))
        for key, x in (("q", asked.q), ("qd", asked.qd), ("qdd", asked.qdd))
    ]
    shape = (*broadcast(motion), robot.n)
    arrays: Any = {key: np.broadcast_to(array, shape) for key, array in motion}
    x = Question(
        robot, **arrays, loads=tuple(asked.loads), gravity=asked.gravity, frame=tool, rows=asked.rows,
        convention=asked.convention,
    )  # fmt: skip
    computed: dict[str, Result] = {}
    missing: dict[str, list[str]] = {}
    unasked = [key for key, part in PARTS.items() if part.always and (tool or not part.of_frame)]
    for name in names if entries else unasked:
        try:
            computed[name] = PARTS[name].compute(x)
        except MissingMassError as error:
            if entries:
                raise
            missing.setdefault(str(error), []).append(name)
    parts = {str(entry): _chosen(x, computed, entry) for entry in entries} if entries else computed
    told = any(isinstance(part, StateTorques) for part in parts.values())
    held = () if told else payload_words(robot)
    return RobotState(x, parts, (*held, *(f"without {', '.join(left)}: {text}" for text, left in missing.items())))


def _entries(text: str, robot: Robot) -> Iterator[EntryName]:
    """The parts and entries that a text asks for: M, M[1,2], T[0,c2], M12 of less than ten joints."""
    allowed = f"choose of {', '.join(PARTS)}, T[0,2], p[c2], or leave it out"
    for entry in split_names(text, robot.n, len(robot.links), allowed):
        if entry.name in KINDS and entry.name not in PARTS:
            derive = request("derive", robot.argument, only=entry.name)
            raise ArgumentError(f"{entry.name} is told in symbols alone; {derive} derives it", key="only")
        if entry.name not in PARTS:
            raise UnknownNameError("part", entry.name, PARTS, key="only", complete=True)
        yield entry


def _of_link(entry: EntryName) -> bool:
    """Whether it is the entry of a link of what is else a number of the robot: T[1], U[1]."""
    return entry.name in OF_LINKS and len(entry.indices) == 1


def _chosen(x: Question, parts: Mapping[str, Result], entry: EntryName) -> Result:
    """A part, or an entry of it."""
    if of_frames(entry):
        return OF_FRAMES[entry.name](x, *entry.indices)
    part = OF_LINKS[entry.name](x) if _of_link(entry) else parts[entry.name]
    if not entry.indices:
        return part
    part = x.torques(part.tau) if isinstance(part, StateTorques) else part
    if not isinstance(part, Entries) or part.values.ndim < x.q.ndim:  # L is a number
        raise ArgumentError(f"{entry.name} has no entries to choose; ask for {entry.name}", key="only")
    return part.entry(entry.name, entry.indices)
