"""What is wrong in an answer: terms that are missing, extra, of the wrong sign or the wrong factor.

The two normal forms are compared group by group, a group being what stands beside one monomial of
parameters and rates. So a sentence is about terms as people write them, not about the whole entry.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import permutations

from dynamis.grading.common_ring import check_time
from dynamis.grading.judging.groups import Terms, clusters, groups_of, is_trig
from dynamis.grading.judging.rendering import MAX_DENOMINATOR, Renderer, shortened
from dynamis.scalars.exact.ring import Exact, Exponents, Ring

MAX_SENTENCES = 10
MAX_TERMS = 60
SHORT = 90


def differences(yours: Exact, true: Exact, renderer: Renderer, student: Renderer | None = None) -> list[str]:
    """Sentences, the shortest that are found; at most a handful. `student` writes what is the user's."""
    return list(_limited(_Comparison(yours, true, renderer, student or renderer).sentences()))


def _limited(sentences: list[str]) -> Iterator[str]:
    yield from sentences[:MAX_SENTENCES]
    if len(sentences) > MAX_SENTENCES:
        yield f"and {len(sentences) - MAX_SENTENCES} more"


class _Comparison:
    def __init__(self, yours: Exact, true: Exact, renderer: Renderer, student: Renderer) -> None:
        self.yours, self.true, self.renderer, self.student = yours, true, renderer, student
        self.ring: Ring = true.ring
        self.extra: Terms = {}
        self.missing: Terms = {}
        self.wrong_sign: Terms = {}
        self.factors: dict[tuple[Fraction, Fraction], Terms] = {}
        self.other: list[str] = []

    def sentences(self) -> list[str]:
        if not self.yours:
            return [f"it is not zero: {self.renderer.text(self.true)}"]
        if not self.true:
            return [f"it is zero, yours is {self.student.text(self.yours)}"]
        if sentence := self.whole_entry():
            return [sentence]
        if sentence := self.one_letter():
            return [sentence]
        yours, true = groups_of(self.yours), groups_of(self.true)
        for key in {**true, **yours}:
            check_time(self.ring)
            self.compare(yours.get(key, {}), true.get(key, {}))
        exchanged = [*self.exchanged(), *self.exchangedgroups_of()]
        return [
            *exchanged,
            *self.spoken("wrong sign: it is ", self.wrong_sign),
            *self.factor_sentences(),
            *self.other,
            *self.spoken("missing: ", self.missing),
            *self.spoken("extra: ", self.extra, own=True),
        ]

    def whole_entry(self) -> str:
        """All of it is the true entry times a number."""
        ratio, several = _ratio(self.yours.terms(), self.true.terms()), len(groups_of(self.true)) > 1
        if ratio == -1:
            before = "opposite sign of everything" if several else "wrong sign"
            return f"{before}: it is {self.renderer.text(self.true)}"
        if ratio is None or not several:
            return ""
        sign = "opposite sign and " if ratio < 0 else ""
        number = f"{ratio:.4g}" if ratio.denominator > MAX_DENOMINATOR else str(abs(ratio))
        return f"{sign}factor {number.lstrip('-')}: everything is {number.lstrip('-')} times what it should be"

    def one_letter(self) -> str:
        """All is right but for one letter in the place of another: yours - true = Q (a - b)."""
        apart = self.yours - self.true
        if len(apart) > MAX_TERMS:
            return ""
        names = [name for name in self.ring.letters.names if name in apart.letters() and not is_trig(name)]
        true = self.true.terms()
        for a, b in permutations(names, 2):
            check_time(self.ring)
            if not _alike(a, b) or apart.substitute({a: self.ring.letter(b)}):
                continue
            first, second = self.ring.letter(a), self.ring.letter(b)
            common = Exact(divmod(apart.polynomial, (first - second).polynomial)[0], self.ring)
            replaced = common * second
            if all(true.get(key, 0) * value > 0 for key, value in replaced.terms().items()):
                return self.stands(a, b, common * first, replaced)
        return ""

    def stands(self, a: str, b: str, yours: Exact, true: Exact) -> str:
        first, second = (self.renderer.letter(name, {})[2] for name in (a, b))
        yours_text, true_text = self.student.text(yours), self.renderer.text(true)
        return f"{first} stands where {second} should: {yours_text} should be {true_text}"

    def compare(self, yours: Terms, true: Terms) -> None:
        """One group: proportional to the true one, or taken apart term by term."""
        if yours == true:
            return
        ratio = _ratio(yours, true)
        if ratio == -1:
            self.wrong_sign |= true
        elif ratio is not None:
            self.factor(yours, true, ratio)
        else:
            apart = {k: (yours.get(k, Fraction(0)), true.get(k, Fraction(0))) for k in {**true, **yours}}
            extra = {k: a for k, (a, b) in apart.items() if a and not b}
            missing = {k: b for k, (a, b) in apart.items() if b and not a}
            changed = {k: (a, b) for k, (a, b) in apart.items() if a and b and a != b}
            whole = f"yours has {self.own(yours)}, it is {self.text(true)}" if yours and true else ""
            length = sum(len(self.text(part)) for part in (extra, missing) if part)
            common = len(extra) < len(yours) or len(missing) < len(true)
            if not whole or (not changed and common and length < len(whole)):
                self.extra |= extra
                self.missing |= missing
            elif len(changed) == 1 and not extra and not missing:
                ((key, (a, b)),) = changed.items()
                self.factor({key: a}, {key: b}, a / b)
            else:
                self.other.append(whole)

    def factor(self, yours: Terms, true: Terms, ratio: Fraction) -> None:
        """A group that is the true one times a number."""
        if len(true) == 1:
            ((key, b),) = true.items()
            self.factors.setdefault((yours[key], b), {})[key] = Fraction(1)
        else:
            times = (
                f"is there {ratio} times"
                if ratio.denominator == 1 and ratio > 1
                else f"has the factor {ratio} too much"
            )
            self.other.append(f"{self.text(true)} {times}")

    def factor_sentences(self) -> Iterator[str]:
        """`term m1*L1^2 has factor 5/12, it is 1/3`; terms that are one product go together."""
        for (yours, true), terms in self.factors.items():
            together = self.whole(terms)
            parts = [terms] if _is_product(together) else [{key: value} for key, value in terms.items()]
            if not any(exponent for key in terms for exponent in key):
                yield f"the number is {self.number(true)}, yours is {self.number(yours, own=True)}"
                continue
            yield from (
                f"term {self.text(part)} has factor {self.number(yours, own=True)}, it is {self.number(true)}"
                for part in parts
            )

    def exchanged(self) -> Iterator[str]:
        """Where one letter stands for another: terms that are extra with a and missing with b."""
        names = self.ring.letters.names
        found: dict[tuple[int, int], dict[Exponents, Exponents]] = {}
        there = sorted({k for key in self.missing for k, e in enumerate(key) if e})
        for key, coefficient in self.extra.items():
            check_time(self.ring)
            for a in (k for k, e in enumerate(key) if e):
                for b in there:
                    moved = tuple(e - (k == a) + (k == b) for k, e in enumerate(key))
                    if a != b and self.missing.get(moved) == coefficient and _alike(names[a], names[b]):
                        found.setdefault((a, b), {})[key] = moved
        # Of sines and cosines only the whole is a slip of the pen; a part may be the expansion of a sum.
        whole = {pair: len(moves) for pair, moves in found.items() if is_trig(names[pair[0]])}
        for pair in [pair for pair, count in whole.items() if not count == len(self.extra) == len(self.missing)]:
            del found[pair]
        while found:
            (a, b), pairs = max(found.items(), key=lambda item: len(item[1]))
            yours = {key: self.extra.pop(key) for key in pairs}
            true = {key: self.missing.pop(key) for key in pairs.values()}
            yield self.stands(names[a], names[b], self.ring.from_terms(yours), self.ring.from_terms(true))
            left = {pair: {k: v for k, v in other.items() if k in self.extra and v in self.missing}
                    for pair, other in found.items()}  # fmt: skip
            found = {pair: other for pair, other in left.items() if other}

    def exchangedgroups_of(self) -> Iterator[str]:
        """The same with products: what stands beside L1^2*m1 should stand beside L2^2*m2."""
        missing = [(key, _beside(key, terms), terms) for key, terms in self.groups(self.missing)]
        for key, yours in self.groups(self.extra):
            beside = _beside(key, yours)
            found = next((item for item in missing if beside == item[1]), None)
            if found is None:
                continue
            missing.remove(found)
            other, _, true = found
            self.extra = {k: v for k, v in self.extra.items() if k not in yours}
            self.missing = {k: v for k, v in self.missing.items() if k not in true}
            yield f"{self.in_place(key, other)}: {self.own(yours)} should be {self.text(true)}"

    def in_place(self, yours: Exponents, true: Exponents) -> str:
        """What one monomial has and the other has not."""
        a, b = (tuple(max(e - f, 0) for e, f in zip(x, y, strict=True)) for x, y in ((yours, true), (true, yours)))
        if not any(a):
            return f"a factor {self.text({b: Fraction(1)})} is missing"
        if not any(b):
            return f"a factor {self.text({a: Fraction(1)})} is too much"
        return f"{self.text({a: Fraction(1)})} stands where {self.text({b: Fraction(1)})} should"

    def groups(self, terms: Terms) -> list[tuple[Exponents, Terms]]:
        """The groups of some terms that stand beside letters."""
        return [pair for pair in groups_of(self.ring.from_terms(terms)).items() if any(pair[0])]

    def spoken(self, before: str, terms: Terms, own: bool = False) -> list[str]:
        """One sentence for all these terms when they are a short product, else one for each product of parameters."""
        if not terms:
            return []
        text = self.own if own else self.text
        together = (self.student if own else self.renderer).whole(self.ring.from_terms(terms))
        if len(together) <= SHORT and _is_product(together):
            return [f"{before}{together}"]
        return [f"{before}{text(part)}" for part in clusters(terms, self.ring)]

    def text(self, terms: Terms) -> str:
        return shortened(self.whole(terms))

    def own(self, terms: Terms) -> str:
        """Terms of the user, with the user's decimals."""
        return self.student.text(self.ring.from_terms(terms))

    def number(self, value: Fraction, own: bool = False) -> str:
        return f"{'-' if value < 0 else ''}{(self.student if own else self.renderer).number(abs(value))}"

    def whole(self, terms: Terms) -> str:
        return self.renderer.whole(self.ring.from_terms(terms))


def _beside(key: Exponents, terms: Terms) -> Terms:
    """The sines and cosines beside a monomial."""
    return {tuple(e - k for e, k in zip(exponents, key, strict=True)): v for exponents, v in terms.items()}


def _ratio(yours: Terms, true: Terms) -> Fraction | None:
    """r with yours = r true, or None."""
    if not yours or yours.keys() != true.keys():
        return None
    ratios = {yours[key] / true[key] for key in true}
    return ratios.pop() if len(ratios) == 1 else None


def _is_product(text: str) -> bool:
    """Whether no sum stands outside of brackets."""
    depth = 0
    for character in text:
        depth += {"(": 1, ")": -1}.get(character, 0)
        if character == " " and depth == 0:
            return False
    return True


def _alike(a: str, b: str) -> bool:
    """Whether letters are of one kind: parameters, velocities, accelerations, sines and cosines."""
    kinds: tuple[Callable[[str], bool], ...] = (
        lambda name: name.startswith("d("),
        lambda name: name.startswith("dd("),
        is_trig,
        lambda name: name.startswith(("1/", "root ")),
    )
    return [kind(a) for kind in kinds] == [kind(b) for kind in kinds]
