"""M, c, g, T and U of a robot in exact scalars; dynamic coefficients, base parameters, signs."""
