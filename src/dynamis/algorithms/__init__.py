"""Each algorithm once, over any scalar: run on floats, on polynomials, on CasADi expressions."""
