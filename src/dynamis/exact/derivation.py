"""A derivation as data: named steps, a sentence each, and their equations.

Three ways to the same equations: moving frames (De Luca), Lagrange with Christoffel symbols, and
recursive Newton-Euler. How it looks is the business of `notation`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from dynamis.algorithms.moving_frames import moving_frames
from dynamis.describe import frame_text
from dynamis.exact.model import Model
from dynamis.exact.proof import Proof
from dynamis.exact.recursive import recursive_form
from dynamis.exact.ring import Exact
from dynamis.exact.tree import Tree
from dynamis.model.vectors import Vector

# A page has room for the coefficients of a small arm only; the model has those of any.
MOST_JOINTS = 4
MOST_COEFFICIENTS = 15
# Beyond this many terms a torque is given in its recursive form.
MOST_TERMS = 1000
Value = Exact | Tree | list[Exact] | list[list[Exact]]


@dataclass(frozen=True)
class Symbol:
    """A left-hand side: a letter with an index and, for vectors in link axes, the frame it is in."""

    letter: str
    index: str = ""
    frame: str = ""


@dataclass(frozen=True)
class Equation:
    """left = right, a scalar, a vector (a list) or a matrix (a list of rows)."""

    left: Symbol
    right: Value


@dataclass(frozen=True)
class Step:
    """A named step of a derivation: what is done, in a sentence, and what comes out."""

    title: str
    words: str
    equations: tuple[Equation, ...] = ()


@dataclass(frozen=True)
class Derivation:
    """The steps, and the proof that the result is right."""

    title: str
    steps: tuple[Step, ...]
    proofs: tuple[Proof, ...]


def derive(model: Model, method: str = "lagrange", steps: bool = True) -> Derivation:
    """The equations of motion by a method of METHODS; without `steps` only the result."""
    way = METHODS[method](model) if steps else iter(())
    found = (_frames(model), *way, _result(model))
    return Derivation(f"Equations of motion of {model.robot.name} ({method})", found, tuple(model.prove()))


def _frames(model: Model) -> Step:
    robot = model.robot
    links = "; ".join(f"{link.name} on {link.parent}: {frame_text(link.joint)}" for link in robot.links)
    gravity = ", ".join(str(entry) for entry in robot.gravity)
    return Step(
        "Frames and assumptions",
        f"Rigid links on a fixed base. Each link frame stands on its parent as {links}. "
        f"Gravity is the vector ({gravity}) in the base frame. Vectors of a link are in the axes of its frame.",
    )


def by_moving_frames(model: Model) -> Iterator[Step]:
    """w_i, v_i, v_ci and T_i, link by link; then M from the energy."""
    frames = moving_frames(model.mechanism, model.state)
    for k, (link, frame) in enumerate(zip(model.robot.links, frames, strict=True)):
        index = str(k + 1)
        yield Step(
            f"Link {index} ({link.name})",
            "Angular velocity, velocity of the frame's origin and of the CoM, from those of the parent; "
            "kinetic energy by Koenig's theorem.",
            (
                _vector("omega", index, frame.w),
                _vector("v", index, frame.v),
                _vector("v", f"c{index}", frame.v_com),
                Equation(Symbol("T", index), model.kinetic_energies[k]),
            ),
        )
    yield from _from_energy(model)


def by_lagrange(model: Model) -> Iterator[Step]:
    """T and U of every link, then M, Christoffel symbols, c and g."""
    energies = zip(model.kinetic_energies, model.potential_energies, strict=True)
    for k, (T, U) in enumerate(energies, 1):
        yield Step(
            f"Energy of link {k} ({model.robot.links[k - 1].name})",
            "T = (m v_c.v_c + w.I w)/2 and U = -m g.p_c.",
            (Equation(Symbol("T", str(k)), T), Equation(Symbol("U", str(k)), U)),
        )
    yield from _from_energy(model)


def by_newton_euler(model: Model) -> Iterator[Step]:
    """Outward: w, wd, vd, vdc, F, N. Inward: f, n."""
    found = model.newton_euler
    for k, (motion, net) in enumerate(zip(found.motions, found.net, strict=True), 1):
        index = str(k)
        yield Step(
            f"Outward, link {index}",
            "Velocities and accelerations from those of the parent; the base accelerates with -g, so weights need "
            "no place of their own. F = m vd_c and N = I wd + w x I w.",
            (
                _vector("omega", index, motion.w),
                _vector("omegadot", index, motion.wd),
                _vector("vdot", index, motion.a),
                _vector("vdot", f"c{index}", motion.a_com),
                _vector("F", index, net.force),
                _vector("N", index, net.moment),
            ),
        )
    for k in reversed(range(len(found.wrenches))):
        wrench, index = found.wrenches[k], str(k + 1)
        yield Step(
            f"Inward, link {index}",
            "Force and moment of the parent at the joint: what the link needs, and what its children need of it.",
            (_vector("f", index, wrench.force), _vector("n", index, wrench.moment)),
        )


METHODS: dict[str, Callable[[Model], Iterator[Step]]] = {
    "moving-frames": by_moving_frames,
    "lagrange": by_lagrange,
    "newton-euler": by_newton_euler,
}


def _from_energy(model: Model) -> Iterator[Step]:
    """M from T, Christoffel symbols from M, g from U."""
    yield Step(
        "Mass matrix", "M_ij is the second derivative of T by the velocities i and j.", _entries("m", model.M.rows())
    )
    joints = range(1, model.n + 1)
    symbols = [
        Equation(Symbol("c", _index(i, j, k)), model.christoffel(i, j, k))
        for k in joints
        for i in joints
        for j in range(i, model.n + 1)
    ]
    yield Step(
        "Christoffel symbols",
        "c_ijk = (dM_kj/dq_i + dM_ki/dq_j - dM_ij/dq_k)/2; c_ijk = c_jik, and those that are not written are zero.",
        tuple(equation for equation in symbols if equation.right),
    )
    yield Step("Coriolis and centrifugal terms", "c_k = sum of c_ijk qd_i qd_j.", _rows("c", model.coriolis))
    yield Step("Gravity", "g = dU/dq.", _rows("g", model.gravity))
    if model.n <= MOST_JOINTS and model.coefficients.p <= MOST_COEFFICIENTS:
        yield from _in_coefficients(model)


def _in_coefficients(model: Model) -> Iterator[Step]:
    """The minimal dynamic coefficients, and M, c, g written in them."""
    found = model.coefficients
    yield Step("Dynamic coefficients", found.minimality, _rows("a", found.coefficients))
    equations = Equation(Symbol("M"), found.M), Equation(Symbol("c"), found.c), Equation(Symbol("g"), found.g)
    yield Step("The model in dynamic coefficients", "The same M, c and g, linear in a_1, a_2, ...", equations)


def _result(model: Model) -> Step:
    friction = " + friction" if any(model.friction) else ""
    words = f"M(q) qdd + c(q, qd) + g(q){friction} = tau, joint by joint."
    longest = max(map(len, model.torques), default=0)
    if longest <= MOST_TERMS or not _numbered(model):
        return Step("Equations of motion", words, _rows("tau", model.torques))
    form = recursive_form(model)
    words += (
        f" Written out, the longest has {longest} terms; this is the recursive form by Newton-Euler with "
        f"{len(form.definitions)} named terms, each of those before it."
    )
    named = tuple(
        Equation(Symbol(name.rstrip("0123456789"), str(k)), tree) for k, (name, tree) in enumerate(form.definitions, 1)
    )
    return Step("Equations of motion", words, (*named, *_rows("tau", form.torques)))


def _numbered(model: Model) -> bool:
    """Whether the joints' names end in numbers of their own, which the trees of a recursive form need."""
    ends = [re.search(r"(\d+)$", joint.name) for joint in model.robot.joints]
    return None not in ends and len({end.group(1) for end in ends if end}) == model.n


def _index(*joints: int) -> str:
    """121; with commas where a joint has two digits."""
    return ("," if max(joints) > 9 else "").join(map(str, joints))


def _vector(letter: str, index: str, v: Vector[Exact]) -> Equation:
    return Equation(Symbol(letter, index, index.removeprefix("c")), list(v))


def _rows(letter: str, values: Sequence[Exact | Tree]) -> tuple[Equation, ...]:
    return tuple(Equation(Symbol(letter, str(k)), value) for k, value in enumerate(values, 1))


def _entries(letter: str, rows: Sequence[Sequence[Exact]]) -> tuple[Equation, ...]:
    """The upper triangle of a symmetric matrix."""
    return tuple(
        Equation(Symbol(letter, _index(i + 1, j + 1)), rows[i][j])
        for i in range(len(rows))
        for j in range(i, len(rows))
    )
