"""Commands of a reading, as they are typed after `dynamis`, and their results.

A reading says what it shows by the command that a reader would type. Here are the few verbs and options that the
readings use; tests compare each result with that of the command line.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from dynamis.base.errors import UnknownNameError
from dynamis.library import exercises, load
from dynamis.motion.single_states.exercises import shipped_exercise
from dynamis.robot import Robot
from dynamis.telling.result import Result

if TYPE_CHECKING:
    from dynamis.apps.grading.judging.report import Report

Options = dict[str, list[str]]
"""The values of each option, in order; a flag has none."""
FLAGS = ("steps", "spatial", "words", "reactions", "no-gravity", "no-frames", "no-dimensions", "design")
STATE = ("q", "qd", "qdd", "loads", "gravity")
"""What an exercise says besides its robot."""


def result_of(command: str) -> Result:
    """The result of a command such as `derive deluca-2r --only "M[1,1]"`."""
    verb, names, options = _parsed(command)
    if verb not in VERBS:
        raise UnknownNameError("verb", verb, VERBS)
    return VERBS[verb](options, *names)


def check_printed(command: str, answer: str | None = None, symbols: Sequence[str] = ()) -> Report:
    """The report of a `check` command on another answer, or with symbols that the robot does not have."""
    _, (name, file), options = _parsed(command)
    robot = load(name)
    robot = replace(robot, parameters={**robot.parameters, **dict.fromkeys(symbols, "")})
    return _report(robot, file, options, answer)


def _parsed(command: str) -> tuple[str, list[str], Options]:
    """Verb, names and options."""
    verb, *words = shlex.split(command)
    names: list[str] = []
    options: Options = {}
    rest = iter(words)
    for word in rest:
        if word.startswith("--"):
            name = word.removeprefix("--")
            options.setdefault(name, []).extend([] if name in FLAGS else [next(rest)])
        else:
            names.append(word)
    return verb, names, options


def _robot(name: str, options: Options) -> Robot:
    return load(name).with_values(dict(_values(options)))


def _values(options: Options) -> list[tuple[str, str]]:
    """The NAME=VALUE of --set."""
    parts = (text.partition("=") for text in options.get("set", []))
    return [(name.strip(), value.strip()) for name, _, value in parts]


def _exercise(name: str) -> tuple[Robot, dict[str, Any]]:
    """The robot of an exercise, and its state."""
    exercise = shipped_exercise(name)
    return Robot.from_model(exercise.robot), {key: getattr(exercise, key) for key in STATE}


def _derive(options: Options, name: str) -> Result:
    from dynamis.exact.derive import derive, derive_only
    from dynamis.model.formats.tasks.state_file import parse_load
    from dynamis.model.loads import with_load_symbols
    from dynamis.model.with_numbers import with_numbers

    robot = _robot(name, options)
    loads = [one for text in options.get("load", []) for one in parse_load(text, robot, symbols=True)]
    robot = with_numbers(with_load_symbols(robot, loads), [name for name, _ in _values(options)])
    model = robot.equations(loads=loads)
    if entries := options.get("only"):
        return derive_only(model, entries[0], *options.get("method", ()))
    return derive(model, *options.get("method", ()), steps="steps" in options, spatial="spatial" in options)


def _prove(options: Options, name: str) -> Result:
    from dynamis.exact.prove import prove_all

    return prove_all(_robot(name, options).equations(), "design" in options)


def _check(options: Options, name: str, file: str) -> Result:
    return _report(load(name), file, options)


def _report(robot: Robot, file: str, options: Options, answer: str | None = None) -> Report:
    """The report on an answer, or else on the text of its file."""
    from dynamis.apps.grading.check import check_answer
    from dynamis.apps.readings.printed.equations import answer_path
    from dynamis.base.toml_table import read_text

    text = read_text(answer_path(file)) if answer is None else answer
    return check_answer(robot, text, file, dict(_values(options)))


def _inverse(options: Options, name: str) -> Result:
    from dynamis.motion.single_states.inverse import state_torques

    robot, state = _exercise(name)
    convention = "joint" if options.get("convention") == ["joint"] else "parent_tip"
    return state_torques(
        robot,
        **state,
        words="words" in options,
        reactions=convention if "reactions" in options else None,
    )


def _state(options: Options, name: str) -> Result:
    from dynamis.motion.single_states.state import robot_state

    robot, state = _exercise(name)
    return robot_state(robot, **state, only=options["only"][0], convention="parent_tip")


def _inertia(options: Options, name: str, *words: str) -> Result:
    from dynamis.exact.derivations.bodies.question import find_body

    return replace(find_body(name, list(words)), steps="steps" in options)


def _motion(options: Options, name: str, task: str) -> Result:
    from dynamis.motion.tasks.task import load_task

    motion = load_task(task, load(name))
    return (replace(motion, gravity=False) if "no-gravity" in options else motion).budget()


def _simulate(options: Options, name: str, task: str) -> Result:
    from dynamis.simulation.task import load_simulation

    return load_simulation(task, load(name)).run(check=True)


def _learn(options: Options, name: str, task: str) -> Result:
    from dynamis.model.inertial_parameters import with_mass_error
    from dynamis.motion.tasks.task import load_task
    from dynamis.simulation.learning.learn import learn

    robot = load(name)
    motion = load_task(task, robot)
    percent, period, trials = (float(options[key][0]) for key in ("mass-error", "period", "trials"))
    return learn(
        robot, motion.trajectory, model=with_mass_error(robot, percent), loads=motion.loads, gravity=motion.gravity,
        period=period, trials=int(trials),
    )  # fmt: skip


def _show(options: Options, name: str) -> Result:
    if "figure" in options or "free-body" in options:
        return _drawing(options, name)
    from dynamis.exact.derivations.robots.sheet import RobotSheet

    return RobotSheet(_robot(name, options))


def _drawing(options: Options, name: str) -> Result:
    """A robot, or an exercise in its own state; with --free-body LINK one link of it."""
    from dynamis.model.formats.tasks.state_file import numbers, parse_load
    from dynamis.model.loads import with_load_symbols

    robot, state = _exercise(name) if name in exercises() else (load(name), dict[str, Any]())
    state |= {key: numbers(options[key][0], f"--{key}") for key in ("q", "qd", "qdd") if key in options}
    loads = [one for text in options.get("load", []) for one in parse_load(text, robot, symbols=True)]
    robot = with_load_symbols(robot, loads).with_values(dict(_values(options)))
    state["loads"] = (*state.get("loads", ()), *loads)
    if "no-gravity" in options:
        state["gravity"] = False
    if "free-body" in options:
        return robot.free_body(options["free-body"][0], **state)
    hidden: dict[str, Any] = {key: False for key in ("frames", "dimensions") if f"no-{key}" in options}
    return robot.draw(**state, reactions="reactions" in options, **hidden)


VERBS: dict[str, Callable[..., Any]] = {
    "derive": _derive, "prove": _prove, "check": _check, "inverse": _inverse, "state": _state, "inertia": _inertia,
    "motion": _motion, "simulate": _simulate, "learn": _learn, "show": _show,
}  # fmt: skip
