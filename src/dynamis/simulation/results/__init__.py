"""What a simulation found, and how far it can be trusted."""
