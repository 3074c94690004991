"""Sweeps over millions of states: draws, ranges, reductions, maps, bounds, designs."""

from __future__ import annotations

from dynamis.apps.sweeps.bounds.bracket import Bracket as Bracket
from dynamis.apps.sweeps.bounds.bracket import Brackets as Brackets
from dynamis.apps.sweeps.bounds.bracket import bracket as bracket
from dynamis.apps.sweeps.draws.points import Draw as Draw
from dynamis.apps.sweeps.draws.points import grid as grid
from dynamis.apps.sweeps.draws.points import latin_hypercube as latin_hypercube
from dynamis.apps.sweeps.draws.points import lattice as lattice
from dynamis.apps.sweeps.draws.points import sobol as sobol
from dynamis.apps.sweeps.draws.samples import samples as samples
from dynamis.apps.sweeps.fronts import pareto as pareto
from dynamis.apps.sweeps.maps.kinds import bearing_map as bearing_map
from dynamis.apps.sweeps.maps.kinds import payload_map as payload_map
from dynamis.apps.sweeps.maps.kinds import reach_map as reach_map
from dynamis.apps.sweeps.maps.kinds import torque_map as torque_map
from dynamis.apps.sweeps.maps.tolerance_bands import ToleranceBands as ToleranceBands
from dynamis.apps.sweeps.maps.tolerance_bands import tolerance_bands as tolerance_bands
from dynamis.apps.sweeps.maps.workspace_map import WorkspaceMap as WorkspaceMap
from dynamis.apps.sweeps.ranges import box as box
from dynamis.apps.sweeps.ranges import correlated as correlated
from dynamis.apps.sweeps.ranges import normal as normal
from dynamis.apps.sweeps.ranges import triangular as triangular
from dynamis.apps.sweeps.reductions import exceeds as exceeds
from dynamis.apps.sweeps.reductions import histogram as histogram
from dynamis.apps.sweeps.reductions import quantile as quantile
from dynamis.apps.sweeps.search.design_search import DesignFront as DesignFront
from dynamis.apps.sweeps.search.design_search import design_search as design_search
from dynamis.apps.sweeps.sweep import Sweep as Sweep
from dynamis.apps.sweeps.sweep import sweep as sweep
