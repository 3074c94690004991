"""`dynamis prove`: the laws of a robot's equations, each with its proof."""

from __future__ import annotations

from typing import Annotated

import typer

from dynamis.cli.options import JsonOption, RobotArgument, SetOption, load_robot, print_json


def command(
    robot: RobotArgument,
    all_letters: Annotated[
        bool, typer.Option("--all-letters", help="Every mass, CoM, inertia and length as a letter, zeros too.")
    ] = False,
    numeric: Annotated[bool, typer.Option("--numeric", help="The values as exact rationals, no letters.")] = False,
    design: Annotated[
        bool, typer.Option("--design", help="Also: when is M constant, when is gravity balanced, is M > 0 for all q.")
    ] = False,
    seconds: Annotated[float, typer.Option(min=0.001, help="The time that the derivation may take.")] = 60,
    values: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Prove Newton-Euler = Lagrange, M symmetric, Mdot - 2C skew, g = dU/dq and the power balance, exactly."""
    from dynamis.errors import ArgumentError
    from dynamis.tables import text_table

    loaded = load_robot(robot, values)
    if all_letters and numeric:
        raise ArgumentError("--all-letters and --numeric exclude each other")
    model = (loaded.symbolic(keep_zeros=False) if all_letters else loaded).equations(numeric, seconds)
    proofs = model.prove()
    others = model.factorisations
    questions = [model.when_mass_matrix_is_constant, model.when_gravity_is_balanced, model.positive_definite]
    answers = [str(question()) for question in questions] if design else []
    if as_json:
        print_json({
            "robot": loaded.name,
            "proofs": [{"claim": p.claim, "holds": p.holds, "terms": p.terms, "seconds": p.seconds} for p in proofs],
            "factorisations": [{"formula": f.formula, "skew": f.skew.holds, "why": str(f.skew)} for f in others],
            "design": answers,
        })  # fmt: skip
    else:
        rows = [[p.claim, "proved" if p.holds else "FALSE", str(p.terms), f"{p.seconds:.3f}"] for p in proofs]
        print(text_table(["claim", "", "terms", "seconds"], rows, left=2))
        print("\nfactorisations of c = C qd, with Mdot the rate of M and D the gradient of M qd:")
        rows = [[f.name, f"C = {f.formula}", "yes" if f.skew.holds else "no"] for f in others]
        print(text_table(["", "", "Mdot - 2C skew"], rows, left=3))
        print(
            "".join(f"\n{f.name}: with N = Mdot - 2C, {f.skew.counterexample}\n" for f in others if not f.skew.holds),
            end="",
        )
        print("".join(f"\n{answer}\n" for answer in answers), end="")
    if not all(proof.holds for proof in proofs):
        raise typer.Exit(1)
