"""What the commands demo and inverse print."""
