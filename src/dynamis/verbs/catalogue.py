"""Every verb by the name that people type."""

from __future__ import annotations

from pkgutil import resolve_name
from typing import Any

from dynamis.base.errors import check_name
from dynamis.base.verb import Verb

PLACES = {
    "inertia": "dynamis.exact.derivations.bodies.inertia:Inertia",
    "inverse": "dynamis.motion.single_states.inverse:Inverse",
    "state": "dynamis.motion.single_states.state:State",
    "show": "dynamis.motion.single_states.show:Show",
    "check": "dynamis.apps.grading.check_answers:Check",
    "derive": "dynamis.exact.derive:Derive",
    "prove": "dynamis.exact.prove:Prove",
    "motion": "dynamis.motion.torque_budget.torque_budget:Budget",
    "simulate": "dynamis.simulation.simulate:Simulate",
    "sweep": "dynamis.apps.sweeps.run_sweep:RunSweep",
    "learn": "dynamis.simulation.learning.learn:Learn",
    "excite": "dynamis.apps.identification.excitation.excite:Excite",
    "identify": "dynamis.apps.identification.identify:Identify",
    "export": "dynamis.apps.exports.export:ExportFunctions",
    "report": "dynamis.apps.live.report:Report",
}
"""Where each is declared."""


def verb_named(name: str) -> type[Verb[Any]]:
    """The declaration of a verb.

    >>> verb_named("simulate").__name__
    'Simulate'
    """
    check_name("verb", name, PLACES, key="verb")
    return resolve_name(PLACES[name])
