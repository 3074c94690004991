"""Random robots with parallel axes."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from dynamis import Inertia, Joint, Link, Robot

PLACES = ("Tx(0.4)", "Ty(0.3) Tz(0.1)", "Tx(0.2) Rx(pi)", "Rz(pi/2) Tx(0.3)", "Rx(pi/2) Tz(0.2)", "Ry(0.3)", "")


@st.composite
def arms(draw: st.DrawFn) -> Robot:
    """Trees of joints about z and -z, most of them parallel, with friction and rotors."""
    count = draw(st.integers(1, 7))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    links: list[Link] = []
    for i in range(count):
        kind = draw(st.sampled_from(["revolute"] * 8 + ["prismatic", "fixed"]))
        axis = draw(st.sampled_from([(0, 0, 1), (0, 0, -1), (0, 0, 1), (1, 0, 0)]))
        parent = "base" if i == 0 else f"link{i - draw(st.sampled_from([0, 0, 0, min(1, i - 1)]))}"
        before, after = draw(st.sampled_from(PLACES)), draw(st.sampled_from(["", "", "Tx(0.1)", "Rx(pi/2) Tx(0.2)"]))
        drive: dict[str, Any] = (
            {} if kind == "fixed" else {"damping": 0.3, "coulomb": 0.2, "rotor_inertia": 0.1 * (i % 2)}
        )
        A = rng.normal(size=(3, 3)) * 0.3
        mass, com = float(rng.uniform(0.5, 3)), rng.normal(size=3) * 0.3
        tensor = mass * (np.trace(A @ A.T) * np.eye(3) - A @ A.T)
        joint = Joint(f"joint{i + 1}", kind, axis, before, after, **drive)
        links.append(Link(f"link{i + 1}", joint, parent, mass, com, Inertia((tensor + tensor.T) / 2)))  # type: ignore[arg-type]
    return Robot("parallel", tuple(links))
