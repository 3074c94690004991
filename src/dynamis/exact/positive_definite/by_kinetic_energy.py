"""M > 0 by the kinetic energy, for any number of joints: every joint moves inertia of its own.

2T = qd^T M qd is a sum over the links of terms that are not negative. Go from the base outward: where all joints before
joint j stand still, its own link and what is fixed to it have 2 T_j = J_j qd_j^2 with

    J_j = sum of (w.I_C w + m |v_C|^2) + rotor        w, v_C for a unit velocity of joint j

so if every J_j > 0, T = 0 only for qd = 0: M is positive definite for all q. None of the parts of J_j is negative; one
that is positive is enough. Where the signs of the symbols show none, a part is assumed to be, as it is of a body: with
a positive definite inertia about the CoM w.I_C w > 0, for any axis of a revolute joint; with a mass m > 0
m |v_C|^2 > 0 for a prismatic joint.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from dynamis.compute.mechanics.kinematics.motion import Velocity, velocities
from dynamis.compute.mechanics.mechanism import Body, body_names
from dynamis.exact.closed_form.closed_form import ClosedForm
from dynamis.exact.closed_form.signs import Sign, sign_of
from dynamis.exact.positive_definite.physical_links import assumptions, can_be
from dynamis.exact.positive_definite.verdict import PositiveDefinite
from dynamis.scalars.exact.ring import Exact
from dynamis.scalars.exact.symbols import Symbol, parameter


@dataclass(frozen=True)
class OwnInertia:
    """J_j of one joint in parts that are not negative; `links` are the indices of the links that it is made of."""

    joint: Body[Exact]
    links: tuple[int, ...]
    parts: tuple[Exact, ...]

    @property
    def total(self) -> Exact:
        """J_j [kg m^2 or kg]."""
        return sum(self.parts, start=self.joint.rotor)

    def positive_part(self, positive: frozenset[Symbol], gears: frozenset[Symbol]) -> Exact | None:
        """J_j or a part of it that is > 0, with the fewest symbols.

        A gear ratio stands squared in the rotor's part, so it need not be > 0.
        """
        rotor = self.joint.rotor
        candidates = [part for part in (self.total, *self.parts, rotor) if sign_of(part, positive) == Sign.POSITIVE]
        if candidates:
            return min(candidates, key=lambda part: len(part.symbols()))
        return rotor if sign_of(rotor, positive | gears) == Sign.POSITIVE else None


def own_inertias(model: ClosedForm) -> list[OwnInertia]:
    """J_j of every joint."""
    bodies = model.mechanism.bodies
    inertias: list[OwnInertia] = []
    for first, joint in enumerate(bodies):
        if joint.joint is None:
            continue
        links = [first]
        for k, body in enumerate(bodies[first + 1 :], start=first + 1):
            if body.joint is None and body.parent in links:
                links.append(k)
        column = _column(model, joint.joint)
        parts = [column[k].w.dot(bodies[k].inertia @ column[k].w) for k in links]
        parts += [column[k].v_com.dot(column[k].v_com) * bodies[k].mass for k in links]
        inertias.append(OwnInertia(joint, tuple(links), tuple(parts)))
    return inertias


def _column(model: ClosedForm, joint: int) -> list[Velocity[Exact]]:
    """The velocities of all links when one joint moves alone, with velocity 1, whatever it is coupled to."""
    m, ring = model.mechanism, model.ring
    if m.coupling is None:
        return model.M.column(joint)
    return velocities(m, replace(model.state, qd=[ring.one if j == joint else ring.zero for j in range(m.joints)]))


def by_kinetic_energy(model: ClosedForm, positive: frozenset[Symbol], assume: bool = False) -> PositiveDefinite | None:
    """The verdict where every J_j > 0; `assume` takes links as bodies where their symbols do not show it."""
    gears = frozenset(parameter(name) for j in model.robot.joints for name in j.gear_ratio.parameters()) - positive
    symbols, massive, solid, joints = set[Symbol](), list[int](), list[int](), own_inertias(model)
    for inertia in joints:
        part = inertia.positive_part(positive, gears)
        if part is not None:
            symbols |= part.symbols()
        elif assume and (link := _first_assumable_link(model, inertia, positive)) is not None:
            (solid if inertia.joint.revolute else massive).append(link)
        else:
            return None
    if (massive or solid) and not can_be(model, positive, massive, solid):
        return None
    ratios = sorted(symbols & gears)
    texts = [f"{', '.join(ratios)} not 0" if ratios else "", *assumed_links(model, massive, solid)]
    totals = tuple(inertia.total for inertia in joints)
    return PositiveDefinite(True, "kinetic energy", assumptions(model, positive & symbols, *texts), joints=totals)


def _first_assumable_link(model: ClosedForm, inertia: OwnInertia, positive: frozenset[Symbol]) -> int | None:
    """The first link of a joint that can have a mass, or a positive definite inertia where the joint is revolute."""
    for link in inertia.links:
        if can_be(model, positive, *(((), (link,)) if inertia.joint.revolute else ((link,), ()))):
            return link
    return None


def assumed_links(model: ClosedForm, massive: list[int], solid: list[int]) -> list[str]:
    """What is assumed of links, in words."""
    names = body_names(model.robot, model.mechanism)
    texts = [f"the mass of {', '.join(names[k] for k in massive)} > 0"] if massive else []
    if solid:
        texts.append(f"the inertia of {', '.join(names[k] for k in solid)} about the CoM positive definite")
    return texts
