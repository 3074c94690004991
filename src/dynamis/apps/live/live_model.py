"""A robot's model for a page: a WebAssembly module whose arguments are the sliders."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from dynamis.apps.exports.export import export
from dynamis.apps.exports.exported import Export
from dynamis.apps.exports.targets.wasm import STATES_OFFSET, module_bytes, signatures
from dynamis.apps.live.inputs import Inputs
from dynamis.base.expressions.expression import Parameter
from dynamis.compute.mechanics.efficient.torque_components import component_names
from dynamis.compute.mechanics.mechanism import mechanism
from dynamis.model.link import Link
from dynamis.scalars.floats import number

STATE = (
    "inverse_dynamics", "mass_matrix", "coriolis_matrix", "coriolis_torque", "gravity_torque", "kinetic_energy",
    "potential_energy", "reactions", "link_motions", "link_poses",
)  # fmt: skip
"""What the page shows of a state."""
MOTION = ("torque_components", "parameter_torques", "bearing_loads")
"""What it shows of a motion, besides."""


@dataclass(frozen=True)
class LiveModel:
    """The inputs and the functions of a page."""

    inputs: Inputs
    moving: bool = False
    """Whether it is for a motion, too."""

    @cached_property
    def export(self) -> Export:
        """The functions; parameters, payload and gravity are arguments of them."""
        parameters = [x.name for x in self.inputs.parameters]
        functions = [*STATE, *(MOTION if self.moving else ())]
        return export(self.inputs.robot, "wasm", functions=functions, parameters=[*parameters, "gravity"])

    def data(self) -> dict[str, Any]:
        """What the scripts of the page read."""
        x, robot = self.inputs, self.inputs.robot
        m = mechanism(robot, robot.floats())
        tool = robot.tool
        return {
            "module": b64encode(module_bytes(self.export)).decode(), "first": STATES_OFFSET // 8,
            "functions": signatures(self.export),
            "sliders": {name: [asdict(s) for s in getattr(x, name)] for name in ("q", "qd", "qdd", "gravity")}
            | {"parameters": [asdict(s) for s in x.parameters]},
            "joints": [
                {"name": c.name, "revolute": c.revolute, "unit": "N m" if c.revolute else "N"}
                for c in robot.coordinates
            ],
            "links": [
                {"name": link.name, "moves": link.joint.moves, "revolute": link.joint.revolute,
                 "axis": [float(a) for a in body.k], "mass": self._mass(link)}
                for link, body in zip(robot.links, m.of_links(m.bodies), strict=True)
            ],
            "tool": tool.link if tool else "",
            "components": list(component_names(robot.n, "stiffness" in robot.force_terms)),
        }  # fmt: skip

    def _mass(self, link: Link) -> list[Any]:
        """Where the mass of a link is, for what is drawn: the slider of it, or its value."""
        names = [x.name for x in self.inputs.parameters]
        own = link.mass.name if isinstance(link.mass, Parameter) else f"{link.name}.mass"
        known = number(link.mass, self.inputs.robot.values) or 0.0
        return ["parameters", names.index(own)] if own in names else ["fixed", known]
