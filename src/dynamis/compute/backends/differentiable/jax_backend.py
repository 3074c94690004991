"""`robot.on("jax")`: programs over JAX's arrays, on the CPU and on GPUs, with derivatives in both modes.

One primitive, `dynamis_program`, runs every program and every derivative of one. Its forward derivative is the
primitive with the pushforward, which is linear in its directions; transposed, that is the gradient. So `grad`, `jvp`,
`jacfwd`, `hessian`, `vmap` and `jit` work in any order and to any depth.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial
from importlib import import_module
from math import prod
from typing import Any

import numpy as np

from dynamis.base.errors import ArgumentError
from dynamis.compute.backends.backend import ArrayLoop, Backend, backend_for
from dynamis.compute.backends.differentiable.derived_programs import (
    DifferentiableFunction,
    check_no_lists,
    derivative_key,
    program_of,
)
from dynamis.compute.backends.numpy_call import checked_beside
from dynamis.compute.program.program import Program
from dynamis.compute.program.runge_kutta import RungeKutta

jax: Any = import_module("jax")
core: Any = import_module("jax.extend.core")
ad: Any = import_module("jax.interpreters.ad")
batching: Any = import_module("jax.interpreters.batching")
mlir: Any = import_module("jax.interpreters.mlir")
jnp = jax.numpy


class JaxBackend(Backend):
    """JAX's arrays give arrays of their type on their device; NumPy's arrays give NumPy's."""

    name = "jax"

    def function(self, name: str, program: Program, owner: str) -> JaxFunction:
        return JaxFunction(name, program, owner)

    def loop(self, name: str, program: Program, method: RungeKutta | None = None) -> ArrayLoop:
        """For simulations, whose arrays are NumPy's."""
        return backend_for().loop(name, program, method)


class JaxFunction(DifferentiableFunction):
    """A program over JAX's arrays: leading axes are the batch, and broadcast."""

    def __init__(self, name: str, program: Program, owner: str) -> None:
        super().__init__(name, program, owner)
        self._sizes = tuple(x.shape for x in program.inputs)

    def __call__(self, *arrays: Any, out: Any = None, threads: int = 1) -> Any:
        check_no_lists(self.program, arrays, jax.Array, "jax.numpy.stack")
        own = [isinstance(x, jax.Array) for x in arrays]
        if not any(own):
            return program_of(self.key).on_cpu(*arrays, out=out, threads=threads)
        if out is not None:
            raise ArgumentError(f"{self.name}: out takes NumPy's arrays; JAX's are returned", key="out")
        dtype = self._dtype(arrays)
        batch = arrays[0].shape[:-1] if all(own) else None
        if batch is None or tuple(x.shape for x in arrays) != tuple(batch + size for size in self._sizes):
            arrays = (*checked_beside(self, arrays, own),)
        ready = [x if mine and x.dtype == dtype else jnp.asarray(x, dtype) for x, mine in zip(arrays, own, strict=True)]
        flat = run(self.key, threads, ready)
        results = tuple(
            x if len(y.shape) == 1 else x.reshape(x.shape[:-1] + y.shape)
            for x, y in zip(flat, self.program.outputs, strict=True)
        )
        return results[0] if len(results) == 1 else results

    def _dtype(self, arrays: Sequence[Any]) -> Any:
        """The type of all arguments; or an error that says what is wrong."""
        ours = {y.name: x for x, y in zip(arrays, self.program.inputs, strict=False) if isinstance(x, jax.Array)}
        fixed = {name: x for name, x in ours.items() if not isinstance(x, jax.core.Tracer) and x.committed}
        places = {next(iter(x.devices())): name for name, x in fixed.items()}
        if len(places) > 1:
            (one, first), (other, second) = list(places.items())[:2]
            raise ArgumentError(f"{second} is on {other} and {first} on {one}; put all on one device", key=second)
        for name, x in ours.items():
            if getattr(x.dtype, "kind", "") not in {*"biu"} and x.dtype not in (np.float32, np.float64):
                raise ArgumentError(f"{name} is of {x.dtype}; arrays must be float32 or float64", key=name)
        dtype = jnp.result_type(*(x.dtype for x in ours.values()))
        return jnp.result_type(float) if dtype.kind in "biu" else dtype


primitive: Any = core.Primitive("dynamis_program")
primitive.multiple_results = True


def run(key: str, threads: int, arrays: Sequence[Any]) -> list[Any]:
    """The outputs of a program, each flat: (..., entries). An array has one state, or all of the batch."""
    batch = jax.lax.broadcast_shapes(*(x.shape[:-1] for x in arrays))
    ones = (1,) * len(batch)
    shapes = [(ones if prod(x.shape[:-1]) == 1 else batch) + x.shape[-1:] for x in arrays]
    filled = [x if x.shape == shape else _broadcast_array(x, shape) for x, shape in zip(arrays, shapes, strict=True)]
    return primitive.bind(*_varying(filled), key=key, threads=threads)


def _broadcast_array(x: Any, shape: tuple[int, ...]) -> Any:
    return jnp.broadcast_to(x.reshape((1,) * (len(shape) - x.ndim) + x.shape), shape)


def _varying(arrays: list[Any]) -> list[Any]:
    """In `shard_map`, what one differs in from device to device, all do: so gradients of what all share are summed."""
    if not any(isinstance(x, jax.core.Tracer) for x in arrays):
        return arrays
    own = [jax.typeof(x).mat.varying for x in arrays]
    union = frozenset[Any]().union(*own)
    return [
        jax.lax.pcast(x, tuple(union - axes), to="varying") if union - axes else x
        for x, axes in zip(arrays, own, strict=True)
    ]


def _run_at_once(*arrays: Any, key: str, threads: int) -> Any:
    if not jax.config.jax_disable_jit:
        return _jit_program(key, threads)(*arrays)
    with jax.disable_jit(False):  # there is no other way to run it
        return _jit_program(key, threads)(*arrays)


@cache
def _jit_program(key: str, threads: int) -> Any:
    return jax.jit(partial(primitive.bind, key=key, threads=threads))


def _shapes(*arrays: Any, key: str, threads: int) -> list[Any]:
    del threads
    batch = jax.lax.broadcast_shapes(*(x.shape[:-1] for x in arrays))
    return [arrays[0].update(shape=(*batch, count), weak_type=False) for count in program_of(key).sizes]


def _forward(values: Sequence[Any], directions: Sequence[Any], *, key: str, threads: int) -> tuple[Any, Any]:
    """Values and their change: the program, and its pushforward in the inputs that move."""
    moving = [k for k, v in enumerate(directions) if type(v) is not ad.Zero]
    along = [directions[k] for k in moving]
    forward = derivative_key(key, "pushforward", moving)
    return run(key, threads, values), run(forward, threads, [*values, *along])


def _backward(weights: Sequence[Any], *inputs: Any, key: str, threads: int) -> list[Any]:
    """Of a program that is linear in the inputs that have no value: the transposed, summed over what was broadcast."""
    linear = [k for k, x in enumerate(inputs) if ad.is_undefined_primal(x)]
    known = [x for k, x in enumerate(inputs) if k not in linear]
    rows = [ad.instantiate_zeros(w) for w in weights]
    flat = dict(zip(linear, run(derivative_key(key, "transpose", linear), threads, [*known, *rows]), strict=True))
    return [_sum_broadcast_axes(flat[k], x.aval.shape) if k in flat else None for k, x in enumerate(inputs)]


def _sum_broadcast_axes(x: Any, shape: tuple[int, ...]) -> Any:
    axes = tuple(k for k, (a, b) in enumerate(zip(x.shape, shape, strict=True)) if b == 1 and a != 1)
    return x.sum(axes, keepdims=True) if axes else x


def _batching_rule(arrays: Sequence[Any], axes: Sequence[Any], *, key: str, threads: int) -> tuple[Any, Any]:
    """`vmap`: the mapped axis goes first; all arrays have batches of one length."""
    moved = [x if axis is None else jnp.moveaxis(x, axis, 0) for x, axis in zip(arrays, axes, strict=True)]
    results = run(key, threads, moved)
    return results, [0] * len(results)


def _lowering_rule(context: Any, *values: Any, key: str, threads: int, platform: str) -> Any:
    _register(platform)
    return jax.ffi.ffi_lowering("dynamis_program")(context, *values, call=f"{threads} {key}")


@cache
def _register(platform: str) -> None:
    from dynamis.compute.backends.differentiable import xla_call

    handler = xla_call.ON_CPU if platform == "cpu" else xla_call.ON_GPU
    jax.ffi.register_ffi_target("dynamis_program", jax.ffi.pycapsule(handler), platform=platform)


primitive.def_impl(_run_at_once)
primitive.def_abstract_eval(_shapes)
ad.primitive_jvps[primitive] = _forward
ad.primitive_transposes[primitive] = _backward
batching.primitive_batchers[primitive] = _batching_rule
for _platform, _name in (("cpu", "cpu"), ("cuda", "CUDA")):
    mlir.register_lowering(primitive, partial(_lowering_rule, platform=_name), platform=_platform)
