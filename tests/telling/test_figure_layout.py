"""Room for labels in figures."""

import numpy as np

from dynamis.telling.chart import Chart, HeatMap, Panel
from dynamis.telling.figure import draw


def test_maps_of_one_scale_neither_touch_nor_leave_the_figure() -> None:
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    values = np.linspace(0, 180, 4800).reshape(80, 60)
    sides = (0.0, 1.0), (-1.0, 1.1)
    heat = HeatMap(values, *sides, "kg", (10.0, 150.0), alike=True)
    names = HeatMap(np.ceil(values / 36), *sides, names=("q2", "q3", "q4", "q5", "q6"), alike=True)
    shown = {"payload": heat, "payload in every posture": heat, "limiting joint": names}
    panels = [Panel((mark,), title, "tool.radius [m]", "tool.z [m]") for title, mark in shown.items()]
    figure = draw(Chart(tuple(panels), 3, 3.2, title="ur5: payload map"))
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    boxes = [ax.get_tightbbox(canvas.get_renderer()) for ax in figure.axes]
    edges = [x for box in sorted(boxes, key=lambda box: box.x0) for x in (box.x0, box.x1)]
    assert edges == sorted(edges)
    assert edges[0] >= 0
    assert edges[-1] <= figure.bbox.width
