"""Polynomials over the rationals with sines, cosines and roots in normal form: equality is proved by ==."""
