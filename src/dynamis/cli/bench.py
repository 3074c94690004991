"""`dynamis bench`: measured beside the peers, in one run."""

from __future__ import annotations

from typing import Annotated

import typer

from dynamis.cli.options import JsonOption, print_json

SUBJECTS = ("exact",)


def command(
    subject: Annotated[str, typer.Argument(metavar="SUBJECT", help="What to measure: exact.")] = "exact",
    largest: Annotated[int, typer.Option(min=6, max=10, help="Joints of the longest chain.")] = 9,
    as_json: JsonOption = False,
) -> None:
    """Measure dynamis beside its peers; agreement is checked before anything is timed."""
    from dataclasses import asdict

    from dynamis.bench.exact import rows
    from dynamis.errors import UnknownNameError
    from dynamis.tables import text_table

    if subject not in SUBJECTS:
        raise UnknownNameError("subject", subject, SUBJECTS)
    found = list(rows(largest))
    if as_json:
        print_json({"subject": subject, "rows": [asdict(row) for row in found]})
        return
    cells = [
        [
            row.robot, str(row.letters), f"{row.mass_matrix:.3f}", f"{row.christoffel:.3f}", f"{row.proved:.3f}",
            str(row.terms), f"{row.memory_gb:.2f}", "" if row.aim is None else f"{row.aim:g}",
            "" if row.sympy is None else f"{row.sympy:.2f}",
        ]
        for row in found
    ]  # fmt: skip
    header = [
        "robot",
        "letters",
        "M [s]",
        "+ c, g [s]",
        "+ NE = EL [s]",
        "terms",
        "memory [GB]",
        "aim [s]",
        "SymPy [s]",
    ]
    print(text_table(header, cells))
    print("\nevery mass, CoM, inertia and length is a letter; one core; each row in its own process")
