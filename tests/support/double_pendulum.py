"""The double pendulum of two uniform bars to thirty digits, by Taylor series of its own equations.

The equations are written down from the energies of two bars (length L, mass m, inertia m L^2 / 12), in absolute angles:

    T = m L^2 (4/3 w1^2 + 1/3 w2^2 + cos(a1 - a2) w1 w2) / 2      U = m g L (3/2 sin a1 + 1/2 sin a2)

Nothing of dynamis is used. `python -m tests.support.double_pendulum` writes the reference anew.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from flint import arb, ctx

FILE = Path(__file__).with_name("double_pendulum.json")
START = ("0.5", "0.3", "0", "0")
"""q1, q2, qd1, qd2 of the run that is kept: released from near the horizontal, it is chaotic."""
TIMES = tuple(range(17))
ORDER, STEP = 50, "0.002"

Series = list[Any]


def product(a: Series, b: Series, k: int) -> Any:
    """Entry k of the product of two series."""
    return sum((a[j] * b[k - j] for j in range(k + 1)), arb(0))


def coefficients(a1: Any, a2: Any, w1: Any, w2: Any) -> tuple[Series, Series]:
    """The Taylor series of both angles at an instant."""
    g, L = arb("9.81"), arb("0.5")
    A, B, C, G = arb(4) / 3, arb(1) / 3, arb(1) / 2, g / L
    x, y, v, w = [a1], [a2], [w1], [w2]
    c, s = [(a1 - a2).cos()], [(a1 - a2).sin()]
    c1, s1, c2, s2 = [a1.cos()], [a1.sin()], [a2.cos()], [a2.sin()]
    vv, ww, r1, r2, p, D, up, uq = ([] for _ in range(8))  # type: ignore[var-annotated]
    for k in range(ORDER):
        vv.append(product(v, v, k))
        ww.append(product(w, w, k))
        r1.append(-C * product(s, ww, k) - arb(3) / 2 * G * c1[k])
        r2.append(C * product(s, vv, k) - G * c2[k] / 2)
        p.append(product(c, c, k))
        D.append((A * B if k == 0 else 0) - C * C * p[k])
        top1 = B * r1[k] - C * product(c, r2, k)
        top2 = A * r2[k] - C * product(c, r1, k)
        up.append((top1 - sum((D[k - j] * up[j] for j in range(k)), arb(0))) / D[0])
        uq.append((top2 - sum((D[k - j] * uq[j] for j in range(k)), arb(0))) / D[0])
        n = k + 1
        x.append(v[k] / n)
        y.append(w[k] / n)
        v.append(up[k] / n)
        w.append(uq[k] / n)
        for angle, cosine, sine in (
            ([a - b for a, b in zip(x, y, strict=True)], c, s), (x, c1, s1), (y, c2, s2)
        ):  # fmt: skip
            cosine.append(-sum((j * angle[j] * sine[n - j] for j in range(1, n + 1)), arb(0)) / n)
            sine.append(sum((j * angle[j] * cosine[n - j] for j in range(1, n + 1)), arb(0)) / n)
    return x, y


def reference(until: int, bits: int = 400) -> list[list[Any]]:
    """q1, q2, qd1, qd2 at whole seconds up to `until`; the series are cut at 1e-40 of a step."""
    with ctx.workprec(bits):
        q1, q2, qd1, qd2 = (arb(x) for x in START)
        state = (q1, q1 + q2, qd1, qd1 + qd2)
        h = arb(STEP)
        found = [[q1, q2, qd1, qd2]]
        for _ in range(until):
            for _ in range(round(1 / float(STEP))):
                x, y = coefficients(*state)
                values = [sum((c * h**k for k, c in enumerate(series)), arb(0)) for series in (x, y)]
                rates = [sum((k * c * h ** (k - 1) for k, c in enumerate(series) if k), arb(0)) for series in (x, y)]
                state = tuple(value.mid() for value in (*values, *rates))
            a1, a2, w1, w2 = state
            found.append([a1, a2 - a1, w1, w2 - w1])
        return found


def kept() -> list[list[float]]:
    """What the file has, as floats: a row a second."""
    return [[float(x) for x in row] for row in json.loads(FILE.read_text())["states"]]


if __name__ == "__main__":
    with ctx.workprec(400):
        rows = [[x.str(30, radius=False) for x in row] for row in reference(TIMES[-1])]
    FILE.write_text(json.dumps({"start": START, "states": rows}, indent=1) + "\n")
