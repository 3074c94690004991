"""Trajectories, inverse kinematics, tool paths, shortest times and torque budgets."""
