"""Exciting trajectories: periodic motions within limits whose torques tell the parameters of a robot best."""
