"""Programs that give a function another name, or a name of a function another meaning."""

import pytest

from dynamis import load
from dynamis.apps.grading.check import check_answer
from dynamis.apps.grading.reading.source import AnswerError

ELBOW = load("planar-elbow")
GRAVITY = "(m1*lc1 + m2*l1)*g*cos(q1) + m2*lc2*g*cos(q1 + q2)", "m2*lc2*g*cos(q1 + q2)"
NUMPY = f"G = np.array([{', '.join(GRAVITY)}])\n"
MATLAB = f"G = [{'; '.join(GRAVITY)}];\n"


def verdict(text: str, file: str = "answer") -> str:
    try:
        return check_answer(ELBOW, text, file).verdict
    except AnswerError:
        return "refused"


@pytest.mark.parametrize("above", [
    "cos = np.sin", "from numpy import *\ncos = sin", "def cos(x):\n    return np.sin(x)",
    "from math import sin as cos",
    "cos = lambda x: np.sin(x)", "cos = lambda q1: np.sin(q1)", "sin, cos = np.cos, np.sin", "sin = cos = np.sin",
    "from helpers import cos", "for cos in (np.sin,):\n    pass", "if True: cos = np.sin", "x = 1; cos = np.sin",
    "(cos := np.sin)", "cos: object = np.sin", "def f(q, cos):\n    pass", "with sine() as cos:\n    pass", "cos = 2",
    "from numpy import (\n    sin as cos,\n    pi,\n)", "cos = np.cos\ncos = np.sin", "class cos:\n    pass",
])  # fmt: skip
def test_a_cosine_that_is_another_function_is_not_right(above: str) -> None:
    assert verdict(f"import numpy as np\n{above}\n{NUMPY}") in ("wrong", "refused")


@pytest.mark.parametrize("above", ["np.cos = np.sin", "import mymath as np", "class np:\n    cos = abs", "np = other"])
def test_a_module_that_is_another_is_not_read(above: str) -> None:
    assert verdict(f"import numpy as np\n{above}\n{NUMPY.replace('cos', 'np.cos')}") == "refused"


@pytest.mark.parametrize("above", [
    "cos = @sin;", "cos = @(x) sin(x);", "function y = cos(x)\n  y = sin(x);\nend", "function cos = f(x)", "cos = 3;",
    "[sin, cos] = deal(@cos, @sin);", "if true, cos = @sin; end",
])  # fmt: skip
def test_a_cosine_of_matlab_that_is_another_function_is_not_right(above: str) -> None:
    assert verdict(f"{above}\n{MATLAB}", "a.m") in ("wrong", "refused")


@pytest.mark.parametrize(("above", "name"), [
    ("c, s = np.cos, np.sin", "c"), ("cos = np.cos\nsin = np.sin", "cos"), ("from numpy import cos as c", "c"),
    ("sin = np.cos", "sin"), ("from numpy import cos, sin, pi\npi = np.pi", "cos"), ("import numpy as foo", "foo.cos"),
    ("from sympy import cos, simplify", "cos"), ("cos = np.sin", "np.cos"), ("f = plot(x, cos=True)", "cos"),
])  # fmt: skip
def test_another_name_of_the_cosine_is_read(above: str, name: str) -> None:
    assert verdict(f"import numpy as np\n{above}\n{NUMPY.replace('cos', name)}") == "right"


def test_names_of_functions_serve_abbreviations() -> None:
    text = f"c = np.cos\nc1 = c(q1)\nc12 = c(q1 + q2)\n{NUMPY}"
    assert verdict(text.replace("cos(q1 + q2)", "c12").replace("cos(q1)", "c1")) == "right"


def test_the_report_says_what_a_function_was_read_as_or_why_not() -> None:
    report = check_answer(ELBOW, f"import numpy as np\ncos = np.sin\n{NUMPY}")
    assert "cos was read as sin from line 2 on, where it gets that meaning" in report.notes
    with pytest.raises(AnswerError, match='"cos" gets another meaning in line 1, which is not followed; write the'):
        check_answer(ELBOW, f"def cos(x):\n    return 1\n{NUMPY}")


@pytest.mark.parametrize("name", ["array", "simplify", "Matrix"])
def test_a_call_that_the_file_defines_is_not_read(name: str) -> None:
    body = f"G = {name}([{', '.join(GRAVITY)}])" if name != "simplify" else f"g2 = simplify({GRAVITY[1]})"
    assert verdict(f"def {name}(x):\n    return -x\n{body}") == "refused"
