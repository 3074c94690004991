"""Task, simulation and state files."""
