"""Random robots whose expressions are sums, powers, quotients and sines inside each other; how their models end.

    python -m tests.support.hostile_robots 0 100

prints, for every seed, how the torques and the questions about M ended, and after how many seconds.
"""

from __future__ import annotations

import json
import sys
import time
import warnings
from random import Random

import dynamis
from dynamis.base.expressions.expression import ZERO, Expression
from dynamis.base.expressions.parser import parse
from dynamis.exact.equations import Equations

SECONDS, MEMORY = 0.2, 0.1
NAMES = [f"x{k}" for k in range(12)]


def expression(random: Random, depth: int) -> str:
    """A random expression of at most so many brackets inside each other."""
    kind = random.random()
    if depth == 0 or kind < 0.15:
        return random.choice([random.choice(NAMES), f"{random.uniform(0.1, 3):.3f}", "pi"])
    parts = [f"({expression(random, depth - 1)})" for _ in range(random.randint(2, 6))]
    if kind < 0.5:
        return "+".join(parts)
    if kind < 0.7:
        return "*".join(parts[:3])
    if kind < 0.8:
        return f"{parts[0]}/{parts[1]}"
    if kind < 0.9:
        return f"{random.choice(['sin', 'cos'])}({random.choice(NAMES)}*{random.randint(1, 9)})"
    return f"{parts[0]}^{random.randint(2, 8)}"


def robot(seed: int) -> dynamis.Robot:
    """One to three links with random masses, CoM and inertias."""
    random = Random(seed)

    def some() -> Expression:
        return parse(expression(random, random.randint(0, 3)))

    links: list[dynamis.Link] = []
    for k in range(random.randint(1, 3)):
        before = dynamis.Placement.of(f"Rx({random.choice(['pi/2', 'x3', '0.3'])}) Tx(x1)")
        joint = dynamis.Joint(f"q{k}", before=before)
        inertia = dynamis.Inertia.of(xx=some(), yy=1, zz=some(), allow_unphysical=True)
        parent = f"l{k - 1}" if k else "base"
        links.append(dynamis.Link(f"l{k}", joint, parent, mass=some(), com=(some(), ZERO, some()), inertia=inertia))
    return dynamis.Robot(f"hostile {seed}", tuple(links), parameters=dict.fromkeys(NAMES, ""))


def end_of(seed: int) -> str:
    """How the model of a robot ends: "finished", or the name of its error."""
    try:
        model: Equations = robot(seed).equations(seconds=SECONDS, memory=MEMORY)
        _ = model.torques, model.coefficients, model.base_parameters
    except dynamis.DynamisError as error:
        return type(error).__name__
    return "finished"


def main() -> None:
    warnings.simplefilter("ignore")
    ends: dict[int, tuple[str, float]] = {}
    for seed in range(int(sys.argv[1]), int(sys.argv[2])):
        start = time.monotonic()
        end = end_of(seed)
        ends[seed] = end, time.monotonic() - start
        if "--verbose" in sys.argv:
            print(seed, *ends[seed], file=sys.stderr, flush=True)
    print(json.dumps(ends))


if __name__ == "__main__":
    main()
