"""From logs to models, and motions that excite what a log should tell."""

from __future__ import annotations

from dynamis.apps.identification.excitation.excite import excite as excite
from dynamis.apps.identification.excitation.result import ExcitingMotion as ExcitingMotion
from dynamis.apps.identification.identify import identify as identify
from dynamis.apps.identification.result import Identification as Identification
from dynamis.model.inertial_parameters import with_mass_error as with_mass_error
