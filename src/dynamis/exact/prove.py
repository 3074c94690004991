"""What can be asked of proofs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from dynamis.base.verb import Verb, function, option, verb

if TYPE_CHECKING:
    from dynamis.exact.closed_form.closed_form import ClosedForm
    from dynamis.exact.proof.proofs import Proofs as Proofs


@verb
class Prove(Verb["Proofs"]):
    """Prove Newton-Euler = Lagrange, M symmetric, Mdot - 2C skew, g = dU/dq and the power balance, exactly.

    Parameters are symbols or exact numbers, and so are loads. After the laws come the factorisations of c, then the
    design questions, until time or memory is over.
    """

    answer = "dynamis.exact.proof.all_proofs:all_proofs"

    model: ClosedForm = option("the closed form, `robot.equations()`", kind="equations")
    design: bool = option(
        "also: is M > 0 for all q; with symbols, when is M constant, when is gravity balanced", default=False
    )
    progress: Callable[[str], None] | None = option(
        "is called with each law before it is proved", default=None, kind="python"
    )


prove_all = function(Prove, "prove_all")
