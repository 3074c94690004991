"""One size of every solid."""

from __future__ import annotations

from typing import Any

SIZES: dict[str, dict[str, Any]] = {
    "box": {"size": [0.3, 0.2, 0.5]},
    "cylinder": {"radius": 0.2, "height": 0.7},
    "hollow-cylinder": {"radius": 0.2, "inner_radius": 0.13, "height": 0.7},
    "sphere": {"radius": 0.4},
    "hollow-sphere": {"radius": 0.4, "inner_radius": 0.25},
    "capsule": {"radius": 0.2, "height": 0.5},
    "cone": {"radius": 0.3, "height": 0.8},
    "ellipsoid": {"semi_axes": [0.3, 0.2, 0.5]},
    "bar": {"length": 0.9},
    "plate": {"size": [0.3, 0.8]},
    "tetrahedron": {"vertices": [[0.1, 0, 0], [1, 0.2, 0], [0, 1, 0.3], [0.2, 0.1, 1]]},
}
ROUND = ("cylinder", "hollow-cylinder", "capsule", "cone", "bar", "plate")
