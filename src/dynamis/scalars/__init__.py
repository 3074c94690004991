"""The kinds of numbers that an algorithm can run on, behind one contract: floats, fractions, exact polynomials."""
