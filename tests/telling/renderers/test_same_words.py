"""No line that LaTeX has and HTML lacks: every word, number and equation of a page, whatever the page is about."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from html import unescape
from typing import Any

import pytest

import dynamis
from dynamis.controllers import PDGravity
from dynamis.exact.derivations.bodies.question import find_body
from dynamis.exact.derivations.robots.sheet import RobotSheet
from dynamis.exact.derive import derive, derive_only
from dynamis.exact.proof.proofs import prove
from dynamis.telling.blocks import Document, Figure, Section
from dynamis.telling.renderers.page import render
from dynamis.trajectories import quintic

ARM, ELBOW = dynamis.load("bar-2r"), dynamis.load("planar-elbow")
MOVE = quintic([0.0, 0.0], [1.0, 0.5], 1.0)
LOAD = dynamis.Force("link2", (0, 0, -10), point=(0.1, 0, 0))
PAGES: dict[str, Callable[[], Any]] = {
    "sheet": lambda: RobotSheet(ARM),
    "state": lambda: dynamis.robot_state(ARM, [0.1, 0.2], [1.0, 0.5]),
    "inverse": lambda: dynamis.state_torques(
        ARM, [0.1, 0.2], [1.0, 0.5], [0.2, 0.3], loads=[LOAD], reactions="joint", recursion=True, compare_gravity=True,
        words=True,
    ),
    "motion": lambda: dynamis.torque_budget(ARM, MOVE, payload=dynamis.Payload(2), samples=21),
    "simulation": lambda: dynamis.simulate(
        ARM, [0, 0], duration=0.02, goal=[0.1, 0], control=PDGravity(kp=100, kd=20), integrator="rk4", step=1e-3
    ),
    "trajectory": lambda: MOVE,
    "findings": lambda: dynamis.lint(ARM),
    "proofs": lambda: prove(ELBOW.equations()),
    "entries": lambda: derive_only(ELBOW.equations(), "M[1,2]"),
    "coefficients": lambda: derive(ELBOW.equations(), "coefficients"),
    "regressor": lambda: derive(dynamis.load("genova-rp").equations(), "regressor", steps=False),
    "body": lambda: find_body("box", ["size=a,b,c", "mass=m"]),
    "references": lambda: ARM.references("inverse_dynamics", "rk45"),
    "check": lambda: dynamis.check_answer(ELBOW, "M22 = I2 - m2*lc2^2\ng2 = m2*g*lc2*c12\nT = x"),
}  # fmt: skip


@pytest.mark.filterwarnings("ignore:robot")
@pytest.mark.parametrize("name", PAGES)
def test_every_word_of_latex_is_in_html(name: str) -> None:
    result = _without_figures(PAGES[name]().document())
    latex, html = render(result, "latex", fragment=True), render(result, "html", fragment=True)
    assert _words_of_latex(latex) - _words_of_html(html) == set()
    assert html.count("<tr") >= len(re.findall(r"\\\\$", latex, re.MULTILINE)) - _chains(latex).count(r"\\")
    # A matrix that is too wide for the paper stands there entry by entry; on paper of any width there are as many =.
    rows = "".join(re.findall('<div class="equation.*?</div>', html, re.DOTALL))
    assert rows.count("<mo>=</mo>") >= _chains(render(result, "latex", fragment=True, width=10**9)).count("=")


def _chains(latex: str) -> str:
    return "".join(re.findall(r"\\begin\{align\*\}.*?\\end\{align\*\}", latex, re.DOTALL))


def _without_figures(part: Any) -> Any:
    """Charts take time, and their words are in the captions of both."""
    if not isinstance(part, Document | Section):
        return part
    return replace(part, blocks=tuple(_without_figures(x) for x in part.blocks if not isinstance(x, Figure)))


def _words_of_latex(page: str) -> set[str]:
    """Words of four letters and decimals, outside of commands and pictures."""
    page = re.sub(
        r"(?<!\\)%.*|\\(?:begin|end|hspace|vspace|label|setlength)\*?\{[^}]*\}|\{[lrc@]+\}|p\{[^}]*\}", " ", page
    )
    return _words(re.sub(r"\\[A-Za-z]+|\\[-,;:! ]|[{}$&~]", " ", page))


def _words_of_html(page: str) -> set[str]:
    page = re.sub(r"<(style|script|svg)\b.*?</\1>", " ", page, flags=re.DOTALL)
    return _words(unescape(re.sub(r"<[^>]*>", " ", page)))


def _words(text: str) -> set[str]:
    return {*re.findall(r"[^\W\d_]{4,}|\d+\.\d+", text)}
