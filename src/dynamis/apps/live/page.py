"""A report as one HTML file that computes and asks for nothing: scripts, styles, font and model are in it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

from dynamis.apps.exports.targets.wasm import BIND
from dynamis.apps.exports.template import text
from dynamis.apps.live.charts import chart_data
from dynamis.apps.live.inputs import Inputs
from dynamis.apps.live.sections import FOLDED
from dynamis.base.expressions.expression import Number
from dynamis.robot import Robot
from dynamis.scalars.floats import number
from dynamis.telling.blocks import Document, Figure, Items, Note, Section
from dynamis.telling.forms.tree import Coordinate, Symbol
from dynamis.telling.formula import Val
from dynamis.telling.renderers.html import EQUATION_STYLES, HtmlPage, foldable_html
from dynamis.telling.renderers.math_font import math_font
from dynamis.telling.renderers.page import render
from dynamis.telling.renderers.scripted import SHARED, json_in_html, one_script, scripted_page
from dynamis.telling.result import Result
from dynamis.telling.series import plain

HERE = Path(__file__).parent / "page"
SCRIPTS = (
    "dom", "linear", "solids", "meshes", "viewer", "model", "robot-view", "sliders", "numbers", "bench", "plot",
    "budget", "player", "motion", "equations", "theme", "paper", "report",
)  # fmt: skip
"""In an order in which each uses only those before it."""
VIEW = ("dom", "linear", "solids", "viewer", "player")
VALUES = ("equations", "coefficients", "derivation")
"""Sections whose formulas can have the current values put in."""
SIGNS = "<math><mn>0123456789.e</mn><mo>−()</mo></math>"
"""What numbers in formulas are made of: the font must have them."""
_GIVEN = "<h3>The task as it is given</h3>"
_PUT = (
    '<p class="put"><label><input type="checkbox" id="put-values"> '
    "Put the current values of the sliders in the place of the symbols</label></p>"
    '<p class="hint">The equations are those of the robot file: a payload is not in them, and what the file gives as a '
    "number stays as it is.</p>"
)


@cache
def script() -> str:
    """All scripts of the page as one."""
    return one_script([text(BIND), *((SHARED if x in VIEW else HERE) / f"{x}.js" for x in SCRIPTS)])


def live_page(report: Result, robot: Robot, x: Inputs, live: Mapping[str, Any], **options: Any) -> str:
    """The file: the page of a report on a robot, with what computes in it."""
    data = {**live, "symbols": _symbols(robot, x, options.get("notation", "dynamis"))}
    return render(report, "html", kind=type("Own", (LivePage,), {"live": data, "charts": []}), **options)


class ChartPage(HtmlPage):
    """A page whose charts are plotted by a script."""

    charts: ClassVar[list[dict[str, Any]]]

    def figure(self, figure: Figure) -> str:
        """Drawings as SVG; charts as data for the script."""
        if figure.schematic:
            # A style of its own is what the policy of the page forbids.
            text = super().figure(figure).replace(' style="background: white"', "", 1)
            return text.replace("<figure>", '<figure class="drawing">', 1)
        if figure.missing:
            return ""
        from dynamis.telling.chart import Chart

        chart = figure.chart()
        assert isinstance(chart, Chart)
        self.charts.append(chart_data(chart, figure.caption))
        words = f"<figcaption>{self.plain(figure.caption)}</figcaption>" if figure.caption else ""
        return f'<figure data-chart="{len(self.charts) - 1}"><div class="chart"></div>{words}</figure>'


class LivePage(ChartPage):
    """A page whose sections can be found and folded."""

    live: ClassVar[dict[str, Any]]

    def section(self, section: Section, number: int | None = None, level: int = 2) -> str:
        """The sections of the report are found by their names; controls stand in the place of what they compute."""
        if not any(section is block for block in self.document.blocks):
            return super().section(section, number, level)
        heading = self.heading(self.plain(section.title), number, level) if section.title else ""
        text = super().section(section, number, level).removeprefix(heading).strip()
        match section.name:
            case "live":
                notes = "\n".join(self.block(block) for block in section.blocks if isinstance(block, Note))
                text = f'{notes}<div id="live-model"><noscript>\n{text}\n</noscript></div>'
            case "motion":
                text = f'<div id="live-motion"></div>\n{_GIVEN}\n{text}'
            case "equations":
                text = f"{_PUT}\n{text}"
            case _:
                text = foldable_html(FOLDED[section.name], text) if section.name in FOLDED else text
        look = ' class="values"' if section.name in VALUES else ""
        return f'<section id="{section.name}"{look}>\n{heading}\n{text}\n</section>'

    def references(self) -> str:
        """As a section of its own."""
        text = super().references().strip()
        return f'\n<section id="references">\n{text}\n</section>\n' if text else ""

    def file(self, title: str, body: str) -> str:
        data = json_in_html(plain({**self.live, "charts": self.charts}))
        own = "".join(path.read_text(encoding="utf-8") for path in (SHARED / "page.css", HERE / "report.css"))
        style = math_font(body + SIGNS) + EQUATION_STYLES + own
        sections = [(x.name, x.title) for x in self.document.blocks if isinstance(x, Section) and x.name]
        links = "".join(f'<a href="#{name}">{self.plain(words)}</a>' for name, words in sections)
        whole = (
            f'<a class="skip" href="#main">Skip to the report</a>\n'
            f'<header class="bar"><strong>{self.plain(self.live["name"])}</strong>'
            f'<nav aria-label="sections">{links}</nav>'
            f'<button type="button" id="theme">Theme: auto</button></header>\n'
            f'<main id="main">\n{body}</main>\n'
        )
        return scripted_page(title, whole, data, script(), style, wasm=True)


def _symbols(robot: Robot, x: Inputs, notation: Any) -> list[list[Any]]:
    """How the equations write each parameter and coordinate, in MathML, and which slider has its value."""
    places: list[tuple[Val, str, int, int]] = [
        (Val(Symbol(slider.name)), "parameters", k, 1)
        for k, slider in enumerate(x.parameters)
        if slider.name in robot.parameters
    ]
    for k, pull in enumerate(robot.gravity):
        for name in pull.parameters():  # of -g, the slider is that of the component
            sign = number(pull, {name: Number(Fraction(1))})
            if sign in (1, -1) and number(pull, {name: Number(Fraction(2))}) == 2 * sign:
                places.append((Val(Symbol(name)), "gravity", k, int(sign)))
    for order, key in enumerate(("q", "qd", "qdd")):
        places += [(Val(Coordinate(c.name, order)), key, k, 1) for k, c in enumerate(robot.coordinates)]
    ring = robot.equations().ring
    items = Items(tuple(((value,),) for value, *_ in places))
    text = render(Document("", (items,), ring=ring), "html", notation, fragment=True)
    found = re.findall(r"<li><math><mrow>(.*?)</mrow></math></li>", text)
    return [[math, *place] for math, (_, *place) in zip(found, places, strict=True)]
