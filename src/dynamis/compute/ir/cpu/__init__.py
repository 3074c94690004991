"""Kernels for the processor that runs: several states in the lanes of a vector, an interpreter, calls of one state."""
