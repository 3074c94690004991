"""The object code of programs for one processor: its vector width, its place on disk, and how it is linked."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

from dynamis.backends.llvm import cache as disk
from dynamis.backends.llvm import kernel, machine, one_state_call, raw_layout
from dynamis.backends.llvm import subprocess_compiler as apart
from dynamis.backends.llvm.interpreter import interpreter
from dynamis.backends.llvm.lanes import Lanes
from dynamis.program.program import Program


def machine_code(program: Program, dtype: str, quick: bool, processor: machine.Host) -> bytes:
    """The object code of a program, from disk if it is there; `quick` adds the call of one state."""
    lanes, fused = lanes_for(dtype, processor, program), processor.fuses

    def ir() -> str:
        called = one_state_call.call_ir(program) if quick else ""
        return kernel.module(program.fused if fused else program, lanes, fused) + called

    return kept_code(program_key(program, dtype, processor), ir, processor)


def kept_code(key: str, ir: Callable[[], str], processor: machine.Host) -> bytes:
    """The object code that is on disk under this key, or else made from its IR and put there."""
    code = disk.read(key)
    if code is None:
        code = apart.object_code(ir(), processor)
        disk.write(key, code)
    return code


def linked(
    code: Callable[[], bytes], key: str, wanted: list[str], symbols: dict[str, int]
) -> tuple[dict[str, int], Any]:
    """The addresses in object code; if what was on disk is no such code, it is made again."""
    try:
        return machine.link(code(), wanted, symbols)
    except RuntimeError:
        disk.drop(key)
        return machine.link(code(), wanted, symbols)


def is_on_disk(program: Program, dtype: str, processor: machine.Host) -> bool:
    """Whether the machine code was kept by an earlier run."""
    return disk.has(program_key(program, dtype, processor))


def program_key(program: Program, dtype: str, processor: machine.Host) -> str:
    """The name on disk: a hash of all that the code depends on."""
    parts = (lanes_for(dtype, processor, program), processor, raw_layout.is_known(), versions())
    return sha256(f"{program.digest} {parts!r}".encode()).hexdigest()


@cache
def interpreter_loop(dtype: str) -> tuple[int, Any]:
    """The interpreter's loop for this machine."""
    processor = machine.host()
    lanes = lanes_for(dtype, processor)
    key = sha256(f"interpreter {lanes!r} {processor!r} {versions()!r}".encode()).hexdigest()

    def code() -> bytes:
        return kept_code(key, lambda: interpreter(lanes, processor.fuses), processor)

    addresses, tracker = linked(code, key, ["loop"], {})
    return addresses["loop"], tracker


def lanes_for(dtype: str, processor: machine.Host, program: Program | None = None) -> Lanes:
    return Lanes("double" if dtype == "float64" else "float", width(dtype, processor, program))


def width(dtype: str, processor: machine.Host, program: Program | None = None) -> int:
    """Lanes of a vector: as many as a register holds; half of AVX-512's for results of more than forty entries.

    `python -m benchmarks width` measures the others: full registers gain a fifth in inverse dynamics, half of
    them a quarter in the mass matrix of seven joints.
    """
    size = 64 if processor.has("avx512f") else 32 if processor.has("avx2") else 16
    lanes = size // (8 if dtype == "float64" else 4)
    written = 0 if program is None else sum(x.count for x in program.outputs)
    return lanes // 2 if size == 64 and written > 40 else lanes


@cache
def versions() -> tuple[str, ...]:
    """Of all that the machine code depends on; of our own sources their text."""
    here = Path(__file__).parent
    sources = sorted([*here.glob("*.py"), *(here.parents[1] / "program").glob("*.py")])
    own = sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()
    return version("dynamis"), version("llvmlite"), own
