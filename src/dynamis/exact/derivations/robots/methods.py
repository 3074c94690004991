"""The ways of deriving: which steps there are, in which order.

Six ways to the equations of motion: the energies with M and its Christoffel symbols, Lagrange's equations
differentiated from L = T - U, the Jacobians of the links, moving frames (De Luca), recursive Newton-Euler with a base
that accelerates with -g, and as the balance of links cut free, with their weights. Three that
rewrite them: dynamic coefficients, base parameters, the regressor. And single entries, each on its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import cast

from dynamis.base.errors import ArgumentError, TooLargeError, UnknownNameError
from dynamis.base.faces import option
from dynamis.base.verb import quiet
from dynamis.compute.mechanics.mechanism import body_names
from dynamis.compute.quantities.entry_names import EntryName
from dynamis.exact.closed_form.unfinished import unfinished_message
from dynamis.exact.derivations.derivation import Derivation, StepMaker, collect
from dynamis.exact.derivations.robots import (
    free_bodies,
    from_energy,
    jacobians,
    lagrangian,
    links,
    loads,
    newton_euler,
    parameters,
    setup,
    transforms,
)
from dynamis.exact.derivations.robots.aligned import setting_of
from dynamis.exact.derivations.robots.explanations import add_explanations
from dynamis.exact.derivations.robots.named_terms import MOST_TERMS, Book, definitions, in_named_terms, recursive_form
from dynamis.exact.derivations.robots.single_entries import entry_steps
from dynamis.exact.derive import DEFAULT_METHOD, Derive
from dynamis.exact.equations import Equations
from dynamis.exact.proof.laws import CLAIMS, claims
from dynamis.model.dh_frames import dh_convention
from dynamis.scalars.exact.proof import Proof
from dynamis.telling import symbols as s
from dynamis.telling.blocks import Equation, Part, Rule, Words
from dynamis.telling.formula import Reference


def derivation(asked: Derive) -> Derivation:
    """The equations of motion step by step, or single entries; as far as time and memory go."""
    model = asked.model
    if not isinstance(model, Equations):  # type: ignore[redundant-expr]
        # A robot is not a model, and it is easily taken for one.
        raise ArgumentError(f"derive takes a model, not {model!r}; give it robot.equations()", key="model")
    found = _whole(model, asked) if asked.only is None else _entries(model, asked.only, asked)
    return add_explanations(found, model) if asked.explain else found


def _whole(model: Equations, asked: Derive) -> Derivation:
    """Every step of a method; without `steps` those that the result needs."""
    method, steps = asked.method, asked.steps
    if model.n == 0:
        raise ArgumentError(f'robot "{model.robot.name}" has no joint that moves, so there are no equations of motion')
    if method not in METHODS:
        raise UnknownNameError("method", method, METHODS)
    makers: list[StepMaker] = [
        ("Assumptions", lambda: setup.assumptions(model, steps)),
        ("Frames", lambda: setup.frames(model)),
    ]
    makers += [("Links", lambda: setup.links(model))] if steps else []
    makers.append(("Symbols", lambda: setup.symbols(model)))
    way, laws = METHODS[method]
    if steps or len(model.robot.links) <= transforms.MANY_LINKS:
        makers.append(("Transforms", partial(transforms.link_transforms, model, None, steps)))
        makers.append(("Direct kinematics", partial(transforms.direct_kinematics, model, steps)))
    else:
        makers.append(("Transforms", partial(transforms.many_links, model)))
    if model.loads:
        carried = steps and method in RECURSIVE
        makers.append(("Loads", partial(loads.acting, model, carried)))
    makers += way(model, steps)
    if steps and method in MOTION and method != "jacobians" and not asked.spatial:  # J_v and J_w have three rows
        makers = _in_the_plane(model, makers)
    makers += [_result(model, method, asked.whole, steps)] if method in MOTION else []
    title = f"Equations of motion of {model.robot.name} ({method})"
    if method not in MOTION:
        title = f"{TITLES[method]} of {model.robot.name}"
    found = _collect_derivation(model, title, makers, claims(model, *laws), asked.progress)
    frames = ("denavit-hartenberg",) if steps and method in MOTION and dh_convention(model.robot) else ()
    found = replace(found, methods=(method, *frames))
    return replace(found, scheme=setup.scheme(model)) if steps else found


def _entries(model: Equations, only: str | Sequence[str], asked: Derive) -> Derivation:
    """Single entries, each on its own; "jacobians" has a way of its own to M and g, as sums over the links."""
    if asked.method not in (DEFAULT_METHOD, "jacobians"):
        raise ArgumentError(
            f"an entry is derived in its own way; leave the method out, or give {option('method', 'jacobians')}",
            key="only",
        )
    steps = entry_steps(model, only if isinstance(only, str) else ", ".join(only), asked.method == "jacobians")
    book = Book.of(model)
    makers = [
        (title, make if asked.whole else partial(_name_terms, model, make, book)) for title, make in steps.values()
    ]
    *names, final = map(str, steps)
    # The last entry of M is the smallest of all: one link, one joint. Who asks for single entries knows of them.
    last = "" if all(entry.indices for entry in steps) else f"M[{model.n},{model.n}]"
    title = ", ".join(names) + (" and " if names else "") + final
    found = _collect_derivation(model, f"{title} of {model.robot.name}", makers, [], asked.progress, last)
    headings = {str(entry): entry.title for entry in steps}
    found = replace(found, methods=_entry_methods(model, [*steps], asked.method))
    return replace(found, steps=[replace(step, title=headings[step.title]) for step in found.steps])


def _entry_methods(model: Equations, entries: list[EntryName], method: str) -> tuple[str, ...]:
    """The methods that entries follow: frames, Jacobians, the regressor, or the way to M, c and g."""
    names: list[str] = []
    for entry in entries:
        if entry.name in ("A", "p") or (entry.name == "T" and len(entry.indices) == 2):
            names += ["denavit-hartenberg"] if dh_convention(model.robot) else []
        else:
            own = "jacobian" if entry.name in ("J", "Jv", "Jw") else "regressor" if entry.name == "Y" else method
            names.append(own)
    return tuple(dict.fromkeys(names))


def _name_terms(model: Equations, make: Callable[[], Iterator[Part]], book: Book) -> Iterator[Part]:
    return in_named_terms(model, make(), book)


def _in_the_plane(model: Equations, makers: list[StepMaker]) -> list[StepMaker]:
    """The steps of a planar arm in two dimensions; those of any other robot as they are."""
    # Found when the first step is made, so that a model that is too large leaves what is finished.
    setting = cache(lambda: setting_of(model))

    def flat(make: partial[Iterator[Part]]) -> Iterator[Part]:
        plane, own = setting().plane, setting().model
        turned = own is not model
        if plane is None or setting().reason or (turned and make.func in FRAMES):
            return make()
        return plane.flattened(partial(make.func, own, *make.args[1:]) if turned else make)

    def words() -> Iterator[Part]:
        if setting().reason:
            yield Words(setting().reason)
        elif (plane := setting().plane) is not None:
            yield plane.words()

    at = next(k for k, (title, _) in enumerate(makers) if title == "Transforms")
    planar: list[StepMaker] = []
    for title, make in makers:
        step = cast("partial[Iterator[Part]]", make)
        planar.append((title, partial(flat, step) if getattr(make, "func", None) in IN_THE_PLANE else make))
    return [*planar[:at], ("Plane", words), *planar[at:]]


def _collect_derivation(
    model: Equations,
    title: str,
    makers: list[StepMaker],
    laws: list[tuple[str, Callable[[], Proof]]],
    progress: Callable[[str], None] | None,
    smaller: str = "M[1,1]",
) -> Derivation:
    ring = model.ring
    steps, proofs, missing, error = collect(makers, laws, progress or quiet)
    stopped = unfinished_message(model, error, missing, smaller) if error is not None else ""
    misleading = setup.misleading(model)
    return Derivation(title, ring, steps, proofs, missing, stopped, misleading, subject=model.robot)


def _names(model: Equations) -> list[str]:
    """What is numbered in derivations: the bodies, which have the names of their links."""
    try:
        return body_names(model.robot, model.mechanism)
    except TooLargeError:
        # The steps say what is missing.
        return [link.name for link in model.robot.links]


def by_moving_frames(model: Equations, steps: bool) -> list[StepMaker]:
    """w_i, v_i, v_ci and T_i, link by link; then M from the energy."""
    per_link = [(f"Link {k + 1} ({name})", partial(links.frames, model, k)) for k, name in enumerate(_names(model))]
    return [*per_link, *_from_energy(model)] if steps else []


def by_energies(model: Equations, steps: bool) -> list[StepMaker]:
    """T and U of every link, then M, Christoffel symbols, c and g."""
    return [*_energies(model), *_from_energy(model)] if steps else []


def by_lagrange(model: Equations, steps: bool) -> list[StepMaker]:
    """T and U of every link, L = T - U, then d/dt dL/dqd - dL/dq, coordinate by coordinate."""
    equations = [
        (f"Lagrange's equation for coordinate {k + 1}", partial(lagrangian.equation_of, model, k))
        for k in range(model.n)
    ]
    whole = ("Lagrangian", lambda: lagrangian.lagrangian(model))
    return [*_energies(model), whole, *equations, *_virtual_work(model)] if steps else []


def by_newton_euler(model: Equations, steps: bool) -> list[StepMaker]:
    """Outward: w, wd, vd, vdc, F, N. Inward: f, n and the torques."""
    names = _names(model)
    out = [(f"Outward, link {k + 1} ({name})", partial(newton_euler.outward, model, k)) for k, name in enumerate(names)]
    back = [(f"Inward, link {k + 1} ({name})", partial(newton_euler.inward, model, k)) for k, name in enumerate(names)]
    coupled = [("Coupled joints", partial(newton_euler.coordinate_torques, model))] if model.robot.coupled else []
    return [*out, *back[::-1], *coupled] if steps else []


def by_free_bodies(model: Equations, steps: bool) -> list[StepMaker]:
    """The rules; outward true velocities and accelerations, inward the balance of every link with its weight."""
    names = list(enumerate(_names(model)))
    out = [(f"Motion of link {k + 1} ({name})", partial(free_bodies.motion, model, k)) for k, name in names]
    back = [(f"Balance of link {k + 1} ({name})", partial(free_bodies.balance, model, k)) for k, name in names]
    coupled = [("Coupled joints", partial(newton_euler.coordinate_torques, model))] if model.robot.coupled else []
    return [("Recursion", free_bodies.recursion), *out, *back[::-1], *coupled] if steps else []


def by_jacobians(model: Equations, steps: bool) -> list[StepMaker]:
    """J_v, J_w and the inertia in base axes of every link; M and g by sums over the links, C from M."""
    per_link = [
        (f"Jacobians of link {k + 1} ({name})", partial(jacobians.link, model, k, steps))
        for k, name in enumerate(_names(model))
    ]
    rest: list[StepMaker] = [
        ("Mass matrix", lambda: jacobians.mass_matrix(model)),
        *_from_mass_matrix(model),
        ("Coriolis matrix", lambda: jacobians.coriolis_matrix(model)),
        ("Gravity", lambda: jacobians.gravity(model)),
    ]
    return [*per_link, *rest] if steps else per_link


def _energies(model: Equations) -> list[StepMaker]:
    return [
        (f"Energies of link {k + 1} ({name})", partial(links.energies, model, k))
        for k, name in enumerate(_names(model))
    ]


def _from_energy(model: Equations) -> list[StepMaker]:
    """M from T, Christoffel symbols from M, g from U; the coefficients of a small arm."""
    return [
        ("Mass matrix", lambda: from_energy.mass_matrix(model)),
        *_from_mass_matrix(model),
        ("Gravity", lambda: from_energy.gravity(model)),
        *_virtual_work(model),
        ("Dynamic coefficients", lambda: parameters.short_coefficients(model)),
    ]


def _virtual_work(model: Equations) -> list[StepMaker]:
    return [("Virtual work of the loads", partial(loads.virtual_work, model))] if model.loads else []


def _from_mass_matrix(model: Equations) -> list[StepMaker]:
    return [
        ("Christoffel symbols", lambda: from_energy.christoffel(model)),
        ("Coriolis and centrifugal terms", lambda: from_energy.coriolis(model)),
        ("Factorisations of the velocity terms", lambda: from_energy.two_factorisations(model)),
    ]


def _result(model: Equations, method: str, whole: bool, steps: bool) -> StepMaker:
    return "Equations of motion", lambda: _torques(model, method not in RECURSIVE, whole, steps and method in BY_PARTS)


def _torques(model: Equations, named: bool, whole: bool, derived: bool) -> Iterator[Part]:
    """The matrix form, its parts (long ones in symbols where they are `derived` above), and every row of it."""
    yield Rule(from_energy.motion_rule(model), "motion")
    longest = max(map(len, model.torques), default=0)
    if whole or longest <= MOST_TERMS:
        if longest <= MOST_TERMS:
            yield from from_energy.matrix_form(model, derived)
            yield Words(("Row by row, ", Reference("motion", "this"), " is"))
        for k, tau in enumerate(model.torques):
            ways = (from_energy.torque_rule(model, k),) if named else ()
            yield Equation(s.tau.at(k + 1), tau, ways, label=f"torque {k + 1}")
        return
    form = recursive_form(model)
    yield from definitions(form, f"the longest has {longest} terms")
    for k, tree in enumerate(form.torques, 1):
        yield Equation(s.tau.at(k), tree)


Way = Callable[[Equations, bool], list[StepMaker]]
# The claims that only the page of one method makes; `prove` makes them all.
_OWN = {
    "lagrange": "d/dt dL/dqd - dL/dq = M qdd + c + g",
    "moving-frames": "1/2 trace(S J S^T) = 1/2 w . I w, with the Euler matrix J",
    "jacobians": "M = sum m Jv^T Jv + Jw^T R I R^T Jw, g = -sum m Jv^T g0",
}
_COMMON = tuple(claim for claim in CLAIMS if claim not in _OWN.values())
_PARAMETERS = ("tau = Y pi, linear in the inertial parameters",)
METHODS: dict[str, tuple[Way, tuple[str, ...]]] = {
    "energies": (by_energies, _COMMON),
    "lagrange": (by_lagrange, (*_COMMON, _OWN["lagrange"])),
    "jacobians": (by_jacobians, (*_COMMON, _OWN["jacobians"])),
    "moving-frames": (by_moving_frames, (*_COMMON, _OWN["moving-frames"])),
    "newton-euler": (by_newton_euler, _COMMON),
    "free-bodies": (by_free_bodies, _COMMON),
    "coefficients": (parameters.coefficients, ()),
    "base-parameters": (parameters.base_parameters, ()),
    "regressor": (parameters.regressor, _PARAMETERS),
}
# The methods whose torques are not M qdd + c + g.
RECURSIVE = ("newton-euler", "free-bodies")
# The methods whose steps have the entries of M, c and g.
BY_PARTS = ("energies", "jacobians", "moving-frames")
# The methods that end with the equations of motion.
MOTION = ("energies", "lagrange", "jacobians", "moving-frames", "newton-euler", "free-bodies")
TITLES = {
    "coefficients": "Dynamic coefficients",
    "base-parameters": "Base inertial parameters",
    "regressor": "Regressor of the inertial parameters",
}
FRAMES = (transforms.link_transforms, transforms.direct_kinematics)
"""The steps about the link frames as they are given."""
IN_THE_PLANE = (
    *FRAMES, links.energies, links.frames, newton_euler.outward, newton_euler.inward,
    free_bodies.motion, free_bodies.balance, loads.acting, loads.virtual_work,
)  # fmt: skip
"""The steps that a planar arm has in two dimensions."""
