"""Programs and their derivatives by key: what PyTorch's and JAX's graphs name, and what runs them.

A graph of another library can hold text, but no program. The key of a program is its digest; that of a derivative says
how it is made: "9f3c.../pullback 0 2" is the pullback in the first and the third input. So a graph that was kept on
disk finds the derivatives in another process, once the robot's quantity is there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

from dynamis.base.errors import ArgumentError
from dynamis.compute.backends.backend import ArrayFunction, backend_for
from dynamis.compute.backends.program_function import ProgramFunction
from dynamis.compute.program.derivatives import pullback, pushforward, transpose
from dynamis.compute.program.program import Program

RULES = {"pullback": pullback, "pushforward": pushforward, "transpose": transpose}


@dataclass(frozen=True, eq=False)
class DerivedProgram:
    """A program with its functions, each made when it is first asked for."""

    name: str
    program: Program
    owner: str

    @cached_property
    def on_cpu(self) -> Any:
        """Over NumPy's arrays."""
        return backend_for().function(self.name, self.program, self.owner)

    @cached_property
    def on_gpu(self) -> Any:
        """Over arrays on a GPU."""
        return backend_for("cuda").function(self.name, self.program, self.owner)

    @cached_property
    def sizes(self) -> list[int]:
        """The entries of every output."""
        return [x.count for x in self.program.outputs]


_PROGRAMS: dict[str, DerivedProgram] = {}
"""Kept as long as the process: graphs that were compiled name them."""


def key_of(name: str, program: Program, owner: str) -> str:
    """The key of a program, which can be asked for from now on."""
    _PROGRAMS.setdefault(program.digest, DerivedProgram(name, program, owner))
    return program.digest


class DifferentiableFunction(ProgramFunction, ArrayFunction):
    """A program by its key: what PyTorch's and JAX's functions have in common."""

    def __init__(self, name: str, program: Program, owner: str) -> None:
        self.name, self.program, self.owner = name, program, owner
        self.__name__ = name  # JAX and Dask name their tasks by it, else by the repr
        self.key = key_of(name, program, owner)

    def ufunc(self, dtype: str = "float64") -> Any:
        """Itself, as machine code for arrays on the CPU from now on."""
        program_of(self.key).on_cpu.ufunc(dtype)
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.name, self.program, self.owner), {"notes": self.notes}


def derivative_key(key: str, rule: str, inputs: Sequence[int]) -> str:
    """The key of a derivative in some inputs; `rule` is one of `RULES`."""
    return f"{key}/{rule} {' '.join(map(str, inputs))}"


def check_no_lists(program: Program, arrays: Sequence[Any], kind: type, stack: str) -> None:
    """That no argument is a list of tensors, whose gradients would be lost."""
    for x, array in zip(program.inputs, arrays, strict=False):
        if isinstance(array, list | tuple) and any(isinstance(y, kind) for y in cast("list[Any]", array)):
            raise ArgumentError(f"{x.name} is a list of tensors or arrays; give {stack}({x.name})", key=x.name)


def program_of(key: str) -> DerivedProgram:
    """The program of a key."""
    if key not in _PROGRAMS:
        below, _, step = key.rpartition("/")
        if not below:
            raise ArgumentError("this graph holds a quantity that is not there; load its robot and call it once")
        rule, *inputs = step.split()
        base = program_of(below)
        _PROGRAMS[key] = DerivedProgram(
            f"{base.name}.{rule}", RULES[rule](base.program, [*map(int, inputs)]), base.owner
        )
    return _PROGRAMS[key]
