"""One state of an arm, in numbers: matrices, energies, operational space, and tau = Y pi."""

import numpy as np

import dynamis

arm = dynamis.load("bar-2r")
q, qd, qdd = [0.3, 1.2], [0.5, -0.4], [1.0, 2.0]
state = dynamis.robot_state(arm, q, qd, qdd, only="tau M C c g T U J frame Lambda mu p Y pi", rows="x y")
print(state)

# What the parts say of each other.
M, C, g, tau = (state[name] for name in ("M", "C", "g", "tau"))
assert np.allclose(M @ qdd + C @ qd + g, tau)
assert np.allclose(state["Y"] @ state["pi"], tau)
xdd = state["frame"].acceleration[:2]
F = arm.consistent_inverse(q, rows="x y").T @ tau
assert np.allclose(F, state["Lambda"] @ xdd + state["mu"] + state["p"])
