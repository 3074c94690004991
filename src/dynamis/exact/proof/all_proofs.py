"""Everything that is proved of a model, as far as time and memory go."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dynamis.base.errors import TooLargeError
from dynamis.base.verb import quiet
from dynamis.exact.closed_form.closed_form import ClosedForm
from dynamis.exact.closed_form.unfinished import unfinished_message
from dynamis.exact.design.answers import Answer
from dynamis.exact.design.questions import balanced_gravity, constant_mass_matrix
from dynamis.exact.positive_definite.positive_definite import positive_definite
from dynamis.exact.proof.coriolis_factorisations import Factorisation, factorisations
from dynamis.exact.proof.laws import CLAIMS, claims
from dynamis.exact.proof.proofs import Proofs
from dynamis.exact.prove import Prove
from dynamis.scalars.exact.proof import Proof

QUESTIONS: dict[str, Callable[[ClosedForm], Any]] = {
    "when M is constant": constant_mass_matrix,
    "when gravity is balanced": balanced_gravity,
    "whether M is positive definite": positive_definite,
}


def all_proofs(asked: Prove) -> Proofs:
    """The laws of CLAIMS one by one, then the factorisations, then the design questions, until time or memory is over.

    When M is constant and when gravity is balanced is questions of symbolic models only.
    """
    model, progress = asked.model, asked.progress or quiet
    found: list[Proof] = []
    labelled: list[Factorisation] = []
    answers: list[object] = []
    jobs: list[tuple[str, Callable[[], None]]] = []
    for claim, proof in claims(model, *CLAIMS):
        jobs.append((claim, lambda proof=proof: found.append(proof())))
    jobs.append(("the factorisations of c", lambda: labelled.extend(factorisations(model))))
    questions = [pair for pair in QUESTIONS.items() if not model.numeric or pair[1] is positive_definite]
    for question, answer in questions if asked.design else ():
        jobs.append((question, lambda answer=answer: answers.append(answer(model))))
    missing, stopped = tuple[str, ...](), ""
    _ = model.ring  # A robot whose expressions alone are too large is an error, not a report.
    for at, (what, job) in enumerate(jobs):
        progress(what)
        try:
            job()
        except TooLargeError as error:
            missing = tuple(name for name, _ in jobs[at:])
            stopped = unfinished_message(model, error, missing)
            break
    named = {name: a for answer in answers if isinstance(answer, Answer) for name, a in answer.coefficients.items()}
    named = dict(sorted(named.items(), key=lambda pair: (len(pair[0]), pair[0])))
    return Proofs(
        model.robot.name, found, labelled, list(map(_said, answers)), missing, stopped, named, model.robot.argument
    )


def _said(answer: object) -> str:
    """The answer, and what its conditions mean."""
    return " ".join((str(answer), *(answer.meanings if isinstance(answer, Answer) else ())))
