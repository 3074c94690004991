"""The machine and the libraries that were measured, by their names."""

from __future__ import annotations

import os
import platform
import subprocess
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from benchmarks.dynamics.casadi_peer import c_compiler
from dynamis.compute.backends.llvm import machine
from dynamis.compute.ir.lanes import lanes_for

LIBRARIES = (
    "dynamis", "numpy", "llvmlite", "pin", "mujoco", "roboticstoolbox-python", "casadi", "jax",
)  # fmt: skip


def this_machine() -> dict[str, Any]:
    """Processor, cores, vectors, system, and versions (None for what is not installed)."""
    processor = machine.host()
    return {
        "cpu": _cpu(),
        "llvm_cpu": processor.cpu,
        "cores": cores(),
        "vector_bits": 64 * lanes_for("float64", processor).width,
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "compiler": _compiler(),
        "versions": {name: _version(name) for name in LIBRARIES},
    }


def machine_sentence(machine: dict[str, Any]) -> str:
    """The machine in two lines."""
    versions = ", ".join(f"{name} {number}" for name, number in machine["versions"].items() if number)
    compiler = f", {machine['compiler']}" if machine["compiler"] else ""
    return (
        f"{machine['cpu']} ({machine['llvm_cpu']}), {machine['cores']} cores, "
        f"vectors of {machine['vector_bits']} bits, {machine['system']}\n"
        f"Python {machine['python']}, {versions}{compiler}"
    )


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _cpu() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    return next((x.partition(":")[2].strip() for x in lines if x.startswith("model name")), platform.machine())


def _compiler() -> str | None:
    name = c_compiler()
    if name is None:
        return None
    done = subprocess.run([name, "--version"], capture_output=True, text=True, check=False)
    return done.stdout.partition("\n")[0] or name


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None
