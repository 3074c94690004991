"""CasADi: our algorithms on its expressions, evaluated by itself and as the C code that it writes.

The short algorithms are those that dynamis runs itself; "textbook" is the plain recursion, which a
user of CasADi would write.
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from benchmarks.dynamics.competitor import Competitor, MissingError, batched, peer_module
from benchmarks.dynamics.subject import NO_LOADS, Array, Subject
from dynamis.compute.mechanics.mechanism import mechanism, state_at
from dynamis.compute.program.quantity_program import flat
from dynamis.compute.quantities.registry import quantity
from dynamis.compute.quantities.robot_at_state import RobotAtState
from dynamis.scalars.floats import Floats

LONGEST = 5_000
"""Operations of a program that is still given to a C compiler: -O3 takes minutes for more."""
FLAGS = ("-O3", "-march=native", "-shared", "-fPIC")
MOST_STATES = 10_000
"""The most states of CasADi's own evaluation in one turn."""

_DRIVER = """
#include <stddef.h>
int batch(long count, const double** in, const long* in_size, double** out, const long* out_size) {
  static casadi_int iw[%(iw)d + 1];
  static double w[%(w)d + 1];
  const double* arg[%(arg)d + 1];
  double* res[%(res)d + 1];
  for (long k = 0; k < count; ++k) {
    for (int i = 0; i < %(inputs)d; ++i) arg[i] = in[i] + k * in_size[i];
    for (int i = 0; i < %(outputs)d; ++i) res[i] = out[i] + k * out_size[i];
    if (f(arg, res, iw, w, 0)) return 1;
  }
  return 0;
}
"""


def competitors(subject: Subject, threads: int) -> list[Competitor]:
    casadi = peer_module("casadi", "CasADi", "casadi")
    if len(subject.function.program.operations) > LONGEST:
        return []
    function = casadi_function(casadi, subject)
    evaluated = _evaluated(function, subject)
    columns = [Competitor("CasADi", evaluated, evaluated, most=MOST_STATES)]
    compiler = c_compiler()
    if compiler:
        columns.append(batched("CasADi C", compiled(function, subject, compiler)))
        textbook = casadi_function(casadi, subject, short=False)
        if textbook.n_instructions() <= LONGEST:
            columns.append(batched("CasADi C textbook", compiled(textbook, subject, compiler)))
    return columns


def c_compiler() -> str | None:
    """The C compiler of this machine, if it has one."""
    return next((name for name in ("cc", "gcc", "clang") if shutil.which(name)), None)


@dataclass(frozen=True)
class CasadiScalars(Floats):
    """Floats in the model, CasADi's expressions in the state."""

    casadi: Any = None

    def cos_sin(self, x: Any, /) -> tuple[Any, Any]:
        return self.casadi.cos(x), self.casadi.sin(x)

    def sqrt(self, x: Any, /) -> Any:
        return self.casadi.sqrt(x)

    def sign(self, x: Any, /) -> Any:
        return self.casadi.sign(x)

    def least(self, x: Any, y: Any, /) -> Any:
        return self.casadi.fmin(x, y)

    def greatest(self, x: Any, y: Any, /) -> Any:
        return self.casadi.fmax(x, y)

    def nearest(self, x: Any, /) -> Any:
        self.refuse("rounding")


def casadi_function(casadi: Any, subject: Subject, short: bool = True) -> Any:
    """The quantity as a casadi.Function of columns, each output one dense column in the order of our arrays."""
    robot, entry = subject.robot, quantity(subject.quantity)
    x = {name: [casadi.SX.sym(f"{name}{k}") for k in range(robot.n)] for name in ("q", "qd", "qdd", "tau")}
    m = mechanism(robot, CasadiScalars(robot.values, robot.name, casadi=casadi))
    at_state = RobotAtState(robot, m, state_at(m, x["q"], x["qd"], x["qdd"]), x["tau"], None, NO_LOADS, fast=short)
    outputs = [casadi.densify(casadi.vertcat(*flat(x))) for x in entry.of(at_state, **subject.options)]
    return casadi.Function("f", [casadi.vertcat(*x[name]) for name in entry.inputs], outputs)


def _evaluated(function: Any, subject: Subject) -> Callable[[int], tuple[Array, ...]]:
    """CasADi's virtual machine over the batch, on memory of ours: nothing is converted."""
    by_count: dict[int, tuple[Any, list[Array]]] = {}

    def prepare(count: int) -> tuple[Any, list[Array]]:
        mapped = function.map(count)
        buffer, evaluate = mapped.buffer()
        out = _out(subject, count)
        for k, array in enumerate(subject.arrays):
            buffer.set_arg(k, array[:count].data)
        for k, array in enumerate(out):
            buffer.set_res(k, array.data)
        return (mapped, buffer, evaluate), out

    def run(count: int) -> tuple[Array, ...]:
        if count not in by_count:
            by_count[count] = prepare(count)
        (_, _, evaluate), out = by_count[count]
        evaluate()
        return tuple(out)

    return run


def _out(subject: Subject, count: int) -> list[Array]:
    return [np.zeros((count, *x.shape)) for x in subject.function.program.outputs]


def compiled(function: Any, subject: Subject, compiler: str) -> Callable[[int], tuple[Array, ...]]:
    """The C code of CasADi in a C loop over the batch."""
    return batch_call(_library(function, compiler), subject)


def batch_call(library: Any, subject: Subject) -> Callable[[int], tuple[Array, ...]]:
    """The function `batch` of a library, on the states of a subject."""
    inputs, outputs = subject.function.program.inputs, subject.function.program.outputs
    out = _out(subject, subject.batch)
    sizes = [(ctypes.c_long * len(side))(*(x.count for x in side)) for side in (inputs, outputs)]
    pointers = [(ctypes.c_void_p * len(side))(*(x.ctypes.data for x in side)) for side in (subject.arrays, out)]

    def run(count: int) -> tuple[Array, ...]:
        library.batch(ctypes.c_long(count), pointers[0], sizes[0], pointers[1], sizes[1])
        return tuple(array[:count] for array in out)

    return run


def _library(function: Any, compiler: str) -> Any:
    generator: Any = import_module("casadi").CodeGenerator("f.c")
    generator.add(function)
    sizes = {"iw": function.sz_iw(), "w": function.sz_w(), "arg": function.sz_arg(), "res": function.sz_res()}
    text = generator.dump() + _DRIVER % (sizes | {"inputs": function.n_in(), "outputs": function.n_out()})
    return c_library(text, compiler)


def c_library(text: str, compiler: str) -> Any:
    """C code as a loaded library."""
    with TemporaryDirectory() as folder:
        library = Path(folder) / "f.so"
        command = [compiler, *FLAGS, "-o", library, "-x", "c", "-", "-lm"]
        try:
            subprocess.run(command, input=text, text=True, check=True, capture_output=True, timeout=120)
        except (subprocess.SubprocessError, OSError) as error:
            raise MissingError(f"the C compiler did not compile the code: {type(error).__name__}") from None
        return ctypes.CDLL(str(library))
