"""Robots of many joints: chains, stars and trees."""

from __future__ import annotations

import numpy as np

from dynamis import Inertia, Joint, Link, Robot


def chain(joints: int) -> Robot:
    """Oblique revolute joints, one on the other."""
    return tree([k - 1 for k in range(joints)])


def star(joints: int) -> Robot:
    """All joints on the base: most of what is asked of it is zero."""
    return tree([-1] * joints)


def tree(parents: list[int]) -> Robot:
    """Oblique revolute joints, each on the link with this number, or on the base (-1)."""
    rng = np.random.default_rng(0)
    links: list[Link] = []
    for k, on in enumerate(parents):
        joint = Joint(f"joint{k}", "revolute", tuple(rng.normal(size=3)), f"Tx(0.1) Ty({rng.uniform(-0.1, 0.1)})")
        inertia = Inertia(np.diag(rng.uniform(1, 1.5, 3)) * 1e-2)
        links.append(Link(f"link{k}", joint, "base" if on < 0 else f"link{on}", 0.5, (0.05, 0.01, 0), inertia))
    return Robot("tree", tuple(links))
