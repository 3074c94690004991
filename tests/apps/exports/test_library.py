"""Static libraries: what is in them, sines, cosines and roots of our own, and the C of the page."""

from __future__ import annotations

import ctypes
import re
import shutil
import struct
import subprocess
from collections.abc import Callable
from pathlib import Path

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings

import dynamis
from dynamis.apps.exports.exported import Export
from dynamis.apps.exports.machine_code.processors import FAMILIES
from dynamis.base.arrays import Array
from dynamis.compute.backends.llvm.machine import host, link
from dynamis.compute.ir.portable.machine import Machine, object_file
from dynamis.compute.ir.portable.program import function, helpers, module
from dynamis.compute.program.program import Program, program
from dynamis.compute.program.signature import Operand
from dynamis.compute.program.trace import Trace
from tests.support.pages import DOCS
from tests.support.strategies import Case, robots


def compiled(one: Program, machine: Machine) -> tuple[Callable[..., None], object]:
    """A program in the code for other processors, on this one; the second must be kept."""
    parts = [function(one, "run", machine, "own"), *helpers(machine, "own", [one]).values()]
    addresses, keep = link(object_file(module(parts, machine, "own"), machine), ["run"], {})
    pointers = [ctypes.c_void_p] * (len(one.inputs) + len(one.outputs))
    return ctypes.CFUNCTYPE(None, *pointers)(addresses["run"]), keep


def here(angles: Array, scalar: str, soft: bool) -> Array:
    """Sine, cosine, root and nearest whole number of every x, by the code for other processors, on this one."""
    trace = Trace()
    x = trace.input("x:0")
    nodes = [trace.sin(x), trace.cos(x), trace.sqrt(x), trace.nearest(x)]
    all_four = program([Operand("x", (1,))], [(Operand("y", (4,)), nodes)])
    this = host()
    machine = Machine(this.triple, scalar, this.cpu, this.features, this.fuses and not soft, soft=soft, reloc="pic")
    run, keep = compiled(all_four, machine)
    results = np.empty((len(angles), 4), angles.dtype)
    for x, y in zip(angles, results, strict=True):
        one = np.array([x])
        run(one.ctypes.data, y.ctypes.data)
    assert keep
    return results


@pytest.mark.parametrize(("scalar", "soft"), [("double", False), ("float", False), ("float", True)])
def test_our_own_sine_cosine_root_and_rounding(scalar: str, soft: bool) -> None:
    """Within 3 units of the last place, up to the largest number; roots and rounding exact."""
    kind = np.float64 if scalar == "double" else np.float32
    rng = np.random.default_rng(1)
    sizes = 10.0 ** rng.uniform(-6, 38 if scalar == "float" else 300, 200)
    near = rng.uniform(-100, 100, 100)
    x = np.concatenate([sizes, -sizes[:50], near, np.arange(-8, 9) * np.pi / 2, [2.5, 3.5, -0.5, 1e-45]]).astype(kind)
    results = here(x, scalar, soft)
    with mpmath.workprec(1200):
        for value, (sine, cosine, _, _) in zip(x, results, strict=True):
            for result, exact in ((sine, mpmath.sin(float(value))), (cosine, mpmath.cos(float(value)))):
                most = 3 * float(np.spacing(np.abs(kind(float(exact)))))
                assert abs(mpmath.mpf(float(result)) - exact) <= most, float(value)
    with np.errstate(invalid="ignore"):
        np.testing.assert_array_equal(results[:, 2], np.sqrt(x))
    np.testing.assert_array_equal(results[:, 3], np.rint(x))
    odd = here(np.array([0.0, -0.0, np.inf, -np.inf, np.nan], kind), scalar, soft)
    np.testing.assert_array_equal(np.signbit(odd[:2, 0]), [False, True])
    np.testing.assert_array_equal(odd[:, 0], [0, 0, np.nan, np.nan, np.nan])
    np.testing.assert_array_equal(odd[:, 1], [1, 1, np.nan, np.nan, np.nan])
    np.testing.assert_array_equal(odd[:, 2], [0, 0, np.inf, np.nan, np.nan])


@settings(max_examples=4)
@given(case=robots(joints=(1, 4), friction=True))
def test_programs_of_any_robot(case: Case) -> None:
    """Within the tolerances of the export; a result may take the place of an input."""
    this = host()
    machine = Machine(this.triple, "double", this.cpu, this.features, this.fuses, reloc="pic")
    result = dynamis.export(case.robot(), "json", functions=["inverse_dynamics", "step"])
    for one in result.functions:
        run, keep = compiled(one.program, machine)
        v = one.vectors
        for k in range(len(v.outputs[0])):
            inputs = [np.array(x[k]) for x in v.inputs]
            outputs = inputs[: len(v.outputs)]  # all of them have n entries
            run(*(x.ctypes.data for x in (*inputs, *outputs)))
            for output, expected, most in zip(outputs, v.outputs, v.tolerances, strict=True):
                assert np.abs(output - expected[k]).max() <= most
        assert keep


@pytest.fixture(scope="module")
def arm() -> dict[str, Export]:
    robot = dynamis.load("bar-2r")
    return {to: dynamis.export(robot, to, functions=["gravity_torque", "step"]) for to in FAMILIES}


MACHINES = {"cortex-m": 40, "riscv": 243, "avr": 83, "aarch64": 183, "x86-64": 62}
"""Of the heads of ELF files."""


@pytest.mark.parametrize("to", FAMILIES)
def test_libraries_have_every_function_and_headers_their_numbers(to: str, arm: dict[str, Export]) -> None:
    for processor in FAMILIES[to].processors:
        library = arm[to].files[f"{processor.name}/libbar_2r.a"]
        header = arm[to].files[f"{processor.name}/bar_2r.h"]
        assert isinstance(library, bytes)
        assert f"typedef {processor.machine.scalar} bar_2r_real;" in str(header)
        assert library.startswith(b"!<arch>\n/ ")
        (count,) = struct.unpack_from(">I", library, 68)
        names = library[72 + 4 * count :].split(b"\0")[:count]
        assert names == [b"bar_2r_gravity_torque", b"bar_2r_step", b"bar_2r_sincos"]
        for place in struct.unpack_from(f">{count}I", library, 72):
            assert library[place + 60 : place + 64] == b"\x7fELF"
            assert struct.unpack_from("<H", library, place + 78) == (MACHINES[to],)


def test_the_same_export_gives_the_same_bytes(arm: dict[str, Export]) -> None:
    again = dynamis.export(dynamis.load("bar-2r"), "avr", functions=["gravity_torque", "step"])
    assert again.files["atmega2560/libbar_2r.a"] == arm["avr"].files["atmega2560/libbar_2r.a"]


def test_the_program_of_the_page_links(tmp_path: Path) -> None:
    if shutil.which("arm-none-eabi-gcc") is None:
        pytest.skip("arm-none-eabi-gcc is not installed")
    text = (DOCS / "how-to" / "microcontroller.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"^```c\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    (command,) = re.findall(r"^(arm-none-eabi-gcc .*\n    .*)$", text, re.MULTILINE)
    dynamis.export(dynamis.load("ur5"), "cortex-m", tmp_path, functions=["pd-gravity:kp=200:kd=20"])
    (tmp_path / "control.c").write_text(
        code + "\nint main(void) { float q[6] = {0}; control(q, q, q, q); return 0; }\n"
    )
    compiled = subprocess.run(command, shell=True, cwd=tmp_path, capture_output=True, text=True)
    assert (compiled.returncode, compiled.stderr) == (0, "")
    flags = FAMILIES["cortex-m"].processors[2].flags
    program = f"arm-none-eabi-gcc {flags} -nostdlib -Wl,-emain -Wl,--fatal-warnings control.o -L cortex-m4f -lur5"
    linked = subprocess.run(program, shell=True, cwd=tmp_path, capture_output=True, text=True)
    assert (linked.returncode, linked.stderr) == (0, "")
