"""What dynamis prints, check calls equal: every shipped robot, in every notation, as text and as LaTeX."""

import pytest

import dynamis
from dynamis.apps.grading.check import check_answer
from dynamis.exact.derive import derive
from dynamis.telling.notation.latex import latex
from dynamis.telling.notation.schools import NOTATIONS
from dynamis.telling.notation.text import text
from dynamis.telling.renderers.page import render

ROBOTS = {name: dynamis.load(name) for name in dynamis.robots()}
SMALL = [name for name, robot in ROBOTS.items() if robot.n <= 3]
LARGE = [name for name in ROBOTS if name not in SMALL]


def assert_equal(robot: dynamis.Robot, printed: str, entries: int, page: bool = False) -> None:
    report = check_answer(robot, printed)
    found = report.entries
    assert any("page of dynamis derive" in note for note in report.notes) == page
    assert [(e.name, e.stated) for e in found if e.status != "equal"] == []
    assert len(found) == entries


@pytest.mark.parametrize("notation", NOTATIONS)
@pytest.mark.parametrize("name", SMALL)
def test_whole_models(name: str, notation: str):
    robot = ROBOTS[name]
    model, entries = robot.equations(), robot.n * (robot.n + 2)
    assert_equal(robot, model.text(notation), entries)
    assert_equal(robot, model.text(notation, width=60), entries)
    assert_equal(robot, model.latex(notation), entries)


@pytest.mark.parametrize("notation", NOTATIONS)
@pytest.mark.parametrize("name", ["planar-elbow", "genova-rp"])
def test_pages_of_derive(name: str, notation: str):
    """M, c, g and tau, and A of both links, T of the second, of both CoMs and of the tool: 4x4 matrices.

    Entries that a wide matrix names are read twice, in their places and below it.
    """
    robot = ROBOTS[name]
    for form in ("text", "latex"):
        page = render(derive(robot.equations(), "energies", steps=False), form, notation)
        names = {entry.name for entry in check_answer(robot, page).entries}
        assert len(names) == robot.n**2 + 3 * robot.n + 6 * 16
        assert_equal(robot, page, len(check_answer(robot, page).entries), page=True)


@pytest.mark.parametrize("form", ["text", "latex"])
@pytest.mark.parametrize(
    "method", ["energies", "lagrange", "jacobians", "newton-euler", "moving-frames", "free-bodies"]
)
def test_pages_with_steps(method: str, form: str):
    robot = ROBOTS["deluca-2r"]
    report = check_answer(robot, render(derive(robot.equations(), method, steps=True), form))
    assert report.right
    assert {"tau[1]", "tau[2]"} <= {entry.name for entry in report.entries}


def test_a_mistake_on_a_page_is_found():
    robot = ROBOTS["planar-elbow"]
    page = render(derive(robot.equations(), "energies", steps=False), "text")
    spoilt = page.replace("− m₂ l₁ lc₂ sin(q₂)", "+ m₂ l₁ lc₂ sin(q₂)")
    assert spoilt != page
    assert [entry.name for entry in check_answer(robot, spoilt).wrong] == ["tau[1]"]


def test_a_document_says_what_was_read():
    robot = ROBOTS["planar-elbow"]
    text = "\\begin{document} Prose with x = 3. \\[ g_2 = m_2 l_{c2} g c_{12} \\] \\end{document}"
    report = check_answer(robot, text)
    assert [entry.stated for entry in report.entries] == ["equal"]
    assert report.notes == ("only the displayed equations of this document were read",)


@pytest.mark.parametrize("notation", NOTATIONS)
@pytest.mark.parametrize("name", LARGE)
def test_entries_of_large_models(name: str, notation: str):
    robot = ROBOTS[name]
    model, n = robot.equations(), robot.n
    for write, gap in ((text, "\n"), (latex, "")):
        entries = "".join(f"M[{i},{n}] = {write(model.M[i - 1, n - 1], notation)}\n" for i in (n - 1, n))
        assert_equal(robot, f"g = {gap}{write(model.gravity, notation, symbol='g')}\n{entries}", n + 2)


def test_friction_with_its_sign():
    robot = ROBOTS["puma560"]
    model = robot.equations()
    rest = model.torques[5] - model.friction[5]
    for write in (text, latex):
        both = f"tau[6] = {write(rest)}\n + {write(model.friction[5])}"
        assert_equal(robot, both, 1)


def test_the_model_in_coefficients():
    robot = ROBOTS["deluca-2r"]
    found = robot.equations().coefficients
    for write, gap in ((text, "\n"), (latex, "")):
        printed = f"M = {gap}{write(found.M)}\nc = {gap}{write(found.c)}\ng = {gap}{write(found.g)}"
        entries = check_answer(robot, printed).entries
        assert {e.status for e in entries} == {"equal with coefficients"}
        assert all(e.stated.endswith("the robot's own coefficients") for e in entries)
