"""Closed loops for the tests of controllers: floats, compiled, and integrated by SciPy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

import dynamis
from dynamis import Robot
from dynamis.base.arrays import Array
from dynamis.base.expressions.parser import as_expression
from dynamis.simulation.controllers.law import Controller
from dynamis.simulation.loop.closed_loop import ClosedLoop, Sampling
from dynamis.simulation.loop.equations import LoopEquations
from dynamis.simulation.loop.programs import LoopPrograms


def heavier(robot: Robot, factor: float) -> Robot:
    """The robot with all masses (and inertias about the CoM as they were) times a factor."""
    return replace(robot, links=tuple(replace(link, mass=link.mass * as_expression(factor)) for link in robot.links))


def damped_2r() -> Robot:
    """A planar 2R arm in a vertical plane, with rotors and damping."""
    arm = dynamis.load("bar-2r")
    changed = tuple(
        replace(link, joint=replace(link.joint, damping=0.3, rotor_inertia=0.02, gear_ratio=2)) for link in arm.links
    )
    return replace(arm, links=changed)


class Bench:
    """A robot under a controller, from (q, qd); inputs are a goal's q, qd, qdd and the loads' values."""

    def __init__(self, robot: Robot, controller: Controller, q: Any, qd: Any, **more: Any) -> None:
        self.robot, self.controller = robot, controller.check(robot)
        q, qd = np.asarray(q, dtype=np.float64), np.asarray(qd, dtype=np.float64)
        self.memory = np.asarray(self.controller.start(robot, q, qd), dtype=np.float64).tolist()
        self.loop = ClosedLoop(robot, self.controller, len(self.memory), **more)
        self.programs = LoopPrograms(self.loop)
        self.x = np.array(self.loop.state.join(
            q=q.tolist(), qd=qd.tolist(), memory=self.memory,
            held=[0.0] * (robot.n if self.loop.sampling else 0), work=[0.0] * 3,
        ))  # fmt: skip

    def plain(self) -> LoopEquations:
        return LoopEquations(self.loop, fast=False)

    def inputs(self, q: Any, qd: Any = None, qdd: Any = None, loads: Any = ()) -> Array:
        """A row; dry friction slides as the joints move at the start."""
        zeros = np.zeros(self.robot.n)
        direction = np.sign(self.part(self.x, "qd")) if self.loop.dry else ()
        return np.concatenate([q, zeros if qd is None else qd, zeros if qdd is None else qdd, loads, direction])

    def run(
        self,
        inputs: Callable[[float], Array],
        duration: float,
        at: Any = None,
        tolerance: float = 1e-9,
        method: str = "DOP853",
    ) -> Any:
        """SciPy's solution of x' = rate(x, inputs(t))."""
        rate = self.programs.rate
        rate.ufunc()
        return solve_ivp(
            lambda t, x: rate(x, inputs(t)), (0.0, duration), self.x, method=method, t_eval=at, rtol=tolerance,
            atol=tolerance,
        )  # fmt: skip

    def sampled(self, inputs: Array, samples: int, steps: int = 2) -> list[Array]:
        """The states after each sample, the plant in between by Runge and Kutta's rule."""
        rate, sample = self.programs.rate, self.programs.sample
        rate.ufunc(), sample.ufunc()
        assert self.loop.sampling
        x, h, found = self.x, self.loop.sampling.period / steps, []
        for _ in range(samples):
            x = sample(x, inputs)
            found.append(x)
            for _ in range(steps):
                a = rate(x, inputs)
                b = rate(x + h / 2 * a, inputs)
                c = rate(x + h / 2 * b, inputs)
                x = x + h / 6 * (a + 2 * b + 2 * c + rate(x + h * c, inputs))
        return found

    def part(self, x: Any, name: str) -> Array:
        """A part of states (size, times)."""
        return np.array(self.loop.state.split(list(x))[name])

    def observed(self, x: Any, inputs: Array) -> dict[str, list[float]]:
        """The controller's signals, on floats."""
        return self.plain().observe(list(x), list(inputs))[1]


def smooth(t: float, n: int) -> tuple[Array, Array, Array]:
    """A goal that moves: q, qd, qdd of sines."""
    w, a = 1.0 + 0.3 * np.arange(n), 0.6
    return a * np.sin(w * t), a * w * np.cos(w * t), -a * w * w * np.sin(w * t)


__all__ = ["Bench", "Sampling", "damped_2r", "heavier", "smooth"]
