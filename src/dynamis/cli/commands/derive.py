"""`dynamis derive`: the equations of motion, step by step, on a page."""

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
    NotationOption,
    NumericOption,
    OutputOption,
    RobotArgument,
    SecondsOption,
    SetOption,
    SymbolicLoadOption,
    WidthOption,
    exact_model,
)
from dynamis.cli.output import page_target
from dynamis.cli.terminal import Progress


def command(
    robot: RobotArgument,
    method: Annotated[
        str,
        typer.Option(
            help="Equations of motion: energies (M from T, then Christoffel symbols), lagrange (L = T - U, "
            "differentiated), jacobians (M = sum m Jv^T Jv + Jw^T R I R^T Jw), moving-frames, newton-euler or "
            "free-bodies (Newton-Euler with the weights as forces). "
            "Their parameters: coefficients, base-parameters or regressor.",
            autocompletion=completed("method"),
        ),
    ] = "energies",
    only: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ENTRY",
            help="One or several entries without the rest: M, M[1,2], c, C, g, Q, tau[1], christoffel[1,2,1]; energies "
            "T, U, T[1]; Jacobians J, Jv[1], Jw[1]; transforms A, A[1], T[0,2], T[0,c2], T[1,tool]; positions p[c2].",
            autocompletion=completed("entry"),
        ),
    ] = None,
    steps: Annotated[bool, typer.Option("--steps", help="Every step on the way, not only the result.")] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="Say in words, once, what each kind of term is: inertia, Coriolis, ...")
    ] = False,
    spatial: Annotated[
        bool, typer.Option("--spatial", help="Three components for a planar arm too, whose steps have two.")
    ] = False,
    page: FormatOption = None,
    notation: NotationOption = "dynamis",
    all_symbols: AllSymbolsOption = False,
    numeric: NumericOption = False,
    exact_angles: ExactAnglesOption = False,
    load: SymbolicLoadOption = None,
    whole: Annotated[
        bool, typer.Option("--whole", help="Write every formula out, also one of thousands of terms.")
    ] = False,
    digits: Annotated[
        int | None,
        typer.Option(min=1, max=15, help="Digits of decimals on the page, at most; JSON has all of them."),
    ] = None,
    output: OutputOption = None,
    force: ForceOption = False,
    fragment: FragmentOption = False,
    width: WidthOption = None,
    seconds: SecondsOption = 60,
    memory: MemoryOption = 2,
    values: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Derive the equations of motion, exactly: assumptions, frames, steps, result, proof.

    Parameters are symbols; those of --set, and with --numeric all of them, are numbers. Loads may have symbols, too.
    A model too large for its time or memory shows what is finished, says what is missing, and ends with exit code 2.
    """
    from dynamis.base.errors import UnknownNameError
    from dynamis.exact.derivations.robots.methods import METHODS, derive, derive_only
    from dynamis.telling.notation.schools import as_notation

    target = page_target(page, as_json, output, force, robot=robot, notation=notation)
    if method not in METHODS:
        raise UnknownNameError("method", method, METHODS)
    school = as_notation(notation)
    # A program wants the entry itself, not a form that is easy to read.
    whole = whole or (only is not None and target.form == "json")
    model = exact_model(robot, values, all_symbols, numeric, seconds, memory, load, exact_angles)
    with Progress("deriving") as progress:
        if only is None:
            derivation = derive(
                model, method, steps=steps, progress=progress, whole=whole, spatial=spatial, explain=explain
            )
        else:
            derivation = derive_only(model, ", ".join(only), method, progress=progress, whole=whole, explain=explain)
        progress("the page")
        text = target.text(derivation, width, notation=school, whole=whole, fragment=fragment, digits=digits)
    target.write(text, derivation.title)
    if derivation.stopped:
        fail(derivation.stopped)
