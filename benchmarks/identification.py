"""Identification: 10^5 samples of a seven-joint arm, and a log of a TIAGo beside FIGAROH.

The log of the TIAGo (Apache-2.0) is in the source distribution of FIGAROH, from which it is read as it is:

    pip download --no-deps --no-binary :all: figaroh==1.0.2 && pip install figaroh==1.0.2
    python -m benchmarks identification --sdist figaroh-1.0.2.tar.gz

Both get the same samples, and fit the same columns by ordinary least squares: base parameters of the links, viscous and
Coulomb friction and an offset per joint. The efforts are motor currents; drive gains are those of the TIAGo in
FIGAROH's examples.
"""

from __future__ import annotations

import io
import subprocess
import sys
import tarfile
import tempfile
import time
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from dynamis.apps.identification.fitting.estimators import solve
from dynamis.apps.identification.fitting.linear_model import linear_model
from dynamis.apps.identification.identify import identify
from dynamis.apps.identification.result import Identification
from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError
from dynamis.library import load
from dynamis.model.fix_joints import fix_joints
from dynamis.robot import Robot

SAMPLES = 100_000
AIM = 2.0
"""[s] for so many samples of a Panda on one core, the first call of a process."""
JOINTS = ("torso_lift_joint", *(f"arm_{k}_joint" for k in range(1, 8)))
GAINS = (1.0, 13.6, 13.6, -8.7, -8.7, -20.5968, -20.5968, -20.5968)
"""Of the TIAGo [N m/A, N of the torso]: gear ratios 100 and 336 times 0.136, -0.087 and -0.0613 N m/A."""
FIXED = ("wheel_*", "head_*", "hand_*")
CUTOFF = 8.0
"""[Hz], the one that `identify` chooses for the Panda; near the best of this log."""
FOLDER = "tests/fixtures/tiago"


@dataclass(frozen=True)
class SpeedRow:
    """Seconds on the clock and of the processor, of the first call in a process and of the second."""

    robot: str
    samples: int
    first: float
    first_processor: float
    second: float
    second_processor: float


@dataclass(frozen=True)
class PeerRow:
    """One library: its base parameters with friction, what its fit leaves of the torques, and seconds."""

    library: str
    samples: int
    parameters: int
    error: float
    seconds: float


def speed(samples: int = SAMPLES) -> SpeedRow:
    """A Panda along Fourier series, positions, velocities and torques with noise; in a process of its own."""
    code = f"from benchmarks.identification import timed; timed({samples})"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return SpeedRow("panda", samples, *map(float, done.stdout.split()))


def timed(samples: int) -> None:
    """Print seconds on the clock and of the processor, of two calls."""
    robot, rng = load("panda"), np.random.default_rng(0)
    t, w = np.arange(samples) / 1000, 2 * np.pi * 0.1 * np.arange(1, 6)
    a, b = rng.normal(size=(2, 5, robot.n)) / (w[:, None] + 1)
    s, c = np.sin(np.outer(t, w)), np.cos(np.outer(t, w))
    q, qd, qdd = rng.uniform(-1, 1, 7) + s @ a + c @ b, (c * w) @ a - (s * w) @ b, -(s * w**2) @ a - (c * w**2) @ b
    parts = (np.array_split(y, 50) for y in (q, qd, qdd))
    tau = np.concatenate([robot.inverse_dynamics(*x) for x in zip(*parts, strict=True)])
    log = {"t": t, "q": q, "qd": qd, "tau": tau + 0.1 * rng.normal(size=tau.shape)}
    for _ in range(2):
        robot = load("panda")
        clock, processor = time.perf_counter(), time.process_time()
        identify(robot, log)
        print(time.perf_counter() - clock, time.process_time() - processor)


def tiago(sdist: Path) -> tuple[Robot, dict[str, Array]]:
    """The TIAGo of FIGAROH's source distribution, and its log: t, q, qd and current."""
    with tarfile.open(sdist) as archive, tempfile.TemporaryDirectory() as folder:
        root = archive.getnames()[0].split("/")[0]

        def content(name: str) -> bytes:
            member = archive.extractfile(f"{root}/{FOLDER}/{name}")
            assert member is not None
            return member.read()

        (Path(folder) / "tiago.urdf").write_bytes(content("tiago.urdf"))
        robot = load(Path(folder) / "tiago.urdf")
        tables = [
            np.loadtxt(io.BytesIO(content(f"data/tiago_{name}.csv")), delimiter=",", skiprows=1)
            for name in ("position", "velocity", "effort")
        ]
    return robot, {"t": tables[0][:, 0], **{k: x[:, 1:] for k, x in zip(("q", "qd", "current"), tables, strict=True)}}


def beside_figaroh(sdist: Path) -> tuple[Identification, list[PeerRow]]:
    """Our identification of the TIAGo, and the fits of its samples by dynamis and by FIGAROH."""
    robot, log = tiago(sdist)
    options: Any = {"fixed": FIXED, "gains": GAINS, "cutoff": CUTOFF, "rotor": False, "physical": False}
    result = identify(robot, log, method="ordinary", **options)
    r = result.residuals
    rows = [_ours(robot, r.q, r.qd, r.qdd, r.tau), _figaroh(sdist, r.q, r.qd, r.qdd, r.tau)]
    return result, rows


def _ours(robot: Robot, q: Array, qd: Array, qdd: Array, tau: Array) -> PeerRow:
    start = time.perf_counter()
    names = [joint.name for joint in robot.joints if joint.name not in JOINTS and not joint.coupling]
    model = linear_model(fix_joints(robot, dict.fromkeys(names, 0.0)))
    W = model.columns(q, qd, qdd)[:, :, list(model.base)].swapaxes(0, 1).reshape(-1, len(model.base))
    return PeerRow("dynamis", len(q), len(model.base), _left(W, tau), time.perf_counter() - start)


def _figaroh(sdist: Path, q: Array, qd: Array, qdd: Array, tau: Array) -> PeerRow:
    try:
        pinocchio: Any = import_module("pinocchio")
        regressor: Any = import_module("figaroh.tools.regressor")
        decomposition: Any = import_module("figaroh.tools.qrdecomposition")
    except ImportError as error:
        raise ArgumentError(f"FIGAROH cannot be imported ({error}): pip install figaroh==1.0.2") from None
    with tarfile.open(sdist) as archive:
        member = archive.extractfile(f"{archive.getnames()[0].split('/')[0]}/{FOLDER}/tiago.urdf")
        assert member is not None
        whole = pinocchio.buildModelFromXML(member.read().decode())
    start = time.perf_counter()
    locked = [k for k, name in enumerate(whole.names) if k and name not in JOINTS]
    model = pinocchio.buildReducedModel(whole, locked, pinocchio.neutral(whole))

    class Wrapped:
        """What FIGAROH asks of a robot."""

        def __init__(self) -> None:
            self.model, self.data = model, model.createData()

    config = {
        "is_joint_torques": True, "is_external_wrench": False, "has_friction": True, "has_actuator_inertia": False,
        "has_joint_offset": True, "act_idxv": list(range(model.nv)), "force_torque": None,
    }  # fmt: skip
    W = regressor.build_regressor_basic(Wrapped(), q, qd, qdd, config)
    names = {f"p{k}": 0.0 for k in range(W.shape[1])}
    dropped, left = regressor.get_index_eliminate(W, names, 1e-6)
    reduced = regressor.build_regressor_reduced(W, dropped)
    base = decomposition.get_baseIndex(reduced, left)
    W_base = decomposition.build_baseRegressor(reduced, base)
    return PeerRow("FIGAROH", len(q), len(base), _left(W_base, tau), time.perf_counter() - start)


def _left(W: Array, tau: Array) -> float:
    """|tau - W x| / |tau| of the least-squares x, joint by joint in W."""
    y = tau.T.ravel()
    start: Array = np.zeros(len(W.T))
    return float(np.linalg.norm(y - W @ solve(W, y, start)) / np.linalg.norm(y))
