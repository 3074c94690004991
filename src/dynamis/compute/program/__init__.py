"""A quantity as a straight-line program: traced operations, named operands, no machine."""
