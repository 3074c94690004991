"""Programs that give a right answer and then spoil it: no verdict may say that it is right."""

from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from dynamis import Robot, load
from dynamis.apps.grading.check import check_answer
from dynamis.apps.grading.reading.source import AnswerError
from dynamis.telling.notation import to_sympy
from tests.support.exact_models import robots

octave_code: Any = pytest.importorskip("sympy").octave_code
ELBOW = load("planar-elbow")
GRAVITY = "(m1*lc1 + m2*l1)*g*cos(q1) + m2*lc2*g*cos(q1 + q2)", "m2*lc2*g*cos(q1 + q2)"
NUMPY = f"import numpy as np\nG = np.array([{', '.join(GRAVITY)}])\n"
MATLAB = f"G = [{'; '.join(GRAVITY)}];\n"
MATRIX = (
    "M = [m1*lc1^2 + m2*(l1^2 + lc2^2 + 2*l1*lc2*cos(q2)) + I1 + I2, m2*(lc2^2 + l1*lc2*cos(q2)) + I2;"
    " m2*(lc2^2 + l1*lc2*cos(q2)) + I2, m2*lc2^2 + I2];\n"
)


def verdict(text: str, file: str = "answer", robot: Robot = ELBOW) -> str:
    try:
        return check_answer(robot, text, file).verdict
    except AnswerError:
        return "refused"


def test_the_answers_that_are_spoiled_below_are_right() -> None:
    assert [verdict(text) for text in (NUMPY, MATLAB, MATRIX)] == ["right"] * 3


@pytest.mark.parametrize("change", [
    "G = -G", "G *= -1", "G -= 1", "G **= 2", "G %= 2", "G //= 2", "G = G[::-1]", "G = foo(G)", "G = 2 * G", "G = 0",
    "G = None", "G[1] = foo(G)", "G[:] = 0", "G[::2] = 0", "G[-1] = 0", "G[G > 0] = 0", "G[0], G[1] = G[1], G[0]",
    "G[[0, 1]] = G[[1, 0]]", "G.fill(0)", "G.sort()", "G.flat[0] = 0", "np.copyto(G, 0)", "np.negative(G, out=G)",
    "exec('G = -G')", "globals()['G'] = 0", "del G", "G = [-x for x in G]", "G = -G if True else G", "G, z = z, G",
    "z = G = -G", "(G := -G)", "G: np.ndarray = -G", "X = G\nX[0] = 0", "X = G\nX *= -1",
    "for k in range(2): G[k] = 0",
    "for k in range(2):\n    G[k] = -G[k]", "if True: G = -G", "if True:\n    G = -G",
    "while True:\n    G *= 2\n    break",
    "for G in range(3):\n    pass", "with open('x') as G:\n    pass", "try:\n    G = -G\nexcept E:\n    pass",
    "def f():\n    global G\n    G = -G\nf()", "G = np.roll(G, 1)", "G = lambda q: 0",
])  # fmt: skip
def test_a_numpy_program_that_spoils_its_answer_is_not_right(change: str) -> None:
    assert verdict(f"{NUMPY}{change}\n") != "right"


@pytest.mark.parametrize("change", [
    "G = -G;", "G(1) = [];", "G(end) = 0;", "G(:) = 0;", "G = flipud(G);", "G = G([2 1]);", "G([1 2]) = G([2 1]);",
    "for k=1:2, G(k) = -G(k); end", "for k=1:2\n G(k) = -G(k);\nend", "if true, G = -G; end", "G = subs(G, q1, q2);",
    "clear G", "[G(1), G(2)] = deal(G(2), G(1));", "G = 0*G;", "G(1,:) = 0;", "G = sym(0);", "eval('G=-G')",
    "while true; G = -G; end", "switch 1\ncase 1\nG=-G;\nend", "assignin('base','G',0)", "G = -1*G, x = 2",
])  # fmt: skip
def test_a_matlab_program_that_spoils_its_answer_is_not_right(change: str) -> None:
    assert verdict(f"{MATLAB}{change}\n") != "right"


@pytest.mark.parametrize("change", [
    "M = -M;", "M(1,:) = 0;", "M(:,1) = foo;", "M(1) = 0;", "M = inv(M);", "M(1,2) = trapz(q1);", "M = triu(M);",
    "M(end,end) = 0;", "M = M - eye(2);", "M = M*M;", "M(:) = 0;",
])  # fmt: skip
def test_a_program_that_spoils_its_matrix_is_not_right(change: str) -> None:
    assert verdict(f"{MATRIX}{change}\n") != "right"


def test_a_line_that_cannot_be_read_takes_the_verdict_from_the_entry_that_it_changes() -> None:
    report = check_answer(ELBOW, f"{NUMPY}G[0] += np.clip(q1, 0, 1)\n")
    assert report.verdict == "incomplete"
    assert report.missing == ["g[1]"]
    assert [entry.name for entry in report.entries] == ["g[2]"]
    assert "line 3 changes g[1] and cannot be read: no verdict on what is above it" in report.notes


def test_what_is_only_printed_keeps_its_verdict() -> None:
    assert verdict(f"{NUMPY}print(G := -G)\n") != "right"
    assert verdict(f"G = [0; 0];\n{MATLAB}") == "right"
    assert verdict(f"{MATLAB}G = [0; 0];\n") == "wrong"
    assert verdict(f"{NUMPY}print(G)\nassert G.shape == (2,)\nfor x in G:\n    print(x)\n") == "right"


def test_what_uses_a_spoiled_answer_is_not_right() -> None:
    report = check_answer(
        ELBOW, f"{NUMPY}G.fill(0)\nU = m1*g*lc1*sin(q1) + m2*g*(l1*sin(q1) + lc2*sin(q1 + q2)) + G[0]"
    )
    assert report.verdict == "incomplete"
    assert report.entries == []


SPOILS = "{0} = -{0}", "{0} = foo({0})", "{0} *= 2", "{0} += g0", "{0}.fill(0)", "{0}[:] = x", "for k in x: {0} = 0"


@given(robot=robots(), spoil=st.sampled_from(SPOILS), name=st.sampled_from("MG"))
@settings(max_examples=12, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
def test_a_right_answer_of_any_robot_is_not_right_once_it_is_spoiled(robot: Robot, spoil: str, name: str) -> None:
    model = robot.equations()
    n = model.n
    assume(n <= 2)
    rows = [[model.M[i, j] for j in range(n)] if name == "M" else [model.gravity[i]] for i in range(n)]
    assume(any(cell for row in rows for cell in row))
    answer = f"{name} = [{'; '.join(', '.join(octave_code(to_sympy(x)) for x in row) for row in rows)}];\n"
    assert verdict(answer, robot=robot) == "right", answer
    assert verdict(answer + spoil.format(name), robot=robot) != "right", answer


def test_the_star_of_numpy_multiplies_entry_by_entry() -> None:
    """M * qdd is no vector there; in SymPy and MATLAB it is the product."""
    speeds = "-m2*l1*lc2*sin(q2)*(2*dq1*dq2 + dq2^2)", "m2*l1*lc2*sin(q2)*dq1^2"
    rest = f"{MATRIX}c = [{'; '.join(speeds)}];\n"
    assert verdict(f"{rest}{MATLAB}tau = M*ddq + c + G") == "right"
    assert verdict(f"{rest}{NUMPY}tau = M @ ddq + c + G") == "right"
    report = check_answer(ELBOW, f"{rest}{NUMPY}tau = M * ddq + c + G")
    assert report.missing == ["tau"]
    assert "the product of matrices is @ in NumPy" in report.unread[0].problem


def test_the_power_of_other_languages_is_noted_in_python() -> None:
    report = check_answer(ELBOW, "import numpy as np\nM[1, 1] = m2*lc2^2 + I2")
    assert "^ was read as a power; in Python a power is **, and ^ is another operation" in report.notes


def test_a_python_file_counts_from_0_and_from_the_end() -> None:
    for index in ("1, 1", "1][1", "-1, -1", "-1][-1"):
        assert [entry.stated for entry in check_answer(ELBOW, f"M[{index}] = m2*lc2**2 + I2", "a.py").entries] == [
            "equal"
        ]
    assert verdict("import numpy as np\nq2 = q[-1]\nq1 = q[-2]\nG = [" + "; ".join(GRAVITY) + "]") == "right"
    report = check_answer(ELBOW, "import numpy as np\nM[2, 2] = m2*lc2**2 + I2\n")
    assert "indices in square brackets were counted from 1; in Python they count from 0" in report.notes


def test_an_entry_whose_line_cannot_be_read_is_not_wrong() -> None:
    report = check_answer(
        ELBOW, "import numpy as np\nM = np.zeros((2, 2))\nM[0][1] = M[1][0] = foo(q2)\nM[1][1] = m2*lc2**2 + I2\n"
    )
    assert [(entry.name, entry.stated) for entry in report.entries] == [("M[2,2]", "equal")]
    assert report.verdict == "incomplete"


BRANCH = f"G = np.array([{', '.join(GRAVITY)}])"


@pytest.mark.parametrize("text", [
    f"if fast:\n    {BRANCH}\nelse:\n    G = np.array([0, 0])\n",
    f"{BRANCH}\nif fast:\n    G[0] = 0\n",
    f"G = np.array([0, 0])\nif fast:\n    {BRANCH}\n",
    f"G = -np.array([{', '.join(GRAVITY)}])\nif fast:\n    G = -G\n",
    f"G = -np.array([{', '.join(GRAVITY)}])\nfor k in range(2):\n    G *= -1\n",
    f"s = 1\nif fast:\n    s = -1\nG = s*np.array([{', '.join(GRAVITY)}])\n",
    f"if g > 0\n{MATLAB}else\nG = [0; 0];\nend\n",
    f"G = [0; 0];\nif g > 0\n{MATLAB}end\n",
])  # fmt: skip
def test_branches_and_loops_are_not_followed(text: str) -> None:
    program = f"import numpy as np\n{text}" if "np." in text else text
    assert verdict(program) != "right"


def test_an_answer_in_one_branch_or_loop_alone_is_read() -> None:
    for header in ("if __name__ == '__main__':", "if fast:", "for k in range(1):"):
        assert verdict(f"import numpy as np\n{header}\n    {BRANCH}\n    print(G)\n") == "right"
    assert verdict(f"if g > 0\n{MATLAB}end\ntau = 0;\n") != "right"
    assert verdict(f"if nargin < 1, q = 0; end\n{MATLAB}") == "right"


def test_a_bracket_behind_a_name_is_a_factor_where_products_have_no_sign() -> None:
    by_hand = "M11 = m1 lc1^2 + m2(l1^2 + lc2^2 + 2 l1 lc2 cos(q2)) + I1 + I2"
    assert [entry.stated for entry in check_answer(ELBOW, by_hand).entries] == ["equal"]
