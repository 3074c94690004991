"""Results that no cache holds are streamed: the same numbers, and not a byte beside them."""

from __future__ import annotations

import numpy as np
import pytest

import dynamis
from dynamis.compute.backends.llvm import machine
from dynamis.compute.ir.cpu import kernel
from dynamis.compute.ir.cpu.stream import is_worthwhile
from dynamis.compute.ir.lanes import Lanes
from tests.support.functions import as_tuple, function, run, same_bits, states
from tests.support.processors import as_ufunc

FILL = 7.0


@pytest.mark.parametrize("lanes", [Lanes("double", 2), Lanes("double", 4), Lanes("double", 8), Lanes("float", 16)])
@pytest.mark.parametrize("name", ["mass_matrix", "inverse_dynamics_derivatives"])
def test_results_anywhere_in_memory(name: str, lanes: Lanes, monkeypatch: pytest.MonkeyPatch) -> None:
    """From every place in a line of the cache, with an end that is no whole block and no whole line."""
    monkeypatch.setattr(kernel, "BEYOND_CACHE", 1)
    f = function(dynamis.load("genova-3r"), name)
    dtype, fused = "float64" if lanes.size == 8 else "float32", machine.host().fuses
    code = kernel.module(f.program.fused if fused else f.program, lanes, fused)
    assert "call fastcc void @stream" in code
    addresses, tracker = machine.link(machine.compile_here(code, machine.host()), ["loop"], {})
    ufunc = as_ufunc(f.program, dtype, addresses["loop"], tracker)
    n = 53
    given = [x.astype(dtype) for x in states(np.random.default_rng(5), name, f.inputs[0].count, n)]
    expected = run(f, "bytecode", *given, dtype=dtype)
    for shift in range(64 // lanes.size):
        rooms = [np.full(n * x.count + 48, FILL, dtype) for x in f.outputs]
        results = [a[16 + shift :][: n * x.count].reshape(n, *x.shape) for a, x in zip(rooms, f.outputs, strict=True)]
        ufunc(*given, out=tuple(results))
        for ours, theirs, room in zip(results, as_tuple(expected), rooms, strict=True):
            same_bits(ours, theirs)
            around = np.delete(room, np.s_[16 + shift : 16 + shift + ours.size])
            assert (around == FILL).all()


def test_results_with_gaps_are_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only what lies side by side is streamed."""
    monkeypatch.setattr(kernel, "BEYOND_CACHE", 1)
    f = function(dynamis.load("stanford"), "mass_matrix")
    program, fused = f.program, machine.host().fuses
    code = kernel.module(program.fused if fused else program, Lanes("double", 4), fused)
    addresses, tracker = machine.link(machine.compile_here(code, machine.host()), ["loop"], {})
    given = states(np.random.default_rng(6), "mass_matrix", f.inputs[0].count, 19)
    room = np.full((38, *f.outputs[0].shape), FILL)
    as_ufunc(program, "float64", addresses["loop"], tracker)(*given, out=room[::2])
    same_bits(room[::2], run(f, "bytecode", *given)[0])
    assert (room[1::2] == FILL).all()


def test_few_entries_are_never_streamed() -> None:
    f = function(dynamis.load("puma560"), "inverse_dynamics")
    assert not is_worthwhile(f.outputs)
    assert "@stream" not in kernel.module(f.program, Lanes("double", 4), True)
