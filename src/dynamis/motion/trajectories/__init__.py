"""Joint trajectories: polynomials, splines, trapezoidal (LSPB) and double-S profiles, samples."""
