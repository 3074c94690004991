"""`dynamis learn`: the torque of a motion, found by repeated trials."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dynamis.cli.completion import completed
from dynamis.cli.options import (
    FiguresOption,
    FolderOption,
    ForceOption,
    FormatOption,
    JsonOption,
    NoGravityOption,
    PayloadComOption,
    PayloadInertiaOption,
    PayloadOption,
    RobotArgument,
    SetOption,
    load_robot,
    payload_of,
)
from dynamis.cli.output import (
    FIGURE,
    FIGURES,
    OutputFolder,
    check_formats,
    figure_format,
    folder_and_page,
    page_target,
    result_files,
)
from dynamis.cli.terminal import Progress, page_width, print_marked

if TYPE_CHECKING:
    from dynamis.simulation.learning.result import Trial


def command(
    robot: RobotArgument,
    task: Annotated[
        Path,
        typer.Argument(
            metavar="TASK",
            help="A .toml file (docs/torque-budget.md), or a shipped task's name.",
            autocompletion=completed("task"),
        ),
    ],
    output: FolderOption = None,
    page: FormatOption = None,
    trials: Annotated[int, typer.Option(min=1, help="Maximum number of trials.")] = 20,
    period: Annotated[float, typer.Option(metavar="SECONDS", help="Sampling period of the control, Tc.")] = 1e-3,
    step: Annotated[
        float | None,
        typer.Option(metavar="SECONDS", help="Integration step of the plant, Ts <= Tc; default Tc, or less."),
    ] = None,
    kp: Annotated[
        str | None, typer.Option(metavar="K,...", help="Proportional gains: one for all joints, or one per joint.")
    ] = None,
    kd: Annotated[
        str | None, typer.Option(metavar="K,...", help="Derivative gains; without --kp and --kd, suggested ones.")
    ] = None,
    law: Annotated[
        str,
        typer.Option(
            help="Learning law: feedback (learn what the PD loop added) or pd-type.", autocompletion=completed("law")
        ),
    ] = "feedback",
    gain: Annotated[float, typer.Option(help="Learning gain of the law feedback.")] = 1.0,
    lp: Annotated[str | None, typer.Option(metavar="L,...", help="Gains on e of the law pd-type.")] = None,
    ld: Annotated[str | None, typer.Option(metavar="L,...", help="Gains on ed of the law pd-type.")] = None,
    ahead: Annotated[int, typer.Option(min=0, help="Learn from the error this many samples later.")] = 1,
    cutoff: Annotated[
        float | None, typer.Option(metavar="HZ", help="Cut-off frequency of a zero-phase filter, against noise.")
    ] = None,
    first: Annotated[
        str,
        typer.Option(
            help="Torque of the first trial: model, gravity or zero.", autocompletion=completed("first torque")
        ),
    ] = "model",
    mass_error: Annotated[
        float, typer.Option(metavar="PERCENT", help="Error of all masses in the controller's model.")
    ] = 0.0,
    mass_error_seed: Annotated[
        int | None, typer.Option(min=0, metavar="SEED", help="Each mass and inertia too large or too small, by chance.")
    ] = None,
    noise: Annotated[
        str | None, typer.Option(metavar="SD[,SD]", help="Standard deviation of measured q, and of qd.")
    ] = None,
    resolution: Annotated[
        str | None, typer.Option(metavar="R,...", help="Resolution of the encoders [rad or m].")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the noise.")] = 0,
    stiction_speed: Annotated[
        float, typer.Option(metavar="SPEED", help="Speed over which Coulomb friction grows [rad/s or m/s].")
    ] = 1e-3,
    torque_limit: Annotated[str | None, typer.Option(metavar="T,...", help="Torque limits: numbers, or model.")] = None,
    tolerance: Annotated[float, typer.Option(help="Stop when all errors are below this [rad or m].")] = 0.0,
    patience: Annotated[
        int, typer.Option(min=0, help="Stop after this many trials without improvement; 0: never.")
    ] = 4,
    keep: Annotated[
        str,
        typer.Option(
            help="Keep the best trial by its error (tracking, measured) or its torque (against the analytic one).",
            autocompletion=completed("trial to keep"),
        ),
    ] = "error",
    no_gravity: NoGravityOption = False,
    payload: PayloadOption = None,
    payload_com: PayloadComOption = None,
    payload_inertia: PayloadInertiaOption = None,
    table: Annotated[
        str,
        typer.Option(help="Columns per joint: rms, peak or torque.", autocompletion=completed("table of trials")),
    ] = "rms",
    figures: FiguresOption = None,
    force: ForceOption = False,
    values: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Learn the torque of a motion by repeated trials on the robot, with a model that may be wrong.

    Every trial adds to the torque what the PD loop had to add; it comes to the inverse dynamics of the robot. Errors
    are printed trial by trial, then why it ended and which sufficient conditions hold.
    """
    from dynamis.document.blocks import Document, Words
    from dynamis.model.inertial_parameters import with_mass_error
    from dynamis.motion.tasks.task import load_task
    from dynamis.simulation.learning.document import CELL, TABLES, legend, trial_table
    from dynamis.simulation.learning.learn import learn
    from dynamis.simulation.simulate import INTERRUPTED

    place, file = folder_and_page(output)
    figures = figure_format(place, figures)
    check_formats(place, (FIGURE, figures, FIGURES), ("table", table, TABLES))
    target = page_target(page, as_json, file, force, robot=robot, task=task)
    folder = OutputFolder(place, "learning", force)
    motion = load_task(task, load_robot(robot, values), payload_of(payload, payload_com, payload_inertia))
    plant = motion.held

    # Trials are told as they come, in lines; a table of the joints that is wider than that comes at the end.
    columns = plant.n if (CELL + 2) * (plant.n + 4) <= page_width() else 0

    with Progress("learn") as progress:

        def show(trial: Trial) -> None:
            if not target.printed:
                return
            progress.clear()
            one = trial_table((trial,), [(x.length, x.unit) for x in plant.coordinates], columns, table)
            lines = target.text(Document("", (one,))).rstrip().split("\n")
            rule = next(k for k, line in enumerate(lines) if line.startswith("---"))
            print_marked("\n".join(lines if trial.number == 1 else lines[rule + 1 :]))
            sys.stdout.flush()

        model = with_mass_error(plant, mass_error, mass_error_seed) if mass_error else None
        learned = learn(
            plant, motion.trajectory, model=model, first=first,
            trials=trials, period=period, step=step, kp=_numbers("kp", kp), kd=_numbers("kd", kd), law=law, gain=gain,
            lp=_numbers("lp", lp), ld=_numbers("ld", ld), ahead=ahead, cutoff=cutoff, loads=motion.loads,
            gravity=False if no_gravity else motion.gravity, noise=_numbers("noise", noise),
            resolution=_numbers("resolution", resolution), stiction_speed=stiction_speed, seed=seed,
            tolerance=tolerance, patience=patience, keep=keep,
            torque_limit=torque_limit if torque_limit == "model" else _numbers("torque-limit", torque_limit),
            progress=progress, on_trial=show,
        )  # fmt: skip
        origin = target.provenance
        folder.write(learned, result_files(learned, figures, "csv", progress, origin, "torque"), origin)
    if target.printed:
        heads = Document("", (Words(legend(learned, table)),))
        explanation = target.text(heads) if columns else f"\n{target.text(learned.excerpt(table))}"
        print_marked(f"{explanation}\n{target.text(learned.excerpt('sentences'))}", end="")
    else:
        target.write(target.text(learned), f"learning of {learned.robot}")
    stopped = learned.ended.startswith(INTERRUPTED)
    folder.close(target.form == "json", f"{len(learned.trials)} of {trials} trials are kept" if stopped else "")


def _numbers(name: str, text: str | None) -> Any:
    """`5` is a number, `5,4,3` a list."""
    from dynamis.errors import ArgumentError

    if text is None:
        return None
    try:
        numbers = [float(part) for part in text.split(",")]
    except ValueError:
        raise ArgumentError(f'--{name} must be a number or a list such as 5,4,3, got "{text}"', key=name) from None
    return numbers[0] if len(numbers) == 1 else numbers
