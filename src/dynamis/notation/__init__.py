"""How equations look: Unicode text, LaTeX, MathML, Typst, SymPy, Python, in four notations.

Every printer takes a scalar, a vector or a matrix of scalars of the exact world (or a tree of
`dynamis.exact.tree`) and shows it in its shortest form.
"""

from dynamis.notation.conventions import CONVENTIONS, Convention
from dynamis.notation.latex import latex
from dynamis.notation.mathml import mathml
from dynamis.notation.python_form import python
from dynamis.notation.sympy_form import to_sympy
from dynamis.notation.text import text
from dynamis.notation.typst import typst

__all__ = ["CONVENTIONS", "Convention", "latex", "mathml", "python", "text", "to_sympy", "typst"]
