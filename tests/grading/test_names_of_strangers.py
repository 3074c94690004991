"""A mass matrix by whatever name, and names that are something else: no wrong answer is called right.

The benchmark of names: each of thirty, as a variable and as a function, with a right and with a wrong matrix.
"""

import pytest

import dynamis
from dynamis.grading.check import check_answer

ELBOW = dynamis.load("planar-elbow")
READ = ("M", "H", "D", "B", "Mq", "M_q", "Hq", "H_q", "mass_matrix", "MassMatrix", "M_matrix", "M_mat", "Mmat",
        "inertia_matrix", "M_theta", "Mtheta")  # fmt: skip
"""Those that are read as what they are; the others leave the answer incomplete."""
NAMES = (*READ, "A", "Dq", "D_q", "Bq", "B_q", "Mass", "mass", "Mm", "MM", "M1", "inertia", "Inertia", "I_mat", "J_mat")
M11 = "m1*lc1^2 + m2*(l1^2 + lc2^2 + {}*l1*lc2*cos(q2)) + I1 + I2"
M12, M22 = "m2*(lc2^2 + l1*lc2*cos(q2)) + I2", "m2*lc2^2 + I2"
G1, G2 = "(m1*lc1 + m2*l1)*g*cos(q1) + m2*lc2*g*cos(q1+q2)", "m2*lc2*g*cos(q1+q2)"
G, M = f"g = [{G1}; {G2}]\n", f"M = [{M11.format(2)}, {M12}; {M12}, {M22}]\n"
VARIABLE = G + f"{{}} = [{M11}, {M12}; {M12}, {M22}]"
FUNCTION = (
    f"def {{}}(q):\n    return np.array([[{M11}, {M12}], [{M12}, {M22}]])\n\n"
    f"def gravity(q):\n    return np.array([{G1}, {G2}])\n"
).replace("^", "**")


def verdict(text: str) -> str:
    return check_answer(ELBOW, text).verdict


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("text", [VARIABLE, FUNCTION], ids=["variable", "function"])
def test_a_mass_matrix_by_any_name(name: str, text: str):
    right, wrong = verdict(text.format(name, 2)), verdict(text.format(name, 1))
    assert (right, wrong) == (("right", "wrong") if name in READ else ("incomplete", "incomplete"))


def test_the_report_names_it_and_says_what_to_write():
    report = check_answer(ELBOW, VARIABLE.format("Bq", 1))
    assert (report.without_role, report.complete, report.right) == ([("Bq", 2)], False, False)
    assert " ".join(str(report).split()).endswith(
        "2 of 2 entries are right, compared exactly with planar-elbow "
        "incomplete: Bq (line 2) has masses and moves, under a name that does not say what it is; "
        "write M = Bq if it is the mass matrix"
    )
    assert verdict(VARIABLE.format("Bq", 1) + "\nM = Bq") == "wrong"
    assert verdict(VARIABLE.format("Bq", 2) + "\nM = Bq") == "right"


@pytest.mark.parametrize(
    "more",
    [
        "N = [-m2*l1*lc2*sin(q2)*dq2*dq1 + m2; 0*m1]",
        "Grav = [m1*g*lc1*cos(q1); 0]",
        "X11 = m1*lc1^2 + m2*l1*lc2*cos(q2)",
        "Hq2 = [m1*lc1*foo(q1), 0; 0, m2]",
        "b = [I1*ddq1; I2*ddq2]",
    ],
)
def test_what_may_be_dynamics_is_not_passed_over(more: str):
    assert verdict(G + more) != "right"


@pytest.mark.parametrize(
    "more",
    [
        "x = [l1*cos(q1) + l2*cos(q1+q2); l1*sin(q1) + l2*sin(q1+q2)]",
        "Jac = [-l1*sin(q1) - l2*sin(q1+q2), -l2*sin(q1+q2); l1*cos(q1) + l2*cos(q1+q2), l2*cos(q1+q2)]",
        "Rot = [cos(q1), -sin(q1); sin(q1), cos(q1)]",
        "Kp = [10 0; 0 20]\nKd = diag([2, 3])",
        "Bm = [1 0; 0 1]",
        "states = [q1; q2]\nrates = [dq1; dq2]",
        "masses = [m1; m2]\ninertias = [I1; I2]",
        "u = -[50*q1 + 5*dq1; 30*q2 + 3*dq2]",
        M + "tau = [2; 1]",
        M + "tau1 = 2.5\ntau2 = 1",
        M + "B11 = 0.1\nB12 = 0\nB21 = 0\nB22 = 0.2",
        M + "B(1,1) = 0.1; B(2,2) = 0.2",
        f"k = m2*l1*lc2*cos(q2)\nE11 = m1*lc1^2 + m2*(l1^2 + lc2^2) + 2*k + I1 + I2\nM = [E11, {M12}; {M12}, {M22}]",
        M + "Hb = M*[ddq1; ddq2] + g\nMcopy = M",
    ],
)
def test_constants_states_gains_inputs_and_kinematics_do_not_matter(more: str):
    assert verdict(G + more) == "right"


def test_a_robot_in_numbers_has_no_masses_to_tell_by():
    robot = dynamis.load("ur5")
    zeros = "\n".join(f"M[{k},{j}] = 0" for k in range(1, 7) for j in range(k, 7))
    plain = check_answer(robot, f"g[1] = 0\n{zeros}\nXq = {_column('0.31*cos(q2)')}\np = {_column('0.42*cos(q2)')}")
    assert [name for name, _ in plain.without_role] == ["Xq"]


def _column(first: str) -> str:
    return f"[{first}; 0; 0; 0; 0; 0]"


@pytest.mark.parametrize(("sine", "expected"), [("sin", "right"), ("cos", "wrong")])
def test_potential_energies_are_not_velocity_torques(sine: str, expected: str):
    report = check_answer(ELBOW, f"V1 = m1*g*lc1*sin(q1)\nV2 = m2*g*(l1*sin(q1) + lc2*{sine}(q1+q2))")
    assert [entry.name for entry in report.entries] == ["U1", "U2"]
    assert report.verdict == expected


@pytest.mark.parametrize("between", ["$$\n$$", "\n$$\n\n$$\n", "\\]\n\\["])
@pytest.mark.parametrize(("sign", "expected"), [("+", "right"), ("-", "wrong")])
def test_an_equation_goes_on_in_the_next_display(between: str, sign: str, expected: str):
    first, last = ("\\[", "\\]") if "]" in between else ("$$", "$$")
    text = f"{first} g_1 = (m_1 l_{{c1}} + m_2 l_1) g \\cos q_1 {between} {sign} m_2 l_{{c2}} g \\cos(q_1+q_2) {last}\n"
    report = check_answer(ELBOW, f"{text}\n{first} g_2 = m_2 l_{{c2}} g \\cos(q_1+q_2) {last}")
    assert not report.unread
    assert report.verdict == expected


def test_what_is_missing_counts():
    report = check_answer(ELBOW, f"M(1,1) = {M11.format(2)}\nM(2,2) = {M22}\n{G}")
    assert report.missing == ["M[1,2]"]
    assert "4 of 5 entries are right" in str(report)
