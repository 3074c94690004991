"""Charts of LaTeX pages: the lines are the data, and LaTeX takes them."""

import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from matplotlib.colors import to_hex

from dynamis.telling.blocks import Document, Figure
from dynamis.telling.chart import Area, Bars, Chart, HeatMap, Level, Line, Marks, Panel
from dynamis.telling.figure import COLOURS, draw
from dynamis.telling.pictures.pgfplots import LINE_BINS, pgfplots
from dynamis.telling.renderers.page import render

T = np.linspace(0.0, 1.0, 1001)
WAVE = np.sin(20 * T)
CHART = Chart(
    (
        Panel((Line(T, WAVE, "wave & _name_", 1), Level(0.5, "limit")), "50 %", "time [s]", "position [rad]"),
        Panel((Line([1, 2, 3], [1, 0.1, np.nan], "error", "total", dotted=True),), x="trial", logarithmic=True),
        Panel((Area(T, WAVE, "above", "below"), Marks((0.2, 0.4), "segments")), x="time [s]", note="$nothing$"),
        Panel((HeatMap(np.array([[1, 3, np.nan], [2, 3, 1]]), (0, 1), (0, 2), names=("q1", "q_2", "50 %")),)),
        Panel((Bars(("joint 1", "joint 2"), (("link1", np.array([0.4, -0.1])), ("rest", np.array([0.6, 1.1]))), 1),)),
    ),
    columns=2,
    title="a_b",
)


def points(line: str) -> np.ndarray:
    return np.array([[float(x) for x in pair] for pair in re.findall(r"\(([^,()]+),([^,()]+)\)", line)])


def test_lines_keep_what_they_show():
    wave, level, error, *_ = (line for line in pgfplots(CHART).splitlines() if line.startswith("\\addplot"))
    drawn = points(wave)
    assert len(drawn) <= 2 * LINE_BINS + 2
    np.testing.assert_allclose(drawn[[0, -1]], [[0, 0], [1, WAVE[-1]]], rtol=1e-4)
    np.testing.assert_allclose(np.interp(T, *drawn.T), WAVE, atol=0.05)
    assert (drawn[:, 1].max(), drawn[:, 1].min()) == pytest.approx((WAVE.max(), WAVE.min()), rel=1e-4)
    np.testing.assert_allclose(points(level), [[0, 0.5], [1, 0.5]])
    assert "(3,nan)" in error


def test_each_panel_has_its_own_legend_where_they_differ():
    panels = (Panel((Line(T, WAVE, "wave"), Level(0.5, "true value", "truth", colour=1))), Panel((Line(T, T, "time"),)))
    text = pgfplots(Chart(panels, legends="beside"))
    first, second = text.split("\\footnotesize wave", 1)
    assert "time}" not in first
    assert "\\footnotesize true value" in second.partition("tikzpicture")[0]
    assert "\\footnotesize time" in second


def test_names_have_colours_of_their_own():
    figure = draw(Chart((CHART.panels[3],)))
    cells, scale = figure.axes
    (image,) = cells.get_images()
    shown = [to_hex(image.to_rgba(np.array([[k]]))[0, 0]).upper() for k in (1, 2, 3)]
    assert shown == list(COLOURS[:3])
    assert [x.get_text() for x in scale.get_yticklabels()] == ["q1", "q_2", "50 %"]
    text = pgfplots(Chart((CHART.panels[3],)))
    assert "rgb255=(0,114,178) rgb255=(213,94,0) rgb255=(0,158,115)" in text
    assert r"yticklabels={{q1},{q\_2},{50 \%}}" in text


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs pdflatex")
def test_latex_takes_it(tmp_path: Path):
    page = render(Document("Charts", (Figure("all", lambda: CHART, caption="All marks."),)), "latex")
    assert "All marks." in page
    (tmp_path / "page.tex").write_text(page)
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "page.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, errors="replace")
    assert done.returncode == 0, done.stdout[-1500:]
