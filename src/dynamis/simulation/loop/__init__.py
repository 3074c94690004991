"""The closed loop as equations: robot, control law, inputs, integrators."""
