"""Large robots beside Pinocchio and MuJoCo: every robot of example-robot-data, and chains of 20, 50 and 100 joints.

A robot is used as a controller uses it, state by state, until its functions are machine code: how long that takes is
measured. Then a call of one state and a batch are timed in turns with a call of each peer, whose results are compared
with ours first. Coupled (mimic) joints are coupled in Pinocchio too, whose forward dynamics then refuse; in MuJoCo they
would be constraints.
"""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module, metadata
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.dynamics.mujoco_peer import calls_of
from benchmarks.dynamics.subject import Array, bare, robot_named
from benchmarks.dynamics.timing import medians, share_of_a_core, turn_of
from dynamis.base.errors import ArgumentError, DynamisError
from dynamis.compute.mechanics.mechanism import mechanism
from dynamis.library import load
from dynamis.model.formats.urdf.write import write_urdf
from dynamis.robot import Robot

CHAINS = ("chain-20", "chain-50", "chain-100")
QUANTITIES = {"inverse_dynamics": 3, "forward_dynamics": 3, "mass_matrix": 1}
"""The quantities, and how many arrays each takes."""
BATCH = 256
CLOSE = 1e-9
"""The largest difference from a peer, relative to the largest entry (of the torque, for accelerations)."""
PATIENCE = 20.0
"""Seconds of use after which a function is compiled on request."""
Call = Callable[..., Any]
Say = Callable[[str], None]


@dataclass
class Row:
    """A quantity of a robot: times in ns, of a peer None where it was not compared; what was seen beside, in notes."""

    robot: str
    joints: int
    quantity: str
    use: float
    """Seconds from the first call until machine code, with a call every millisecond or so."""
    call: float
    batch: float
    """Per state, of a batch of BATCH."""
    pinocchio: float | None = None
    mujoco: float | None = None
    differences: dict[str, float] = field(default_factory=dict[str, float])
    notes: list[str] = field(default_factory=list[str])

    @property
    def times(self) -> float | None:
        """How many times as long the faster peer takes for a call."""
        peers = [x for x in (self.pinocchio, self.mujoco) if x is not None]
        return min(peers) / self.call if peers else None


@dataclass(frozen=True)
class Result:
    """The rows, the robots that are missing and why, and the least share of a core that there was."""

    rows: list[Row]
    missing: dict[str, str]
    share: float


def measure(names: Sequence[str] = (), quick: bool = False, say: Say = lambda text: None) -> Result:
    """Rows of all robots, or of those with these names (a chain, or a file without its suffix)."""
    rows: list[Row] = []
    missing: dict[str, str] = {}
    shares = [1.0]
    before = os.environ.get("DYNAMIS_CACHE")
    os.environ["DYNAMIS_CACHE"] = ""  # what an earlier run left would be there at once
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # published files have bodies that are not physical
            for name, robot in _robots(names, missing):
                say(name)
                rows += _rows(name, robot, quick, missing)
                shares.append(share_of_a_core(lambda: sum(range(1000))))
    finally:
        os.environ.pop("DYNAMIS_CACHE")
        if before is not None:
            os.environ["DYNAMIS_CACHE"] = before
    return Result(rows, missing, min(shares))


def _robots(names: Sequence[str], missing: dict[str, str]) -> Iterator[tuple[str, Robot]]:
    """The chains and the files, of files in one folder with the same number of joints the first."""
    for name in CHAINS:
        if not names or name in names:
            yield name, robot_named(name)
    try:
        files = metadata.files("example-robot-data") or []
    except metadata.PackageNotFoundError:
        raise ArgumentError('the benchmark needs example-robot-data: pip install "dynamis[bench]"') from None
    seen: set[tuple[str, int]] = set()
    for file in sorted((Path(str(x.locate())) for x in files if x.suffix == ".urdf"), key=lambda x: x.parts[-3:]):
        name = file.stem
        if names and name not in names:
            continue
        try:
            robot = bare(load(str(file)))
        except DynamisError as error:
            missing[name] = str(error).removeprefix(f"{file}:")
            continue
        if (file.parts[-3], robot.n) not in seen:
            seen.add((file.parts[-3], robot.n))
            yield name, robot


def _rows(name: str, robot: Robot, quick: bool, missing: dict[str, str]) -> Iterator[Row]:
    rng = np.random.default_rng(robot.n)
    states = [rng.uniform(-1, 1, (BATCH, robot.n)) for _ in range(3)]
    peers: dict[str, Peer] = {}
    notes: list[str] = []
    for title, make in (("Pinocchio", pinocchio_peer), ("MuJoCo", mujoco_peer)):
        try:
            peers[title] = make(robot)
        except (ArgumentError, ValueError, RuntimeError) as error:
            notes.append(f"{title}: {_line(error)}")
    for quantity, count in QUANTITIES.items():
        try:
            row = _row(name, robot, quantity, states[:count], peers, quick)
        except DynamisError as error:
            missing[f"{name}, {quantity}"] = _line(error)
            continue
        row.notes[:0] = notes
        yield row


def _row(name: str, robot: Robot, quantity: str, states: list[Array], peers: dict[str, Peer], quick: bool) -> Row:
    one = [x[0].copy() for x in states]
    use, verb = _used(robot, quantity, one)
    function: Any = robot.engine.function(quantity).ufunc()
    out = function(*states)
    row = Row(name, robot.n, quantity, use, 0.0, 0.0)
    runs: dict[str, Callable[[int], object]] = {
        "call": lambda count: _repeat(verb, one, count),
        "batch": lambda count: function(*(x[:count] for x in states), out=out[:count]),
    }
    for title, peer in peers.items():
        if quantity not in peer.calls:
            row.notes.append(f"{title} has no {quantity.replace('_', ' ')} of coupled joints")
            continue
        try:
            row.differences[title] = max(
                _difference(robot, quantity, [x[k] for x in states], out[k], peer) for k in range(3)
            )
        except (ValueError, RuntimeError) as error:
            row.notes.append(f"{title}: {_line(error)}")
            continue
        if row.differences[title] > CLOSE:
            row.notes.append(f"{title} differs by {row.differences[title]:.1e}")
            continue
        given, call = [peer.given(x) for x in one], peer.calls[quantity]
        runs[title.lower()] = lambda count, given=given, call=call: _repeat(call, given, count)
    length = 0.001 if quick else 0.01
    turns = {key: turn_of(run, BATCH if key == "batch" else 4000, length, key != "batch") for key, run in runs.items()}
    durations = medians([turn for turn, _ in turns.values()], 3 if quick else 9)
    for (key, (_, count)), seconds in zip(turns.items(), durations, strict=True):
        setattr(row, key, 1e9 * seconds / count)
    return row


def _repeat(call: Call, given: list[Array], count: int) -> None:
    """No result is kept: peers write each into the same array, and to keep ours would time the system's new pages."""
    for _ in range(count):
        call(*given)


def _used(robot: Robot, quantity: str, one: list[Array]) -> tuple[float, Call]:
    """Seconds of use until machine code, and the verb."""
    verb, start = getattr(robot, quantity), time.perf_counter()
    verb(*one)
    function = robot.engine.function(quantity)
    # Machine code has a quick call of its own.
    while function.quick_call == function.__call__ and time.perf_counter() - start < PATIENCE:
        verb(*one)
        time.sleep(0.001)
    return time.perf_counter() - start, verb


def _difference(robot: Robot, quantity: str, state: list[Array], ours: Array, peer: Peer) -> float:
    """Of accelerations it is that of the torques that they take, for M may be nearly singular."""
    difference = peer.results(quantity, state) - ours
    size = np.abs(ours).max()
    if quantity == "forward_dynamics":
        M = robot.mass_matrix(state[0])
        size = max(np.abs(x).max() for x in (state[2], robot.bias_torque(*state[:2]), M @ ours))
        difference = M @ difference
    return float(np.abs(difference).max() / size) if np.isfinite(difference).all() else float("inf")


@dataclass(frozen=True)
class Peer:
    """Quantities by another library, and where our coordinates are among its own."""

    calls: dict[str, Call]
    order: list[int]

    def given(self, values: Array) -> Array:
        """In the order of the peer."""
        return values[np.argsort(self.order)]

    def results(self, quantity: str, state: list[Array]) -> Array:
        """In our order."""
        result = np.array(self.calls[quantity](*map(self.given, state)))
        if quantity != "mass_matrix":
            return result[self.order]
        upper = np.triu(result)  # all that Pinocchio promises
        return (upper + np.triu(upper, 1).T)[np.ix_(self.order, self.order)]


def pinocchio_peer(robot: Robot) -> Peer:
    """rnea, aba and crba."""
    pin: Any = _module("pinocchio", "pin")
    m = mechanism(robot, robot.floats())
    model = pin.buildModelFromXML(write_urdf(robot), m.coupling is not None)
    order = [model.idx_vs[model.getJointId(x.name)] for x in robot.coordinates]
    _check(order, model.nv)
    if m.coupling is None:
        model.armature = np.array([body.rotor for body in m.bodies if body.joint is not None])[np.argsort(order)]
    model.gravity.linear = np.array([*m.gravity])
    data = model.createData()
    calls = {"inverse_dynamics": pin.rnea, "mass_matrix": pin.crba}
    if m.coupling is None:
        calls["forward_dynamics"] = pin.aba
    return Peer({name: partial(call, model, data) for name, call in calls.items()}, order)


def mujoco_peer(robot: Robot) -> Peer:
    """mj_inverse, mj_forward and mj_crb with mj_fullM, constraints switched off."""
    mujoco: Any = _module("mujoco", "mujoco")
    m = mechanism(robot, robot.floats())
    if m.coupling is not None:
        raise ArgumentError("coupled joints are constraints there, which are switched off")
    model: Any = mujoco.MjModel.from_xml_string(write_urdf(robot))
    order = [int(model.joint(x.name).dofadr[0]) for x in robot.coordinates]
    _check(order, model.nv)
    model.opt.gravity[:] = [*m.gravity]
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    model.dof_armature[:] = np.array([body.rotor for body in m.bodies if body.joint is not None])[np.argsort(order)]
    return Peer(calls_of(mujoco, model), order)


def _check(order: list[int], coordinates: int) -> None:
    if sorted(order) != list(range(coordinates)):
        raise ArgumentError(f"it has {coordinates} coordinates, and the robot has {len(order)}")


def _module(name: str, package: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        raise ArgumentError(f"it is not installed (pip install {package})") from None


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:160]
