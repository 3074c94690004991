"""How far to trust an identified model: errors on samples that it has not seen, beside what simpler models leave."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dynamis.arrays import Array
from dynamis.errors import listed

if TYPE_CHECKING:
    from dynamis.identification.physical.payload import PayloadFit
    from dynamis.identification.result import Identification

GOOD = 0.15
"""An error on held-out samples below this part of the torque's standard deviation is good: 98 % of the variance."""
POOR = 0.5
"""Above this part a model predicts little more than the mean."""
BLIND = 5.0
"""A log excites too little where the standard error at other states is more than so many times that on the log: of
logs of good motions it is 1 to 4, and models that are wrong elsewhere have 6 and more (benchmarks/mistakes.py)."""
EXACT = 1e-3
"""What held-out errors grow to at other states, relative to the variation, that needs no better excitation."""
LITTLE = 0.002
"""A joint whose torque varies by less than this part of the largest one is judged by itself: a last link that is round
about its axis leaves a torque of noise, which says nothing about the other joints."""
SURE = 0.1
UNSURE = 0.5
"""Relative standard errors below which a parameter is known well, and above which it is hardly known."""


@dataclass(frozen=True)
class JointErrors:
    """RMS errors of every coordinate [N m or N]; each is of samples that were held out but `fitted`."""

    torque: Array
    """RMS torque: the error of predicting zero."""
    variation: Array
    """Standard deviation of the torque: the error of predicting its mean, which gravity cannot flatter."""
    held_out: Array
    measured: Array
    """Against the torque as it was measured, before the filter, with dry friction as sharp: `held_out` and the noise
    that was filtered off."""
    fitted: Array
    """On the samples of the fit themselves."""
    gravity: Array
    """Of the identified gravity torques alone."""
    given: Array | None
    """Of the robot as it was given; None where it has no masses."""
    elsewhere: Array
    """A cautious standard error of the torques at other states within the ranges of the log (elsewhere.py)."""
    extrapolation: Array
    """How many times the standard error at such states is as large as on the log, which depends on its motion alone."""

    @property
    def shares(self) -> Array:
        """`held_out` over `variation`, of joints that bear any torque."""
        return self._share(self.held_out)

    @property
    def shares_elsewhere(self) -> Array:
        """`elsewhere` over `variation`, of joints that bear any torque."""
        return self._share(self.elsewhere)

    @property
    def blind(self) -> NDArray[np.bool_]:
        """Whether the log excites a coordinate too little for other motions."""
        return (self.extrapolation > BLIND) & (self.extrapolation * self.shares > EXACT)

    @property
    def expected(self) -> Array:
        """What to expect in other motions within the ranges of the log, over `variation`: what is left on held-out
        samples, which no parameter explains, and what the parameters do not tell."""
        return np.hypot(self.shares, self.shares_elsewhere)

    @property
    def good(self) -> NDArray[np.bool_]:
        """Whether a coordinate is predicted well, on samples that were held out and at other states."""
        return (self.expected <= GOOD) & ~self.vague

    @property
    def vague(self) -> NDArray[np.bool_]:
        """Whether the log tells too little of a coordinate for other motions."""
        return (self.shares_elsewhere > GOOD) | self.blind

    @property
    def failed(self) -> bool:
        """Whether so much is left of a coordinate that counts, or so uncertain, that the others are in doubt too."""
        counts = self.variation > LITTLE * self.variation.max(initial=0.0)
        return bool((counts & ((self.shares > POOR) | self.vague)).any() or self.blind.any())

    def _share(self, error: Array) -> Array:
        return error / np.maximum(self.variation, max(1e-9 * float(self.torque.max(initial=0.0)), 1e-300))


def trusted(x: Identification) -> tuple[str, ...]:
    """The joints whose torques are to be trusted."""
    if x.suspicions or x.errors.failed:
        return ()
    return tuple(x.joints[j] for j in np.flatnonzero(x.errors.good))


def words(result: Identification) -> list[str]:
    """What to trust and what not, in sentences."""
    return list(_words(result))


def _words(x: Identification) -> Iterator[str]:
    errors, joints = x.errors, x.joints
    share, elsewhere = errors.shares, errors.shares_elsewhere
    blind = bool(errors.blind.any())
    poor = [joints[j] for j in np.flatnonzero((share > POOR) & ~(blind & errors.vague))]
    vague = [joints[j] for j in np.flatnonzero(errors.vague) if joints[j] not in poor]
    middling = ~errors.good & (share <= POOR) & ~errors.vague
    between = [joints[j] for j in np.flatnonzero(middling)]
    good = [joints[j] for j in np.flatnonzero(share <= GOOD)]
    highest = _percent(float(share[errors.good if x.trusted else share <= GOOD].max(initial=0.0)))
    if x.suspicions:
        yield "Do not trust this model before the following is explained:"
        yield from (text[0].upper() + text[1:] for text in x.suspicions)
    elif x.trusted:
        provided = ", provided that what could not be checked is right" if x.unchecked else ""
        yield (
            f"Trust the torques of {_joints(x.trusted, x.n)}{provided}: held-out errors of at most {highest} of their "
            f"variation, {_against(x)}. In other motions within its ranges expect some "
            f"{_percent(float(errors.expected[errors.good].max()), 2)}."
        )
    if not x.suspicions and not errors.failed:
        yield from x.unchecked
    if poor and not x.suspicions:
        noise, reason = "", "; the motion excites little, friction is of another kind, or it is another robot's log"
        if not errors.failed:
            noise, reason = ", which are little but noise", ""
        yield (
            f"Do not trust the torques of {_joints(poor, x.n)}{noise}: more than {_percent(POOR)} of their variation "
            f"is left on held-out samples{reason}."
        )
    if vague:
        most, times = float(elsewhere[errors.vague].max()), float(errors.extrapolation.max())
        by = f"up to {_percent(most)}" if most < 10 else "more than 1000 %"
        grown = f", {'more than 1000' if times > 1000 else f'{times:.0f}'} times as much as on the log" if blind else ""
        yield (
            f"Do not trust {_joints(vague, x.n)} in other motions than that of the log, which is too short to judge "
            f"them, or excites too little: at other states within its ranges their torques are uncertain by {by} of "
            f"their variation (standard error){grown}."
        )
    if blind:
        yield "Signs, gains, zeros and delays could not be checked: too little excites them."
    if between and not x.suspicions:
        largest, other = _percent(float(share[middling].max())), _percent(float(errors.expected[middling].max()), 2)
        yield (
            f"Use with care: {_joints(between, x.n)}, with held-out errors of up to {largest} of the variation, and "
            f"some {other} to be expected in other motions."
        )
    if good and not x.trusted and not x.suspicions:
        which = "All joints are" if len(good) == x.n else f"{_joints(good, x.n)}:"
        yield f"{which} predicted within {highest} of their variation, by a model that fails elsewhere."
    yield from x.remarks
    worth = errors.held_out > 1e-9 * errors.torque
    if errors.given is not None:
        worse = [joints[j] for j in np.flatnonzero(worth & (errors.given <= errors.held_out))]
        if worse:
            yield f"The given model predicts {_joints(worse, x.n)} no worse: there is nothing to gain there."
    over = [joints[j] for j in np.flatnonzero(worth & (errors.held_out > 1.5 * errors.fitted))]
    if x.fit.how.startswith("on the samples"):
        yield "No samples were held out: the errors are those of the fit itself, and flatter it."
    elif over:
        yield f"Fitted much better than predicted: {_joints(over, x.n)}; too few samples, or too many parameters."
    if x.excitation.free:
        names = listed(x.model.names[k] for k in x.excitation.free)
        yield f"The motion does not tell {names}: they keep the values of the given robot."
    if x.payload is not None:
        yield from _payload_words(x.payload)
    relative = x.relative_errors
    sure, unsure = int((relative <= SURE).sum()), [x.model.names[k] for k in np.flatnonzero(relative > UNSURE)]
    yield f"{sure} of {len(x.beta)} parameters are known within {_percent(SURE)} (standard error)."
    if unsure:
        yield (
            f"Hardly known, with standard errors of more than {_percent(UNSURE)}: {listed(unsure)}; take no meaning "
            "from their values."
        )
    if np.isfinite(x.excitation.scaled_condition) and x.excitation.scaled_condition > 1000:
        yield (
            f"The condition number is {x.excitation.scaled_condition:.0f} with columns of one length: another motion "
            "would tell the parameters apart better."
        )
    memory = x.residuals.memory
    if (memory > 10).any():
        count = int(np.median(x.fit.samples / memory))
        yield (
            f"Residuals are not white: {x.fit.samples} samples tell as much as some {count} independent ones, and the "
            "standard errors count them so."
        )


def _against(x: Identification) -> str:
    """What held-out errors are of, in a clause."""
    cutoff = x.preparation.cutoff
    torques = "" if cutoff is None else f", against torques filtered at {cutoff:g} Hz"
    if x.fit.how.startswith("on the samples"):
        return f"on the samples of the fit themselves{torques}"
    same = x.fit.how.startswith("on each of") and "stretches" in x.fit.how
    return f"{'on stretches of the same motion' if same else 'on logs that were not fitted'}{torques}"


def _payload_words(payload: PayloadFit) -> Iterator[str]:
    mass, error = float(payload.ten[0]), float(payload.standard_errors[0])
    if float((payload.held_out**2).sum()) > 0.5 * float((payload.without**2).sum()):
        yield "Do not trust the payload: the loaded logs are predicted as well without it."
    elif mass <= 0:
        yield (
            f"Do not trust the payload, whose mass comes out as {mass:.4g} kg: the logs with and without it look "
            "exchanged."
        )
    elif not (payload.physical or payload.untold):
        yield "Do not trust the payload: no body has its parameters."
    else:
        known = "was given" if not error else f"is known within {error:.2g} kg (standard error)"
        yield f"Trust the payload of {mass:.4g} kg, whose mass {known}."
    if payload.untold:
        yield f"The motion does not tell {listed(payload.untold)} of the payload."


def _joints(names: Sequence[str], n: int) -> str:
    if len(names) == n:
        return "all joints"
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]


def _percent(share: float, digits: int = 3) -> str:
    return f"{100 * share:.{digits}g} %"
