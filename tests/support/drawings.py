"""What every drawing must keep."""

from __future__ import annotations

from itertools import combinations
from xml.etree import ElementTree

from dynamis.document.pictures.labels import GAP
from dynamis.drawing.drawing import Drawing


def check(drawing: Drawing) -> None:
    """No label lies over another one or leaves the page, and the SVG is XML."""
    picture = drawing.picture
    boxes = [label.box for label in picture.labels]
    for a, b in combinations(boxes, 2):
        # Places are rounded to hundredths of a point.
        apart = max(a[0] - b[2], b[0] - a[2], a[1] - b[3], b[1] - a[3])
        assert apart > GAP - 0.03, (a, b)
    for left, bottom, right, top in boxes:
        assert left >= 0
        assert bottom >= 0
        assert right <= picture.width
        assert top <= picture.height
    assert picture.width < 2000
    assert picture.height < 2000
    ElementTree.fromstring(drawing.svg())
