"""How equations look: Unicode text, LaTeX, MathML, Typst, SymPy, Python, in the notations of files.

Every printer takes a scalar, a vector or a matrix of scalars of the exact world (or a tree of
`dynamis.document.forms.tree`) and shows it in its shortest form.
"""

from dynamis.document.notation.latex import latex
from dynamis.document.notation.mathml import mathml
from dynamis.document.notation.notation import Notation
from dynamis.document.notation.python_form import python
from dynamis.document.notation.schools import NOTATIONS
from dynamis.document.notation.sympy_form import to_sympy
from dynamis.document.notation.text import text
from dynamis.document.notation.typst import typst

__all__ = ["NOTATIONS", "Notation", "latex", "mathml", "python", "text", "to_sympy", "typst"]
