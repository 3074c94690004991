"""Bodies: solids, meshes and composites, their mass properties in numbers and in symbols."""

from __future__ import annotations

from dynamis.exact.derivations.bodies.exact_body import ExactBody as ExactBody
from dynamis.exact.derivations.bodies.exact_body import exact_body as exact_body
from dynamis.model.bodies.body import Body as Body
from dynamis.model.bodies.mass_properties import MassProperties as MassProperties
from dynamis.model.bodies.mass_properties import PrincipalAxes as PrincipalAxes
