"""Kernels for NVIDIA GPUs: one state per thread."""
