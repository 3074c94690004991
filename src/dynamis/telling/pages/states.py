"""What the verbs of a robot give when one array is not enough.

Each is a `Result`: it prints as tables of one state (of a batch, the first), and is JSON, HTML, LaTeX, ... too.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from dynamis.base.arrays import Array, is_labelled, is_lazy
from dynamis.base.errors import UnknownNameError
from dynamis.model.inertial_parameters import STANDARD
from dynamis.telling.blocks import Block, Column, Document, Items, Note, Section, Table
from dynamis.telling.result import Result

STEPS = {
    "w": "rad/s", "wd": "rad/s^2", "vd": "m/s^2", "vdc": "m/s^2", "F": "N", "N": "N m", "f": "N", "n": "N m",
}  # fmt: skip
"""The vectors of the recursion, with their units."""


LAZY = Document("", (Note("the values are lazy (Dask) and are not computed here; compute the arrays that you need"),))
"""In the place of tables of values that are not there yet."""


class OfStates(Result):
    """A result whose arrays have the batch in their leading axes; of DataArrays links and parts get their names."""

    def __post_init__(self) -> None:
        names = {"link": getattr(self, "links", None), "part": getattr(self, "names", None)}
        for name, x in _labelled_fields(self).items():
            known = {dim: list(own) for dim, own in names.items() if own and dim in x.dims}
            object.__setattr__(self, name, x.assign_coords(known))

    def document(self) -> Document:
        """The tables; of a batch, those of its first state."""
        plain: Any = {name: x.data for name, x in _labelled_fields(self).items()}
        return replace(self, **plain)._tables() if plain else self._tables()  # type: ignore[type-var]

    def _tables(self) -> Document:
        """What `document` shows, of plain arrays."""
        raise NotImplementedError


def _labelled_fields(result: Any) -> dict[str, Any]:
    """The fields that are DataArrays."""
    return {field.name: x for field in fields(result) if is_labelled(x := getattr(result, field.name))}


def stack_transforms(rows: Any, links: Sequence[str]) -> Any:
    """Transforms one below the other, (..., 4 links, 4), as (..., links, 4, 4)."""
    if not is_labelled(rows):
        return rows.reshape(*rows.shape[:-2], len(links), 4, 4)
    batch = rows.dims[:-2]
    coordinates = {name: x for name, x in rows.coords.items() if set(x.dims) <= set(batch)} | {"link": list(links)}
    dims = (*batch, "link", "pose_1", "pose_2")
    return type(rows)(stack_transforms(rows.data, links), coordinates, dims, rows.name, rows.attrs)


def _first(values: Array, axes: int) -> Array:
    """The values of the first state of a batch; the last `axes` axes are those of one state."""
    return np.zeros(values.shape[values.ndim - axes :]) if is_lazy(values) else values[(0,) * (np.ndim(values) - axes)]


def _document(result: object, batch: tuple[int, ...], *blocks: Block) -> Document:
    """The blocks, a note on the batch, and all fields as data."""
    note = (Note(f"the first state of {' x '.join(map(str, batch))}"),) if batch else ()
    if any(is_lazy(getattr(result, field.name)) for field in fields(result)):  # type: ignore[arg-type]
        return LAZY
    data = {field.name: getattr(result, field.name) for field in fields(result)}  # type: ignore[arg-type]
    return Document("", (Section("", (*blocks, *note)),), data=lambda: data, states=states_of(result, batch))


def at(result: Any, state: tuple[int, ...]) -> Any:
    """The same of one state of a batch; all arrays of the result must have the batch in their leading axes."""
    arrays = {field.name: getattr(result, field.name) for field in fields(result)}
    return replace(result, **{name: x[state] for name, x in arrays.items() if isinstance(x, np.ndarray)})


def states_of(result: Any, batch: tuple[int, ...]) -> Callable[[], Iterable[Document]] | None:
    """The documents of the states of a batch, one by one; None for one state and for no states."""
    if not batch or not math.prod(batch):
        return None
    return lambda: (at(result, state).document() for state in np.ndindex(batch))


def _vectors(links: Sequence[str], vectors: Mapping[str, tuple[str, Array]]) -> Table:
    """Vectors (..., links, 3), link by link."""
    entries = [(name, unit, _first(values, 2)) for name, (unit, values) in vectors.items()]
    rows = [
        (link if k == 0 else "", name, *values[i].tolist(), unit)
        for i, link in enumerate(links)
        for k, (name, unit, values) in enumerate(entries)
    ]
    return Table(("link", "", *(Column(axis, form="fixed") for axis in "xyz"), "unit"), tuple(rows), keys=2)


def _matrix(key: str, units: Sequence[str], columns: Sequence[str], values: Array) -> Table:
    """One row per joint with its unit, and the entries of a matrix (..., n, columns)."""
    rows = tuple(
        (k, unit, *row) for k, (unit, row) in enumerate(zip(units, _first(values, 2).tolist(), strict=True), 1)
    )
    return Table((key, "unit", *(Column(name, form="fixed") for name in columns)), rows, keys=2)


@dataclass(frozen=True)
class LinkMotions(OfStates):
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

    def _short(self) -> str:
        return f"{len(self.links)} links, {_states(self.w[..., 0])}"

    def _tables(self) -> Document:
        """Every vector, link by link."""
        vectors = {
            "P": ("m", self.point_position), "C": ("m", self.com_position), "w": ("rad/s", self.w),
            "wd": ("rad/s^2", self.wd), "v_P": ("m/s", self.point_velocity), "a_P": ("m/s^2", self.point_acceleration),
            "v_C": ("m/s", self.com_velocity), "a_C": ("m/s^2", self.com_acceleration),
        }  # fmt: skip
        return _document(self, self.w.shape[:-2], _vectors(self.links, vectors))


@dataclass(frozen=True)
class Recursion(OfStates):
    """What Newton-Euler computes on its way (Craig's symbols): (..., links, 3) arrays in link axes.

    Outward: `w`, `wd`, and the accelerations `vd` of the joint point and `vdc` of the CoM, which
    contain -g; `F` = m vdc and `N` = I wd + w x I w. Inward: `f` and `n`, the wrench of the parent
    at the joint point. `tau` is (..., n) in `units` (N m, or N) per coordinate.
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
    units: tuple[str, ...] = ()

    def _short(self) -> str:
        return f"{len(self.links)} links, {_states(self.tau)}"

    def _tables(self) -> Document:
        """Every vector, link by link, and the torques."""
        torques = _matrix("coordinate", self.units, ["tau"], self.tau[..., None])
        return _document(self, self.tau.shape[:-1], recursion_table(self), torques)


def _states(values: Array) -> str:
    """`1 state`, of values (..., n)."""
    count = math.prod(values.shape[:-1])
    return f"{count} state{'s' * (count != 1)}"


def recursion_table(recursion: Recursion) -> Table:
    """Every vector of the recursion, link by link."""
    return _vectors(recursion.links, {name: (unit, getattr(recursion, name)) for name, unit in STEPS.items()})


@dataclass(frozen=True)
class FrameMotion(OfStates):
    """How a frame moves: (..., 3) arrays in base axes; position [m], velocity, acceleration, w, wd."""

    frame: str
    position: Array
    velocity: Array
    acceleration: Array
    w: Array
    wd: Array

    def _tables(self) -> Document:
        """One row per vector."""
        rows = (
            ("position", "m", self.position), ("velocity", "m/s", self.velocity),
            ("acceleration", "m/s^2", self.acceleration), ("w", "rad/s", self.w), ("wd", "rad/s^2", self.wd),
        )  # fmt: skip
        table = Table(
            (f"frame {self.frame}", "unit", *(Column(axis, form="fixed") for axis in "xyz")),
            tuple((name, unit, *_first(values, 1).tolist()) for name, unit, values in rows),
        )
        return _document(self, self.w.shape[:-1], table)


@dataclass(frozen=True)
class TorqueComponents(OfStates):
    """What the torques are the sum of: `parts` (..., n, parts), their `names` in order.

    Row k is in `units[k]` (N m, or N).

    `centrifugal` and `coriolis` are the sums of these parts over all joints and pairs, `total` of all parts: (..., n).
    """

    names: tuple[str, ...]
    parts: Array
    centrifugal: Array
    coriolis: Array
    total: Array
    units: tuple[str, ...] = ()

    def _short(self) -> str:
        return f"{len(self.names)} parts of {self.total.shape[-1]} torques, {_states(self.total)}"

    def _tables(self) -> Document:
        """One row per part, one column per coordinate."""
        values = np.concatenate([self.parts, self.total[..., None]], axis=-1)
        columns = [Column(f"tau{k}", unit, "fixed") for k, unit in enumerate(self.units, 1)]
        rows = zip((*self.names, "total"), _first(values, 2).T.tolist(), strict=True)
        table = Table(
            ("part", *columns), tuple((name, *row) for name, row in rows), splits=tuple(range(5, 1 + len(columns), 4))
        )
        return _document(self, self.total.shape[:-1], table)

    def part(self, name: str) -> Array:
        """One part of all joints by its name, such as "gravity" or "Coriolis 1,2": (..., n)."""
        if name not in self.names:
            raise UnknownNameError("part", name, self.names)
        return self.parts[..., self.names.index(name)]


@dataclass(frozen=True)
class InverseDerivatives(OfStates):
    """First derivatives of inverse dynamics, (..., n, n): row i is of tau_i. dtau/dqdd is the mass matrix.

    Entry (i, j) is in the unit of tau_i, `units[i]` (N m, or N), per rad or m (per rad/s or m/s) of coordinate j.
    """

    dtau_dq: Array
    dtau_dqd: Array
    units: tuple[str, ...] = ()

    def _tables(self) -> Document:
        """One table per derivative."""
        return _derivatives(self, self.units, {"dtau/dq": self.dtau_dq, "dtau/dqd": self.dtau_dqd})


@dataclass(frozen=True)
class ForwardDerivatives(OfStates):
    """First derivatives of forward dynamics, (..., n, n): row i is of qdd_i. dqdd/dtau is M^-1.

    Entry (i, j) is in rad/s^2 or m/s^2 (where tau_i has the unit N m or N, `units[i]`) per unit of coordinate j, of its
    velocity or of its torque.
    """

    dqdd_dq: Array
    dqdd_dqd: Array
    dqdd_dtau: Array
    units: tuple[str, ...] = ()

    def _tables(self) -> Document:
        """One table per derivative."""
        columns = {"dqdd/dq": self.dqdd_dq, "dqdd/dqd": self.dqdd_dqd, "dqdd/dtau": self.dqdd_dtau}
        return _derivatives(self, ["rad/s^2" if unit == "N m" else "m/s^2" for unit in self.units], columns)


def _derivatives(result: object, units: Sequence[str], columns: Mapping[str, Array]) -> Document:
    tables = [_matrix(name, units, [f"{k + 1}" for k in range(len(units))], value) for name, value in columns.items()]
    return _document(result, next(iter(columns.values())).shape[:-2], *tables)


@dataclass(frozen=True)
class ParameterVector(Result):
    """pi of tau = Y pi: `values` with their `names` and `units`. `Y @ pi` takes it as it is.

    Ten inertial parameters per link, about the origin of its frame and in its axes, the first moments m c after the
    mass, I_xy = -integral of x y dm; then per moving joint three or more: rotor inertia at the joint, damping,
    Coulomb friction, and what else the force of any joint is linear in (`robot.force_terms`).
    """

    links: tuple[str, ...]
    joints: tuple[str, ...]
    names: tuple[str, ...]
    units: tuple[str, ...]
    values: Array

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        return np.array(self.values, dtype=dtype)

    def __len__(self) -> int:
        return len(self.values)

    def document(self) -> Document:
        """One row per link, and one per joint."""
        ten = len(STANDARD)
        columns = [Column(name, unit, ".6g") for name, unit in zip(STANDARD, self.units, strict=False)]
        entries = self.values.tolist()
        rows = tuple((link, *entries[ten * k : ten * (k + 1)]) for k, link in enumerate(self.links))
        point = "about the origin of the link frame, in its axes; mx = m c_x"
        blocks: list[Block] = [Section("", (Table(("link", *columns), rows, splits=(5, 8)), Items((point,))))]
        at = ten * len(self.links)
        width = (len(entries) - at) // max(1, len(self.joints))
        starts = range(at, len(entries), max(1, width))
        drives = [(entries[k : k + width], self.units[k : k + width]) for k in starts]
        names = [name.removesuffix("1") for name in self.names[at : at + width]]
        heads = [Column(x, form=".6g") if k == 0 else Column(x) for name in names for k, x in enumerate((name, "unit"))]
        rows = tuple(
            (joint, *(x for pair in zip(values, units, strict=True) for x in pair))
            for joint, (values, units) in zip(self.joints, drives, strict=True)
        )
        if rows:
            reflected = "rotor: its inertia at the joint, gear_ratio^2 times that at the motor"
            blocks.append(Section("", (Table(("joint", *heads), rows), Items((reflected,)))))
        return _document(self, (), *blocks)


@dataclass(frozen=True)
class Cost(Result):
    """Operations of a compiled quantity for one state, after all that is constant has been computed."""

    quantity: str
    multiplications: int
    additions: int
    divisions: int
    square_roots: int
    sines_and_cosines: int
    signs: int

    def document(self) -> Document:
        """One row per operation."""
        counts = {field.name: getattr(self, field.name) for field in fields(self)}
        rows = tuple((name.replace("_", " "), counts[name]) for name in counts if name != "quantity")
        table = Table((self.quantity, Column("count", form="d")), rows)
        return Document("", (table,), data=lambda: counts)

    def __str__(self) -> str:
        counted = (
            (self.multiplications, "multiplication", "multiplications"), (self.additions, "addition", "additions"),
            (self.divisions, "division", "divisions"), (self.square_roots, "square root", "square roots"),
            (self.sines_and_cosines, "sine or cosine", "sines and cosines"), (self.signs, "sign", "signs"),
        )  # fmt: skip
        parts = [f"{count} {one if count == 1 else many}" for count, one, many in counted if count]
        return f"{self.quantity}: {', '.join(parts) or 'nothing'}"
