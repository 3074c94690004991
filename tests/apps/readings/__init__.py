"""The readings of the five documents."""
