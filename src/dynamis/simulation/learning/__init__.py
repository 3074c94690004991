"""Iterative learning control (ILC): the torque of a motion from repeated trials."""
