"""Decimals of roots and of sines of fixed angles: right to the digits that are written, wrong beyond them."""

import random
from decimal import Decimal
from fractions import Fraction

import pytest

from dynamis import Inertia, Joint, Link, Robot
from dynamis.grading.check import check_answer
from dynamis.scalars.exact.numbers import by_monomial, value
from dynamis.scalars.exact.ring import Exact

ANGLES = ("pi/6", "pi/4", "pi/3", "37*pi/180", "-pi/4", "0.449", "2*pi/3", "pi/5", "pi/12")


def arm(first: str, second: str, *, in_numbers: bool = False) -> Robot:
    """A 3R with fixed angles between its joints, point masses in symbols or in numbers."""
    m, length, lc, g = ("2.5", "0.35", "0.175", "9.81") if in_numbers else ("m", "l", "lc", "g")
    links = (
        Link("a", Joint("q1", before=f"Rx({first})"), "base", m, (lc, "0", "0"), Inertia.of()),
        Link("b", Joint("q2", before=f"Tx({length}) Rx({second})"), "a", m, ("0", lc, "0"), Inertia.of()),
        Link("c", Joint("q3", before=f"Tx({length}) Rz({first})"), "b", m, (lc, "0", "0"), Inertia.of()),
    )
    names = () if in_numbers else ("m", "l", "lc", "g")
    return Robot("arm", links, parameters=dict.fromkeys(names, ""), gravity=("0", "0", f"-{g}"))


def numbers_of(scalar: Exact) -> list[tuple[float, str]]:
    """The terms of an entry: the number of each, and its symbols."""
    terms: list[tuple[float, str]] = []
    for key, number in by_monomial(scalar).items():
        powers = scalar.ring.from_terms({key: Fraction(1)}).powers()[0][0]
        x = float(value(number)) if number.symbols() else float(number.terms()[(0,) * len(key)])
        terms.append((x, "*".join([f"{symbol}^{power}" for symbol, power in powers])))
    return terms


def written(terms: list[tuple[float, str]], digits: int, slip: int = -1) -> str:
    """The terms with so many digits; of term `slip` the last digit is another one."""
    texts: list[str] = []
    for k, (x, symbols) in enumerate(terms):
        number, e, exponent = f"{x:#.{digits}g}".partition("e")
        if k == slip:
            last = Decimal(1).scaleb(Decimal(number).as_tuple().exponent)  # type: ignore[arg-type]
            number = str(Decimal(number) + last * (1 if digits < 15 else 100))
        texts.append(f"{number}{e}{exponent}{'*' * (symbols != '')}{symbols}")
    return " + ".join(texts).replace("+ -", "- ") or "0"


@pytest.mark.parametrize("digits", [3, 4, 7, 13, 15, 16])
def test_answers_in_decimals_of_random_arms(digits: int):
    rng = random.Random(digits)
    for in_numbers in (False, True):
        robot = arm(rng.choice(ANGLES), rng.choice(ANGLES), in_numbers=in_numbers)
        model = robot.equations()
        entries = {f"M[{i + 1},{j + 1}]": model.M[i, j] for i in range(3) for j in range(i, 3)}
        entries |= {f"g[{i + 1}]": model.gravity[i] for i in range(3)}
        terms = {name: numbers_of(entry) for name, entry in entries.items() if entry}
        report = check_answer(robot, "\n".join(f"{name} = {written(of, digits)}" for name, of in terms.items()))
        assert [(v.name, v.stated, v.details) for v in report.wrong] == []
        assert len(report.entries) == len(terms)
        for name in rng.sample(list(terms), 4):
            slip = written(terms[name], digits, rng.randrange(len(terms[name])))
            assert check_answer(robot, f"{name} = {slip}").verdict == "wrong", (name, slip)


ARM, NUMBERS = arm("37*pi/180", "pi/4"), arm("37*pi/180", "pi/4", in_numbers=True)
ELBOW = "(lc + l*(cos(q2 + q3 + 37*pi/180) + cos(q3 + 37*pi/180)))"
M13 = f"M[1,3] = {{}}*lc*m*{ELBOW}"


@pytest.mark.parametrize(
    ("right", "stated", "wrong"),
    [
        (M13.format("0.707"), "equal, reading 0.707 as 1/2*sqrt(2)", M13.format("0.708")),
        (M13.format("0.7071067811865476"), "", M13.format("0.7071067811868")),
        (M13.format("0.7071067811865475"), "", M13.format("0.70710678118657")),
        (M13.format("sin(0.7854)"), "equal, to the digits of 0.7854", M13.format("sin(0.7855)")),
        (M13.format("0.707^3*2"), "equal, to the digits of 0.707", M13.format("0.709^3*2")),
        (M13.format("sqrt(0.500)"), "equal", M13.format("sqrt(0.501)")),
        (M13.format("1/1.414"), "equal, to the digits of 1.414", M13.format("1/1.415")),
        (M13.format("0.5*1.414"), "equal, reading 1.414 as sqrt(2)", M13.format("0.5*1.415")),
        (M13.format("0.707").replace("37*pi/180", "0.6458"), "", M13.format("0.707").replace("37*pi/180", "0.6468")),
        (M13.format("cos(45.0*pi/180)"), "equal", M13.format("cos(45.1*pi/180)")),
        (f"let k = 0.7071\nM[1,3] = k*m*lc*{ELBOW}", "", f"let k = 0.7081\nM[1,3] = k*m*lc*{ELBOW}"),
    ],
)
def test_a_decimal_in_a_product_an_angle_or_a_fraction(right: str, stated: str, wrong: str):
    (entry,) = check_answer(ARM, right).entries
    assert entry.right
    assert stated in ("", entry.stated)
    assert check_answer(ARM, wrong).verdict != "right"
    assert not [entry for entry in check_answer(ARM, wrong).entries if entry.right]


def test_other_numbers_do_not_make_up_for_a_wrong_one():
    """Within half a unit of each 0.708*0.175*2.50*0.350 would be right; but 0.175, 2.50 and 0.350 are the robot's."""
    text = "M[1,3] = {}*0.175*2.50*(0.175 + 0.350*(cos(q2 + q3 + 37*pi/180) + cos(q3 + 37*pi/180)))"
    assert check_answer(NUMBERS, text.format("0.707")).entries[0].right
    assert check_answer(NUMBERS, text.format("0.708")).verdict == "wrong"
    assert check_answer(NUMBERS, text.format("sin(37*pi/180)*1.175")).entries[0].right
    assert check_answer(NUMBERS, text.format("sin(37*pi/180)*1.176")).verdict == "wrong"
    both = "M[1,3] = 0.866*{}*lc*m*" + ELBOW
    assert check_answer(ARM, both.format("0.8165")).entries[0].right
    assert check_answer(ARM, both.format("0.8175")).verdict == "wrong"


def test_two_digits_are_no_root():
    assert check_answer(ARM, M13.format("0.71")).verdict == "wrong"


def test_what_is_rounded_beside_a_mistake_is_not_listed():
    (entry,) = check_answer(ARM, "M[3,3] = 1.01*m*lc^2\n" + M13.format("0.707") + " + 0.6018*m*l^2").wrong[1:]
    assert entry.sentences == ("extra: 0.6018*m*l^2",)
    assert entry.conditions == ("reading 0.707 as 1/2*sqrt(2)",)


def test_another_factorisation_in_decimals():
    robot = arm("pi/6", "pi/4")
    first, *others = robot.equations().coriolis_matrix[2]
    ring = first.ring
    row = list(map(numbers_of, (first + ring.scalar("d(q2)") * ring.scalar("m"), *others)))
    row[1] += [(-1.0, "d(q1)*m")]
    text = "; ".join(f"C[3,{k}] = {written(terms, 4)}" for k, terms in enumerate(row, 1))
    statuses = {entry.status for entry in check_answer(robot, text.replace("d(q", "(dq")).entries}
    assert statuses == {"equal up to regrouping", "equal"}
    assert check_answer(robot, text.replace("d(q", "(dq").replace("0.3536", "0.3546")).verdict == "wrong"
