"""`dynamis prove`: the laws of a robot's equations, each with its proof."""

from __future__ import annotations

from typing import Annotated

import typer

from dynamis.cli.completion import completed
from dynamis.cli.ending import fail
from dynamis.cli.options import (
    AllSymbolsOption,
    ExactAnglesOption,
    ForceOption,
    FormatOption,
    FragmentOption,
    JsonOption,
    MemoryOption,
    NumericOption,
    OutputOption,
    RobotArgument,
    SecondsOption,
    SetOption,
    SymbolicLoadOption,
    exact_model,
)
from dynamis.cli.output import page_target
from dynamis.cli.terminal import Progress


def command(
    robot: RobotArgument,
    all_symbols: AllSymbolsOption = False,
    numeric: NumericOption = False,
    exact_angles: ExactAnglesOption = False,
    load: SymbolicLoadOption = None,
    design: Annotated[
        bool,
        typer.Option(
            "--design", help="Also: is M > 0 for all q; with symbols, when is M constant, when is gravity balanced."
        ),
    ] = False,
    page: FormatOption = None,
    notation: Annotated[
        str,
        typer.Option(
            help="How formulas look; dynamis derive --help lists the notations.", autocompletion=completed("notation")
        ),
    ] = "dynamis",
    output: OutputOption = None,
    force: ForceOption = False,
    fragment: FragmentOption = False,
    seconds: SecondsOption = 60,
    memory: MemoryOption = 2,
    values: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Prove Newton-Euler = Lagrange, M symmetric, Mdot - 2C skew, g = dU/dq and the power balance, exactly.

    Parameters are symbols; those of --set, and with --numeric all of them, are numbers. Loads may have symbols, too.
    The exit code is 1 if a law does not hold, and 2 if time or memory did not suffice for all of them.
    """
    from dynamis.exact.proof.proofs import prove_all
    from dynamis.telling.notation.schools import as_notation

    school = as_notation(notation)
    target = page_target(page, as_json, output, force, robot=robot, notation=notation)
    model = exact_model(robot, values, all_symbols, numeric, seconds, memory, load, exact_angles)
    with Progress("proving") as progress:
        proofs = prove_all(model, design, progress)
    target.write(target.text(proofs, notation=school, fragment=fragment), f"proofs of {model.robot.name}")
    if proofs.stopped:
        fail(proofs.stopped)
    if not proofs.holds:
        raise typer.Exit(1)
