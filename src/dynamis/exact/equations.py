"""What `robot.equations()` gives: the closed form with proofs, coefficients and how they look."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from dynamis.base.display import Displayable
from dynamis.exact.closed_form.base_parameters import BaseParameters, base_parameters
from dynamis.exact.closed_form.closed_form import ClosedForm
from dynamis.exact.closed_form.coefficients import DynamicCoefficients, dynamic_coefficients
from dynamis.exact.design.answers import Answer
from dynamis.exact.design.questions import balanced_gravity, coefficient_is_zero, constant_mass_matrix
from dynamis.exact.positive_definite.positive_definite import PositiveDefinite, positive_definite
from dynamis.exact.proof.coriolis_factorisations import Factorisations, factorisations
from dynamis.exact.proof.proofs import Proofs, prove
from dynamis.scalars.exact.ring import Exact
from dynamis.telling import symbols
from dynamis.telling.blocks import Block, Document, Equation, Note
from dynamis.telling.formula import Sym
from dynamis.telling.notation.language import Language
from dynamis.telling.notation.latex import LATEX, latex
from dynamis.telling.notation.notation import Notation
from dynamis.telling.notation.schools import as_notation
from dynamis.telling.notation.symbol_printer import SymbolPrinter
from dynamis.telling.notation.text import UNICODE, text
from dynamis.telling.notation.tree_printer import Joints

# Terms of M beyond which a notebook shows M alone (and of all beyond which it gets no LaTeX), and not even M.
NOTEBOOK_TERMS, FOLDED_TERMS = 400, 2000


class Equations(ClosedForm, Displayable):
    """The equations of motion of a robot, exact and proved.

    >>> import dynamis
    >>> model = dynamis.load("planar-elbow").equations()
    >>> model.christoffel(1, 2, 1) == model.christoffel(2, 1, 1)
    True
    >>> all(proof.holds for proof in model.prove())
    True
    """

    def prove(self) -> Proofs:
        """NE = EL, M symmetric, Mdot - 2 C skew, g = dU/dq, tau = Y pi, power balance: each with its proof."""
        return prove(self)

    @cached_property
    def factorisations(self) -> Factorisations:
        """c = C qd in three ways, each labelled with its proof or a counterexample."""
        return factorisations(self)

    @cached_property
    def coefficients(self) -> DynamicCoefficients:
        """The minimal dynamic coefficients a_1..a_p, with M, c and g written in them."""
        return dynamic_coefficients(self)

    @cached_property
    def base_parameters(self) -> BaseParameters:
        """Which inertial parameters the torques show, alone or in which combination, and why."""
        return base_parameters(self)

    def when_mass_matrix_is_constant(self) -> Answer:
        """For which parameters M does not depend on q (and c vanishes)."""
        return constant_mass_matrix(self)

    def when_gravity_is_balanced(self) -> Answer:
        """For which parameters g(q) = 0 for all q."""
        return balanced_gravity(self)

    def when_zero(self, coefficient: str) -> Answer:
        """For which parameters a dynamic coefficient, such as a2, vanishes."""
        return coefficient_is_zero(self.coefficients, coefficient)

    def positive_definite(self) -> PositiveDefinite:
        """Whether M > 0 for all q, and by which argument: a proof, or only samples, as it says."""
        return positive_definite(self)

    def text(self, notation: str | Notation = "dynamis", width: int = 100) -> str:
        """M, c and g as text, and Q of the loads."""
        symbols = self._symbols(UNICODE, notation)
        parts = self._parts()
        return "\n\n".join(f"{symbols.written(x)} =\n{text(v, notation, width, symbol=x)}" for x, v in parts)

    def latex(self, notation: str | Notation = "dynamis") -> str:
        """M, c and g as LaTeX, and Q of the loads, without dollar signs."""
        symbols = self._symbols(LATEX, notation)
        rows = [f"{symbols.written(x)} &= {latex(value, notation, symbol=x)}" for x, value in self._parts()]
        return "\\begin{aligned} " + " \\\\ ".join(rows) + " \\end{aligned}"

    def _symbols(self, language: Language, notation: str | Notation) -> SymbolPrinter:
        return SymbolPrinter(language, as_notation(notation), Joints.of(self.ring.one))

    def _parts(self) -> list[tuple[Sym, Any]]:
        parts = (symbols.M, self.M.rows()), (symbols.c, self.coriolis), (symbols.g, self.gravity)
        loads = [(symbols.Q, self.load_torques)] if self.loads else []
        return [*parts, *loads]

    def document(self) -> Document:
        """M, c and g, and Q of the loads; of a large model M alone, because the others are not even derived there.

        Of a very large one only how large it is.
        """
        M, blocks = self.M.rows(), list[Block]()
        terms = self._terms(M)
        if terms <= NOTEBOOK_TERMS:
            blocks += [Equation(symbol, value) for symbol, value in self._parts()]
        elif terms <= FOLDED_TERMS:
            rest = "c and g are longer still: ask for model.coriolis and model.gravity, or for a derivation."
            blocks += [Equation(symbols.M, M), Note(f"M has {terms} terms; {rest}")]
        else:
            blocks += [
                Note(f"M has {terms} terms: ask for single entries such as model.M[-1, -1], or for a derivation.")
            ]
        return Document("", tuple(blocks), ring=self.ring)

    def _terms(self, rows: list[list[Exact]]) -> int:
        return sum(len(entry) for row in rows for entry in row)

    def _repr_latex_(self) -> str | None:
        M = self._terms(self.M.rows())
        short = M <= NOTEBOOK_TERMS and M + sum(map(len, self.coriolis)) + sum(map(len, self.gravity)) <= NOTEBOOK_TERMS
        return f"${self.latex()}$" if short else None

    def __repr__(self) -> str:
        count = len(self.loads)
        loads = f", {count} load{'s' * (count > 1)}" if count else ""
        return f"<Equations {self.robot.name}: {self.n} joints, {'numeric' if self.numeric else 'symbolic'}{loads}>"
