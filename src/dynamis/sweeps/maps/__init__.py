"""Maps ready to use: torque, payload, reach with a wrench and bearing loads over the workspace, bands of a torque budget."""
