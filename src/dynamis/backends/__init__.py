"""What turns programs into functions of arrays."""
