"""How equations look: Unicode text, LaTeX, MathML, Typst, SymPy, Python, in the notations of files.

Every printer takes a scalar, a vector or a matrix of scalars of the exact world (or a tree of
`dynamis.telling.forms.tree`) and shows it in its shortest form.
"""

from dynamis.telling.notation.latex import latex
from dynamis.telling.notation.mathml import mathml
from dynamis.telling.notation.notation import Notation
from dynamis.telling.notation.python_form import python
from dynamis.telling.notation.schools import NOTATIONS
from dynamis.telling.notation.sympy_form import to_sympy
from dynamis.telling.notation.text import text
from dynamis.telling.notation.typst import typst

__all__ = ["NOTATIONS", "Notation", "latex", "mathml", "python", "text", "to_sympy", "typst"]
