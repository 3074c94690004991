"""The small tables: vector widths, program lengths, first calls, operation counts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from benchmarks.dynamics import counts, first_call
from benchmarks.dynamics.report import figures, show
from benchmarks.dynamics.run import findings

Rows = list[dict[str, Any]]
Say = Callable[[str], None]


def width_rows(quick: bool, say: Say) -> Rows:
    return _rows({"task": "width", "robots": ["ur5", "panda"], **_pace(quick, 100_000)}, say)


def length_rows(quick: bool, say: Say) -> Rows:
    joints = [6, 12] if quick else [6, 12, 25, 50, 100]
    return _rows({"task": "length", "joints": joints, **_pace(quick, 10_000)}, say)


def first_call_rows(quick: bool, say: Say) -> Rows:
    say("fresh processes")
    return first_call.rows(rounds=1 if quick else 5)


def counts_rows(quick: bool, say: Say) -> Rows:
    return counts.rows()


def _pace(quick: bool, batch: int) -> dict[str, int]:
    return {"batch": 1000, "rounds": 3} if quick else {"batch": batch, "rounds": 11}


def _rows(task: dict[str, Any], say: Say) -> Rows:
    rows: Rows = []
    for finding in findings(task):
        if "progress" in finding:
            say(finding["progress"])
        else:
            rows.append(finding["row"])
    return rows


def print_width(rows: Rows) -> None:
    lanes = list(rows[0]["ns"])
    cells = [
        [row["robot"], row["quantity"], row["dtype"], *(figures(row["ns"][w]) for w in lanes), str(row["default"]),
         str(row["best"])]
        for row in rows
    ]  # fmt: skip
    header = ["robot", "quantity", "precision", *(f"{w} lanes" for w in lanes), "default", "best"]
    show("vector widths: ns per state", header, cells, left=3)


def print_length(rows: Rows) -> None:
    def cell(row: dict[str, Any], key: str, digits: str = "") -> str:
        return "" if key not in row else (f"{row[key]:.3f}" if digits else figures(row[key]))

    cells = [
        [str(row["joints"]), row["quantity"], str(row["operations"]), str(row["length"]),
         cell(row, "machine_seconds", "3"), cell(row, "bytecode_seconds", "3"), cell(row, "machine_ns"),
         cell(row, "bytecode_ns"), _pays(row)]
        for row in rows
    ]  # fmt: skip
    header = [
        "joints", "quantity", "operations", "length", "machine code [s]", "bytecode [s]", "machine code [ns]",
        "bytecode [ns]", "pays after",
    ]  # fmt: skip
    show("program length: seconds to make, ns per state", header, cells, left=2)
    print(f"machine code is made for programs of a length up to {rows[0]['switch']}; it pays after so many states")


def _pays(row: dict[str, Any]) -> str:
    """The number of states from which the time to compile is won back."""
    if "machine_ns" not in row:
        return ""
    gain = row["bytecode_ns"] - row["machine_ns"]
    return "never" if gain <= 0 else f"{1e9 * (row['machine_seconds'] - row['bytecode_seconds']) / gain:.0f}"


def print_first_call(rows: Rows) -> None:
    cells = [
        [row["robot"], row["quantity"], str(row["states"]), f"{row['without']:.3f}", f"{row['with']:.3f}",
         "reached" if row["reached"] else "NOT reached"]
        for row in rows
    ]  # fmt: skip
    aims = first_call.AIMS
    header = ["robot", "quantity", "states", "first [s]", "from disk [s]", ""]
    show("first call after the import, without and with code on disk", header, cells, left=2)
    print(f"wanted: {aims['without']} s and {aims['with']} s")


def print_counts(rows: Rows) -> None:
    cells = [
        [row["variant"], f"{row['multiplications']} + {row['additions']}", str(row["sines_and_cosines"]),
         f"{row['opensymoro_multiplications']} + {row['opensymoro_additions']}",
         "fewer" if row["reached"] else "NOT fewer"]
        for row in rows
    ]  # fmt: skip
    header = ["Puma 560", "multiplications + additions", "sines and cosines", "OpenSYMORO", ""]
    show("operations of inverse dynamics, without friction and rotors", header, cells)


SUBJECTS: dict[str, tuple[Callable[[bool, Say], Rows], Callable[[Rows], None]]] = {
    "width": (width_rows, print_width),
    "length": (length_rows, print_length),
    "first-call": (first_call_rows, print_first_call),
    "counts": (counts_rows, print_counts),
}
