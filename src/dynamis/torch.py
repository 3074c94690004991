"""PyTorch: robots whose verbs take and give tensors, on the CPU and on GPUs, with gradients of every order.

    import dynamis.torch

    robot = dynamis.torch.load("panda")
    tau = robot.inverse_dynamics(q, qd, qdd)   # tensors (..., 7) in, a tensor out; tau.sum().backward() works

A robot that is there already becomes one of these by `robot.on("torch")`. PyTorch is imported when it is asked for.
"""

from __future__ import annotations

from pathlib import Path

from dynamis import library
from dynamis.robot import Robot


def load(name: str | Path) -> Robot:
    """A robot on PyTorch: the name of a shipped one, or the path of a .toml or .urdf file."""
    return library.load(name).on("torch")
