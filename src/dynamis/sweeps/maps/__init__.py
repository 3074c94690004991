"""Maps ready to use: torque, payload, reach and bearing loads over the workspace, tolerance bands of a torque budget."""
