"""What can be asked of a robot, by name: the registry, the plain reference, and the results."""
