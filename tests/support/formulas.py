"""Formulas of the documents as scalars of a model's ring, so that equality is exact."""

import re
from fractions import Fraction
from typing import Any

import sympy

from dynamis.exact.closed_form.closed_form import ClosedForm
from dynamis.scalars.exact.ring import Exact

RATE = re.compile(r"(d{0,2})(?:q|theta)(\d)")


def exact(formula: Any, model: ClosedForm, **names: Any) -> Any:
    """A formula, or a list or matrix of them, in the ring; `names` are what a document calls else."""
    if isinstance(formula, list):
        return [exact(entry, model, **names) for entry in formula]
    symbols = {
        name: sympy.Symbol(name) for name in re.findall(r"[A-Za-z_]\w*", str(formula)) if name not in ("sin", "cos")
    }
    return _scalar(sympy.expand(sympy.sympify(str(formula), locals=symbols)), model, names)


def _scalar(e: Any, model: ClosedForm, names: dict[str, Any]) -> Exact:
    ring = model.ring
    if e.is_Rational:
        return ring.number(Fraction(int(e.p), int(e.q)))
    if e.is_Add or e.is_Mul:
        parts = [_scalar(part, model, names) for part in e.args]
        total = parts[0]
        for part in parts[1:]:
            total = total + part if e.is_Add else total * part
        return total
    if e.is_Pow:
        total = ring.number(1)
        for _ in range(int(e.exp)):
            total = total * _scalar(e.base, model, names)
        return total
    if e.is_Symbol:
        return _symbol(e.name, model, names)
    cosine, sine = _cos_sin(e.args[0], model)
    return cosine if e.func == sympy.cos else sine


def _symbol(name: str, model: ClosedForm, names: dict[str, Any]) -> Exact:
    if name in names:
        return names[name] if isinstance(names[name], Exact) else model.ring.scalar(names[name])
    found = RATE.fullmatch(name)
    if found and name not in model.robot.parameters:
        joint = model.robot.joints[int(found[2]) - 1]
        return model.ring.scalar(f"{found[1]}({joint.name})" if found[1] else joint.name)
    return model.ring.scalar(name)


def _cos_sin(angle: Any, model: ClosedForm) -> tuple[Exact, Exact]:
    """Addition theorems over the joint angles in a sum such as 2 q1 + q2."""
    c, s = model.ring.number(1), model.ring.zero
    for symbol, times in angle.as_coefficients_dict().items():
        joint = model.robot.joints[int(symbol.name[-1]) - 1].name
        a, b = model.ring.scalar(f"cos({joint})"), model.ring.scalar(f"sin({joint})")
        for _ in range(abs(int(times))):
            turned = b if times > 0 else -b
            c, s = c * a - s * turned, s * a + c * turned
    return c, s
