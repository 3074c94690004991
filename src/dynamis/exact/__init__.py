"""The equations of motion in closed form: M, c, g, coefficients, base parameters, proofs."""
