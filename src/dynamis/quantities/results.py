"""What the verbs of a robot give when one array is not enough."""

from __future__ import annotations

from dataclasses import dataclass

from dynamis.arrays import Array
from dynamis.errors import UnknownNameError


@dataclass(frozen=True)
class LinkMotions:
    """How every link moves: (..., links, 3) arrays, positions in the base frame, the rest in link axes.

    `point` is the joint point P, `com` the centre of mass C; `w` and `wd` are the angular velocity
    [rad/s] and acceleration [rad/s^2]. Accelerations are those of the motion, without gravity.
    """

    links: tuple[str, ...]
    point_position: Array
    com_position: Array
    w: Array
    wd: Array
    point_velocity: Array
    point_acceleration: Array
    com_velocity: Array
    com_acceleration: Array


@dataclass(frozen=True)
class Recursion:
    """What Newton-Euler computes on its way (Craig's symbols): (..., links, 3) arrays in link axes.

    Outward: `w`, `wd`, and the accelerations `vd` of the joint point and `vdc` of the CoM, which
    contain -g; `F` = m vdc and `N` = I wd + w x I w. Inward: `f` and `n`, the wrench of the parent
    at the joint point. `tau` is (..., n).
    """

    links: tuple[str, ...]
    tau: Array
    w: Array
    wd: Array
    vd: Array
    vdc: Array
    F: Array
    N: Array
    f: Array
    n: Array


@dataclass(frozen=True)
class FrameMotion:
    """How a frame moves: (..., 3) arrays in base axes; position [m], velocity, acceleration, w, wd."""

    frame: str
    position: Array
    velocity: Array
    acceleration: Array
    w: Array
    wd: Array


@dataclass(frozen=True)
class TorqueComponents:
    """What the torques are the sum of: `parts` (..., n, parts) [N m or N], their `names` in order.

    `centrifugal` and `coriolis` are the sums of these parts over all joints and pairs, `total` of all parts: (..., n).
    """

    names: tuple[str, ...]
    parts: Array
    centrifugal: Array
    coriolis: Array
    total: Array

    def part(self, name: str) -> Array:
        """One part of all joints by its name, such as "gravity" or "Coriolis 1,2": (..., n)."""
        if name not in self.names:
            raise UnknownNameError("part", name, self.names)
        return self.parts[..., self.names.index(name)]


@dataclass(frozen=True)
class InverseDerivatives:
    """First derivatives of inverse dynamics, (..., n, n): row i is of tau_i. dtau/dqdd is the mass matrix."""

    dtau_dq: Array
    dtau_dqd: Array


@dataclass(frozen=True)
class ForwardDerivatives:
    """First derivatives of forward dynamics, (..., n, n): row i is of qdd_i. dqdd/dtau is M^-1."""

    dqdd_dq: Array
    dqdd_dqd: Array
    dqdd_dtau: Array


@dataclass(frozen=True)
class Cost:
    """Operations of a compiled quantity for one state, after all that is constant has been computed."""

    quantity: str
    multiplications: int
    additions: int
    divisions: int
    square_roots: int
    sines_and_cosines: int
    signs: int

    def __str__(self) -> str:
        counted = (
            (self.multiplications, "multiplication", "multiplications"), (self.additions, "addition", "additions"),
            (self.divisions, "division", "divisions"), (self.square_roots, "square root", "square roots"),
            (self.sines_and_cosines, "sine or cosine", "sines and cosines"), (self.signs, "sign", "signs"),
        )  # fmt: skip
        parts = [f"{count} {one if count == 1 else many}" for count, one, many in counted if count]
        return f"{self.quantity}: {', '.join(parts) or 'nothing'}"
