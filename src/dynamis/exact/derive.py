"""`dynamis.derive`: what can be asked of a derivation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY
from typing import TYPE_CHECKING

from dynamis.base.verb import Verb, function, option, verb

if TYPE_CHECKING:
    from dynamis.exact.derivations.derivation import Derivation as Derivation
    from dynamis.exact.equations import Equations

DEFAULT_METHOD = "energies"


@verb
class Derive(Verb["Derivation"]):
    """Derive the equations of motion, exactly: assumptions, frames, steps, result, proof.

    Parameters are symbols or exact numbers, and so are loads. A model that is too large for its time or its memory
    gives the steps that are finished, and says what is missing.

    >>> import dynamis
    >>> page = dynamis.derive(dynamis.load("genova-rp").equations(), steps=False)
    >>> all(proof.holds for proof in page.proofs)
    True
    """

    answer = "dynamis.exact.derivations.robots.methods:derivation"

    model: Equations = option("the closed form, `robot.equations()`", kind="equations")
    method: str = option(
        "equations of motion: energies (M from T, then Christoffel symbols), lagrange (L = T - U, differentiated), "
        "jacobians (M = sum m Jv^T Jv + Jw^T R I R^T Jw), moving-frames, newton-euler or free-bodies (Newton-Euler "
        "with the weights as forces). Their parameters: coefficients, base-parameters or regressor",
        default=DEFAULT_METHOD, choices="dynamis.exact.derivations.robots.methods:METHODS",
    )  # fmt: skip
    _: KW_ONLY
    only: str | Sequence[str] | None = option(
        "one or several entries without the rest: M, M[1,2], c, C, g, Q, tau[1], christoffel[1,2,1]; energies T, U, "
        "T[1]; Jacobians J, Jv[1], Jw[1]; transforms A, A[1], T[0,2], T[0,c2], T[1,tool]; positions p[c2]",
        default=None, kind="texts", offered="dynamis.compute.quantities.entry_names:KINDS", metavar="ENTRY",
    )  # fmt: skip
    steps: bool = option("every step on the way, not only the result", default=True, kind="switch")
    explain: bool = option("say in words, once, what each kind of term is: inertia, Coriolis, ...", default=False)
    spatial: bool = option(
        "three components for a planar arm too, whose steps have two; those by Jacobians always have three",
        default=False,
    )
    whole: bool = option("write every formula out, also one of thousands of terms", default=False)
    progress: Callable[[str], None] | None = option(
        "is called with the title of every step before it is made", default=None, kind="python"
    )


derive = function(Derive)


def derive_only(
    model: Equations,
    entry: str,
    method: str = DEFAULT_METHOD,
    *,
    progress: Callable[[str], None] | None = None,
    whole: bool = False,
    explain: bool = False,
) -> Derivation:
    """One entry, such as M[1,1], M, c[2] or T[0,c2], or several with commas between them: `derive` with `only`.

    The method "jacobians" has a way of its own to M and g, as sums over the links.
    """
    return Derive(model, method, only=entry, progress=progress, whole=whole, explain=explain).run()
