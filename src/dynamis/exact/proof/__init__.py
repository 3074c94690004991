"""The laws of the equations of motion, each proved or refuted by a counterexample."""
