"""Poses, Jacobians, velocities and accelerations of bodies and of points on them."""
