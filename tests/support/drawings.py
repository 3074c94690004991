"""What every drawing must keep."""

from __future__ import annotations

from itertools import combinations
from xml.etree import ElementTree

from matplotlib.path import Path as Outline
from matplotlib.transforms import Bbox

from dynamis.telling.drawing.drawing import Drawing
from dynamis.telling.pictures.labels import LABEL_GAP
from dynamis.telling.pictures.picture import Path
from dynamis.telling.pictures.text import plain_text


def check(drawing: Drawing) -> None:
    """No label lies over another one or leaves the page, and the SVG is XML."""
    picture = drawing.picture
    boxes = [label.box for label in picture.labels]
    for a, b in combinations(boxes, 2):
        # Places are rounded to hundredths of a point.
        apart = max(a[0] - b[2], b[0] - a[2], a[1] - b[3], b[1] - a[3])
        assert apart > LABEL_GAP - 0.03, (a, b)
    for left, bottom, right, top in boxes:
        assert left >= 0
        assert bottom >= 0
        assert right <= picture.width
        assert top <= picture.height
    assert picture.width < 2000
    assert picture.height < 2000
    ElementTree.fromstring(drawing.svg())


def crossed(drawing: Drawing) -> list[str]:
    """The labels that a line runs through."""
    picture = drawing.picture
    lines = [
        Outline([*mark.points, *mark.points[:1]] if mark.closed else mark.points)
        for mark in picture.marks
        if isinstance(mark, Path) and mark.role != "halo"
    ]
    names: list[str] = []
    for label in picture.labels:
        left, bottom, right, top = label.box
        # A line to a label that stands far away ends at its box.
        inside = Bbox.from_extents(left + 0.3, bottom + 0.3, right - 0.3, top - 0.3)
        names += [plain_text(label.text)] if any(line.intersects_bbox(inside, filled=False) for line in lines) else []
    return names
