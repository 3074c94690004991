"""What students write, in their own ways and with their own mistakes."""

from pathlib import Path

import pytest

import dynamis
from dynamis.apps.grading.check import AnswerTimeError, check_answer
from dynamis.apps.grading.reading.source import AnswerError, nearest
from dynamis.base.toml_table import read_text
from tests.support.answers import DELUCA, ELBOW, checked, complaint, faultless, statuses

M12 = "m2*(lc2^2 + l1*lc2*cos(q2)) + I2"


def stated(text: str, robot: dynamis.Robot = ELBOW) -> list[str]:
    return [entry.stated for entry in checked(text, robot).entries]


@pytest.mark.parametrize(
    "text",
    [
        r"g_2 = \frac12 m_2 l_{c2} g \cos(q_1+q_2) + \frac1{2} m_2 l_{c2} g \cos(q_1+q_2)",
        r"g_2 = \frac{1}2 m_2 g l_{c2} c_{12} + \tfrac24 m_2 g l_{c2} c_{12}",
        r"g_2 = m_2 l_{c2} g \mathrm{cos}(q_1 + q_2)",
        r"g_2 = m_2 l_{c2} g \operatorname{cos}\left(q_1 + q_2\right)",
        r"g_2 = m_2 l_{c2} g cos(q_1 + q_2)",
        "M_{12} &= m_2 l_{c2}^2 + I_2 \\\\\n&\\quad + m_2 l_1 l_{c2} \\cos q_2",
        "M_{12} &= m_2 l_{c2}^2 + I_2 \\\\ &+ m_2 l_1 l_{c2} \\cos q_2",
        "\\begin{align}\nM_{12} &= m_2 l_{c2}^2 \\\\\n &\\quad {} + I_2 + m_2 l_1 l_{c2} c_2 \\\\\n"
        "g_2 &= m_2 l_{c2} g c_{12}\n\\end{align}",
        "\\[ M_{12} = m_2 l_{c2}^2 + I_2 + m_2 l_1 l_{c2} c_2 \\]\n\\[ g_2 = m_2 l_{c2} g c_{12} \\]",
        f"M(2,1) = M(1,2);\nM(1,2) = {M12};",
        f"M(1,2) = {M12};\nM(2,1) = M(1,2);",
        f"M_{{12}} = M_{{21}} = {M12}",
        f"M12 = {M12}\nM21 = M12",
        f"M[1,2] = {M12} = I2 + m2*lc2*(lc2 + l1*c2)",
        f"M_{{12}} &= {M12} \\\\ &= I_2 + m_2 l_{{c2}}(l_{{c2}} + l_1 c_2)",
        "g[2] = m2*lc2*g*sp.cos(q1 + q2)\ng[2] = m2*lc2*g*np.cos(q1 + q2)\ng[2] = m2*lc2*g*math.cos(q1 + q2)",
        "g[2] = m2*lc2*g*sympy.cos(q1 + q2)*sp.Rational(1, 2)*2",
        "g[2] = 2 m2 lc2 g cos(q1 + q2)/2",
        "g[2] = 2m2*lc2*g*cos(q1 + q2)/2",
        "g[2] = m2 lc2 g cos(q1) cos(q2) - m2 lc2 g*(sin(q1))(sin(q2))",
        "g[2] = 1/2 m2 lc2 g c12 + 1/2 m2 lc2 g c12",
        "M[2,2] = (I2 + m2*lc2^2)*(m1 + m2)/(m1 + m2)",
        "let mu = m1*m2/(m1 + m2)\nM[2,2] = I2 + mu*lc2^2*(1/m1 + 1/m2)*m2",
        "M[2,2] = I2*cos(q1)/cos(q1) + m2*lc2^2*(l1 + l2)^2/(l1^2 + 2*l1*l2 + l2^2)",
        "M(2,2) = I2 + a1\nlet a1 = m2*lc2^2",
        "M(2,2) = I2 + ...\n  m2*lc2^2",
        "M(2,2) = I2 +\n  m2*lc2^2",
        "M(2,2) = I2 + m2*lc2^2; g(2) = m2*lc2*g*cos(q1 + q2);",
        r"c_2 = l_{1} lc_{2} m_{2} \sin{\left(q_{2}{\left(t \right)} \right)} "
        r"\left(\frac{d}{d t} q_{1}{\left(t \right)}\right)^{2}",
        r"w_1(3) = \frac{d}{dt} q_1"
        "\n"
        r"\dot{w}_1(3) = \frac{d^{2}}{d t^{2}} q_{1}{\left(t \right)}",
        r"g = \left[\begin{matrix}g lc_{1} m_{1} c_1 + g m_{2} \left(l_1 c_1 + lc_{2} c_{12}\right)\\"
        r"g lc_{2} m_{2} \cos{\left(q_{1} + q_{2} \right)}\end{matrix}\right]",
        "given l1 = 0\n"
        r"J_v = l_2 \begin{array}{cc} -s_{12} & -s_{12} \\ c_{12} & c_{12} \end{array} "
        r"= [-l_2 s_{12}, -l_2 s_{12}; l_2 c_{12}, l_2 c_{12}]",
        "M₂₂ = I₂ + m₂lc₂²\nc₂ = m₂l₁lc₂ sin(θ₂)θ̇₁²",
        "c2 = m2l1*lc2*Sin[q2]*dq1^2",
        "tau_2 = M_21*ddq1 + M22*ddq2 + h_2 + g(2)\nh_2 = m2*l1*lc2*s2*dq1^2\ng_2 = m2*g*lc2*c12\n"
        f"M21 = {M12}\nM22 = I2 + m2*lc2^2",
        "M(2,2) := I2 + cos^2(q1)*m2*lc2^2 + sin^2(q1)*m2*lc2^2",
    ],
)
def test_accepted(text: str):
    assert statuses(text) == {"equal"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("g[1] = 1/2m1", "column 11: it is not clear whether this stands under the fraction; write * or brackets"),
        ("g[1] = g/l1 m1", "column 13: it is not clear whether this stands under the fraction"),
        ("g = [m1 g; 0]", 'column 9: "," between two entries, or * between two factors, is missing before this'),
        ("M[1,2] = M[2,1]\nM[2,1] = M[1,2]", "this line is defined by itself"),
        ("let a4 = g0*m1\ng = [a4; 0]", 'column 10: unknown symbol "g0"; did you mean "g"?'),
        ("M[1,2] = M[2,1]", "column 10: M[2,1] is not given in this file"),
        ("K[1,1] = m1", "K is the kinetic energy, a scalar: write K = ..., or M[1,1] for the mass matrix"),
        ("P[1] = m1", "P is the potential energy, a scalar: write P = ..., or M[1,1] for the mass matrix"),
        ("let sin = m1\ng[1] = 1", 'column 5: "sin" has a meaning of its own; choose another name'),
        ("let pi = 3\ng[1] = 1", 'column 5: "pi" has a meaning of its own; choose another name'),
        ("g[1] = m1/(m1 - m1)", "division by zero"),
        ("given m1 = m2\ng[1] = 1/(m1 - m2)", "division by zero"),
        ("g[1] = cos(q1/(l1 + l2))", "cos of a fraction of symbols does not occur in this robot"),
        ("c[1,1:,1] = 0", "write c with its three indices, such as c[1,2,1]"),
        ("g[1] = m1 = = 3", 'column 13: a name is expected before "="'),
        ("g[1] = = m1 = 3", 'column 8: a name is expected before "="'),
        ("g[1] = a1*a2", "a1, a2 are not defined, and not linear here; write let a1 = ... above"),
        ("g[1] = m1/a1", "a1 is not defined, and not linear here; write let a1 = ... above"),
    ],
)
def test_refused_with_a_sentence(text: str, message: str):
    assert message in complaint(text)


def test_only_a_near_name_is_suggested():
    assert "did you mean" not in complaint("g[1] = k1")
    assert "did you mean" not in complaint("g[1] = x")
    assert 'did you mean "m2"?' in complaint("g[1] = m3")
    assert "did you mean" not in complaint("Mass = 3")
    assert nearest("thetta1", ("q1", "theta1")) == "theta1"
    assert nearest("mcc", ("m1", "mc")) == "mc"
    assert nearest("lc2", ("c1", "c2")) == "c2"
    assert nearest("qq2", ("q1",)) is None


def test_the_name_of_a_joint_wins_over_its_place(tmp_path: Path):
    source = read_text(Path(dynamis.__file__).parent / "robots" / "planar-elbow.toml", 10**6)
    first, second = 'joint = { name = "q2", kind = "revolute" }', 'joint = { name = "q1", kind = "revolute" }'
    path = tmp_path / "swapped.toml"
    path.write_text(source.replace('joint = "revolute"', first, 1).replace('joint = "revolute"', second, 1))
    robot = dynamis.load(path)
    assert [joint.name for joint in robot.joints] == ["q2", "q1"]
    text = (
        "g[2] = m2*g*lc2*cos(q1 + q2)\nM[1,2] = m2*(lc2^2 + l1*lc2*cos(q1)) + I2\nM[2,1] = m2*(lc2^2 + l1*lc2*c1) + I2"
    )
    text += "\nc[2] = m2*l1*lc2*sin(q1)*dq2^2\nc[2] = m2*l1*lc2*s1*dtheta2^2"
    assert statuses(text, robot) == {"equal"}
    assert statuses(robot.equations().text() + "\n" + robot.equations().text("craig"), robot) == {"equal"}
    (entry,) = checked("g[1] = m1*g*lc1*c1 + m2*g*(l1*c1 + lc2*c12)", robot).entries
    assert entry.sentences == ("q1 instead of q2",) or "cos(q2)" in entry.sentences[0]


def test_coefficients_that_are_the_robots_own():
    text = "M = [a1 + 2*a2*cos(q2), a3 + a2*cos(q2); a3 + a2*cos(q2), a3]\ng[2] = a_5*c12\nc[2] = a_{2} s_2 \\dot q_1^2"
    found = stated(text, DELUCA)
    assert found[3] == "equal, with a3 = m2*d2^2 + I2, the robot's own coefficients"
    assert all(sentence.startswith("equal, with a") for sentence in found)


def test_coefficients_of_ones_own_are_found():
    text = "M = [a1 + 2*a3*cos(q2), a2 + a3*cos(q2); a2 + a3*cos(q2), a2]\nc[2] = a3*s2*dq1^2\nc[1] = a3*s2*dq1^2"
    *right, wrong = checked(text, DELUCA).entries
    assert right[0].stated == "equal, with a1 = m1*d1^2 + m2*(l1^2 + d2^2) + I1 + I2, a3 = m2*l1*d2"
    assert {entry.status for entry in right} == {"equal with coefficients"}
    assert wrong.status == "wrong"
    assert wrong.conditions == ("with a3 = m2*l1*d2",)


def test_coefficients_with_a_factor_or_a_choice():
    assert stated("g[2] = a1*g0*c12", DELUCA) == ["equal, with a1 = m2*d2"]
    assert stated("g[2] = 2*a1*c12/(m1 + m2)", DELUCA) == ["equal, with a1 = 1/2*m2*(m1 + m2)*d2*g0"]
    assert stated("M[2,2] = a1 + a2", DELUCA) == ["equal, with a1 = m2*d2^2 + I2 - a2, for any a2"]


def test_a_coefficient_that_must_vanish_is_a_mistake():
    (entry,) = checked("M[1,2] = a4 + a5*s2 + d2*l1*m2*c2", DELUCA).entries
    assert entry.status == "wrong"
    assert entry.sentences == ("a5 would have to be 0: its terms are extra",)


def test_a_wrong_structure_is_no_choice_of_coefficients():
    found = checked("M[1,2] = a3 + a2*sin(q2)\nM[2,2] = a3\nM[1,1] = a1 + 2*a2*cos(q2)", DELUCA).entries
    assert [entry.status for entry in found] == ["wrong", "equal with coefficients", "equal with coefficients"]


def test_a_definition_without_let():
    assert statuses("a2 = m2*l1*d2\nc[2] = a2*s2*dq1^2", DELUCA) == {"equal"}
    assert statuses("c[2] = a2*s2*dq1^2\n\\alpha_1 = m_2 l_1 d_2\na_2 = \\alpha_1", DELUCA) == {"equal"}
    assert statuses("a1 = [g*s1; g*c1; 0]") == {"equal"}  # a vector is the acceleration of link 1
    (note,) = checked("a2 = 3\ng[1] = 0", dynamis.load("ur5")).notes
    assert note == "compared in symbols: the numbers given to a2 were not used"


def test_conditions_are_said_and_hold_for_what_is_below():
    assert checked("given m2 = 0, lc1 = l1/2\nM[2,2] = I2").notes == ("compared for m2 = 0, lc1 = 1/2*l1",)
    report = checked("M[2,2] = I2 + m2*lc2^2\ngiven m2 = 0\nM[2,2] = I2")
    assert faultless(report)
    assert report.notes == ("compared for m2 = 0 in the lines below it",)
    shadowed = checked("let m1 = m2\nM[2,2] = I2 + m1*lc2^2")
    assert shadowed.notes == ("m1 is a parameter of the robot, redefined here",)


MATLAB = """% planar elbow
c1 = cos(q1); s2 = sin(q2); c12 = cos(q1 + q2);
h = -m2*l1*lc2*s2;
c2 = cos(q2);
v1 = lc1*dq1;
delta = m2*lc2^2 + I2;
M(1,1) = m1*lc1^2 + m2*l1^2 + 2*m2*l1*lc2*c2 + I1 + delta;
M(1,2) = delta + m2*l1*lc2*c2;
M(2,1) = M(1,2);
M(2,2) = delta;
C = [h*dq2, h*(dq1 + dq2); -h*dq1, 0];
T1 = 1/2*m1*v1^2 + 1/2*I1*dq1^2;
g = [(m1*lc1 + m2*l1)*g*c1 + m2*lc2*g*c12; m2*lc2*g*c12];
"""


def test_a_file_of_matlab_with_its_own_definitions():
    report = checked(MATLAB)
    assert {entry.status for entry in report.entries} == {"equal"}
    assert len(report.entries) == 11
    assert report.notes == ("read as definitions: c1, s2, c12, h, c2, v1, delta",)


def test_what_is_not_a_definition():
    assert [e.name for e in checked("c1 = m1\ng1 = 0\nT = 0\nT2 = 0").entries] == ["c[1]", "g[1]", "T", "T2"]
    for name in ("m1", "g"):
        report = checked(f"{name} = 9.81\ng2 = m2*g*lc2*c12\nM[1,1] = m1")
        assert report.notes == (f"compared in symbols: the numbers given to {name} were not used",)
        assert [entry.status for entry in report.entries] == ["equal", "wrong"]
    assert "all lines are definitions" in complaint("h = m1")
    assert "write let Mass = ... to define a name of your own" in complaint("Mass = 3")


def test_an_angle_outside_of_a_sine():
    (entry,) = checked("g[2] = m2*lc2*g*cos(q1 + q2)*q1").entries
    assert entry.status == "wrong"
    assert entry.point is not None
    assert "d1 must be given by numbers and parameters, not by q1" in complaint("given d1 = q1\ng1 = 0", DELUCA)


def test_numbers_for_parameters():
    assert stated("g[2] = 9.81*m2*lc2*cos(q1 + q2)") == ["equal, with the robot's g = 9.81"]
    assert stated("g[2] = 9.8*m2*lc2*cos(q1 + q2)") == ["wrong"]
    assert stated("g[2] = m2*lc2*cos(q1 + q2)") == ["wrong"]
    robot = dynamis.load("genova-2r")
    numbers = {name: float(str(value)) for name, value in robot.values.items()}
    model = robot.equations(numeric=True)
    assert numbers["m1"]
    assert statuses(model.text(), robot) <= {"equal", "equal with values"}
    (entry,) = checked("M[2,2] = 1.2345", robot).entries
    assert entry.status == "wrong"
    assert entry.sentences[0].startswith("the number should be ")


def test_a_forgotten_mass_of_one_is_not_excused():
    robot = ELBOW.with_values(m1=1, m2=1, l1=1, lc1=1, lc2=1, l2=1, I1=1, I2=1)
    assert stated("M[2,2] = I2 + lc2^2", robot) == ["wrong"]
    assert stated("M[2,2] = I2 + m1*lc2^2", robot) == ["wrong"]
    assert stated("M[2,2] = 2", robot) == ["equal, with the robot's lc2 = 1, m2 = 1, I2 = 1"]


def test_a_cosine_that_has_the_name_of_an_entry():
    lines = "c_2 = m2*l1*lc2*s2*dq1^2\ng_2 = m2*g*lc2*c12\nM21 = I2 + m2*lc2^2 + m2*l1*lc2*c_2\nM22 = I2 + m2*lc2^2\n"
    *right, wrong = checked(lines + "tau_2 = M21*ddq1 + M22*ddq2 + c_2 + g_2").entries
    assert {entry.status for entry in right} == {"equal"}
    assert wrong.conditions == ("c2 was read as a cosine; write c[2] for the entry",)
    assert statuses(lines + "tau_2 = M21*ddq1 + M22*ddq2 + c[2] + g_2") == {"equal"}


def test_a_whole_entry_times_a_number():
    (double,) = checked("M[1,1] = 2*(I1 + I2 + m1*lc1^2 + m2*(l1^2 + lc2^2 + 2*l1*lc2*c2))").entries
    assert double.sentences == ("factor 2: everything is 2 times what it should be",)
    (opposite,) = checked("g[1] = -(m1*lc1 + m2*l1)*g*c1 - m2*lc2*g*c12").entries
    assert opposite.sentences[0].startswith("opposite sign throughout: it should be ")
    (third,) = checked("g[1] = -((m1*lc1 + m2*l1)*g*c1 + m2*lc2*g*c12)/3").entries
    assert third.sentences == ("opposite sign and factor 1/3: everything is 1/3 times what it should be",)


def test_planar_jacobians():
    rows = "-l1*s1 - l2*s12, -l2*s12; l1*c1 + l2*c12, l2*c12"
    report = checked(f"J = [{rows}]\nJ = [{rows}; 1, 1]\nJv = [{rows}]")
    assert {entry.status for entry in report.entries} == {"equal"}
    assert report.notes == (
        "J: its 2 rows were compared as those of x, y",
        "J: its 3 rows were compared as those of x, y, the rotation about z",
        "Jv: its 2 rows were compared as those of x, y",
    )
    assert "J here is 6x6, the right side is 2x6" in complaint("J = [0,0,0,0,0,0; 0,0,0,0,0,0]", dynamis.load("ur5"))


def test_fractions_that_are_not_equal():
    (entry,) = checked("M[2,2] = I2 + m2*lc2^2*m1/(m1 + m2)").entries
    assert entry.sentences == ("compared after both were multiplied by m1 + m2:", "missing: m2^2*lc2^2")
    assert entry.point is not None
    assert (entry.point.yours, entry.point.true) == (1.5, 2)


def test_no_time_at_all():
    with pytest.raises(
        AnswerTimeError, match=r"not read within 1e-09 s; give fewer or shorter entries, or more time \(seconds=1e-08\)"
    ):
        checked("M[1,1] = (m1 + m2)*(l1 + l2)*(m1 - m2)", seconds=1e-9)


def test_a_formula_that_is_cut_short():
    assert "this formula is cut short" in complaint("g[2] = m₂ lc₂ g … (30 terms in all)")
    assert "this formula is cut short" in complaint(r"g_2 = m_2 \cdots")


def test_a_slip_in_the_name_of_a_function():
    with pytest.raises(AnswerError, match='"sinn" is not a function; did you mean "sin"'):
        check_answer(dynamis.load("planar-elbow"), "g[1] = sinn(q1)")
