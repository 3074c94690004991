"""Coupled joints in answers: their names stand for the combination of the coordinates that they follow."""

from pathlib import Path

import pytest

import dynamis
from dynamis.apps.grading.check import check_answer
from dynamis.exact.derive import derive, derive_only
from dynamis.telling.renderers.page import render

LINK = """
[[link]]
name = "{link}"
parent = "{parent}"
joint = {{ kind = "revolute", name = "{joint}"{more} }}
axis = {axis}
offset = [0.3, 0, 0]
mass = 1
com = [0.1, 0.05, 0]
inertia = {{ about = "com", xx = 0.01, yy = 0.011, zz = 0.012 }}
"""


def robot(folder: Path, *links: tuple[str, str, list[int], str]) -> dynamis.Robot:
    """A robot of (parent, joint, axis, more of the joint); its links are L1, L2, ..."""
    text = '[robot]\nname = "coupled"\nconvention = "offset"\ngravity = [0, 0, -9.81]\n'
    for k, (parent, joint, axis, more) in enumerate(links, 1):
        text += LINK.format(link=f"L{k}", parent=parent, joint=joint, axis=axis, more=more)
    (folder / "coupled.toml").write_text(text)
    return dynamis.load(folder / "coupled.toml")


def differential_wrist(folder: Path) -> dynamis.Robot:
    """Half the sum of two motor angles is the pitch, half their difference the roll; the pitch has friction."""
    return robot(
        folder,
        ("base", "a1", [0, 1, 0], ", coulomb = 0.2"),
        ("base", "a2", [0, 1, 0], ", coulomb = 0.2"),
        ("base", "p", [0, 1, 0], ', coupling = { a1 = "1/2", a2 = "1/2" }, coulomb = 0.1'),
        ("L3", "r", [1, 0, 0], ', coupling = { a1 = "1/2", a2 = "-1/2" }, coupling_offset = "pi/6"'),
    )


def two_q2(folder: Path) -> dynamis.Robot:
    """The second coordinate has no symbol in its name, and the coupled joint is called as coordinates are."""
    return robot(
        folder,
        ("base", "shoulder joint", [0, 1, 0], ""),
        ("L1", "q2", [0, 1, 0], ', coupling = { "shoulder joint" = 2 }, coupling_offset = 0.3'),
        ("L2", "elbow joint", [0, 1, 0], ""),
    )


@pytest.mark.parametrize("form", ["text", "latex"])
@pytest.mark.parametrize("convention", ["deluca", "spong"])
@pytest.mark.parametrize("model", [differential_wrist, two_q2, lambda _: dynamis.load("parallelogram")])
def test_a_derived_page_is_read_back(model, convention: str, form: str, tmp_path: Path):
    chosen = model(tmp_path)
    report = check_answer(chosen, render(derive(chosen.equations()), form, convention))
    assert {entry.status for entry in report.entries} == {"equal"}
    assert {"M[1,1]", "tau[2]"} <= {entry.name for entry in report.entries}


def test_the_names_of_coupled_joints():
    """q4 = q2 - q1 of the parallelogram, under the names that coordinates have too."""
    chosen = dynamis.load("parallelogram")
    forms = ("cos(q2 - q1)", "cos(q4)", "c4", "cos(theta4)", "cos(q3)", "cos(q4)*dq4/(dq2 - dq1)")
    for cosine in forms:
        answer = f"M[1,2] = a*(m4*(l - b) - m3*b)/2*{cosine}"
        assert check_answer(chosen, answer).entries[0].status == "equal", cosine


def test_one_symbol_has_one_meaning(tmp_path: Path):
    """The coupled joint q2 is not the second coordinate, and the page says which is which."""
    page = render(derive(two_q2(tmp_path).equations()))
    assert 'Joint "q2" is written qc₂, and joint "elbow joint" q₂.' in " ".join(page.split())
    assert "qc₂ = 2 q₁ + 0.3" in page


@pytest.mark.parametrize("names", [("shoulder joint", "elbow joint"), ("arm-pan", "1")])
def test_differences_have_symbols_that_an_answer_may_have(names: tuple[str, str], tmp_path: Path):
    """Names of joints that are no names of variables are numbered symbols in sentences, as they are on pages."""
    arm = robot(tmp_path, ("base", names[0], [0, 1, 0], ""), ("L1", names[1], [0, 1, 0], ""))
    report = check_answer(arm, "M[1,2] = 1\ng[2] = 0\nc[2] = 0\ntau[2] = 0")
    text = str(report)
    assert {entry.status for entry in report.entries} == {"wrong"}
    assert all(part in text for part in ("cos(q1 + q2)", "cos(q2)", "dq1"))
    assert not any(part in text for part in ("joint", "pan", "(1)"))


def test_sentences_that_hold_for_coupled_joints():
    """The columns of J are projected to the coordinates, and drives act on these."""
    coupled, plain = dynamis.load("parallelogram"), dynamis.load("deluca-2r")
    assert "one column per coordinate, J A." in " ".join(render(derive_only(coupled.equations(), "J")).split())
    assert "J A" not in render(derive_only(plain.equations(), "J"))
    assert "the one along the joint axis is the drive's" not in str(coupled.reactions([0.3, 0.2]))
    assert "drives act on coordinates" in str(coupled.reactions([0.3, 0.2]))
