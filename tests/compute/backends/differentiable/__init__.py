"""Programs in PyTorch and JAX."""
