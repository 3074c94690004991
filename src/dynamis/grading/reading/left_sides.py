"""The left side of a line: an entry of the model such as `M[1,2]`, or a name that the line defines.

M (also D, d_12, B, H), c (also V, h) with c[i,j,k] the Christoffel symbols, C, g (also G, phi), T and U of the
arm or of a link, tau, Q of the loads (J^T w, beside tau); J, Jv and Jw of the tool (of the last link's frame without
one); of link k: in base axes Jvk, Jwk, pck (of its CoM) and Ibasek (about it), and in link axes wk, wdk, vdk, vdck,
Fk, Nk, fk, nk of Newton-Euler (base acceleration -g; f and n with the number after the last are those of the tool on
its surroundings) and vk, vck of moving frames. The transforms Ak of link k on its parent and, between two frames, T02,
T0c2, T_2^1, T_tool^2.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from dynamis.grading.reading.letters import Letters
from dynamis.grading.reading.literals import FILLED, NAMES
from dynamis.grading.reading.tokens import NAME, ascii_name, stem_and_number

ONLY_READ = {
    "D": "M", "B": "M", "H": "M", "V": "c", "h": "c", "G": "g", "phi": "g", "K": "T", "P": "U", "u": "tau",
    "Jvc": "Jv", "JL": "Jv", "Jomega": "Jw", "Jwc": "Jw", "JA": "Jw", "omega": "w", "omegad": "wd", "wdot": "wd",
    "Pc": "pc", "vdot": "vd", "vdotc": "vdc", "vcd": "vdc", "vcdot": "vdc", "a": "vd", "ac": "vdc",
    "Mq": "M", "Hq": "M", "Mmat": "M", "Mmatrix": "M", "Mtheta": "M", "MassMatrix": "M",
    "massmatrix": "M", "inertiamatrix": "M", "InertiaMatrix": "M", "Cq": "C", "coriolis": "C", "coriolismatrix": "C",
    "coriolisvector": "c", "Gq": "g", "gravity": "g", "gravityvector": "g", "gravitytorque": "g", "gravitytorques": "g",
    "Tau": "tau", "torque": "tau", "torques": "tau", "inversedynamics": "tau", "KE": "T", "kineticenergy": "T",
    "PE": "U", "potentialenergy": "U", "Jacobian": "J", "jacobian": "J",
}  # fmt: skip
LINK_VECTORS = ("w", "wd", "vd", "vdc", "F", "N", "f", "n", "v", "vc", "pc")
LINK_MATRICES = ("Jv", "Jw", "Ibase")
TRANSFORMS = ("A", "Tab")
"""Of a link on its parent, and between two frames a and b."""
ANSWERABLE = ("M", "c", "C", "g", "T", "U", "tau", "Q", "J", *TRANSFORMS, *LINK_MATRICES, *LINK_VECTORS)
"""The quantities that a line of an answer can give."""
JOINT_QUANTITIES = ("M", "C", "c", "g", "tau", "Q")
Index = tuple[int, ...]
"""The index of an entry, from 1; () is the whole matrix."""
# Matched against text without the blanks around it; no two neighbours in a pattern match the same characters.
_DRESS = re.compile(
    r"\\(?:left|right|mathbf|mathrm|boldsymbol|bm|vec|hat|text)(?![A-Za-z])|[$&\s]|\{\}\^\{?\d\}?|\^\{?0\}?"
)
_BOLD = re.compile(r"\\(?:mathbf|mathrm|boldsymbol|bm|text)(?![A-Za-z])|[$&\s]")
_DOTTED = re.compile(r"\\dot\{?\\?(omega|[A-Za-z])")
_LEFT = re.compile(r"(?P<head>[^\[(]*)(?:[\[(](?P<index>[^\])]*)[\])])?")
# A of a link; T with two frames: behind it, below and above, above and behind or before and behind, both before it.
_FRAME, _PLACE = r"(c?\d|tool)", r"(?:,(\d\d)|[\[(](\d,\d)[\])])?"
_LINK_TRANSFORM = re.compile(rf"(?:\^\d)?A(\d{{1,6}}){_PLACE}")
_LINK_ENTRY = re.compile(r"^_?\{?(J_?\{?[vw]_?\{?\d),(\d)(\d)\}{0,2}$")
_SUB_SUPER = re.compile(rf"T{_FRAME}\^{_FRAME}{_PLACE}")
_TRANSFORMS = (
    re.compile(rf"T{_FRAME},?{_FRAME}{_PLACE}"),
    _SUB_SUPER,
    re.compile(rf"(?:T\^{_FRAME}|\^{_FRAME}T){_FRAME}{_PLACE}"),
    re.compile(rf"\^{_FRAME}{_FRAME}T{_PLACE}"),
)
_COLUMN = re.compile(r"(?:\\begin\{[bp]?matrix\}|\[)(.*)(?:\\end\{[bp]?matrix\}|\])", re.DOTALL)
_FORM = r"(?:(?:\w+\.)?(?:simplify|trigsimp|expand|factor|nsimplify)\s*\(\s*)?"
_CALL = rf"(?:\w+\.)?(?:{'|'.join((*NAMES, *FILLED, 'diag'))})\b"
_MATRIX = re.compile(
    rf"[^=;\n]*\\begin\b|{_FORM}(?:(?:(?:\\left|\\[bB]igg?l?)\s*)?\[|(?:[\w.*/ ]{{0,60}}[-*][ \t]*)?{_CALL})"
)
_INNER = re.compile(r"(?<![\w\])])\[[^\[\]]*;")
_RANGE = re.compile(r"\d{0,2}|\d{0,2}:\d{0,2}", re.ASCII)
_SIZES = {"M": (0, 2), "C": (0, 2), "T": (0, 1), "U": (0, 1), "tau": (0, 1)}


@dataclass(frozen=True)
class LeftSide:
    """A left side taken apart: `J_{v2}(1,:)` is kind Jv, digits 2, index 1,:."""

    head: str
    word: str
    kind: str
    digits: str
    index: str | None

    @property
    def key(self) -> tuple[str, Index]:
        """The same for all ways to write one entry: M12, M[1,2], D(1,2)."""
        index = self.index or ""
        numbers = tuple(map(int, index.split(","))) if re.fullmatch(r"\d+(,\d+)*", index) else ()
        if self.of_link or numbers:
            return self.kind + (self.digits if self.of_link else ""), numbers
        return self.kind, tuple(map(int, self.digits))

    @property
    def of_link(self) -> bool:
        """Whether its digits are the number of a link; of C1 that of a joint, for its Christoffel symbols."""
        of_links = (*TRANSFORMS, *LINK_MATRICES, *LINK_VECTORS, "T", "U")
        return self.kind in of_links or (self.kind == "C" and len(self.digits) == 1)


def shapes(n: int) -> dict[str, tuple[int, ...]]:
    """Quantity -> its shape in a robot with n joints; () is a scalar."""
    vectors = dict.fromkeys(("c", "g", "tau", "Q"), (n,)) | dict.fromkeys(LINK_VECTORS, (3,))
    matrices = {"M": (n, n), "C": (n, n), "J": (6, n), "Jv": (3, n), "Jw": (3, n), "Ibase": (3, 3)}
    matrices |= dict.fromkeys(TRANSFORMS, (4, 4))
    return {"T": (), "U": (), **vectors, **matrices}


def index_range(part: str, size: int) -> range | None:
    """`2`, `:` or `1:2` as numbers from 1 to `size`; None where there is no such index."""
    before, colon, after = part.partition(":") if _RANGE.fullmatch(part) else ("0", "", "")
    low = int(before or 1)
    high = int(after or size) if colon else low
    return range(low, high + 1) if part and 1 <= low <= high <= size else None


def left_side(text: str, letters: Letters) -> LeftSide | None:
    """The left side of a line, or None if it is not a name with indices; [tau1; tau2] is tau."""
    if column := _COLUMN.fullmatch(text[:200].strip()):
        parts = [left_side(part, letters) for part in re.split(r"\\\\|[;,]", column[1])]
        kinds = {part.kind for part in parts if part is not None and part.digits}
        numbers = [part.digits for part in parts if part is not None]
        kind = kinds.pop() if len(kinds) == 1 and numbers == [str(k + 1) for k in range(len(parts))] else None
        return LeftSide(kind, kind, kind, "", None) if kind is not None else None
    if (transform := _transform(text[:60])) is not None:
        return transform
    dotted = unicodedata.normalize("NFD", text[:200]).replace("\u0307", "d").replace("\u0308", "dd")
    bare = _DOTTED.sub(r"\1d", _DRESS.sub("", ascii_name(dotted)))
    match = _LEFT.fullmatch(_LINK_ENTRY.sub(r"\1[\2,\3]", bare))
    if match is None or re.search(r"[\])]|\d\}*\^\{?[1-9]\}?$", match["head"]):  # not v1^2
        return None
    head, index = re.sub(r"[^A-Za-z0-9]", "", match["head"]), match["index"]
    word, digits = stem_and_number(re.sub(r"^I(\d+)(?:base)?$", r"Ibase\1", head))
    if index is not None and re.search(r"[^\W\d]", index):
        index = None  # g(q), M(q)
    kind = letters.quantities.get(word, ONLY_READ.get(word, word))
    if kind == "C" and not digits and re.fullmatch(r"\d{1,2}", index or "", re.ASCII):
        kind = "c"  # C(1) of a vector C
    if word in letters.entries and (len(digits) == 2 or re.fullmatch(r"\d+,\d+", index or "", re.ASCII)):
        kind = "M"  # d_12 of a school that calls it D
    return LeftSide(head, word, kind, digits, index)


def _transform(text: str) -> LeftSide | None:
    """A2, T02, T_{0c2}, T_2^1, {}^1T_2, T02[1,4]; the frames of T are its digits."""
    bare = re.sub(r"[{}_]", "", _BOLD.sub("", ascii_name(text)))
    if match := _LINK_TRANSFORM.fullmatch(bare):
        return LeftSide(f"A{match[1]}", "A", "A", match[1], _place(match.groups()[1:]))
    for pattern in _TRANSFORMS:
        if match := pattern.fullmatch(bare):
            *frames, entry, indices = match.groups()
            first, second = filter(None, frames)
            a, b = (second, first) if pattern is _SUB_SUPER else (first, second)
            return LeftSide(f"T{a}{b}", "T", "Tab", f"{a},{b}", _place((entry, indices)))
    return None


def _place(groups: Iterable[str | None]) -> str | None:
    """The index of an entry: 14 and 1,4 as 1,4."""
    place = next(filter(None, groups), None)
    return place and ",".join(place.replace(",", ""))


def is_entry(text: str, letters: Letters) -> bool:
    """Whether a text is the name of one entry, such as M21."""
    left = left_side(text, letters) if len(text) < 60 and re.search(r"[-+*/]", text) is None else None
    return left is not None and left.kind in ANSWERABLE and bool(left.digits or left.key[1])


def is_quantity_name(name: str, letters: Letters) -> bool:
    """Whether a name may be that of a quantity of the model."""
    left = left_side(name, letters)
    return left is not None and left.kind in ANSWERABLE


def is_quantity(name: str) -> bool:
    """Whether a name is that of a quantity and of hardly anything else: M, M22, C, T2, tau1 (not I1 and m1)."""
    word, digits = stem_and_number(name)
    return len(digits) in _SIZES.get(word, ())


def is_matrix(right: str) -> bool:
    """Whether a right side begins with a matrix, or has one of several rows in it, as g*[a; b]."""
    return _MATRIX.match(right.lstrip()) is not None or _INNER.search(right) is not None


def count_words(text: str) -> Counter[str]:
    """How often every name occurs in a text, without the marks of LaTeX."""
    plain = re.sub(r"[\\_{}]", "", text)
    unicode_names = (ascii_name(name) for name in NAME.findall(plain) if not name.isascii())
    words = re.findall(r"[A-Za-z][A-Za-z0-9]*", plain)
    long = (word for word in words if len(word) < 40 and re.search(r"\d[A-Za-z]", word))  # v2sq
    return Counter(re.findall(r"[A-Za-z]+[0-9]*", plain)) + Counter(long) + Counter(unicode_names)
