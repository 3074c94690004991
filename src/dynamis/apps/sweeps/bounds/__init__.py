"""Certified bounds: what a value cannot exceed anywhere in a box, by interval arithmetic and branch and bound."""
