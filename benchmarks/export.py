"""Exported C beside the C that CasADi writes: the same quantity, compiler and flags, one core, a loop over states.

CasADi gets our algorithms of few operations, and once more the textbook's, which its users write. Results are compared
before anything is timed; the turns are interleaved.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.dynamics.casadi_peer import FLAGS, batch_call, c_compiler, c_library, casadi_function, compiled
from benchmarks.dynamics.competitor import MissingError, peer_module
from benchmarks.dynamics.subject import Subject, robot_named
from benchmarks.dynamics.timing import medians
from dynamis.apps.exports.export import export

ROBOTS = ("bar-2r", "ur5", "panda")
QUANTITIES = (
    "inverse_dynamics", "forward_dynamics", "mass_matrix", "coriolis_matrix", "gravity_torque", "jacobian", "regressor",
    "inverse_dynamics_derivatives", "forward_dynamics_derivatives",
)  # fmt: skip
STATES = 1000
"""Their arrays stay in the cache of a core."""
AIM = 1.2
"""At most so many times the duration of CasADi's C."""


@dataclass(frozen=True)
class Row:
    """Nanoseconds per state: exported C, CasADi's C of the same algorithm, and of the textbook's; lines of our C."""

    robot: str
    quantity: str
    ours: float
    casadi: float
    textbook: float
    lines: int

    @property
    def ratio(self) -> float:
        """Our duration over CasADi's."""
        return self.ours / self.casadi


def rows(
    rounds: int = 21, times: int = 10, say: Callable[[str], None] = print, robots: Sequence[str] = ROBOTS,
    quantities: Sequence[str] = QUANTITIES,
) -> list[Row]:  # fmt: skip
    """One row per robot and quantity."""
    casadi, compiler = peer_module("casadi", "CasADi", "casadi"), c_compiler()
    if compiler is None:
        raise MissingError("there is no C compiler")
    table: list[Row] = []
    for robot in map(robot_named, robots):
        for name in quantities:
            say(f"{robot.name} {name}")
            subject = Subject.of(robot, name, STATES)
            files = export(robot, "c", functions=[name]).files
            runs = [
                batch_call(c_library(_driven(files, subject), compiler), subject),
                *(compiled(casadi_function(casadi, subject, short), subject, compiler) for short in (True, False)),
            ]
            for run in runs:
                for value, expected in zip(run(STATES), subject.results(STATES), strict=True):
                    np.testing.assert_allclose(value, expected, rtol=1e-6, atol=1e-9)

            def turn(run: Callable[[int], Any]) -> Callable[[], None]:
                def again() -> None:
                    for _ in range(times):
                        run(STATES)

                return again

            seconds = medians([turn(run) for run in runs], rounds)
            ours, theirs, textbook = (1e9 * x / (times * STATES) for x in seconds)
            table.append(Row(robot.name, name, ours, theirs, textbook, str(files[f"{_name(files)}.c"]).count("\n")))
    return table


def _name(files: dict[str, Any]) -> str:
    return next(name.removesuffix(".c") for name in files if name.endswith(".c") and name != "check.c")


def _driven(files: dict[str, Any], subject: Subject) -> str:
    """The exported code in one text, with a loop over states."""
    name = _name(files)
    source = files[f"{name}.c"].replace(f'#include "{name}.h"', files[f"{name}.h"])
    signature = subject.function.program.signature
    arguments = [f"in[{k}] + k * in_size[{k}]" for k in range(len(signature.inputs))]
    arguments += [f"out[{k}] + k * out_size[{k}]" for k in range(len(signature.outputs))]
    head = "int batch(long count, const double** in, const long* in_size, double** out, const long* out_size)"
    loop = f"for (long k = 0; k < count; ++k) {name}_{subject.quantity}({', '.join(arguments)});"
    return f"{source}\n{head} {{ {loop} return 0; }}\n"


def words() -> str:
    """What is compared, in a line."""
    return (
        f"{c_compiler()} {' '.join(FLAGS[:2])}, one core, {STATES} states; aim: at most {AIM} times CasADi's duration"
    )
