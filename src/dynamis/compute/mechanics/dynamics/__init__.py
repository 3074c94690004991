"""The textbook's algorithms: Newton-Euler, the mass matrix from Jacobians, energy, regressor, reactions, loads."""
