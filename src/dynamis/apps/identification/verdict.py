"""How far to trust an identified model, in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from dynamis.apps.identification.joint_errors import GOOD_ERROR_SHARE, POOR_ERROR_SHARE
from dynamis.apps.identification.physical.payload import PayloadFit
from dynamis.apps.identification.result import Identification
from dynamis.base.errors import name_list

WELL_KNOWN_ERROR = 0.1
HARDLY_KNOWN_ERROR = 0.5
"""Relative standard errors below which a parameter is known well, and above which it is hardly known."""


def words(result: Identification) -> list[str]:
    """What to trust and what not, in sentences."""
    return list(_words(result))


def _words(x: Identification) -> Iterator[str]:
    yield from _trust_words(x)
    yield from x.remarks
    yield from _fit_words(x)


def _trust_words(x: Identification) -> Iterator[str]:
    """Which torques to trust, which not, and why."""
    errors, joints = x.errors, x.joints
    share, elsewhere = errors.shares, errors.shares_elsewhere
    blind = bool(errors.blind.any())
    poor = [joints[j] for j in np.flatnonzero((share > POOR_ERROR_SHARE) & ~(blind & errors.vague))]
    vague = [joints[j] for j in np.flatnonzero(errors.vague) if joints[j] not in poor]
    middling = ~errors.good & (share <= POOR_ERROR_SHARE) & ~errors.vague
    between = [joints[j] for j in np.flatnonzero(middling)]
    good = [joints[j] for j in np.flatnonzero(share <= GOOD_ERROR_SHARE)]
    highest = _percent(float(share[errors.good if x.trusted else share <= GOOD_ERROR_SHARE].max(initial=0.0)))
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
            f"Do not trust the torques of {_joints(poor, x.n)}{noise}: more than {_percent(POOR_ERROR_SHARE)} of "
            f"their variation is left on held-out samples{reason}."
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


def _fit_words(x: Identification) -> Iterator[str]:
    """What the fit and the motion of the log can tell."""
    errors, joints = x.errors, x.joints
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
        names = name_list(x.model.names[k] for k in x.excitation.free)
        yield f"The motion does not tell {names}: they keep the values of the given robot."
    if x.payload is not None:
        yield from _payload_words(x.payload)
    relative = x.relative_errors
    sure = int((relative <= WELL_KNOWN_ERROR).sum())
    unsure = [x.model.names[k] for k in np.flatnonzero(relative > HARDLY_KNOWN_ERROR)]
    yield f"{sure} of {len(x.beta)} parameters are known within {_percent(WELL_KNOWN_ERROR)} (standard error)."
    if unsure:
        yield (
            f"Hardly known, with standard errors of more than {_percent(HARDLY_KNOWN_ERROR)}: {name_list(unsure)}; "
            "take no meaning from their values."
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
        yield f"The motion does not tell {name_list(payload.untold)} of the payload."


def _joints(names: Sequence[str], n: int) -> str:
    if len(names) == n:
        return "all joints"
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]


def _percent(share: float, digits: int = 3) -> str:
    return f"{100 * share:.{digits}g} %"
