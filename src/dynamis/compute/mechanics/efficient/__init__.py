"""The algorithms that programs run: inverse and forward dynamics, matrices and derivatives in few operations."""
