"""The exact world: closed-form equations over a ring of polynomials, where equality is proved."""
