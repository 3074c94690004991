"""What a report tells, as sections of a document that no format knows; the live page puts its controls into some."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path

from dynamis.base.arrays import Array
from dynamis.base.errors import DynamisError, TooLargeError
from dynamis.base.faces import request
from dynamis.base.numbers import short
from dynamis.compute.quantities.arguments import Gravity
from dynamis.exact.derivations.derivation import Derivation
from dynamis.exact.derivations.robots.sheet import RobotSheet
from dynamis.exact.derive import derive
from dynamis.exact.equations import Equations
from dynamis.motion.single_states.state import robot_state
from dynamis.motion.tasks.task import Task
from dynamis.motion.torque_budget.result import TorqueBudget
from dynamis.robot import Robot
from dynamis.telling.blocks import Block, Code, Document, Figure, Note, Section, Words
from dynamis.telling.pages.lint import lint

CLOSED_FORM_SECONDS = 20.0
"""Time for the closed form and its proofs [s]; what is not finished then is named."""
MAX_STEP_TERMS = 420
"""Terms of M and c up to which the derivation is told step by step: that of three joints is, in some hundred kB."""
MAX_COEFFICIENTS = 60
"""Dynamic coefficients that are written out."""
RESULT = ("Symbols", "Equations of motion", "Not finished")
"""The steps of a derivation that are its result; the others are the way there."""
STATE = "tau M C g T U reactions"
FOLDED = {"derivation": "Show the derivation", "figures": "Show the figures"}
"""Sections that a page folds, and the words to unfold them."""


def robot_section(robot: Robot) -> Section:
    """The drawing, the tables, and what was checked."""
    *tables, _ = RobotSheet(robot, drawn=True).document().blocks
    findings = lint(robot).document().blocks
    return Section("Robot", (*tables, Section("Checks", findings)), "robot")


def stand_in_note(values: Mapping[str, Fraction]) -> str:
    """That parameters without a value have one in the report, and which."""
    chosen = ", ".join(f"{name} = {short(float(x))}" for name, x in values.items())
    return f"the file gives no values for {', '.join(values)}; values that show the arm well stand in: {chosen}"


def model_section(robot: Robot, q: Array, notes: list[str], posture: str, gravity: Gravity = True) -> Section:
    """The robot in a state as tables; a live page has the model itself in their place."""
    state = robot_state(robot, q, only=STATE, gravity=gravity).document()
    return Section("Model", (*map(Note, notes), Words(posture), *state.blocks), "live")


def equation_sections(robot: Robot, progress: Callable[[str], None]) -> list[Section]:
    """The equations of motion in closed form, proofs, the derivation, the dynamic coefficients."""
    model = robot.equations(seconds=CLOSED_FORM_SECONDS)
    try:
        result = derive(model, steps=False, progress=progress)
    except DynamisError as error:
        return [Section("Equations of motion", (Note(f"there is no closed form: {error}"),), "equations")]
    steps = {section.title: section for section in result.document().blocks if isinstance(section, Section)}
    main = tuple(steps[title] for title in RESULT if title in steps)
    sections = [Section("Equations of motion", (_inside(result, main),), "equations")]
    if "Proof" in steps:
        sections.append(Section("Proofs", (_inside(result, steps["Proof"].blocks),), "proofs"))
    sections.append(_derivation(model, result, tuple(x for x in steps.values() if x.title not in (*RESULT, "Proof"))))
    return [*sections, *_coefficients(model)]


def _inside(result: Derivation, blocks: tuple[Block, ...]) -> Document:
    return Document("", blocks, ring=result.ring, misleading=result.misleading, methods=result.methods)


def _derivation(model: Equations, result: Derivation, setting: tuple[Section, ...]) -> Section:
    """Every step of a small model; of a larger one frames and transforms, and how to ask for the steps."""
    name = model.robot.argument
    try:
        terms = sum(len(x) for row in model.M.rows() for x in row) + sum(map(len, model.coriolis))
    except TooLargeError:
        terms = MAX_STEP_TERMS + 1
    if terms <= MAX_STEP_TERMS and not result.stopped:
        told = derive(model, steps=True)
        steps = tuple(x for x in told.document().blocks if not (isinstance(x, Section) and x.name == "proof"))
        return Section("Derivation", (_inside(told, steps),), "derivation")
    why = "the derivation was not finished" if result.stopped else f"M and c have more than {MAX_STEP_TERMS} terms"
    more = Words(f"The single steps are left out here, as {why}. To see them:")
    return Section(
        "Derivation", (_inside(result, (*setting, more)), Code(request("derive", name, steps=True))), "derivation"
    )


def _coefficients(model: Equations) -> list[Section]:
    try:
        coefficients = model.coefficients
    except DynamisError:
        return []
    if not coefficients.names:
        return []
    if len(coefficients.names) > MAX_COEFFICIENTS:
        words = f"The model has {len(coefficients.names)} dynamic coefficients, too many to list here. To see them:"
        return [Section("Dynamic coefficients", (
            Words(words), Code(request("derive", model.robot.argument, method="coefficients")),
        ), "coefficients")]  # fmt: skip
    return [Section("Dynamic coefficients", (coefficients.document(),), "coefficients")]


def motion_sections(task: Task, budget: TorqueBudget) -> list[Section]:
    """The torque budget of a task: tables, and the figures after them."""
    document = budget.document()
    name, t = Path(task.file).stem, budget.history.t
    what = f'The task "{name}"' if name else "The task"
    words = Words(f"{what} takes {short(t[-1] - t[0])} s; its torque budget has {len(t)} samples.")
    tables = tuple(block for block in document.blocks if not isinstance(block, Figure))
    figures = tuple(block for block in document.blocks if isinstance(block, Figure) and not block.missing)
    inner = Document("", (words, *tables), methods=document.methods)
    return [Section("Motion", (inner,), "motion"), Section("Figures of the motion", figures, "figures")]
