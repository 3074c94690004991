"""The pages of `dynamis derive` are read back: single entries, coefficients, recursive forms."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dynamis
from dynamis import Force, Inertia, Joint, Link, ToolWrench
from dynamis.apps.grading.check import check_answer
from dynamis.exact.derive import derive, derive_only
from dynamis.telling.renderers.page import render
from tests.support.answers import faultless
from tests.support.exact_models import robots

FORMS = ("text", "latex", "markdown")
ENTRIES = (
    "M[1,1]", "c[1]", "C[1,2]", "g[2]", "tau[1]", "T", "U", "T[1]", "U[2]", "J", "J[1,1]", "Jv[1]", "Jw[2]",
    "M", "c, C, g", "A", "T[0,2]", "T[0,c2]", "T[2,c1]", "T[1,tool]",
)  # fmt: skip


def statuses(name: str, page: str) -> set[str]:
    report = check_answer(dynamis.load(name), page)
    assert any("page of dynamis derive" in note for note in report.notes)
    return {entry.status for entry in report.entries}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("entry", [*ENTRIES, "christoffel[1,2,1]"])
def test_single_entries(entry: str, form: str):
    page = render(derive_only(dynamis.load("deluca-2r").equations(), entry), form)
    assert statuses("deluca-2r", page) == {"equal"}


@pytest.mark.parametrize("form", FORMS)
def test_a_matrix_with_named_entries_is_complete(form: str):
    """Entries that are too long for the matrix stand below it; a line that is gone is told."""
    robot = dynamis.load("niryo-one")
    page = render(derive_only(robot.equations(), "T[0,3], T[0,tool]"), form, width=80)
    report = check_answer(robot, page)
    assert {entry.status for entry in report.entries} == {"equal"}
    assert report.missing == [] == report.unread
    if form == "text":
        line = re.compile(r".*T₀₃,₃₄ = .*\n")
        wrong = check_answer(robot, line.sub("    T₀₃,₃₄ = l₁ + l₂\n", page))
        assert {entry.name for entry in wrong.entries if entry.status == "wrong"} == {"T03[3,4]"}
        cut = check_answer(robot, line.sub("", page))
        assert [error.line for error in cut.unread] == [12]


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_a_matrix_without_its_zeros_is_complete(form: str):
    """A page too narrow for names says that it leaves zeros out, and is read so; what is not zero is still missing."""
    robot = dynamis.load("niryo-one")
    page = render(derive_only(robot.equations(), "T[0,3]"), form, width=40)
    assert "entries of a matrix that are not written are zero." in " ".join(page.split()).lower()
    assert check_answer(robot, page).missing == []
    if form == "text":
        cut = re.sub(r".*T₀₃,₂₂ = cos q₁\n", "", page)
        assert check_answer(robot, cut).missing == ["T03[2,2]"]
        silent = page[: page.index("Entries")]
        assert "T03[3,2]" in check_answer(robot, silent).missing


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("width", [50, 80])
def test_matrices_of_any_width(form: str, width: int):
    """M, C_k and Jacobians whole, with named entries, and by entries."""
    robot = dynamis.load("genova-3r")
    report = check_answer(robot, render(derive_only(robot.equations(), "M, Ck[2], Jv[3], Jw[2]"), form, width=width))
    assert {entry.status for entry in report.entries} == {"equal"}
    assert {"M[2,3]", "C2[1,3]", "Jv3[1,1]", "Jw2[1,2]"} <= {entry.name for entry in report.entries}
    assert not report.unread


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", ["deluca-2r", "genova-rp", "planar-elbow"])
def test_coefficients(name: str, form: str):
    """a1, a2, ... are definitions, M, c, C_k, g and tau are written in them; the transforms are read too."""
    page = render(derive(dynamis.load(name).equations(), "coefficients"), form)
    report = check_answer(dynamis.load(name), page)
    assert {entry.name[0] for entry in report.entries} == {"A", "T", "M", "c", "C", "g", "t"}
    assert not report.unread
    assert {entry.status for entry in report.entries} == {"equal"}
    assert any("read as definitions: a1" in note for note in report.notes)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("entry", ["tau[1]", "c[1]"])
def test_recursive_forms(entry: str, form: str):
    page = render(derive_only(dynamis.load("niryo-one").equations(), entry), form)
    assert statuses("niryo-one", page) == {"equal"}
    notes = check_answer(dynamis.load("niryo-one"), page).notes
    assert any(note.startswith("read as definitions: x1 to x") for note in notes)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("name", "spatial"), [("bar-2r", False), ("bar-2r", True), ("genova-3r", False)])
def test_transforms_of_a_derivation(name: str, spatial: bool, form: str):
    """Whole or by entries, in two dimensions and in three."""
    page = render(derive(dynamis.load(name).equations(), spatial=spatial), form, width=80)
    report = check_answer(dynamis.load(name), page)
    assert {entry.status for entry in report.entries} == {"equal"}
    assert not report.unread
    assert {"A1[1,1]", "A2[1,1]", "T02[1,1]"} <= {entry.name for entry in report.entries}
    planar = name == "bar-2r" and not spatial
    assert ("transforms of 3x3 were compared in the plane of x and y" in report.notes) == planar


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("T02 = [c12, -s12, 0, L1*c1; s12, c12, 0, L1*s1; 0, 0, 1, 0; 0, 0, 0, 1]", {"T02[1,1]", "T02[4,4]"}),
        (
            r"T_1^0 = \begin{bmatrix} c_1 & -s_1 & 0 & 0\\ s_1 & c_1 & 0 & 0\\ 0&0&1&0\\ 0&0&0&1\end{bmatrix}",
            {"T01[2,1]"},
        ),
        (r"{}^{1}_{2}T = \begin{bmatrix} c_2&-s_2&0&L_1\\ s_2&c_2&0&0\\ 0&0&1&0\\ 0&0&0&1\end{bmatrix}", {"T12[1,4]"}),
        (r"T_{tool}^2 = \begin{bmatrix} 1&0&0&L_2\\ 0&1&0&0\\ 0&0&1&0\\ 0&0&0&1\end{bmatrix}", {"T2tool[1,4]"}),
        ("T0c_2[1,4] = L1*c1 + L2/2*c12", {"T0c2[1,4]"}),
        ("A2 = [c2, -s2, L1; s2, c2, 0; 0, 0, 1]", {"A2[1,4]", "A2[4,4]"}),
        ("T1 = 1/6*m1*L1^2*dq1^2", {"T1"}),
    ],
)
def test_transforms_as_people_write_them(text: str, names: set[str]):
    report = check_answer(dynamis.load("bar-2r"), text)
    assert names <= {entry.name for entry in report.entries}
    assert {entry.status for entry in report.entries} == {"equal"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("T03 = [1, 0; 0, 1]", "there is no frame 3; frames are links 0 (the base) to 2, c1 to c2 and the tool"),
        ("T02 = 3", "T02 here is 4x4, the right side is 1x1"),
        ("A3 = [1, 0; 0, 1]", "there is no link 3; the robot has links 1 to 2"),
        ("T12 = 1/2*m2*dq2^2", "there is no link 12; the robot has links 1 to 2"),
    ],
)
def test_transforms_that_are_none(text: str, message: str):
    with pytest.raises(dynamis.DynamisError, match=re.escape(message)):
        check_answer(dynamis.load("bar-2r"), text)


def test_a_wrong_page_is_wrong():
    page = render(derive_only(dynamis.load("deluca-2r").equations(), "M[1,1]"))
    assert statuses("deluca-2r", page.replace("2 l₁ d₂ cos q₂", "3 l₁ d₂ cos q₂")) == {"wrong"}
    many = render(derive(dynamis.load("deluca-2r").equations(), "coefficients"))
    assert "wrong" in statuses("deluca-2r", many.replace("a₁ + 2 a₂ cos q₂", "a₁ + 3 a₂ cos q₂"))


def test_every_line_of_a_wide_matrix_in_latex():
    """Entries under each other in one display are entries of their own."""
    robot = dynamis.load("genova-3r")
    report = check_answer(robot, render(derive(robot.equations(), "coefficients"), "latex"))
    assert {entry.status for entry in report.entries} == {"equal"}
    assert {entry.name for entry in report.entries} >= {"M[1,1]", "M[2,3]", "g[3]"}


def test_potential_energies_of_the_steps_are_read():
    page = render(derive(dynamis.load("deluca-2r").equations()))
    names = {entry.name for entry in check_answer(dynamis.load("deluca-2r"), page).entries}
    assert names >= {"U1", "U2", "T1", "T2", "M[1,1]", "tau[2]"}


def test_a_formula_that_a_page_cuts_is_left_out():
    page = render(derive(dynamis.load("niryo-one").equations()))
    report = check_answer(dynamis.load("niryo-one"), page)
    assert {entry.status for entry in report.entries} == {"equal"}
    assert "c[1]" not in {entry.name for entry in report.entries}
    assert any("nor formulas it cuts" in note for note in report.notes)


def test_the_nearest_name_of_an_angle():
    with pytest.raises(dynamis.DynamisError, match=r'unknown symbol "thta2"; did you mean "theta2"\?'):
        check_answer(dynamis.load("deluca-2r"), "g[2] = m2*d2*g0*cos(q1 + thta2)")


LAW = """M[1,1] = a1 + 2*a2*cos(q2)
M[1,2] = a3 + a2*cos(q2)
M[2,1] = M[1,2]
M[2,2] = a3
c[1] = -a2*sin(q2)*(dq2^2 + 2*dq1*dq2)
c[2] = a2*sin(q2)*dq1^2
g[1] = a4*cos(q1) + a5*cos(q1 + q2)
g[2] = a5*cos(q1 + q2)
"""


@pytest.mark.parametrize(
    "line", ["tau = M*qdd + c + g", "\\tau = M(q) \\ddot{q} + c(q,\\dot{q}) + g(q)", "tau = M(q)*ddq + c(q,dq) + g(q)"]
)
def test_the_law_in_what_the_file_gives(line: str):
    report = check_answer(dynamis.load("deluca-2r"), f"{LAW}{line}\n")
    found = {entry.name: entry.status for entry in report.entries}
    assert found["tau[1]"] == found["tau[2]"] == found["M[1,1]"]
    assert report.right
    wrong = check_answer(dynamis.load("deluca-2r"), f"{LAW.replace('2*dq1*dq2', 'dq1*dq2')}{line}\n")
    assert {entry.name for entry in wrong.entries if entry.status == "wrong"} == {"c[1]", "tau[1]"}
    (unread,) = check_answer(dynamis.load("deluca-2r"), f"M[1,1] = I1\n{line}\n").unread
    assert "M is used here, and no line gives M[1,2]" in unread.problem


LOADS = (
    ToolWrench("exerted_by_tool", ("fx", "fy", 0), (0, 0, "nz"), "tool"),  # type: ignore[arg-type]
    Force("link1", (0, "-F_1", 0), point=("r", 0, 0)),  # type: ignore[arg-type]
)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("method", ["lagrange", "energies", "newton-euler"])
def test_pages_under_loads(method: str, form: str):
    robot = dynamis.load("planar-elbow")
    page = render(derive(robot.equations(loads=LOADS), method), form)
    report = check_answer(robot, page, loads=LOADS)
    assert report.right
    assert {"tau[1]", "tau[2]"} | ({"Q[1]", "Q[2]"} if method != "newton-euler" else set[str]()) <= {
        entry.name for entry in report.entries
    }


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("entry", ["Q", "Q[2]", "tau[1]"])
def test_single_entries_under_loads(entry: str, form: str):
    robot = dynamis.load("planar-elbow")
    page = render(derive_only(robot.equations(loads=LOADS), entry), form)
    report = check_answer(robot, page, loads=LOADS)
    assert faultless(report)
    assert {e.name for e in report.entries} == {"Q[1]", "Q[2]"} if entry == "Q" else {entry}


@settings(max_examples=4)
@given(st.data(), st.sampled_from(FORMS))
def test_pages_of_arms_with_odd_angles(data: st.DataObject, form: str):
    """Printed and read back: transforms are no energies, fractions and signs of fixed angles are as they stand."""
    turns, lengths = st.sampled_from(["0.3", "0.1", "-0.4", "pi/7", "alpha"]), st.sampled_from(["l", "-0.25", "h/3"])
    coms = st.sampled_from(["c", "-0.25", "l/(sin(0.3)*cos(0.3))", "l*cos(3*0.1)", "0"])
    links: list[Link] = []
    for k, kind in enumerate(
        data.draw(st.sampled_from([["revolute"], ["revolute"] * 2, ["prismatic", "revolute"]])), 1
    ):
        chain = f"T{data.draw(st.sampled_from('xyz'))}({data.draw(lengths)}) Rx({data.draw(turns)})"
        tensor = Inertia.of(zz=f"I{k}", yz=f"Iyz{k}", allow_unphysical=True)
        com = (data.draw(coms), data.draw(coms), 0)
        links.append(
            Link(
                f"link{k}",
                Joint(f"q{k}", kind, before=chain),
                links[-1].name if links else "base",
                f"m{k}",
                com,
                tensor,
            )
        )
    names = frozenset[str]().union(*(link.parameters() for link in links)) | {"g"}
    robot = dynamis.Robot("odd", tuple(links), gravity=(0, 0, "-g"), parameters=dict.fromkeys(sorted(names), ""))
    method = data.draw(st.sampled_from(["energies", "newton-euler"]))
    page = render(derive(robot.equations(), method), form)
    report = check_answer(robot, page)
    assert report.right
    assert not report.unread
    assert not re.search(r"[-+−] [-−]|\\(?:cos|sin) \d+ [\d.]", page)


@settings(max_examples=6)
@given(robots())
def test_scalars_as_python_writes_them_are_read_back(robot: dynamis.Robot):
    """str() of torques with Coulomb friction: d(q1), dd(q1), sign(d(q1)), roots and fixed angles."""
    model = robot.equations()
    text = "\n".join(f"tau[{k}] = {tau}" for k, tau in enumerate(model.torques, 1))
    report = check_answer(robot, f"{text}\ng[1] = {model.gravity[0]}\n")
    assert [verdict.status for verdict in report.entries] == ["equal"] * (model.n + 1)
    assert not report.unread
