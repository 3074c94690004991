"""What is wrong in an entry: terms that are missing, extra, of the wrong sign or with the wrong factor.

Two normal forms are compared group by group; a group holds the terms with one monomial of parameters and rates, so
that a sentence is about a term as people write it, not about the whole entry.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import permutations

from dynamis.apps.grading.judging.formulas import MAX_DENOMINATOR, FormulaStyle, form
from dynamis.apps.grading.judging.report import Point
from dynamis.apps.grading.reading.tokens import stem_and_number
from dynamis.apps.grading.values import Value
from dynamis.scalars.exact.counterexample import angle_at, differing_point
from dynamis.scalars.exact.counterexample import value as value_at
from dynamis.scalars.exact.ring import Exact, Exponents, Ring
from dynamis.scalars.exact.symbols import Symbol
from dynamis.telling.forms.tree import Sum

Terms = dict[Exponents, Fraction]
MAX_SENTENCES = 10
# Terms of a difference in which one wrong symbol is looked for: the search tries all pairs of symbols.
MAX_TERMS = 60
# A longer product says more in parts.
MAX_TOGETHER = 90


def differences(yours: Exact, true: Exact, style: FormulaStyle, own_style: FormulaStyle | None = None) -> list[str]:
    """Sentences about where `yours` differs from `true`, at most a handful; `own_style` writes the student's terms."""
    sentences = _Comparison(yours, true, style, own_style or style).sentences()
    more = len(sentences) - MAX_SENTENCES
    return [*sentences[:MAX_SENTENCES], *([f"and {more} more"] if more > 0 else [])]


class _Comparison:
    def __init__(self, yours: Exact, true: Exact, style: FormulaStyle, own_style: FormulaStyle) -> None:
        self.yours, self.true, self.style, self.own_style = yours, true, style, own_style
        self.ring: Ring = true.ring
        self.extra: Terms = {}
        self.missing: Terms = {}
        self.wrong_sign: Terms = {}
        self.wrong_factor: dict[tuple[Fraction, Fraction], Terms] = {}
        """(the student's factor, the true one) -> the terms without it."""
        self.group_sentences: list[str] = []

    def sentences(self) -> list[str]:
        if not self.yours:
            return [f"yours is 0, it should be {self.style.short(self.true)}"]
        if not self.true:
            return [f"it should be 0, yours is {self.own_style.short(self.yours)}"]
        if sentence := self.multiple_of_the_entry() or self.one_symbol_instead_of_another():
            return [sentence]
        yours, true = groups(self.yours.terms(), self.ring), groups(self.true.terms(), self.ring)
        for key in {**true, **yours}:
            self.ring.check_time()
            self.compare_group(yours.get(key, {}), true.get(key, {}))
        return [
            *self.exchanged_symbols(),
            *self.exchanged_groups(),
            *self.listed("wrong sign: it should be ", self.wrong_sign, self.style),
            *self.factor_sentences(),
            *self.group_sentences,
            *self.listed("missing: ", self.missing, self.style),
            *self.listed("extra: ", self.extra, self.own_style),
        ]

    def multiple_of_the_entry(self) -> str:
        """The whole entry is the true one times a number."""
        ratio, several = _ratio(self.yours.terms(), self.true.terms()), len(groups(self.true.terms(), self.ring)) > 1
        if ratio == -1:
            before = "opposite sign throughout" if several else "wrong sign"
            return f"{before}: it should be {self.style.short(self.true)}"
        if ratio is None or not several:
            return ""
        size = abs(ratio)
        number = f"{float(size):.4g}" if size.denominator > MAX_DENOMINATOR else str(size)
        sign = "opposite sign and " if ratio < 0 else ""
        return f"{sign}factor {number}: everything is {number} times what it should be"

    def one_symbol_instead_of_another(self) -> str:
        """All is right but for symbol a in the place of b: yours - true = Q (a - b)."""
        difference = self.yours - self.true
        if len(difference) > MAX_TERMS:
            return ""
        there = difference.symbols()
        names = [s for s in self.ring.symbols if s in there and not (s.is_trig or s.is_half)]
        true = self.true.terms()
        for a, b in permutations(names, 2):
            self.ring.check_time()
            if not _alike(a, b) or difference.substitute({a: self.ring.scalar(b)}):
                continue
            first, second = self.ring.scalar(a), self.ring.scalar(b)
            common = Exact(divmod(difference.polynomial, (first - second).polynomial)[0], self.ring)
            replaced = common * second
            if all(true.get(key, 0) * value > 0 for key, value in replaced.terms().items()):
                return self.instead(first, second, common * first, replaced)
        return ""

    def instead(self, a: Exact, b: Exact, yours: Exact, true: Exact) -> str:
        return (
            f"{self.style.full_text(a)} instead of {self.style.full_text(b)}: "
            f"{self.own_style.short(yours)} should be {self.style.short(true)}"
        )

    def compare_group(self, yours: Terms, true: Terms) -> None:
        """One group: proportional to the true one, or taken apart term by term."""
        ratio = _ratio(yours, true)
        if yours == true:
            return
        if ratio == -1:
            self.wrong_sign |= true
        elif ratio is not None:
            self.add_factor(yours, true, ratio)
        else:
            both = {k: (yours.get(k, Fraction(0)), true.get(k, Fraction(0))) for k in {**true, **yours}}
            extra = {k: a for k, (a, b) in both.items() if a and not b}
            missing = {k: b for k, (a, b) in both.items() if b and not a}
            changed = {k: (a, b) for k, (a, b) in both.items() if a and b and a != b}
            sentence = f"yours has {self.text(yours, self.own_style)}, it should have {self.text(true)}"
            length = sum(len(self.text(part)) for part in (extra, missing) if part)
            common = len(extra) < len(yours) or len(missing) < len(true)
            if not yours or not true or (not changed and common and length < len(sentence)):
                self.extra |= extra
                self.missing |= missing
            elif len(changed) == 1 and not extra and not missing:
                ((key, (a, b)),) = changed.items()
                self.add_factor({key: a}, {key: b}, a / b)
            else:
                self.group_sentences.append(sentence)

    def add_factor(self, yours: Terms, true: Terms, ratio: Fraction) -> None:
        """A group that is the true one times a number."""
        if len(true) == 1:
            ((key, b),) = true.items()
            self.wrong_factor.setdefault((yours[key], b), {})[key] = Fraction(1)
        else:
            how = "counted" if ratio.denominator == 1 and ratio > 1 else "multiplied by"
            times = f"{how} {ratio}{' times' if how == 'counted' else ''}"
            self.group_sentences.append(f"{self.text(true)} is {times}")

    def factor_sentences(self) -> Iterator[str]:
        """`term m1*L1^2 has the factor 5/12, it should be 1/3`; terms that are one product together share one."""
        for (yours, true), terms in self.wrong_factor.items():
            own, right = self.own_style.number(yours), self.style.number(true)
            if not any(exponent for key in terms for exponent in key):
                yield f"the number should be {right}, yours is {own}"
                continue
            together = not isinstance(form(self.ring.from_terms(terms)), Sum)
            for part in [terms] if together else [{key: value} for key, value in terms.items()]:
                yield f"term {self.text(part)} has the factor {own}, it should be {right}"

    def exchanged_symbols(self) -> Iterator[str]:
        """One symbol instead of another: terms that are extra with a and missing with b."""
        names = self.ring.symbols
        moves: dict[tuple[int, int], dict[Exponents, Exponents]] = {}
        there = sorted({k for key in self.missing for k, e in enumerate(key) if e})
        for key, coefficient in self.extra.items():
            self.ring.check_time()
            for a in (k for k, e in enumerate(key) if e):
                for b in there:
                    moved = tuple(e - (k == a) + (k == b) for k, e in enumerate(key))
                    if a != b and self.missing.get(moved) == coefficient and _alike(names[a], names[b]):
                        moves.setdefault((a, b), {})[key] = moved
        # Of sines and cosines only the whole is a slip of the pen; a part may be the expansion of a sum.
        for pair in [pair for pair in moves if names[pair[0]].is_trig]:
            if not len(moves[pair]) == len(self.extra) == len(self.missing):
                del moves[pair]
        while moves:
            (a, b), pairs = max(moves.items(), key=lambda item: len(item[1]))
            yours = self.ring.from_terms({key: self.extra.pop(key) for key in pairs})
            true = self.ring.from_terms({key: self.missing.pop(key) for key in pairs.values()})
            yield self.instead(self.ring.scalar(names[a]), self.ring.scalar(names[b]), yours, true)
            left = {
                pair: {k: v for k, v in other.items() if k in self.extra and v in self.missing}
                for pair, other in moves.items()
            }
            moves = {pair: other for pair, other in left.items() if other}

    def exchanged_groups(self) -> Iterator[str]:
        """The same with products: what has the factor L1^2*m1 should have L2^2*m2."""
        missing = [(key, _divide_terms(terms, key), terms) for key, terms in groups(self.missing, self.ring).items()]
        for key, yours in groups(self.extra, self.ring).items():
            rest = _divide_terms(yours, key)
            match = next((item for item in missing if any(key) and any(item[0]) and rest == item[1]), None)
            if match is None:
                continue
            missing.remove(match)
            other, _, true = match
            self.extra = {k: v for k, v in self.extra.items() if k not in yours}
            self.missing = {k: v for k, v in self.missing.items() if k not in true}
            a, b = (tuple(max(e - f, 0) for e, f in zip(x, y, strict=True)) for x, y in ((key, other), (other, key)))
            own, right = (self.text({monomial: Fraction(1)}) for monomial in (a, b))
            what = f"missing factor {right}" if not any(a) else f"{own} instead of {right}"
            what = what if any(b) else f"extra factor {own}"
            yield f"{what}: {self.text(yours, self.own_style)} should be {self.text(true)}"

    def listed(self, before: str, terms: Terms, style: FormulaStyle) -> list[str]:
        """One sentence for all these terms if they are a short product, else one for each cluster of terms."""
        if not terms:
            return []
        together = self.ring.from_terms(terms)
        if not isinstance(form(together), Sum) and len(text := style.full_text(together)) <= MAX_TOGETHER:
            return [f"{before}{text}"]
        return [f"{before}{self.text(part, style)}" for part in clusters(terms, self.ring)]

    def text(self, terms: Terms, style: FormulaStyle | None = None) -> str:
        return (style or self.style).short(self.ring.from_terms(terms))


def groups(terms: Terms, ring: Ring) -> dict[Exponents, Terms]:
    """The terms by their monomial of parameters and rates."""
    return _group_terms(terms, ring, lambda symbol: not symbol.is_trig)


def clusters(terms: Terms, ring: Ring) -> list[Terms]:
    """The terms by their parameters; many of them by one family of parameters only, such as the masses.

    The family (names that differ in their number) with the fewest clusters is taken.
    """
    parameters = {symbol for symbol in ring.symbols if not symbol.is_trig and not symbol.is_rate}
    best = list(_group_terms(terms, ring, lambda name: name in parameters).values())
    families = {stem for stem, number in map(stem_and_number, sorted(parameters)) if number}
    for family in sorted(families) if len(best) > 3 else ():
        parts = _group_terms(terms, ring, lambda name, of=family: name in parameters and stem_and_number(name)[0] == of)
        if all(any(key) for key in parts) and len(parts) < len(best):
            best = list(parts.values())
    return best


def _group_terms(terms: Terms, ring: Ring, selects: Callable[[Symbol], bool]) -> dict[Exponents, Terms]:
    """The terms by their monomial of the symbols that `selects` picks."""
    ring.check_time()
    keep = list(map(selects, ring.symbols))
    grouped: dict[Exponents, Terms] = {}
    for exponents, coefficient in terms.items():
        key = tuple(e if is_kept else 0 for e, is_kept in zip(exponents, keep, strict=True))
        grouped.setdefault(key, {})[exponents] = coefficient
    return grouped


def _divide_terms(terms: Terms, monomial: Exponents) -> Terms:
    return {tuple(e - k for e, k in zip(exponents, monomial, strict=True)): v for exponents, v in terms.items()}


def _ratio(yours: Terms, true: Terms) -> Fraction | None:
    """r with yours = r true, or None."""
    if not yours or yours.keys() != true.keys():
        return None
    ratios = {yours[key] / true[key] for key in true}
    return ratios.pop() if len(ratios) == 1 else None


def _alike(a: Symbol, b: Symbol) -> bool:
    """Whether symbols are of one kind: parameters, velocities, accelerations, sines and cosines."""
    return (a.is_trig and b.is_trig) or (a.kind, a.order) == (b.kind, b.order)


def find_point(yours: Value, read: Exact, true: Exact, names: Mapping[str, str]) -> Point | None:
    """A point where the values differ; None where floats cannot show it.

    The point is looked for with the student's decimals read as what they round (`read` is that top), so that it does
    not show mere rounding; the values are those of the numbers as written. `names` gives symbols the student's names.
    """
    difference = differing_point(read, yours.times_bottom(true))
    if difference is None:
        return None
    point = difference[0]
    try:
        below = Fraction(1) if yours.bottom is None else value_at(yours.bottom, point)
        left, right = float(value_at(yours.top, point) / below), float(value_at(true, point))
    except (OverflowError, ZeroDivisionError):
        return None
    numbers: dict[str, str] = {}
    for symbol, number in point.items():
        if symbol.kind == "sine":
            numbers[names.get(symbol.of, symbol.of)] = angle_at(symbol, point)
        elif symbol.kind != "cosine" and not symbol.is_half:
            text = "d" * symbol.order + symbol.of if symbol.kind == "coordinate" else symbol
            numbers[names.get(text, symbol)] = str(number)
    return Point(numbers, left, right) if left != right else None
