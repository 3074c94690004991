"""The steps that rewrite a model in its parameters: dynamic coefficients, base parameters, the regressor."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from dynamis.compute.mechanics.dynamics.regressor import inertial_parameters
from dynamis.compute.mechanics.dynamics.regressor import regressor as whole_regressor
from dynamis.exact.derivations.derivation import StepMaker
from dynamis.exact.equations import Equations
from dynamis.model.inertial_parameters import STANDARD, parameter_names
from dynamis.scalars.exact.proof import prove_equal
from dynamis.scalars.exact.ratio import Ratio
from dynamis.scalars.exact.ring import Exact
from dynamis.telling import symbols as s
from dynamis.telling.blocks import Equation, Part, Rule, Table, Words
from dynamis.telling.forms.simplest import simplest
from dynamis.telling.forms.tree import Symbol, sign_of
from dynamis.telling.formula import (
    DOT,
    EQUALS,
    MINUS,
    PLUS,
    Coordinates,
    Formula,
    Frac,
    Group,
    Op,
    Piece,
    Prose,
    Sym,
    Val,
)

# A page of the equations of motion has room for the coefficients of a small arm only.
MOST_JOINTS = 4
MOST_COEFFICIENTS = 15
_M_C_AND_G: Prose = (s.M, ", ", s.c, " and ", s.g)


def short_coefficients(model: Equations) -> Iterator[Part]:
    """The coefficients of a small arm and M, c, C_k and g in them; nothing for a large one."""
    if _is_small(model):
        yield from model.coefficients.parts()
        yield from _in_coefficients(model, torques=False)


def _is_small(model: Equations) -> bool:
    return not model.numeric and model.n <= MOST_JOINTS and model.coefficients.p <= MOST_COEFFICIENTS


def coefficients(model: Equations, steps: bool) -> list[StepMaker]:
    """a_1 .. a_p, the map to the parameters, the model and its regressor in them; they are as few as can be."""

    def regressor_columns() -> Iterator[Part]:
        if steps or _is_small(model):
            dynamic = model.coefficients
            yield from _matrix(
                model, dynamic.regressor, list(dynamic.names), _vector_of(dynamic.names), with_friction=True
            )

    return [
        ("Dynamic coefficients", lambda: model.coefficients.parts()),
        ("The model in dynamic coefficients", lambda: _in_coefficients(model)),
        ("Regressor of the dynamic coefficients", regressor_columns),
        ("The way back", lambda: _back(model)),
    ]


def base_parameters(model: Equations, steps: bool) -> list[StepMaker]:
    """The regrouping of the inertial parameters, and what a motion tells about each of them."""
    return [
        ("Inertial parameters", lambda: _standard(model)),
        ("Base parameters", lambda: _base_parameter_steps(model)),
        ("What the torques tell", lambda: _identifiable(model)),
        *([("Regressor of the base parameters", lambda: _base_regressor(model))] if steps else []),
    ]


def regressor(model: Equations, steps: bool) -> list[StepMaker]:
    """Y in tau = Y pi, column by column; columns that are zero are not shown."""
    return [("Inertial parameters", lambda: _standard(model)), ("Regressor", lambda: columns(model))]


def _in_coefficients(model: Equations, torques: bool = True) -> Iterator[Part]:
    dynamic = model.coefficients
    yield Words(("The same ", *_M_C_AND_G, ", linear in the coefficients:"))
    yield Equation(s.M, dynamic.M)
    yield Equation(s.c, dynamic.c)
    yield Equation(s.g, dynamic.g)
    if any(dynamic.friction):
        yield Equation(s.friction, dynamic.friction)
    matrices = [(k, C) for k, C in enumerate(dynamic.christoffel_matrices, 1) if any(map(any, C))]
    if matrices and _is_small(model):
        rule: Formula = (s.c.at("k"), EQUALS, Coordinates(1), DOT, s.christoffel_matrix.at("k"), Coordinates(1))
        yield Words(("The Christoffel matrices, with ", rule, ":"))
        for k, C in matrices:
            yield Equation(s.christoffel_matrix.at(k), C)
    if not torques:
        return
    yield Words("The equations of motion in the coefficients:")
    for k, tau in enumerate(dynamic.torques, 1):
        yield Equation((s.tau.at(k), PLUS, s.Q.at(k)) if model.loads else s.tau.at(k), tau)


def _back(model: Equations) -> Iterator[Part]:
    """The coefficients replaced by their polynomials give the model again: proved."""
    dynamic = model.coefficients
    pairs = [
        (f"M[{i + 1},{j + 1}]", dynamic.expand(dynamic.M[i][j]), model.M[i, j])
        for i in range(model.n)
        for j in range(i + 1)
    ]
    pairs += [(f"c[{k + 1}]", dynamic.expand(dynamic.c[k]), model.coriolis[k]) for k in range(model.n)]
    pairs += [(f"g[{k + 1}]", dynamic.expand(dynamic.g[k]), model.gravity[k]) for k in range(model.n)]
    for k, (row, tau) in enumerate(zip(dynamic.regressor, model.unloaded_torques, strict=True), 1):
        total = model.ring.zero
        for y, a in zip(row, dynamic.coefficients, strict=True):
            total = total + dynamic.expand(y) * a
        pairs.append((f"tau[{k}]", total, tau))
    proof = prove_equal("the way back", lambda: pairs)
    assert proof.holds
    yield Words((
        "With the polynomials above in the place of the coefficients, ", *_M_C_AND_G,
        " are those of the physical parameters, and ", (s.Y, _vector_of(dynamic.names)),
        f" are their torques: {_comparison_phrase(proof.terms)}.",
    ))  # fmt: skip


def _vector_of(names: Sequence[str]) -> Sym:
    """a, of a_1 .. a_p."""
    return Sym(names[0].rstrip("0123456789_") if names else "a")


def _comparison_phrase(terms: int) -> str:
    return f"equal term by term, {terms} terms in all" if terms else "both are zero"


def _standard(model: Equations) -> Iterator[Part]:
    yield Words(
        "Ten inertial parameters per link: the mass m, the first moments mx, my, mz (mass times CoM) and the inertia "
        "about the origin of the link frame, in its axes. In the robot's own symbols they are, what is zero left out:"
    )  # fmt: skip
    values = inertial_parameters(model.mechanism)
    rows: list[tuple[Prose, ...]] = []
    for k, link in enumerate(model.robot.links):
        for name, value in zip(STANDARD, values[10 * k : 10 * k + 10], strict=True):
            if value:
                rows.append(((link.name,), ((parameter(f"{name}{k + 1}"),),), ((Val(value),),)))
    yield Table(("link", "parameter", "value"), tuple(rows))


def parameter(name: str) -> Val:
    """A standard inertial parameter as a symbol."""
    return Val(Symbol(name))


def _base_parameter_steps(model: Equations) -> Iterator[Part]:
    base = model.base_parameters
    yield Words(base.proof)
    yield Words(
        "The torques depend on the inertial parameters through these alone; each is named after the parameter that it "
        "begins with:"
    )  # fmt: skip
    for k, combination in enumerate(base.combinations):
        yield Equation(_beta(model, k), None, (_combination_formula(combination.name, combination.others),))


def _combination_formula(name: str, others: Mapping[str, Ratio]) -> Formula:
    """Izz1 + l1^2 (m2 + m3): parameters with the same factor together."""
    groups: dict[str, tuple[Ratio, list[str]]] = {}
    for other, factor in others.items():
        groups.setdefault(str(factor), (factor, []))[1].append(other)
    pieces: list[Piece] = [parameter(name)]
    for factor, names in groups.values():
        negative = sign_of(simplest(factor.numerator))[0] < 0
        size = _factor(Ratio.of(-factor.numerator, factor.denominator) if negative else factor)
        sign = Op("-") if negative else PLUS
        if not size:
            for other in names:
                pieces += [sign, parameter(other)]
            continue
        inner: list[Piece] = []
        for other in names:
            inner += [PLUS, parameter(other)] if inner else [parameter(other)]
        pieces += [sign, *size, *(inner if len(inner) == 1 else [Group(tuple(inner))])]
    return tuple(pieces)


def _factor(factor: Ratio) -> Formula:
    if not factor.is_polynomial:
        return (Frac((Val(factor.numerator),), (Val(factor.denominator),)),)
    one = factor.numerator.ring.number(1)
    return () if factor.numerator == one else (Val(factor.numerator),)


def _identifiable(model: Equations) -> Iterator[Part]:
    """A sentence on every parameter, with the combinations as the page writes them."""
    base = model.base_parameters
    for name in base.names:
        symbol: Formula = (parameter(name),)
        inside = [k for k, c in enumerate(base.combinations) if name in (c.name, *c.others)]
        combination = base.combinations[inside[0]] if inside else None
        if combination is None or (len(inside) == 1 and not combination.others):
            yield Words((symbol, base.sentence(name).removeprefix(name)))
        elif len(inside) == 1:
            whole: Formula = (
                _beta(model, inside[0]),
                EQUALS,
                *_combination_formula(combination.name, combination.others),
            )
            yield Words((symbol, " is identifiable only in the combination ", whole, "."))
        else:
            listed: list[str | Formula] = []
            for k in inside:
                listed += [", ", (_beta(model, k),)] if listed else [(_beta(model, k),)]
            yield Words((symbol, " is identifiable only in combinations, ", *listed, "."))


def _letter(model: Equations) -> str:
    """The symbol of the base parameters, which no parameter of the robot has."""
    return next(x for x in ("beta", "chi", "xi") if not any(name.startswith(x) for name in model.robot.parameters))


def _beta(model: Equations, k: int) -> Sym:
    return Sym(_letter(model), str(k + 1))


def _base_regressor(model: Equations) -> Iterator[Part]:
    letter = _letter(model)
    greek = {"beta": "β", "chi": "χ", "xi": "ξ"}[letter]
    columns = [f"{greek}{k}" for k in range(1, model.base_parameters.rank + 1)]
    yield from _matrix(model, model.base_parameters.regressor, columns, Sym(letter))


def columns(model: Equations) -> Iterator[Part]:
    """Y in tau = Y pi, column by column."""
    names = parameter_names(len(model.robot.links))
    yield from _matrix(model, whole_regressor(model.mechanism, model.state), names, s.pi)


def _matrix(
    model: Equations, Y: list[list[Exact]], names: list[str], parameters: Sym, with_friction: bool = False
) -> Iterator[Part]:
    """Y column by column: rows are joints, columns are the parameters in use, those of friction among them or not."""
    drives: Formula = (PLUS, s.friction) if any(model.friction) and not with_friction else ()
    loads: Formula = (MINUS, s.Q) if model.loads else ()
    arguments = Group((Coordinates(0), Op(","), Coordinates(1), Op(","), Coordinates(2)))
    yield Rule((s.Y, arguments, parameters, *drives, *loads, EQUALS, s.tau))
    others = "" if parameters != s.pi else " Those of all other parameters are zero."
    yield Words((
        "The columns of ", s.Y, ", one for each of ", parameters,
        f", its rows joint by joint; of a column that is too wide its entries, the joint's number first.{others}",
    ))  # fmt: skip
    for name, column in zip(names, zip(*Y, strict=True), strict=True):
        if any(column):
            yield Equation(s.Y.at(name), list(column))
