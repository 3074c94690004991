"""The joint table of the Genova report: a whole exercise, robot and state and loads, in one file.

Row i of `q` is (value, type, rx, ry, rz): type 0 revolute, 1 prismatic, 2 rigid. At the given
value link i is turned against link i-1 by R = Rz(rz) Ry(ry) Rx(rx), and its joint moves about or
along the z axis of its own frame. Link i reaches from its joint to its tip (l_i, 0, 0); that of the last is the tool.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, cast

from dynamis.base.errors import ArgumentError, DynamisError, literal
from dynamis.base.expressions.expression import Expression
from dynamis.base.expressions.parser import as_expression
from dynamis.base.toml_table import Table
from dynamis.model.inertia import Inertia
from dynamis.model.link import Joint, Kind, Link
from dynamis.model.loads import Force, Load, Moment
from dynamis.model.placement import Placement, Step
from dynamis.model.robot import Frame, RobotModel
from dynamis.scalars.floats import Floats
from dynamis.scalars.scalars import evaluate

KINDS: tuple[Kind, Kind, Kind] = ("revolute", "prismatic", "fixed")


@dataclass(frozen=True)
class Exercise:
    """A robot in a state under loads, and the results that its document prints, if any."""

    robot: RobotModel
    q: list[float]
    qd: list[float]
    qdd: list[float]
    gravity: bool
    loads: tuple[Load, ...]
    printed_tau: list[float] | None = None
    printed_reactions: list[list[float]] | None = None


def read_exercise(file: Table) -> Exercise:
    """The exercise that a joint table describes."""
    file.get("format")
    name = file.text("name", "exercise")
    rows = _matrix(file, "q", 5)
    n = len(rows)
    lengths = [row[0] for row in _matrix(file, "l", None, n)]
    masses = [row[0] for row in _matrix(file, "m", None, n)]
    coms = _matrix(file, "C", 3, n)
    tensors = file.array("I")
    if len(tensors) != n:
        file.fail("I", f"I has {len(tensors)} matrices; q has {n} rows")
    with file.place("q"):
        kinds: list[Kind] = [_kind(file, row[1], k) for k, row in enumerate(rows, 1)]
    links: list[Link] = []
    for k, row in enumerate(rows):
        with file.place("I"):
            inertia = Inertia(tensors[k], about="com", allow_unphysical=True)
        reach = Placement.offset([lengths[k - 1], 0, 0]) if k else Placement()
        joint = Joint(f"q{k + 1}", kinds[k], before=reach * _turn(row, kinds[k]))
        links.append(Link(f"link{k + 1}", joint, links[-1].name if links else "base", masses[k], coms[k], inertia))
    moving = [k for k in range(n) if kinds[k] != "fixed"]
    qd, qdd = (_numbers(file, key, n) for key in ("qd", "qdd"))
    flag = file.get("g_flag")
    with file.place("g"):
        g = as_expression(file.get("g", "9.81"), "g")
    if isinstance(flag, bool) or flag not in (0, 1):
        file.fail("g_flag", f"g_flag must be 1 (gravity on) or 0 (off), got {literal(flag)}")
    loads = (*_forces(file, n), *_moments(file, n))
    printed = file.table("printed", {})
    tau, reactions = _printed_values(printed, len(moving), n)
    description = file.text("description", "")
    source = file.text("source", "")
    file.done()
    with _placing_errors(file):
        tool = Frame("tool", links[-1].name, Placement.offset([lengths[-1], 0, 0]))
        gravity = (as_expression(0), -g, as_expression(0))
        robot = RobotModel(name, tuple(links), gravity=gravity, tool=tool, description=description, source=source)
    with file.place("q"):
        values = [_float(row[0]) for row in rows]
    q, qd, qdd = ([array[k] for k in moving] for array in (values, qd, qdd))
    return Exercise(robot, q, qd, qdd, flag == 1, loads, tau, reactions)


@contextmanager
def _placing_errors(file: Table) -> Generator[None]:
    """Give a model's error the line of the table's own key."""
    try:
        yield
    except DynamisError as error:
        column = {"mass": "m", "inertia": "I", "com": "C"}.get(error.key or "", "q")
        raise error.at(file.lines.file, file.line(column)) from None


def _turn(row: Sequence[Expression], kind: str) -> Placement:
    """The fixed turn before the joint: R(rx, ry, rz), less the turn that the joint itself makes."""
    value, _, rx, ry, rz = row
    turn = Placement((Step("R", "z", rz), Step("R", "y", ry), Step("R", "x", rx))).tidy()
    if kind != "revolute":
        return turn
    if turn.steps == (Step("R", "z", value),):
        return Placement()
    return (turn * Placement((Step("R", "z", -value),))).tidy()


def _kind(file: Table, code: Expression, row: int) -> Kind:
    value = _float(code)
    if value not in (0, 1, 2):
        file.fail("q", f"row {row} of q must have joint type 0 (revolute), 1 (prismatic) or 2 (rigid), got {value:g}")
    return KINDS[int(value)]


def _forces(file: Table, n: int) -> list[Load]:
    rows = [(row, _link(file, "F_ext", row[:3], row[3], n)) for row in _matrix(file, "F_ext", 7, default=[])]
    return [Force(link, (r[0], r[1], r[2]), point=(r[4], r[5], r[6])) for r, link in rows if link is not None]


def _moments(file: Table, n: int) -> list[Load]:
    rows = [(row, _link(file, "M_ext", row[:3], row[3], n)) for row in _matrix(file, "M_ext", 4, default=[])]
    return [Moment(link, (row[0], row[1], row[2])) for row, link in rows if link is not None]


def _link(file: Table, key: str, vector: Sequence[Expression], number: Expression, n: int) -> str | None:
    """The link that a row of F_ext or M_ext acts on; a row of zeros acts on none."""
    with file.place(key):
        value = _float(number)
        if value == 0 and all(_float(entry) == 0 for entry in vector):
            return None
    if value not in range(1, n + 1):
        file.fail(key, f"{key} has a load on link {value:g}; the links are 1 to {n}")
    return f"link{int(value)}"


def _matrix(file: Table, key: str, columns: int | None, rows: int | None = None, default: Any = None) -> list[Any]:
    """Rows of expressions; `columns` None takes a plain list as a column."""
    entries = file.array(key) if default is None else file.array(key, default)
    if rows is not None and len(entries) != rows:
        file.fail(key, f"{key} has {len(entries)} entries; q has {rows} rows")
    matrix: list[Any] = []
    for k, entry in enumerate(entries, 1):
        row: list[Any] = cast(list[Any], entry) if isinstance(entry, list) else [entry]
        if len(row) != (columns or 1):
            file.fail(key, f"row {k} of {key} has {len(row)} values; it must have {columns or 1}")
        with file.place(key):
            matrix.append(tuple(as_expression(x, key) for x in row))
    if not matrix and default is None:
        file.fail(key, f"{key} is empty")
    return matrix


def _numbers(file: Table, key: str, n: int) -> list[float]:
    with file.place(key):
        return [_float(row[0]) for row in _matrix(file, key, None, n)]


def _printed_values(table: Table, moving: int, n: int) -> tuple[list[float] | None, list[list[float]] | None]:
    """The printed torques, one per moving joint, and reactions, one row per joint."""
    tau = _numbers(table, "tau", moving) if "tau" in table else None
    with table.place("vr"):
        vr = [[_float(entry) for entry in row] for row in _matrix(table, "vr", 6, n)] if "vr" in table else None
    table.done()
    return tau, vr


def _float(expression: Expression) -> float:
    if symbols := sorted(expression.parameters()):
        raise ArgumentError(f'a joint table has numbers only; "{expression}" uses {", ".join(symbols)}')
    return evaluate(expression, Floats({}))
