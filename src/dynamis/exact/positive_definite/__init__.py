"""Is M positive definite for all q? A proof, a counterexample, or undecided."""
