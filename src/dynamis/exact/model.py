"""The model that people ask: the closed-form equations with their proofs and factorisations."""

from __future__ import annotations

from functools import cached_property

from dynamis.exact.coriolis import Factorisation, factorisations
from dynamis.exact.equations import Equations
from dynamis.exact.proof import Proof, prove


class Model(Equations):
    """The equations of motion of a robot, exact and proved.

    >>> import dynamis
    >>> model = dynamis.load("planar-elbow").equations()
    >>> model.christoffel(1, 2, 1) == model.christoffel(2, 1, 1)
    True
    >>> all(proof.holds for proof in model.prove())
    True
    """

    def prove(self) -> list[Proof]:
        """NE = EL, M symmetric, Mdot - 2 C skew, g = dU/dq, power balance: each with its proof."""
        return prove(self)

    @cached_property
    def factorisations(self) -> list[Factorisation]:
        """c = C qd in three ways, each labelled with its proof or a counterexample."""
        return factorisations(self)
