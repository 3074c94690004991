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
from dynamis.apps.identification.judging.against_given import in_words
from dynamis.apps.identification.judging.elsewhere import states_within
from dynamis.apps.identification.judging.findings import SURE_STANDARD_ERRORS, Finding
from dynamis.apps.identification.judging.look import Kind, Look
from dynamis.apps.identification.judging.slopes import Slopes
from dynamis.apps.identification.logs.samples import Samples
from dynamis.base.arrays import Array

MAX_CORRECTIONS = 6
"""Mistakes that are looked for."""
GAUSS_NEWTON_STEPS = 8
"""Of Gauss and Newton; two or three for what people do."""
TRIED = 4
"""Sets that are fitted whole."""
LIKELY = 2.0
"""Standard errors by one step of mistakes that are tried: of large ones the first step is poor."""
NEAR_BEST_SHARE = 0.3
"""Another mistake is tried in the place of one where by one step it explains this part of what that one does."""
MOVED = 0.1
"""Of the variation of a torque, what mistakes at other joints make wrong before it is said."""
MAX_LEFT_ERRORS = 3.0
"""Standard errors of a mistake that may be left when another one is corrected in its place."""


@dataclass(frozen=True)
class SmallMistakes:
    """What the joints of a log say of each other."""

    found: tuple[Finding, ...]
    """Those that are sure, the strongest first."""
    left: tuple[Finding, ...]
    """Gains and zeros of all coordinates as they look beside these, as far as they change any torque."""
    moved: Array
    """How far those that were found move the torques of the fit, at states within the log, of their variation."""

    def elsewhere(self, names: Sequence[str]) -> list[str]:
        """The joints whose torques are wrong by the mistakes of others, in a sentence."""
        own = {x.joint for x in self.found}
        wrong = [j for j, share in enumerate(self.moved.tolist()) if share > MOVED and j not in own] if own else []
        if not wrong:
            return []
        return [
            f"That makes the torques of {in_words([names[j] for j in wrong])} wrong, by some "
            f"{100 * self.moved[wrong].max():.2g} % of their variation in other motions."
        ]


def small_mistakes(model: LinearModel, runs: Sequence[Samples]) -> SmallMistakes:
    """The mistakes that are sure, and how well all others are excluded."""
    start = Look.at(model, runs)
    kinds = tuple((kind, j) for kind in ("gain", "zero") for j in range(model.robot.n))
    now = Mistakes(start, kinds, ())
    while len(now.which) < MAX_CORRECTIONS and (larger := _larger(start, now)) is not None:
        now = larger
    slopes = now.slopes
    left = [x for i in range(len(kinds)) if slopes.changes[i] for x in slopes.findings([i])]
    q, qd, qdd = states_within((start.samples.q, start.samples.qd, start.samples.qdd))
    before, after = (model.torques(look.fitted[0], q - look.zeros, qd, qdd) for look in (start, now.look))
    variation = np.maximum(start.samples.tau.std(axis=0), 1e-300)
    moved = np.sqrt(((after - before) ** 2).mean(axis=0)) / variation
    return SmallMistakes(tuple(x for x in _found(start, now) if x.counts), tuple(left), moved)


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
        """Another set, fitted whole: its mistakes of this one from where they are."""
        kinds, every = [self.kinds[i] for i in which], list(range(len(which)))
        gains, zeros = np.ones_like(self.look.gains), np.zeros_like(self.look.zeros)
        for kind, j in (self.kinds[i] for i in which if i in self.which):
            if kind == "gain":
                gains[j] = self.look.gains[j]
            else:
                zeros[j] = self.look.zeros[j]
        look = start.corrected(gains, zeros)
        slopes = Slopes.of(look, kinds)
        for _ in range(GAUSS_NEWTON_STEPS):
            steps = slopes.findings(every)
            if all(abs(x.size) < 0.1 * x.error for x in steps):
                break
            look = look.stepped(steps)
            slopes = Slopes.of(look, kinds)
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
    order: list[int] = likely[np.argsort(left[likely])][:TRIED].tolist()
    tried = [now.fitted(start, sets[i]) for i in order]
    # A step along a slope may go far where the torques hardly change: what is sure explains that much, too.
    tried = [x for x in tried if x.sure and now.squares - x.squares > SURE_STANDARD_ERRORS**2 * x.lacks]
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
            left = slopes.steps(sets, -slopes.now)[2]
            near = np.flatnonzero(without - left > NEAR_BEST_SHARE * (without - now.squares))
            order: list[int] = near[np.argsort(left[near])][:TRIED].tolist()
            for k in order:
                other = now.fitted(start, [*rest, free[k]])
                instead = other.findings[-1]
                if (
                    instead.sure
                    and instead.counts
                    and other.squares - now.squares < MAX_LEFT_ERRORS**2 * max(now.lacks, 1.0)
                ):
                    alike.append(instead)
        three = start.model.robot.n == 3 and one.kind == "gain"
        others = tuple(j for j in range(3) if j != one.joint) if three else ()
        found.append((without - now.squares, replace(one, alike=tuple(alike), others=others)))
    return [one for _, one in sorted(found, key=lambda x: -x[0])]
