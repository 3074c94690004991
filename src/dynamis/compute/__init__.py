"""The compute spine: algorithms, quantities, programs, and the backends that run them."""
