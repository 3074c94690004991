"""`robot.on("cuda")` beside the rate at which the same GPU copies memory, and beside its peers.

`throughputs`: large batches, timed by events of the GPU, as a share of what `cupy.copyto` moves in the same run.
`calls`: batches of a few sizes as users call them, over arrays that are on the device already; calls one after the
other, until the last is done. The peers are the recursion of `jax_peer` for a batch, compiled by XLA; frax (JAX); and
adam-robotics (PyTorch). `rollouts`: RK4 with PD control and gravity compensation, in one kernel.

Every result is compared with ours on the CPU, in double precision, on inputs of its own, before anything is timed.
"""

from __future__ import annotations

import re
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from statistics import median
from typing import Any, cast

import numpy as np

import dynamis
from benchmarks.dynamics import jax_peer
from benchmarks.simulation import gains
from dynamis.base.errors import ArgumentError
from dynamis.compute.mechanics.mechanism import mechanism
from dynamis.library import load
from dynamis.model.formats.urdf.write import write_urdf
from dynamis.robot import Robot
from dynamis.simulation.controllers.pd_gravity import PDGravity
from dynamis.simulation.loop.setup import simulation_setup
from dynamis.simulation.runs.steps import StepInputs, steps_of

ROBOTS = ("ur5", "panda")
QUANTITIES = ("inverse_dynamics", "forward_dynamics", "mass_matrix", "inverse_dynamics_derivatives")
DTYPES = ("float32", "float64")
BATCHES = (4096, 131_072, 1_048_576)
CLOSE = {"float32": 2e-5, "float64": 1e-12}
"""How near to the CPU's doubles, relative to the largest entry of a result; forward dynamics ten times that."""
SEED = 20261116
STEPS = 100
TOGETHER = 4
"""Runs that are timed together: while one runs, Python is on its way to the next."""


@dataclass(frozen=True)
class Throughput:
    """States per second of a large batch, and the bytes that they move as a share of what copying moves."""

    robot: str
    quantity: str
    dtype: str
    rate: float
    share: float
    error: float


@dataclass(frozen=True)
class Call:
    """States per second of calls from Python."""

    library: str
    robot: str
    quantity: str
    batch: int
    rate: float


@dataclass(frozen=True)
class Rollout:
    """Steps per second of all robots together."""

    robot: str
    dtype: str
    rate: float
    error: float


def cupy() -> Any:
    try:
        return import_module("cupy")
    except ImportError:
        raise ArgumentError("the benchmark of GPUs needs CuPy; install it with: pip install cupy-cuda13x") from None


def device() -> dict[str, Any]:
    """The GPU, the day, and the versions of the libraries (None for those that are not installed)."""
    properties = cupy().cuda.runtime.getDeviceProperties(0)
    return {
        "gpu": properties["name"].decode(),
        "date": datetime.now(UTC).date().isoformat(),
        "dynamis": dynamis.__version__,
    } | {name: _version(name) for name in ("llvmlite", "cupy-cuda13x", "torch", "jax", "frax", "adam-robotics")}


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def copy_rate(count: int = 2**29) -> float:
    """Bytes per second that cupy.copyto reads and writes."""
    cp = cupy()
    source = cp.ones(count, np.float32)
    target = cp.empty_like(source)
    return 2 * source.nbytes / _seconds(lambda: cp.copyto(target, source))


def throughputs(copied: float, quick: bool, progress: Callable[[str], None]) -> Iterator[Throughput]:
    cp = cupy()
    for name, quantity, dtype in ((r, q, d) for r in ROBOTS for q in QUANTITIES for d in DTYPES):
        progress(f"{name}, {quantity}, {dtype}")
        robot = load(name)
        function = robot.on("cuda").compile(quantity)
        operands = (*function.program.inputs, *function.program.outputs)
        entries = sum(x.count for x in operands)
        error = _error(robot, quantity, function, cp.asarray, cp.asnumpy, dtype)
        count = 2**18 if quick else 2**24 if entries < 80 else 2**22
        x = [cp.random.uniform(-2, 2, (count, x.count), dtype=dtype) for x in function.program.inputs]
        seconds = _seconds(lambda f=function, x=x: f(*x))
        moved = count * entries * np.dtype(dtype).itemsize
        yield Throughput(name, quantity, dtype, count / seconds, moved / seconds / copied, error)


def calls(quick: bool, progress: Callable[[str], None]) -> Iterator[Call]:
    """Inverse and forward dynamics and the mass matrix of a Panda, in float32."""
    robot, dtype = load("panda"), "float32"
    for library, quantity, function, put, get, wait in _callers(robot):
        progress(f"{library}, {quantity}")
        _error(robot, quantity, function, put, get, dtype)
        for batch in BATCHES[:1] if quick else BATCHES:
            arrays = [put(x) for x in _inputs(robot, quantity, batch, dtype)]
            for _ in range(3):
                function(*arrays)
            wait()
            times: list[float] = []
            often = 200 if batch < 10_000 else 20
            for _ in range(9):
                start = time.perf_counter()
                for _ in range(often):
                    function(*arrays)
                wait()
                times.append((time.perf_counter() - start) / often)
            yield Call(library, robot.name, quantity, batch, batch / median(times))


def _callers(robot: Robot) -> Iterator[tuple[Any, ...]]:
    """(library, quantity, function, to the device, from the device, wait for it) of what is installed."""
    cp = cupy()
    ours = robot.on("cuda")
    for quantity in ("inverse_dynamics", "forward_dynamics", "mass_matrix"):
        yield "dynamis", quantity, getattr(ours, quantity), cp.asarray, cp.asnumpy, cp.cuda.Device().synchronize
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "robot.urdf"
        path.write_text(_with_inertias(write_urdf(robot)), encoding="utf-8")
        yield from _of_jax(robot, path)
        yield from _of_torch(robot, path)


def _with_inertias(urdf: str) -> str:
    """Links without mass with a mass of zero, which frax asks for."""
    zero = "".join(f' i{axes}="0"' for axes in ("xx", "xy", "xz", "yy", "yz", "zz"))
    inertial = f'<inertial><origin xyz="0 0 0" rpy="0 0 0"/><mass value="0"/><inertia{zero}/></inertial>'
    return re.sub(r'<link name="([^"]*)" */>', rf'<link name="\1">{inertial}</link>', urdf)


def _of_jax(robot: Robot, path: Path) -> Iterator[tuple[Any, ...]]:
    try:
        jax = import_module("jax")
    except ImportError:
        return
    jax.config.update("jax_default_matmul_precision", "highest")  # else XLA multiplies with 11 bits
    last: list[Any] = [None]

    def kept(function: Any) -> Any:
        def call(*arrays: Any) -> Any:
            last[0] = function(*arrays)
            return last[0]

        return call

    def waits() -> None:
        last[0].block_until_ready()

    recursion = jax.jit(jax_peer.recursion(jax.numpy, robot))
    yield "JAX, the recursion", "inverse_dynamics", kept(recursion), jax.device_put, np.asarray, waits
    try:
        frax = import_module("frax")
    except ImportError:
        return
    peer = frax.Manipulator(str(path), joint_ordering=[joint.name for joint in robot.joints])
    up = jax.numpy.array([*(-x for x in mechanism(robot, robot.floats()).gravity), 0.0, 0.0, 0.0])

    def inverse(q: Any, v: Any, a: Any) -> Any:
        return peer.rnea(q, v, a, up, None)

    def forward(q: Any, v: Any, tau: Any) -> Any:
        return peer.forward_dynamics(q, v, tau, None)

    for quantity, function in (("inverse_dynamics", inverse), ("forward_dynamics", forward)):
        yield "frax", quantity, kept(jax.jit(jax.vmap(function))), jax.device_put, np.asarray, waits


def _of_torch(robot: Robot, path: Path) -> Iterator[tuple[Any, ...]]:
    try:
        torch, adam = import_module("torch"), import_module("adam.pytorch")
    except ImportError:
        return
    peer = adam.KinDynComputationsBatch(
        str(path), [joint.name for joint in robot.joints], device=torch.device("cuda"), dtype=torch.float32
    )

    def mass_matrix(q: Any) -> Any:
        base = torch.eye(4, device="cuda").expand(len(q), 4, 4)
        return peer.mass_matrix(base, q)[:, 6:, 6:]

    def put(x: Any) -> Any:
        return torch.as_tensor(x, device="cuda")

    def get(x: Any) -> Any:
        return x.cpu().numpy()

    yield "adam-robotics", "mass_matrix", mass_matrix, put, get, torch.cuda.synchronize


def rollouts(quick: bool, progress: Callable[[str], None]) -> Iterator[Rollout]:
    cp = cupy()
    for name, dtype in ((r, d) for r in ROBOTS for d in DTYPES):
        progress(f"rollouts of {name}, {dtype}")
        robot = load(name)
        random = np.random.default_rng(SEED)
        q0, goal = random.uniform(-1, 1, (1024, robot.n)), random.uniform(-1, 1, robot.n)
        setup = simulation_setup(
            robot.on("cuda"), q0, None, PDGravity(*gains(robot)), STEPS * 1e-3, goal=goal, stiction_speed=1e-3
        )
        _, rows = next(iter(StepInputs(setup, steps_of(setup, 1e-3), "rk4").pieces(None)))
        loop: Any = setup.programs.step("rk4")
        result = loop(setup.x0.astype(dtype), rows)
        setup = simulation_setup(
            robot, q0, None, PDGravity(*gains(robot)), STEPS * 1e-3, goal=goal, stiction_speed=1e-3
        )
        expected = setup.programs.step("rk4")(setup.x0, rows)
        error = float(np.abs(result - expected).max() / np.abs(expected).max())
        _agrees(error, 10 * CLOSE[dtype], f"rollouts of {name}")
        count = 2**14 if quick else 2**20
        x = cp.asarray(np.tile(setup.x0, (count // 1024, 1)), dtype)
        row = cp.asarray(np.ascontiguousarray(np.reshape(rows, (-1, *rows.shape[-2:]))[0]), dtype)
        out = cp.empty_like(x)
        launcher = loop.launcher(True, dtype)
        addresses = [count, len(row), *(array.data.ptr for array in (x, row, out))]
        seconds = _seconds(lambda a=addresses, launch=launcher.launch: launch(a, cp.cuda.get_current_stream().ptr))
        yield Rollout(name, dtype, count * len(row) / seconds, error)


def _inputs(robot: Robot, quantity: str, count: int, dtype: str) -> list[Any]:
    random = np.random.default_rng(SEED + count)
    operands = robot.compile(quantity).program.inputs
    return [random.uniform(-2, 2, (count, x.count)).astype(dtype) for x in operands]


def _error(robot: Robot, quantity: str, function: Any, put: Any, get: Any, dtype: str) -> float:
    """How far from the CPU's doubles it is, relative to the largest entry of each result."""
    arrays = _inputs(robot, quantity, 10_000, dtype)
    results, expected = function(*map(put, arrays)), robot.compile(quantity)(*(x.astype(float) for x in arrays))
    pairs = zip(_tuple(results), _tuple(expected), strict=True)
    error = max(float(np.abs(get(a) - b).max() / np.abs(b).max()) for a, b in pairs)
    _agrees(error, CLOSE[dtype] * (10 if quantity == "forward_dynamics" else 1), f"{quantity} of {robot.name}")
    return error


def _tuple(results: Any) -> tuple[Any, ...]:
    return cast("tuple[Any, ...]", results) if isinstance(results, tuple) else (results,)


def _agrees(error: float, most: float, what: str) -> None:
    if not error <= most:
        raise ArgumentError(f"{what} differs by {error:.1e} from the CPU's; at most {most:.0e} was expected")


def _seconds(run: Callable[[], Any], rounds: int = 9) -> float:
    """The median time of a run on the device, of `TOGETHER` one after the other."""
    cp = cupy()
    times: list[float] = []
    for k in range(rounds + 2):
        start, end = cp.cuda.Event(), cp.cuda.Event()
        start.record()
        for _ in range(TOGETHER):
            run()
        end.record()
        end.synchronize()
        if k >= 2:
            times.append(cp.cuda.get_elapsed_time(start, end) * 1e-3 / TOGETHER)
    return median(times)


def measure(quick: bool, progress: Callable[[str], None]) -> dict[str, Any]:
    """All rows, with the device and its rate of copying."""
    copied = copy_rate(2**26 if quick else 2**29)
    return {
        "device": device(),
        "copy": copied,
        "throughputs": list(throughputs(copied, quick, progress)),
        "rollouts": list(rollouts(quick, progress)),
        "calls": list(calls(quick, progress)),
    }
