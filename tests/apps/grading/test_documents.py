"""The printed equations of the documents: every mistake is found, and no other.

Set DYNAMIS_UPDATE_GOLDEN=1 to write the reports in data/ anew, then read the diff.
"""

import os
from pathlib import Path

import pytest

import dynamis
from dynamis.apps.grading.check import check_answer
from dynamis.apps.grading.judging.report import Report
from dynamis.apps.readings.printed.equations import answer_path

DATA = Path(__file__).parent / "data"


def checked(robot: str, name: str) -> Report:
    """The report on printed equations that ship with dynamis, or on the corrected ones here."""
    path = DATA / name if name.endswith(".txt") else answer_path(name)
    return check_answer(dynamis.load(robot), path.read_text(encoding="utf-8"), path.name)


def found(report: Report) -> dict[str, list[str]]:
    """What is said of the entries that are wrong."""
    return {entry.name: list(entry.sentences) for entry in report.wrong}


@pytest.mark.parametrize(
    ("robot", "name", "entries"),
    [
        ("bar-2r", "xu-corrected.txt", 100),
        ("stanford", "stanford-corrected.txt", 1),
        ("niryo-one", "niryo-corrected.txt", 222),
        ("deluca-2r", "deluca-2r", 37),
        ("deluca-2r", "deluca-q1-corrected.txt", 7),
        ("deluca-2r", "deluca-q2-corrected.txt", 2),
        ("planar-elbow", "akdogan-elbow", 30),
    ],
)
def test_no_false_alarm(robot: str, name: str, entries: int):
    report = checked(robot, name)
    assert [entry.status for entry in report.entries] == ["equal"] * entries


def test_xu_project_finds_exactly_its_mistakes():
    report = checked("bar-2r", "xu-arm")
    gravity_sign = ["vd1[1]", "vd1[2]", "vdc1[1]", "vdc1[2]", "F1[1]", "F1[2]", "vd2[1]", "vd2[2]", "vdc2[2]"]
    gravity_sign += ["F2[2]", "f2[2]", "n2[3]"]
    length_too = ["vdc2[1]", "F2[1]", "f2[1]", "f1[1]", "f1[2]"]
    inertia = ["Ibase2[1,1]", "Ibase2[1,2]", "Ibase2[2,1]", "Ibase2[2,2]", "Ibase2[3,3]"]
    mass = ["M[1,1]", "M[1,2]", "M[2,1]", "M[2,2]"]
    wrong = found(report)
    assert set(wrong) == {*gravity_sign, *length_too, "n1[3]", *inertia, *mass}
    # 1.1: g for -g in all of Newton-Euler
    assert wrong["vd1[1]"] == ["wrong sign: it should be g*sin(theta1)"]
    assert all(
        len(wrong[name]) == 1 and wrong[name][0].startswith("wrong sign: it should be ") for name in gravity_sign
    )
    # 1.2: L1 for L2
    for name in length_too:
        first, second = wrong[name]
        assert first.startswith("L1 instead of L2: ")
        assert second.startswith("wrong sign: it should be ")
    # 1.3: the misplaced bracket of (14)
    assert "extra: 1/24*m1*m2*L1*L2^2*(ddtheta1 + ddtheta2)" in wrong["n1[3]"]
    assert "term m2*L2^2*(ddtheta1 + ddtheta2) has the factor 1/4, it should be 1/3" in wrong["n1[3]"]
    # 1.5 and 1.6
    assert all(wrong[name][0].startswith("m1*L1^2 instead of m2*L2^2: ") for name in inertia)
    assert wrong["M[1,1]"] == [
        "term m1*L1^2 has the factor 0.42, it should be 1/3",
        "term m2*L2^2 has the factor 0.25, it should be 1/3",
    ]
    assert wrong["M[2,2]"] == ["term m2*L2^2 has the factor 0.25, it should be 1/3", "extra: 0.08*m1*L1^2"]


def test_what_is_rounded_in_print_is_not_a_mistake():
    report = checked("bar-2r", "xu-arm")
    status = {entry.name: entry.status for entry in report.entries}
    assert {name for name, text in status.items() if text == "equal up to rounding"} == {
        "N1[3]", "N2[3]", "Ibase1[1,1]", "Ibase1[1,2]", "Ibase1[2,1]", "Ibase1[2,2]", "Ibase1[3,3]",
    }  # fmt: skip
    said = {entry.name: entry.sentences for entry in report.entries}
    assert said["N1[3]"] == said["Ibase1[3,3]"] == ("reading 0.0833 as 1/12",)
    assert said["Ibase1[1,2]"] == ("reading 0.0417 as 1/24",)


def test_xu_project_equation_24():
    wrong = found(checked("bar-2r", "xu-equation-24"))
    assert wrong["tau[2]"] == ["ddtheta1 instead of ddtheta2: 1/3*m2*L2^2*ddtheta1 should be 1/3*m2*L2^2*ddtheta2"]
    assert wrong["tau[1]"][0].startswith("ddtheta1 instead of ddtheta2: ")


def test_deluca_lecture_finds_the_misprints_of_the_stanford_arm():
    (sentences,) = found(checked("stanford", "deluca-stanford")).values()
    changes = [
        ("1/2*k411^2*(sin(q2)^2*(2*sin(q4)^2 - 1) + {}^2)", "sin(q4)", "sin(q2)"),
        ("1/2*k422^2*(1 + cos(q2)^2 {}^2)", "+ sin(q4)", "- sin(q2)"),
        ("1/2*k433^2*(sin(q2)^2*(1 - 2*sin(q4)^2) {}^2)", "- sin(q4)", "+ sin(q2)"),
        ("2*zb5*(r3*(sin(q2)^2*cos(q5) + sin(q2)*sin(q4)*{}*sin(q5)) - r2*cos(q4)*sin(q5))", "cos(q4)", "cos(q2)"),
        ("(r6*cos(q2)*sin(q4)*sin(q5) + (r6*cos(q5) + r3)*sin(q2){})^2", "^2", ""),
    ]
    assert sentences == [f"{part.format(a)} should be {part.format(b)}" for part, a, b in changes]


def test_deluca_lecture_notes_at_q1_and_q2():
    wrong = found(checked("deluca-2r", "deluca-q1"))
    assert set(wrong) == {"M[1,1]", "M[1,2]", "M[2,1]"}
    assert wrong["M[1,2]"] == ["extra factor l1: m2*l1^2*d2*cos(q2) should be m2*l1*d2*cos(q2)"]
    wrong = found(checked("deluca-2r", "deluca-q2"))
    assert wrong == {"g[1]": ["yours is 0, it should be -(m1 - m2)*l1*g0*cos(q1)"]}


def test_deluca_lecture_q4_is_another_factorisation():
    report = checked("deluca-2r", "deluca-q4")
    assert [entry.status for entry in report.entries] == ["equal up to regrouping"] * 2 + ["equal"] * 2


def test_jnadi_report_finds_exactly_its_mistakes():
    wrong = found(checked("niryo-one", "jnadi-niryo"))
    assert set(wrong) == {
        "pc2[3]", "Jv3[3,2]", "Jv5[1,1]", "Jv5[1,2]", "Jv6[2,2]", "Jv6[2,3]", "Jv6[3,3]", "Jw6[3,6]", "g[2]", "g[3]",
    }  # fmt: skip
    assert wrong["pc2[3]"] == ["missing: l2"]
    assert wrong["Jv3[3,2]"] == ["missing: -l3*sin(q2)"]
    assert wrong["Jv5[1,1]"] == ["-d*sin(q1)*sin(q2 + q3) is counted 2 times"]
    assert wrong["Jv5[1,2]"] == ["term l3*cos(q1)*cos(q2) has the factor 2, it should be 1"]
    assert wrong["Jv6[2,3]"] == [
        "missing: -d6*sin(q1)*cos(q2)*cos(q3)*cos(q4)*sin(q5)",
        "extra: -d6*sin(q1)*cos(q2)*sin(q4)*sin(q5)",
    ]
    assert wrong["Jv6[3,3]"] == [
        "missing: -(l4 + d6*cos(q5))*cos(q2 + q3)",
        "extra: -d6*cos(q2 + q3)*cos(q4)*sin(q5)",
    ]
    assert wrong["Jw6[3,6]"][0].startswith("cos(q5) instead of sin(q5): ")
    assert "missing: -m4*g*(l3*sin(q2) + (l4 + d4)*cos(q2 + q3) + d*sin(q2 + q3))" in wrong["g[2]"]
    assert wrong["g[3]"][0].startswith("d5 instead of d6: ")
    assert sum("is counted 2 times" in sentence for sentence in wrong["g[3]"]) == 3


@pytest.mark.parametrize(
    ("robot", "name", "unread", "missing"),
    [
        ("niryo-one", "jnadi-niryo", 'unknown symbol "d-"', {"Jv5[3,1]", "Jv6[1,3]", "Jv6[2,6]", "g[1]", "g[6]"}),
        ("planar-elbow", "akdogan-elbow", 'unknown symbol "l_c"', {"Jv1[1,1]"}),
    ],
)
def test_what_print_lost(robot: str, name: str, unread: str, missing: set[str]):
    """A subscript that is lost cannot be read; rows and columns that are lost are not given."""
    report = checked(robot, name)
    assert [error.problem.partition(";")[0] for error in report.unread] == [unread]
    assert missing <= set(report.missing)


def test_positions_of_the_centres_of_mass():
    """In base axes; of a planar arm two entries are enough."""
    answer = "p_{c1} = [lc1*cos(q1); lc1*sin(q1)]\nPc2 = [l1*cos(q1) + lc2*cos(q1 + q2); 0; 0]\nvc1 = [0, lc1*dq1]"
    report = check_answer(dynamis.load("planar-elbow"), answer)
    assert found(report) == {"pc2[2]": ["yours is 0, it should be l1*sin(q1) + lc2*sin(q1 + q2)"]}
    assert "pc1: its 2 entries were compared as those of x and y" in report.notes


def test_jnadi_report_ambiguous_index_read_literally():
    """3.11: with both s_45 taken as the sine of q4 + q5 the two terms cancel."""
    text = (
        r"""J_v^6(3,2) = \frac{d_6s_{23}s_{45}}{2} - l_5c_{23} - ds_{23} - l_3s_2 - l_4c_{23}
    """.strip()
        + r" - d_6c_{23}c_5 - \frac{d_6s_{45}s_{23}}{2}"
    )
    report = check_answer(dynamis.load("niryo-one"), text)
    assert found(report) == {"Jv6[3,2]": ["missing: d6*sin(q2 + q3)*cos(q4)*sin(q5)"]}


@pytest.mark.parametrize(("robot", "name"), [("bar-2r", "xu-arm"), ("niryo-one", "jnadi-niryo")])
def test_texts_that_people_see(robot: str, name: str):
    path, text = DATA / f"{name}.report", checked(robot, name).page(width=80)
    if os.environ.get("DYNAMIS_UPDATE_GOLDEN"):
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text
