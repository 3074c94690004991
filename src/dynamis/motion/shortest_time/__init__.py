"""The fastest motion along a path within torque limits (TOPP-RA)."""
