"""The targets by name: what each gives, the file that makes it, and the command that runs its self-check."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Target:
    """A target: its module in `targets/`, what it gives, and the command that checks it inside its folder.

    `arrays` says how matrices and states lie in its arrays.
    """

    home: str
    about: str
    check: str
    arrays: str = "Matrices are stored row by row."


TARGETS = {
    "c": Target("c", "C99 source and header, a C++17 header beside them; no dependency", "make check"),
    "wasm": Target(
        "wasm",
        "WebAssembly for browsers and Node: a module without imports, an ES module, TypeScript types",
        "node check.mjs",
    ),
    "matlab": Target(
        "matlab",
        "functions for MATLAB, Octave and Simulink, on one state or on many",
        "octave check.m",
        "The columns of q are states, of which there may be many; matrices of many states lie behind each other.",
    ),
    "json": Target("json", "the programs themselves, documented, with an interpreter of a page", "python check.py"),
}
"""Every target; a new one is a line here, a file in `targets/` and a test."""
