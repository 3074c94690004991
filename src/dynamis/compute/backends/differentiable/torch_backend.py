"""`robot.on("torch")`: programs over PyTorch's tensors, on the CPU and on GPUs, with gradients.

One operator, `dynamis::program`, runs every program and every derivative of one: backward calls it with the pullback,
whose backward is the pullback of that. `torch.compile`, `torch.func` and `vmap` see an operator like PyTorch's own.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
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
from dynamis.compute.backends.engine import Engine
from dynamis.compute.backends.numpy_call import checked_beside
from dynamis.compute.program.program import Program
from dynamis.compute.program.runge_kutta import RungeKutta
from dynamis.compute.program.signature import Operand

torch: Any = import_module("torch")
forward_ad: Any = import_module("torch.autograd.forward_ad")
FLOATS = (torch.float32, torch.float64)
_modes = torch._C._len_torch_dispatch_stack
_transforms = torch._C._are_functorch_transforms_active


class TorchBackend(Backend):
    """Tensors give tensors of their type on their device; NumPy's arrays give NumPy's."""

    name = "torch"

    def function(self, name: str, program: Program, owner: str) -> TorchFunction:
        return TorchFunction(name, program, owner)

    def loop(self, name: str, program: Program, method: RungeKutta | None = None) -> ArrayLoop:
        """For simulations, whose arrays are NumPy's."""
        return backend_for().loop(name, program, method)


class TorchFunction(DifferentiableFunction):
    """A program over tensors: leading axes are the batch, and broadcast."""

    def __init__(self, name: str, program: Program, owner: str) -> None:
        super().__init__(name, program, owner)
        self._counts = tuple(x.count for x in program.inputs)
        self._shapes = tuple(x.shape for x in program.outputs)

    def __call__(self, *arrays: Any, out: Any = None, threads: int = 1) -> Any:
        check_no_lists(self.program, arrays, torch.Tensor, "torch.stack")
        if not any(isinstance(x, torch.Tensor) for x in arrays):
            return program_of(self.key).on_cpu(*arrays, out=out, threads=threads)
        if out is not None:
            raise ArgumentError(f"{self.name}: out takes NumPy's arrays; tensors are returned", key="out")
        tensors = self._tensors(arrays)
        flat = run(self.key, tensors, threads)
        results = tuple(
            x if len(shape) == 1 else x.reshape(x.shape[:-1] + shape)
            for x, shape in zip(flat, self._shapes, strict=True)
        )
        return results[0] if len(results) == 1 else results

    def _tensors(self, arrays: Sequence[Any]) -> list[Any]:
        """The arguments as tensors of one type on one device; or an error that says what is wrong."""
        if self._ready(arrays):
            return list(arrays)
        own = [isinstance(x, torch.Tensor) for x in arrays]
        leaders = [(y.name, x) for x, y, mine in zip(arrays, self.program.inputs, own, strict=False) if mine]
        device, dtype = leaders[0][1].device if leaders else None, torch.int8
        for name, x in leaders:
            if x.device != device:
                raise ArgumentError(f"{name} is on {x.device} and another tensor on {device}; put all on one", key=name)
            if wrong := _wrong(x):
                what = "must be dense, float32 or float64, on the CPU or a CUDA device"
                raise ArgumentError(f"{name} is {wrong}; tensors {what}", key=name)
            dtype = torch.promote_types(dtype, x.dtype)
        dtype = dtype if dtype.is_floating_point else torch.get_default_dtype()
        if not _is_traced():  # a graph is checked when it runs
            arrays = checked_beside(self, arrays, own)
            arrays = [x if mine else np.array(x) for x, mine in zip(arrays, own, strict=True)]  # PyTorch wants its own
        return [torch.as_tensor(x, dtype=dtype, device=device) for x in arrays]

    def _ready(self, arrays: Sequence[Any]) -> bool:
        """Whether all are tensors of one batch, type and device, which is soon said."""
        first = arrays[0]
        if not isinstance(first, torch.Tensor) or first.dtype not in FLOATS or first.device.type not in ("cpu", "cuda"):
            return False
        batch, dtype, device = first.shape[:-1], first.dtype, first.device
        return len(arrays) == len(self._counts) and all(
            isinstance(x, torch.Tensor) and x.dtype is dtype and x.device == device and x.layout is torch.strided
            and x.shape == (*batch, count)
            for x, count in zip(arrays, self._counts, strict=True)
        )  # fmt: skip


def _wrong(x: Any) -> str:
    """What is wrong with a tensor: its layout, type or device."""
    if x.layout is not torch.strided:
        return f"of the layout {x.layout}"
    if (x.is_floating_point() or x.is_complex() or x.is_quantized) and x.dtype not in FLOATS:
        return f"of {x.dtype}"
    return f"on {x.device}" if x.device.type not in ("cpu", "cuda") else ""


def run(key: str, tensors: Sequence[Any], threads: int = 1) -> Sequence[Any]:
    """The outputs of a program, each flat: (..., entries).

    By the shortest way that PyTorch's state allows: at once; recorded for backward; so that `torch.func` can transform
    it and forward derivatives are there; and by the operator, which compilers keep whole.
    """
    if _is_traced():
        return operator(key, tensors, threads)
    if _transforms() or forward_ad._current_level >= 0:
        return Differentiable.apply(key, threads, *tensors)
    if torch.is_grad_enabled() and any(x.requires_grad for x in tensors):
        return Recorded.apply(key, threads, *tensors)
    return _outputs(key, tensors, threads)


def _is_traced() -> bool:
    """Whether a graph is made of what is called now: by a compiler, under a mode such as that of fake tensors."""
    return torch.compiler.is_compiling() or _modes() or torch.jit.is_tracing()


class Recorded(torch.autograd.Function):
    """A program with its backward derivative."""

    @staticmethod
    def forward(ctx: Any, key: str, threads: int, *tensors: Any) -> tuple[Any, ...]:
        ctx.key, ctx.threads = key, threads
        ctx.save_for_backward(*tensors)
        return tuple(_outputs(key, tensors, threads))

    @staticmethod
    def backward(ctx: Any, *weights: Any) -> tuple[Any, ...]:
        moving = [k for k, needed in enumerate(ctx.needs_input_grad[2:]) if needed]
        return None, None, *gradients(run, ctx.key, ctx.threads, ctx.saved_tensors, moving, weights)


class Differentiable(torch.autograd.Function):
    """The operator with all of PyTorch's transforms: backward and forward derivatives and `vmap`, nested at will."""

    @staticmethod
    def forward(key: str, threads: int, *tensors: Any) -> tuple[Any, ...]:
        return tuple(operator(key, tensors, threads))

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
        del output
        ctx.key, ctx.threads, *tensors = inputs
        ctx.save_for_backward(*tensors)
        ctx.save_for_forward(*tensors)

    backward = Recorded.backward

    @staticmethod
    def jvp(ctx: Any, _key: Any, _threads: Any, *directions: Any) -> tuple[Any, ...]:
        moving = [k for k, v in enumerate(directions) if v is not None]
        tensors = [*ctx.saved_tensors, *(directions[k] for k in moving)]
        return tuple(run(derivative_key(ctx.key, "pushforward", moving), tensors, ctx.threads))

    @staticmethod
    def vmap(info: Any, axes: tuple[Any, ...], key: str, threads: int, *tensors: Any) -> tuple[Any, ...]:
        del info
        results = tuple(run(key, move_mapped_axes(tensors, axes[2:]), threads))
        return results, (0,) * len(results)


def gradients(
    call: Any, key: str, threads: int, tensors: Sequence[Any], moving: Sequence[int], weights: Sequence[Any]
) -> list[Any]:
    """Of a program's inputs, None for those that do not move: its pullback, summed over what was broadcast."""
    rows = [w.contiguous() for w in weights]  # the gradient of a sum is one number for all
    flat = call(derivative_key(key, "pullback", moving), [*tensors, *rows], threads)
    results: list[Any] = [None] * len(tensors)
    for k, gradient in zip(moving, flat, strict=True):
        shape = tensors[k].shape
        results[k] = gradient if gradient.shape == shape else gradient.sum_to_size(shape)
    return results


def move_mapped_axes(tensors: Sequence[Any], axes: Sequence[int | None]) -> list[Any]:
    """For `vmap`: the mapped axis of every tensor first, before batches that are filled up to one length."""
    length = max(x.ndim - (axis is not None) for x, axis in zip(tensors, axes, strict=True))
    first = [x.unsqueeze(0) if axis is None else x.movedim(axis, 0) for x, axis in zip(tensors, axes, strict=True)]
    return [x.reshape(x.shape[0], *(1,) * (length + 1 - x.ndim), *x.shape[1:]) for x in first]


def _outputs(key: str, inputs: Sequence[Any], threads: int) -> list[Any]:
    program = program_of(key)
    there = inputs[0].is_cuda
    if there:
        results = program.on_gpu(*(x.detach() for x in inputs))
    else:
        results = program.on_cpu(*(x.numpy(force=True) for x in inputs), threads=threads)
    several: tuple[Any, ...] = results if len(program.sizes) > 1 else (results,)
    own = several if there else (torch.from_numpy(np.asarray(x)) for x in several)
    return [_flat(x, y) for x, y in zip(own, program.program.outputs, strict=True)]


def _flat(x: Any, operand: Operand) -> Any:
    """(..., entries) of a result (..., *shape)."""
    axes = len(operand.shape)
    return x if axes == 1 else x.reshape(*x.shape[: x.ndim - axes], operand.count)


def _fake(key: str, inputs: Sequence[Any], threads: int) -> list[Any]:
    del threads
    batch = torch.broadcast_shapes(*(x.shape[:-1] for x in inputs))
    return [inputs[0].new_empty((*batch, count)) for count in program_of(key).sizes]


def _keep(ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
    del output
    ctx.key, tensors, ctx.threads = inputs
    ctx.save_for_backward(*tensors)


def _backward(ctx: Any, weights: Sequence[Any]) -> tuple[Any, ...]:
    moving = [k for k, needed in enumerate(ctx.needs_input_grad[1]) if needed]
    return None, gradients(operator, ctx.key, ctx.threads, ctx.saved_tensors, moving, weights), None


def _vmap_rule(info: Any, axes: tuple[Any, ...], key: str, inputs: Sequence[Any], threads: int) -> tuple[Any, Any]:
    del info
    results = operator(key, move_mapped_axes(inputs, axes[1]), threads)
    return results, [0] * len(results)


operator: Any = torch.library.custom_op(
    "dynamis::program", _outputs, mutates_args=(), schema="(str key, Tensor[] inputs, int threads) -> Tensor[]"
)
operator.register_fake(_fake)
operator.register_autograd(_backward, setup_context=_keep)
operator.register_vmap(_vmap_rule)
torch.compiler.assume_constant_result(Engine.own_key)  # how a program is made cannot be followed, and need not be
