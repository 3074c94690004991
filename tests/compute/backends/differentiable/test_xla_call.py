"""What XLA's calls hand over: on the CPU memory that a program writes, on a GPU a launch in XLA's stream."""

from __future__ import annotations

import ctypes
import inspect
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

import dynamis
from dynamis.compute.backends.cuda import driver
from dynamis.compute.backends.differentiable import xla_call
from dynamis.compute.backends.differentiable.derived_programs import DerivedProgram, derivative_key, key_of
from dynamis.compute.backends.differentiable.xla_call import Buffer, Frame, Span
from tests.support.functions import private_cache

__all__ = ["private_cache"]

FLOAT64, STREAM = 12, 4711


@dataclass
class Call:
    """A frame as XLA makes it; `kept` is its memory."""

    frame: Frame
    errors: list[str]
    kept: list[Any] = field(default_factory=list)


def call(attribute: str, inputs: list[np.ndarray], outputs: list[np.ndarray]) -> Call:
    made = Call(Frame(), [])

    def create(arguments: Any) -> int:
        made.errors.append(arguments.contents.message.decode())
        return 1

    def get_stream(arguments: Any) -> int | None:
        arguments.contents.stream = STREAM
        return None

    kinds = dict(xla_call.Api._fields_)
    api = xla_call.Api(create_error=kinds["create_error"](create), get_stream=kinds["get_stream"](get_stream))
    text = ctypes.create_string_buffer(attribute.encode())
    span = Span(ctypes.addressof(text), len(attribute))
    made.frame.api = ctypes.pointer(api)
    for place, arrays in (("arguments", inputs), ("results", outputs)):
        buffers = [Buffer(0, None, FLOAT64, x.ctypes.data, x.ndim, (ctypes.c_int64 * x.ndim)(*x.shape)) for x in arrays]
        of = getattr(made.frame, place)
        pointers = (ctypes.POINTER(Buffer) * len(arrays))(*map(ctypes.pointer, buffers))
        of.size, of.buffers = len(arrays), pointers
        made.kept += [buffers, pointers]
    made.frame.attributes.size = 1
    made.frame.attributes.values = (ctypes.POINTER(Span) * 1)(ctypes.pointer(span))
    made.kept += [api, text, span, inputs, outputs]
    return made


ARM = dynamis.load("bar-2r")


def key(name: str) -> str:
    return key_of(name, ARM.compile(name).program, "")  # type: ignore[attr-defined]


def test_on_the_cpu() -> None:
    q, qd, qdd = np.random.default_rng(0).uniform(-1, 1, (3, 4, 2))
    tau, M = np.full((4, 2), np.nan), np.full((4, 4), np.nan)
    assert xla_call.ON_CPU(call(f"1 {key('inverse_dynamics')}", [q, qd[:1], qdd], [tau]).frame) is None
    np.testing.assert_array_equal(tau, ARM.inverse_dynamics(q, qd[:1], qdd))
    assert xla_call.ON_CPU(call(f"2 {key('mass_matrix')}", [q], [M]).frame) is None
    np.testing.assert_array_equal(M.reshape(4, 2, 2), ARM.mass_matrix(q))


def test_what_goes_wrong_is_told_to_xla() -> None:
    made = call("1 nobody", [np.zeros((1, 2))], [np.zeros((1, 2))])
    assert xla_call.ON_CPU(made.frame) == 1
    assert made.errors == ["dynamis: this graph holds a quantity that is not there; load its robot and call it once"]


def test_on_a_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    """The launcher gets the count of states, the addresses in the order of the operands, and XLA's stream."""
    launches: list[Any] = []

    class Launcher:
        def launch(self, *arguments: Any) -> None:
            bound = inspect.signature(driver.Launcher.launch).bind(self, *arguments)
            launches.append(bound.arguments)

    class OnGpu:
        def launcher(self, *choice: Any) -> Launcher:
            launches.append(choice)
            return Launcher()

    class Driver:
        def cuPointerGetAttribute(self, device: Any, attribute: int, address: Any) -> int:
            device._obj.value = 3
            return 0

    monkeypatch.setattr(driver, "library", Driver)
    monkeypatch.setattr(DerivedProgram, "on_gpu", OnGpu())
    q, qd, qdd, w = np.random.default_rng(0).uniform(-1, 1, (4, 5, 2))
    gradient = np.zeros((5, 2))
    inputs = [q, qd[:1], qdd, w]
    made = call(f"1 {derivative_key(key('inverse_dynamics'), 'pullback', [0])}", inputs, [gradient])
    assert xla_call.ON_GPU(made.frame) is None, made.errors
    choice, launch = launches
    assert choice == ("float64", (False, True, False, False), 3)
    assert launch["arguments"] == [5, *(x.ctypes.data for x in (*inputs, gradient))]
    assert launch["stream"] == STREAM


def test_no_states_no_launch() -> None:
    empty = np.zeros((0, 2))
    for handler in (xla_call.ON_CPU, xla_call.ON_GPU):
        assert handler(call(f"1 {key('gravity_torque')}", [empty], [empty]).frame) is None
