"""Step-by-step derivations, as documents."""
