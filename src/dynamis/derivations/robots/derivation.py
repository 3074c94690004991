"""The ways of deriving: which steps there are, in which order.

Three ways to the equations of motion: moving frames (De Luca), Lagrange with Christoffel symbols, recursive
Newton-Euler. Three that rewrite them: dynamic coefficients, base parameters, the regressor. And single
entries, each on its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from dynamis.derivations.derivation import Derivation, Step, collect
from dynamis.derivations.robots import energy_steps, link_steps, newton_steps, parameter_steps, setup_steps
from dynamis.derivations.robots.entries import entry_section
from dynamis.derivations.robots.long_steps import MOST_TERMS, definitions, in_named_terms
from dynamis.derivations.robots.recursive import recursive_form
from dynamis.document.blocks import Equation, Part, Rule, Words
from dynamis.document.formula import EQUALS, PLUS, Coordinates, Formula, Group, Op, Sym, vec
from dynamis.equations.advice import unfinished
from dynamis.equations.model import Model
from dynamis.equations.proof.laws import CLAIMS, claims
from dynamis.errors import ArgumentError, UnknownNameError
from dynamis.scalars.exact.proof import Proof


def derive(
    model: Model,
    method: str = "lagrange",
    steps: bool = True,
    progress: Callable[[str], None] = lambda title: None,
    whole: bool = False,
) -> Derivation:
    """The equations of motion by a method of METHODS; without `steps` only the result.

    Torques of more than MOST_TERMS terms are in their recursive form, unless `whole`.
    A model that is too large for its time or its memory gives the steps that are finished, and says what is missing.
    """
    _check_model(model)
    if method not in METHODS:
        raise UnknownNameError("method", method, METHODS)
    sections: list[Step] = [
        ("Assumptions", lambda: setup_steps.assumptions(model, steps)),
        ("Frames", lambda: setup_steps.frames(model)),
    ]
    if steps:
        sections += [("Links", lambda: setup_steps.links(model)), ("Letters", lambda: setup_steps.letters(model))]
    way, wanted = METHODS[method]
    sections += [*way(model, steps), *([_result(model, method, whole)] if method in MOTION else [])]
    title = f"Equations of motion of {model.robot.name} ({method})"
    if method not in MOTION:
        title = f"{TITLES[method]} of {model.robot.name}"
    return _collected(model, title, sections, claims(model, *wanted), progress)


def derive_only(
    model: Model, entry: str, progress: Callable[[str], None] = lambda title: None, whole: bool = False
) -> Derivation:
    """One entry, such as M[1,1], c[2] or tau[3], without the rest; a long one in named terms, unless `whole`."""
    _check_model(model)
    title, written_out = entry_section(model, entry)
    # The last entry of M is the smallest of all: one link, one joint.
    last = f"M[{model.n},{model.n}]"
    smaller = last if title != last else ""

    def make() -> Iterator[Part]:
        return written_out() if whole else in_named_terms(model, written_out())

    return _collected(model, f"{title} of {model.robot.name}", [(title, make)], [], progress, smaller)


def _check_model(given: object) -> None:
    """A robot is not a model, and it is easily taken for one."""
    if not isinstance(given, Model):
        raise ArgumentError(f"derive takes a model, not {given!r}; give it robot.equations()", key="model")


def _collected(
    model: Model,
    title: str,
    sections: list[Step],
    laws: list[tuple[str, Callable[[], Proof]]],
    progress: Callable[[str], None],
    smaller: str = "M[1,1]",
) -> Derivation:
    ring = model.ring
    steps, proofs, missing, error = collect(sections, laws, progress)
    stopped = unfinished(model, error, missing, smaller) if error is not None else ""
    return Derivation(title, ring, steps, proofs, missing, stopped)


def by_moving_frames(model: Model, steps: bool) -> list[Step]:
    """w_i, v_i, v_ci and T_i, link by link; then M from the energy."""
    links = [(f"Link {k + 1} ({link.name})", partial(_frames, model, k)) for k, link in enumerate(model.robot.links)]
    return [*links, *_from_energy(model)] if steps else []


def by_lagrange(model: Model, steps: bool) -> list[Step]:
    """T and U of every link, then M, Christoffel symbols, c and g."""
    links = [
        (f"Energies of link {k + 1} ({link.name})", partial(_energies, model, k))
        for k, link in enumerate(model.robot.links)
    ]
    return [*links, *_from_energy(model)] if steps else []


def by_newton_euler(model: Model, steps: bool) -> list[Step]:
    """Outward: w, wd, vd, vdc, F, N. Inward: f, n and the torques."""
    names = [link.name for link in model.robot.links]
    out = [(f"Outward, link {k + 1} ({name})", partial(_outward, model, k)) for k, name in enumerate(names)]
    back = [(f"Inward, link {k + 1} ({name})", partial(_inward, model, k)) for k, name in enumerate(names)][::-1]
    return [*out, *back] if steps else []


def _energies(model: Model, k: int) -> Iterator[Part]:
    yield Words((
        "Position and velocity of the CoM in the axes of the base, angular velocity; kinetic energy by Koenig's "
        "theorem, potential energy of the weight.",
    ))  # fmt: skip
    yield from link_steps.energies(model, k)


def _frames(model: Model, k: int) -> Iterator[Part]:
    yield Words((
        "Angular velocity, velocity of the origin of the frame and of the CoM, from those of the parent; kinetic "
        "energy by Koenig's theorem; position of the CoM in the axes of the base, and potential energy.",
    ))  # fmt: skip
    if k == 0:
        yield Words((
            "Here ", (vec("e", "i"),), " goes from the origin of the parent's frame to the joint, ", (vec("r", "i"),),
            " from the joint to the origin of the link frame, and ", (vec("r", "ci"),), " from there to the CoM; the "
            "first is in the axes of the parent, and where one of them is zero its term is not written.",
        ))  # fmt: skip
    yield from link_steps.frames(model, k)


def _outward(model: Model, k: int) -> Iterator[Part]:
    start: Formula = (vec("v", "0", 1), EQUALS, Op("-"), link_steps.GRAVITY)
    first = ("The base accelerates with ", start, ", so that weights need no place of their own. ") if k == 0 else ()
    yield Words((
        *first, "Velocities and accelerations of the joint point and of the CoM from those of the parent; ",
        (vec("d", str(k + 1)),), " goes from the joint point of the parent to that of the link, ",
        (vec("r", f"c{k + 1}"),), " from there to the CoM.",
    ))  # fmt: skip
    yield from newton_steps.outward(model, k)


def _inward(model: Model, k: int) -> Iterator[Part]:
    yield Words((
        "Force and moment of the parent on the link at its joint point: what the link needs, and what its children "
        "need of it. The motor gives the component along the axis.",
    ))  # fmt: skip
    yield from newton_steps.inward(model, k)


def _from_energy(model: Model) -> list[Step]:
    """M from T, Christoffel symbols from M, g from U; the coefficients of a small arm."""
    return [
        ("Mass matrix", lambda: energy_steps.mass_matrix(model)),
        ("Christoffel symbols", lambda: energy_steps.christoffel(model)),
        ("Coriolis and centrifugal terms", lambda: energy_steps.coriolis(model)),
        ("Gravity", lambda: energy_steps.gravity(model)),
        ("Dynamic coefficients", lambda: parameter_steps.short_coefficients(model)),
    ]


def _result(model: Model, method: str, whole: bool) -> Step:
    return "Equations of motion", lambda: _torques(model, method != "newton-euler", whole)


def _torques(model: Model, named: bool, whole: bool) -> Iterator[Part]:
    friction: Formula = (PLUS, Sym("friction")) if any(model.friction) else ()
    q, qd, qdd = Coordinates(0), Coordinates(1), Coordinates(2)
    left: Formula = (Sym("M"), Group((q,)), qdd, PLUS, Sym("c"), Group((q, Op(","), qd)), PLUS, Sym("g"), Group((q,)))
    yield Rule((*left, *friction, EQUALS, Sym("tau")))
    longest = max(map(len, model.torques), default=0)
    if whole or longest <= MOST_TERMS:
        for k, tau in enumerate(model.torques):
            ways = (energy_steps.torque_rule(model, k),) if named else ()
            yield Equation(Sym("tau", str(k + 1)), tau, ways)
        return
    form = recursive_form(model)
    yield from definitions(form, f"the longest has {longest} terms")
    for k, tree in enumerate(form.torques, 1):
        yield Equation(Sym("tau", str(k)), tree)


Way = Callable[[Model, bool], list[Step]]
_PARAMETERS = ("tau = Y pi, linear in the inertial parameters",)
METHODS: dict[str, tuple[Way, tuple[str, ...]]] = {
    "lagrange": (by_lagrange, tuple(CLAIMS)),
    "moving-frames": (by_moving_frames, tuple(CLAIMS)),
    "newton-euler": (by_newton_euler, tuple(CLAIMS)),
    "coefficients": (parameter_steps.coefficients, ()),
    "base-parameters": (parameter_steps.base_parameters, ()),
    "regressor": (parameter_steps.regressor, _PARAMETERS),
}
# The methods that end with the equations of motion.
MOTION = ("lagrange", "moving-frames", "newton-euler")
TITLES = {
    "coefficients": "Dynamic coefficients",
    "base-parameters": "Base inertial parameters",
    "regressor": "Regressor of the inertial parameters",
}
