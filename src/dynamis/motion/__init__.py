"""Motions: inverse kinematics, trajectories, the torque budget."""
