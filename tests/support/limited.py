"""Python with a limit on its memory, and robots whose polynomials are too long."""

import subprocess
import sys
from pathlib import Path

import pytest

# What a process may take in all: the interpreter with its libraries, the memory of the model, and room for both halves
# of a sum. FLINT would abort beyond it.
ADDRESS_SPACE = 6 * 10**9
ROOT = Path(__file__).parents[2]
PATIENCE = 60
"""Seconds after which a test gives up; the promises are of one second."""


def limited(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Python with a limit on its address space."""
    resource = pytest.importorskip("resource")

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))

    command = [sys.executable, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, preexec_fn=limit, cwd=ROOT)


def robot_file(folder: Path, mass: str, count: int, com: str = "x0") -> Path:
    names = "\n".join(f'x{k} = ""' for k in range(count))
    path = folder / "hostile.toml"
    path.write_text(
        f'[robot]\nname = "hostile"\nconvention = "offset"\n[parameters]\n{names}\n[[link]]\nname = "a"\n'
        f'joint = "revolute"\naxis = [0, 0, 1]\nmass = "{mass}"\ncom = ["{com}", 0, 0]\n'
        'inertia = { about = "com", xx = 1, yy = 1, zz = 1 }\n'
    )
    return path


def long_sum(count: int) -> str:
    return "+".join(f"x{k}" for k in range(count))
