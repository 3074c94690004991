"""What a line without `let` is: an answer, a definition, a condition, or a name that is handed over.

M[1,2] = m2*l1*...      an answer: an entry of the model
h = m2*l1*lc2*s2        a definition
lc1 = l1/2              a condition on a parameter of the robot, as `given lc1 = l1/2`
m1 = 2.5,  m1 = p.m1    handed over: formulas are compared in symbols, so that the number is not used
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from dynamis.apps.grading.reading import programs
from dynamis.apps.grading.reading.left_sides import ANSWERABLE, JOINT_QUANTITIES, LINK_VECTORS, LeftSide, is_matrix
from dynamis.apps.grading.reading.lines import Line
from dynamis.apps.grading.reading.literals import FILLED, NAMES
from dynamis.apps.grading.reading.names import RESERVED, Vocabulary, strip_underscores
from dynamis.model.robot import RobotModel

COEFFICIENTS = ("a", "b", "p", "h", "alpha", "beta", "pi", "rho")
"""The symbols of lumped coefficients, as in a1, a2, ..."""
_TRIG = re.compile(r"(?:\w+\.|\\)?(?:sin|cos)\s*(?:\((?:[^()]|\([^()]*\))*\)|\{[^{}]*\}|\\?[A-Za-z]+_?\{?\d*\}?)")
_DIGITS = {"M": (2,), "C": (1, 2), "c": (1, 3), "g": (1,), "tau": (1,), "Q": (1,), "T": (0, 1), "U": (0, 1)}
_FUNCTION = re.compile(r"(?:\w{1,20}\.|@)?(?:sin|cos|sqrt|sign)")
_ARRAY = re.compile(rf"^\s*(?:\w{{1,20}}\.)?(?:{'|'.join(NAMES)})(?=\s*\()")
_NAME = re.compile(r"(?<![\w.\\])[A-Za-z_]\w*", re.ASCII)
_TEXT = re.compile(r"[\"={}]|(?<![\w\])'.])'")


@dataclass(frozen=True)
class Roles:
    """Decides about the lines of one file."""

    names: Vocabulary
    words: Mapping[str, int] = field(hash=False)
    """How often every name occurs in the file."""
    own_page: bool = False
    """Whether the file is a page of `dynamis derive`, whose h1, h2, ... are coefficients."""

    has_M: bool = False
    """Whether the file gives M, or entries of it, by that name."""

    @property
    def robot(self) -> RobotModel:
        return self.names.robot

    def role(self, line: Line, left: LeftSide, formulas: Mapping[str, str]) -> str:
        """`answer`, `let`, `given`, or `handed` for a name without a formula; `number` if it gets a number.

        `formulas` are the names that lines above give formulas, with these.
        """
        right, names = self.names.functions.resolve(line.right_text), self.names
        if strip_underscores(right.strip("; \t")) == left.head and left.index is None:
            return "handed"  # self.m1 = m1
        if _FUNCTION.fullmatch(right.strip("; \t")) or (left.head == "pi" and "pi" not in names.functions.meanings):
            return "handed"  # c = np.cos, pi = np.pi
        of_state = "(" in line.left_text and left.index is None  # T_1(q, qd) is no parameter T_1
        if line.sign or left.index is not None or of_state or self.is_only_entry(left) or not self.is_own_name(left):
            return "let" if self.is_definition(left, right) else "answer"
        if self.is_foreign(right, formulas):
            return "handed"
        if is_matrix(right) and not programs.is_number(_ARRAY.sub("", right)):
            return "let" if self.is_definition(left, right) else "answer"
        used = {strip_underscores(name) for name in _NAME.findall(right)}
        moves = any(names.symbol(name) in names.moving or names.abbreviation(name) for name in used)
        may_be_entry = len(left.digits) in _DIGITS.get(left.kind, ()) and "0" not in left.digits  # not g0
        if left.head in map(strip_underscores, self.robot.parameters) and may_be_entry:
            if moves:
                return "answer"  # c1 = ... with velocities is not the length c1
            head, index = left.head, ",".join(left.digits)
            entry = f"{left.kind}[{index}]" if index else left.kind
            raise line.error(
                f"{head} is a parameter of this robot, and may be {entry}; write {entry} = ... or given {head} = ..."
            )
        if programs.is_number(_ARRAY.sub("", right)):
            return "number"
        if left.head in map(strip_underscores, self.robot.parameters):
            saved = left.head in map(strip_underscores, formulas.values())  # t = m1; m1 = m2; m2 = t
            return "let" if moves or saved or left.head in used else "given"
        if names.symbol(left.head) in names.moving:
            return "let"  # dq1 = q1.diff(t)
        return "let" if self.is_definition(left, right) else "answer"

    def is_own_name(self, left: LeftSide) -> bool:
        """Whether a left side is a symbol of the robot, or all of them: m1, q1, dq, m = [2 3]."""
        return any(self.names.symbol(name) not in (None, "pi") for name in (left.head, f"{left.head}1"))

    def is_formula(self, right: str, formulas: Collection[str]) -> bool:
        """Whether a right side is made of symbols of the robot, or of names that are: [q2; q1], not {"m1": 2}."""
        names, used = self.names, [strip_underscores(name) for name in _NAME.findall(right)]
        return not _TEXT.search(right) and any(names.is_known(name) or name in formulas for name in used)

    def is_foreign(self, right: str, formulas: Collection[str]) -> bool:
        """Whether a right side is p.m1 or x(3), where p and x are nothing that this file or the robot has."""
        holder = strip_underscores(programs.holder(right))
        known = (
            holder in formulas
            or self.names.is_known(holder)
            or holder in (*NAMES, *RESERVED, *FILLED)
            or is_matrix(right)
        )
        return holder != "" and not known

    def is_beside_M(self, left: LeftSide) -> bool:
        """Whether an entry of B, D or H is one of friction, damping or inputs, as the mass matrix is M."""
        return self.has_M and left.word in ("B", "D", "H") and left.kind == "M" and bool(left.digits or left.index)

    def is_only_entry(self, left: LeftSide) -> bool:
        """Whether a quantity is its only entry, as g of a robot with one joint."""
        return self.robot.n == 1 and left.kind in JOINT_QUANTITIES

    def is_definition(self, left: LeftSide, right: str) -> bool:
        """Whether a line gives a name to a scalar: `c1 = cos(q1)`, `h = ...`, `a2 = m2*l1*d2`.

        What cannot be an entry of the model, or is plainly an abbreviation, is a definition.
        """
        is_used, own_page = self.words.get(left.head, 0) > 1, self.own_page
        if left.index is not None or not left.head:
            return False
        if left.word in ("B", "D", "H") and "M" in self.words and left.kind == "M" and not left.digits:
            return True  # inputs or damping, where M is the mass matrix
        if (left.kind == "A" and not own_page) or (left.kind == "J" and len(left.digits) == 1):
            return is_used  # A1 that others are written in is an abbreviation, and J1 the Jacobian of a CoM
        if left.kind == "Ibase" and "base" not in left.head and not own_page:
            return is_used or not is_matrix(right)  # I1, about the CoM in link axes
        if left.head == "g" and self.robot.n > 1 and programs.is_number(right):
            return True  # g = 9.81 of a robot whose gravity is a number
        if is_matrix(right):
            foreign = left.kind not in ANSWERABLE or (left.kind in LINK_VECTORS and not left.digits)
            foreign = foreign or (left.kind in ("T", "U") and left.digits != "")  # T1, a transform
            return foreign and (is_used or bool(self.names.vector(left.head)))
        if left.word in COEFFICIENTS and left.digits and left.kind != "M" and (left.word != "h" or own_page):
            return True
        if left.word in ("c", "s", "C", "S") and left.digits and _TRIG.fullmatch(right.strip("; \t\n")):
            return True
        if left.word == "d" and left.kind != "M" and is_used:
            return True
        # Q is a name that people give to other things, too.
        if (
            left.kind not in ANSWERABLE
            or (left.kind in LINK_VECTORS and left.digits)
            or (left.kind == "Q" and not own_page)
        ):
            return is_used
        if left.digits and len(left.digits) not in _DIGITS.get(left.kind, (len(left.digits),)):
            return is_used  # h12 is not an entry of h
        if left.digits or self.is_only_entry(left) or left.kind in ("T", "U"):
            return False
        return (left.word != left.kind and len(left.word) <= 3) or left.kind in LINK_VECTORS
