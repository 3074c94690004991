"""`robot.on("torch")`: programs over PyTorch's tensors, on the CPU and on GPUs, with gradients.

One operator, `dynamis::program`, runs every program and every derivative of one: backward calls it with the pullback,
whose backward is the pullback of that. `torch.compile`, `torch.func` and `vmap` see an operator like PyTorch's own.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from dynamis.backends.backend import ArrayFunction, ArrayLoop, Backend, RungeKutta, backend_for
from dynamis.backends.differentiable.derived_programs import derived, key_of, program_of
from dynamis.backends.function_document import ToldFunction
from dynamis.backends.numpy_call import check_shapes
from dynamis.errors import ArgumentError
from dynamis.program.program import Program

torch: Any = import_module("torch")
FLOATS = (torch.float32, torch.float64)


class TorchBackend(Backend):
    """Tensors give tensors of their type on their device; NumPy's arrays give NumPy's."""

    name = "torch"

    def function(self, name: str, program: Program, owner: str) -> TorchFunction:
        return TorchFunction(name, program, owner)

    def loop(self, name: str, program: Program, method: RungeKutta | None = None) -> ArrayLoop:
        """For simulations, whose arrays are NumPy's."""
        return backend_for().loop(name, program)


class TorchFunction(ToldFunction, ArrayFunction):
    """A program over tensors: leading axes are the batch, and broadcast."""

    def __init__(self, name: str, program: Program, owner: str) -> None:
        self.name, self.program, self.owner = name, program, owner
        self.__name__ = name  # Dask names its tasks by it, else by the repr
        self.key = key_of(name, program, owner)
        self._counts = tuple(x.count for x in program.inputs)
        self._shapes = tuple(x.shape for x in program.outputs)

    def __call__(self, *arrays: Any, out: Any = None, threads: int = 1) -> Any:
        if not any(isinstance(x, torch.Tensor) for x in arrays):
            return program_of(self.key).on_cpu(*arrays, out=out, threads=threads)
        if out is not None:
            raise ArgumentError(f"{self.name}: out takes NumPy's arrays; tensors are returned", key="out")
        tensors = self._tensors(arrays)
        flat = run(self.key, tensors, threads)
        results = tuple(x.reshape(x.shape[:-1] + shape) for x, shape in zip(flat, self._shapes, strict=True))
        return results[0] if len(results) == 1 else results

    def _tensors(self, arrays: Sequence[Any]) -> list[Any]:
        """The arguments as tensors of one type on one device; or an error that says what is wrong."""
        leaders = [x for x in arrays if isinstance(x, torch.Tensor)]
        dtype, device = leaders[0].dtype, leaders[0].device
        for x in leaders[1:]:
            dtype = torch.promote_types(dtype, x.dtype)
        if not dtype.is_floating_point and not dtype.is_complex:
            dtype = torch.get_default_dtype()
        names = [x.name for x in self.program.inputs]
        for name, x in zip(names, arrays, strict=False):
            if isinstance(x, torch.Tensor) and x.device != device:
                raise ArgumentError(f"{name} is on {x.device} and another tensor on {device}; put all on one", key=name)
        if dtype not in FLOATS or device.type not in ("cpu", "cuda"):
            name = next(
                (n for n, x in zip(names, arrays, strict=False) if getattr(x, "dtype", None) is dtype), names[0]
            )
            what = f"of {dtype}" if dtype not in FLOATS else f"on {device}"
            raise ArgumentError(
                f"{name} is {what}; tensors must be float32 or float64, on the CPU or a CUDA device", key=name
            )
        tensors = [torch.as_tensor(x, dtype=dtype, device=device) for x in arrays]
        self._check([tuple(x.shape) for x in tensors])
        return tensors

    def _check(self, shapes: list[tuple[int, ...]]) -> None:
        if tuple(shape[-1] if shape else 0 for shape in shapes) != self._counts:
            check_shapes(self, shapes)
        try:
            torch.broadcast_shapes(*(shape[:-1] for shape in shapes))
        except RuntimeError:
            check_shapes(self, shapes)

    def __reduce__(self) -> tuple[Any, ...]:
        return TorchFunction, (self.name, self.program, self.owner)


def run(key: str, tensors: Sequence[Any], threads: int = 1) -> Sequence[Any]:
    """The outputs of a program, each flat: (..., entries).

    While PyTorch compiles, by the operator, which its compiler keeps whole; else by `Differentiable`, which
    `torch.func` can transform and which has forward derivatives.
    """
    if torch.compiler.is_compiling():
        return operator(key, tensors, threads)
    return Differentiable.apply(key, threads, *tensors)


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

    @staticmethod
    def backward(ctx: Any, *weights: Any) -> tuple[Any, ...]:
        key, threads = ctx.key, ctx.threads
        moving = [k for k, needed in enumerate(ctx.needs_input_grad[2:]) if needed]
        return None, None, *gradients(run, key, threads, ctx.saved_tensors, moving, weights)

    @staticmethod
    def jvp(ctx: Any, _key: Any, _threads: Any, *directions: Any) -> tuple[Any, ...]:
        moving = [k for k, v in enumerate(directions) if v is not None]
        tensors = [*ctx.saved_tensors, *(directions[k] for k in moving)]
        return tuple(run(derived(ctx.key, "pushforward", moving), tensors, ctx.threads))

    @staticmethod
    def vmap(info: Any, axes: tuple[Any, ...], key: str, threads: int, *tensors: Any) -> tuple[Any, ...]:
        del info
        results = tuple(run(key, mapped(tensors, axes[2:]), threads))
        return results, (0,) * len(results)


def gradients(
    call: Any, key: str, threads: int, tensors: Sequence[Any], moving: Sequence[int], weights: Sequence[Any]
) -> list[Any]:
    """Of a program's inputs, None for those that do not move: its pullback, summed over what was broadcast."""
    rows = [w.contiguous() for w in weights]  # the gradient of a sum is one number for all
    flat = call(derived(key, "pullback", moving), [*tensors, *rows], threads)
    sums = {k: gradient.sum_to_size(tensors[k].shape) for k, gradient in zip(moving, flat, strict=True)}
    return [sums.get(k) for k in range(len(tensors))]


def mapped(tensors: Sequence[Any], axes: Sequence[int | None]) -> list[Any]:
    """For `vmap`: the mapped axis of every tensor first, before batches that are filled up to one length."""
    length = max(x.ndim - (axis is not None) for x, axis in zip(tensors, axes, strict=True))
    first = [x.unsqueeze(0) if axis is None else x.movedim(axis, 0) for x, axis in zip(tensors, axes, strict=True)]
    return [x.reshape(x.shape[0], *(1,) * (length + 1 - x.ndim), *x.shape[1:]) for x in first]


def _outputs(key: str, inputs: Sequence[Any], threads: int) -> list[Any]:
    program = program_of(key)
    tensors = [x.detach() for x in inputs]
    batch = torch.broadcast_shapes(*(x.shape[:-1] for x in tensors))
    if tensors[0].device.type == "cuda":
        results = program.on_gpu(*tensors)
    else:
        results = program.on_cpu(*(x.numpy() for x in tensors), threads=threads)
    several: tuple[Any, ...] = results if len(program.sizes) > 1 else (results,)
    return [torch.as_tensor(x).reshape(*batch, count) for x, count in zip(several, program.sizes, strict=True)]


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


def _batched(info: Any, axes: tuple[Any, ...], key: str, inputs: Sequence[Any], threads: int) -> tuple[Any, Any]:
    del info
    results = operator(key, mapped(inputs, axes[1]), threads)
    return results, [0] * len(results)


operator: Any = torch.library.custom_op(
    "dynamis::program", _outputs, mutates_args=(), schema="(str key, Tensor[] inputs, int threads) -> Tensor[]"
)
operator.register_fake(_fake)
operator.register_autograd(_backward, setup_context=_keep)
operator.register_vmap(_batched)
