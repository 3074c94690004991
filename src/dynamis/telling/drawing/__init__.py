"""Drawings of a robot: its kinematic scheme, and the free body of a link."""
