"""PyTorch and JAX: programs with gradients of every order, on the CPU and on GPUs."""
