"""Maps ready to use: torque, payload, reach and bearing loads over the workspace, bands of a torque budget."""
