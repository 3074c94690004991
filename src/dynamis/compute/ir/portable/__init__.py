"""Functions for processors that are not this one: scalars, no library."""
