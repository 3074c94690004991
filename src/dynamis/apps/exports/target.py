"""The targets by name: what each gives, the file that makes it, and the command that runs its self-check."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Target:
    """A target: its module in `targets/`, what it gives, and the command that checks it inside its folder.

    `arrays` says how matrices and states lie in its arrays; `tools` are the programs that the check needs besides that
    of its command, `packages` the modules of Python;
    `functions` are those that it exports where nobody chooses, if not the usual ones;
    `needs` are exported in any case.
    """

    home: str
    about: str
    check: str
    arrays: str = "Matrices are stored row by row."
    tools: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()


SOLVER = ("inverse_dynamics", "mass_matrix", "coriolis_torque", "gravity_torque")
"""What a solver of inverse dynamics in ROS 2 consists of."""
TARGETS = {
    "c": Target("c", "C99 source and header, a C++17 header beside them; no dependency", "make check", tools=("cc",)),
    "wasm": Target(
        "wasm",
        "WebAssembly for browsers and Node: a module without imports, an ES module, TypeScript types",
        "node check.mjs",
    ),
    "matlab": Target(
        "matlab",
        "functions for MATLAB, Octave and Simulink, on one state or on many",
        "octave check.m",
        "A state is a column of q, and q may have many; matrices of many states are stacked along the third dimension.",
    ),
    "cortex-m": Target(
        "library",
        "static libraries for Cortex-M0+, M3, M4F and M7, with a C header",
        "make check",
        tools=("arm-none-eabi-gcc", "qemu-system-arm"),
    ),
    "riscv": Target(
        "library",
        "static libraries for RV32 and RV64, with a C header",
        "make check",
        tools=("riscv64-unknown-elf-gcc", "qemu-system-riscv32", "qemu-system-riscv64"),
    ),
    "avr": Target(
        "library", "a static library for the ATmega2560, with a C header", "make check", tools=("avr-gcc", "simavr")
    ),
    "aarch64": Target(
        "library",
        "a static library (ELF) for 64-bit ARM, with a C header",
        "make check",
        tools=("aarch64-linux-gnu-gcc", "qemu-aarch64"),
    ),
    "x86-64": Target("library", "a static library (ELF) for 64-bit x86, with a C header", "make check", tools=("cc",)),
    "python": Target("python", "one module of plain functions on lists, with math alone", "python check.py"),
    "jax": Target(
        "jax",
        "one module of functions on arrays, for jit, vmap and grad",
        "python check.py",
        "The last axis of an input is that of its entries; axes before it are a batch of states.",
    ),
    "julia": Target(
        "julia",
        "a module of functions without dependencies, with and without allocation",
        "julia check.jl",
        "Matrices are indexed by row and column, from 1: M[i, j].",
    ),
    "rust": Target(
        "rust",
        "a no_std crate without dependencies or allocation, in f64 and f32",
        "cargo test",
        "Matrices are arrays of rows.",
    ),
    "cuda": Target(
        "cuda",
        "kernels for NVIDIA's GPUs (PTX), a launcher in CUDA C++ and a runner in Python for CuPy",
        "python check.py",
        "One row per state; matrices are stored row by row.",
        packages=("cupy",),
    ),
    "ros2": Target(
        "ros2",
        "a ROS 2 package with a plugin for inverse_dynamics_solver, around the C",
        "make check",
        tools=("cc",),
        functions=SOLVER,
        needs=SOLVER,
    ),
    "st": Target("st", "Structured Text (IEC 61131-3) for PLCs: function blocks in LREAL", "python check.py"),
    "fmu": Target(
        "fmu",
        "a co-simulation unit of FMI 3.0: sources, and a library for this machine by make",
        "make check",
        tools=("cc",),
        functions=("step",),
    ),
    "casadi": Target(
        "casadi",
        "serialised CasADi functions, with derivatives by CasADi",
        "python check.py",
        "CasADi keeps vectors as columns and matrices as matrices.",
        packages=("casadi",),
    ),
    "json": Target("json", "the programs themselves, documented, with an interpreter of a page", "python check.py"),
}
"""Every target; a new one is a line here, a file in `targets/` and a test."""
