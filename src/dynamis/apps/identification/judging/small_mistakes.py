"""Small mistakes that the joints of a log tell of each other: wrong gains, and zeros that are off.

The torques of all joints share parameters, so that a mistake in one of them contradicts the others, whatever masses
were given. What is looked for is the smallest set of gains and zeros that explains the log: all of them are estimated
at once (slopes.py), and each must be sure beside the others.

Sets grow by one mistake, of all that there are, or by two where no single one is sure: one may hide another. The one
that was found first may be given up for it. The few sets that leave least by one step are fitted whole, until they no
longer change (Gauss and Newton), and the one that leaves least is kept.

Mistakes in whose place another one leaves nothing of them fit the log as well: they are `alike`. If all gains are wrong
by one factor, nothing contradicts anything.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from dynamis.apps.identification.fitting.linear_model import LinearModel
from dynamis.apps.identification.judging.findings import SURE, Finding
from dynamis.apps.identification.judging.look import Kind, Look
from dynamis.apps.identification.judging.slopes import Slopes
from dynamis.apps.identification.logs.samples import Samples

MOST = 6
"""Mistakes that are looked for."""
STEPS = 8
"""Of Gauss and Newton; two or three for what people do."""
TRIED = 4
"""Sets that are fitted whole."""
LIKELY = 2.0
"""Standard errors by one step of mistakes that are tried: of large ones the first step is poor."""
NEAR = 0.3
"""Another mistake is tried in the place of one where by one step it explains this part of what that one does."""
LEFT = 3.0
"""Standard errors of a mistake that may be left when another one is corrected in its place."""


@dataclass(frozen=True)
class SmallMistakes:
    """What the joints of a log say of each other."""

    found: tuple[Finding, ...]
    """Those that are sure, the strongest first."""
    left: tuple[Finding, ...]
    """Gains and zeros of all coordinates as they look beside these, as far as they change any torque."""


def small_mistakes(model: LinearModel, runs: Sequence[Samples]) -> SmallMistakes:
    """The mistakes that are sure, and how well all others are excluded."""
    start = Look.at(model, runs)
    kinds = tuple((kind, j) for kind in ("gain", "zero") for j in range(model.robot.n))
    now = Mistakes(start, kinds, ())
    while len(now.which) < MOST and (larger := _larger(start, now)) is not None:
        now = larger
    slopes = now.slopes
    left = [x for i in range(len(kinds)) if slopes.changes[i] for x in slopes.findings([i])]
    return SmallMistakes(tuple(x for x in _found(start, now) if x.counts), tuple(left))


@dataclass(frozen=True)
class Mistakes:
    """A set of mistakes, and the look without them."""

    look: Look
    kinds: tuple[Kind, ...]
    """All that are looked for."""
    which: tuple[int, ...]
    findings: tuple[Finding, ...] = ()
    lacks: float = 0.0
    """What the joints contradict each other by beside them, see `Slopes.lacks`."""

    @cached_property
    def slopes(self) -> Slopes:
        """Of all kinds."""
        return Slopes.of(self.look, self.kinds)

    @property
    def sure(self) -> bool:
        """Whether each is no noise."""
        return all(x.sure for x in self.findings)

    @cached_property
    def squares(self) -> float:
        """What is left."""
        return float((self.look.fitted[2] ** 2).sum())

    def fitted(self, start: Look, which: Sequence[int]) -> Mistakes:
        """Another set, fitted whole."""
        kinds = [self.kinds[i] for i in which]
        n = start.model.robot.n
        gains, zeros = np.ones(n), np.zeros(n)
        for kind, j in (self.kinds[i] for i in which if i in self.which):
            if kind == "gain":
                gains[j] = self.look.gains[j]
            else:
                zeros[j] = self.look.zeros[j]
        look = start.corrected(gains, zeros)
        every = list(range(len(kinds)))
        for _ in range(STEPS):
            slopes = Slopes.of(look, kinds)
            steps = slopes.findings(every)
            if all(abs(x.size) < 0.1 * x.error for x in steps):
                break
            gains, zeros = gains.copy(), zeros.copy()
            for x in steps:
                # A step never changes a gain by more than a factor of 3, so that it keeps its sign.
                if x.kind == "gain":
                    gains[x.joint] = np.clip(gains[x.joint] + x.size, gains[x.joint] / 3, 3 * gains[x.joint])
                else:
                    zeros[x.joint] += np.clip(x.size, -0.3, 0.3)
            look = look.corrected(gains, zeros)
        findings, lacks = slopes.findings(every, -slopes.now), slopes.lacks(np.array(slopes.squares), len(kinds))
        return Mistakes(look, self.kinds, tuple(which), tuple(findings), float(lacks))


def _larger(start: Look, now: Mistakes) -> Mistakes | None:
    """The next larger set, if some mistakes beside those of this one are sure."""
    free = [i for i in range(len(now.kinds)) if now.slopes.changes[i] and i not in now.which]
    one, two = ([(*now.which, *x) for x in itertools.combinations(free, more)] for more in (1, 2))
    larger = _best(start, now, one)
    if larger is None:
        return _best(start, now, two)
    # The mistakes that were found first may be others.
    others = [(*(x for x in now.which if x != i), *more) for i in now.which for more in itertools.combinations(free, 2)]
    instead = _best(start, now, others)
    return larger if instead is None or larger.squares <= instead.squares else instead


def _best(start: Look, now: Mistakes, sets: Sequence[tuple[int, ...]]) -> Mistakes | None:
    """The set that leaves least, of those in which all mistakes are sure."""
    if not sets:
        return None
    sizes, errors, left = now.slopes.steps(np.array(sets, dtype=np.intp), -now.slopes.now)
    likely = np.flatnonzero((np.abs(sizes) > LIKELY * errors).all(axis=1))
    tried = [now.fitted(start, sets[i]) for i in likely[np.argsort(left[likely])][:TRIED]]
    # A step along a slope may go far where the torques hardly change: what is sure explains that much, too.
    tried = [x for x in tried if x.sure and now.squares - x.squares > SURE**2 * x.lacks]
    return min(tried, key=lambda x: x.squares, default=None)


def _found(start: Look, now: Mistakes) -> list[Finding]:
    """The mistakes of a set with those that fit alike, the strongest first."""
    slopes, found = now.slopes, list[tuple[float, Finding]]()
    free = [i for i in range(len(now.kinds)) if slopes.changes[i] and i not in now.which]
    for one, i in zip(now.findings, now.which, strict=True):
        rest = [k for k in now.which if k != i]
        without = slopes.steps(np.array([rest], dtype=np.intp), -slopes.now)[2][0]
        alike: list[Finding] = []
        if free:
            sets = np.array([[*rest, k] for k in free], dtype=np.intp)
            sizes, errors, left = slopes.steps(sets, -slopes.now)
            near = np.flatnonzero(without - left > NEAR * (without - now.squares))
            for other in (now.fitted(start, sets[k].tolist()) for k in near[np.argsort(left[near])][:TRIED]):
                instead = other.findings[-1]
                again = other.slopes.findings([*other.which, i])[-1]
                if instead.sure and instead.counts and abs(again.size) < LEFT * again.error:
                    alike.append(instead)
        found.append((without - now.squares, replace(one, alike=tuple(alike))))
    return [one for _, one in sorted(found, key=lambda x: -x[0])]
