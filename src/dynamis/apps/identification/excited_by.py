"""Which part of the motion tells a parameter: gravity, accelerations or velocities, and at which joint.

The columns of the regressor are sums of three parts,

    Y(q, qd, qdd) = Y(q, 0, 0) + [Y(q, 0, qdd) - Y(q, 0, 0)] + [Y(q, qd, qdd) - Y(q, 0, qdd)]
                    gravity      acceleration                  velocity

and the squares of each, weighted by joint, are its share of what the samples tell about the parameter.
"""

from __future__ import annotations

import numpy as np

from dynamis.apps.identification.result import Identification
from dynamis.base.arrays import Array

LOOKED_AT = 2000
PARTS = ("gravity", "acceleration", "velocity")


def excited_by(x: Identification) -> tuple[str, ...]:
    """For every parameter the part and the joint that tell most about it, with their share of it all."""
    r = x.residuals
    some = slice(None, None, max(1, len(r.t) // LOOKED_AT))
    q, qd, qdd = r.q[some], r.qd[some], r.qdd[some]
    zero = np.zeros_like(q)
    still, faster = x.model.base_columns(q, zero, zero), x.model.base_columns(q, zero, qdd)
    whole = x.model.base_columns(q, qd, qdd)
    shares = np.zeros((len(x.beta), len(PARTS), x.n))
    for j, row in enumerate(x.model.rows):
        parts: list[Array] = [still[j], faster[j] - still[j], whole[j] - faster[j]]
        for k, part in enumerate(parts):
            shares[list(row), k, j] = np.sum((part * x.fit.whole.weights[j]) ** 2, axis=0)
    return tuple(_words(name, one) for name, one in zip(x.names, shares, strict=True))


def _words(name: str, shares: Array) -> str:
    total = float(shares.sum())
    if not total:
        return "no torque"
    k, j = np.unravel_index(int(shares.argmax()), shares.shape)
    what = "its constant torque" if name.startswith("offset") else f"{PARTS[k]} at joint {j + 1}"
    return f"{what} ({shares[k, j] / total:.0%})"
