"""A loop as compiled functions: its rates, a sample, a whole step, and what is recorded."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import fields
from functools import cached_property
from typing import Any

from dynamis.base.errors import ArgumentError
from dynamis.compute.backends.backend import ArrayFunction, ArrayLoop
from dynamis.compute.program.program import Program, program
from dynamis.compute.program.runge_kutta import RungeKutta
from dynamis.compute.program.signature import Operand
from dynamis.compute.program.trace import Trace
from dynamis.simulation.loop.closed_loop import ClosedLoop, VectorLayout
from dynamis.simulation.loop.equations import LoopEquations
from dynamis.simulation.loop.integrators import FIXED

Values = list[Any]
MOST_LOOPS = 16
"""Loops of a robot whose programs are kept for the next run."""
Outputs = Callable[[LoopEquations, Values, Values], Sequence[tuple[str, Values]]]


class LoopPrograms:
    """The compiled functions of a loop, each made when it is first asked for."""

    def __init__(self, loop: ClosedLoop) -> None:
        self.loop = loop
        self._steps: dict[str, ArrayLoop] = {}

    @cached_property
    def rate(self) -> ArrayFunction:
        """(x, inputs) -> dx/dt"""
        return self._function("rate", self._program(self.loop.inputs.size, lambda s, x, u: [("rate", s.rate(x, u))]))

    @cached_property
    def sample(self) -> ArrayFunction:
        """(x, inputs of a sample) -> x with the torque that is held from now on"""
        size = self.loop.sample_inputs.size
        return self._function("sample", self._program(size, lambda s, x, u: [("x", s.sample(x, u))]))

    @cached_property
    def observe(self) -> ArrayFunction:
        """(x, inputs) -> torques, accelerations, energies, and the controller's signals in the order of `signals`"""

        def outputs(system: LoopEquations, x: Values, inputs: Values) -> list[tuple[str, Values]]:
            tau, signals, qdd, energies = system.observe(x, inputs)
            self.signals.update((name, len(values)) for name, values in signals.items())
            return [("tau", tau), ("qdd", qdd), ("energies", energies), *signals.items()]

        self.signals: dict[str, int] = {}
        return self._function("observe", self._program(self.loop.inputs.size, outputs))

    def step(self, integrator: str, watched: bool = False) -> ArrayLoop:
        """(x, inputs of steps) -> x; `step_layout` gives the parts of the inputs of a step.

        Where the stops are `watched`, x has one more entry: how far any joint may have come beyond one.
        """
        name = f"{integrator} with stops" if watched else integrator
        if name not in self._steps:
            method, layout = FIXED[integrator], self.step_layout(integrator)

            def outputs(system: LoopEquations, x: Values, inputs: Values) -> list[tuple[str, Values]]:
                parts, x, seen = layout.split(inputs), x[: self.loop.state.size], x[self.loop.state.size :]
                if self.loop.sampling:
                    after = system.sample(x, parts["sample"])
                    (now,) = parts["now"]
                    x = [a if a is b else now * b + (1.0 - now) * a for a, b in zip(x, after, strict=True)]
                at_instants = [parts[f"instant{k}"] for k in range(len(method.instants))]
                h = parts["h"][0]
                x = method.step(system, x, h, at_instants)
                return [("x", [*x, *(system.nearest_stop(x, h, most) for most in seen)])]

            program = self._program(layout.size, outputs, more=int(watched))
            stages = None if self.loop.sampling or watched else self.stages(integrator)
            self._steps[name] = self.loop.robot.engine.backend.loop(name, program, stages)
        return self._steps[name]

    def stages(self, integrator: str) -> RungeKutta | None:
        """A step by its stages, where the method has them."""
        stages = FIXED[integrator].stages
        if not stages:
            return None
        instants, weights, ahead = zip(*stages, strict=True)
        return RungeKutta(self.rate.program, self.loop.inputs.size, instants, weights, ahead)

    def step_layout(self, integrator: str) -> VectorLayout:
        """The inputs of a step: h; whether a sample is taken (1 or 0) and its inputs; those of each instant."""
        sampled = self.loop.sampling is not None
        sample = (("now", 1), ("sample", self.loop.sample_inputs.size)) if sampled else ()
        instants = ((f"instant{k}", self.loop.inputs.size) for k in range(len(FIXED[integrator].instants)))
        return VectorLayout((("h", 1), *sample, *instants))

    def _program(self, size: int, outputs: Outputs, more: int = 0) -> Program:
        """A program of x, with `more` entries, and `size` inputs (one that is not used, if there are none)."""
        trace = Trace()
        x = [trace.input(f"x:{k}") for k in range(self.loop.state.size + more)]
        inputs = [trace.input(f"inputs:{k}") for k in range(size)]
        system = LoopEquations(self.loop, trace)
        try:
            results = outputs(system, x, inputs)
        except ZeroDivisionError:
            raise ArgumentError(
                f'robot "{self.loop.robot.name}" has no forward dynamics: in every state it is divided by zero '
                "(a moving link without mass, inertia and rotor)"
            ) from None
        operands = (Operand("x", (len(x),)), Operand("inputs", (max(1, size),)))
        return program(operands, [(Operand(name, (len(values),)), values) for name, values in results])

    def _function(self, name: str, program: Program) -> ArrayFunction:
        return self.loop.robot.engine.backend.function(name, program, "loop")


def programs_of(loop: ClosedLoop) -> LoopPrograms:
    """The programs of a loop, those of an earlier run if it was of the same robot with the same control."""
    key = _key(loop)
    if key is None:
        return LoopPrograms(loop)
    by_loop = loop.robot.memo("simulation", OrderedDict[Hashable, LoopPrograms])
    programs = by_loop[key] = by_loop.pop(key, None) or LoopPrograms(loop)
    while len(by_loop) > MOST_LOOPS:
        by_loop.popitem(last=False)
    return programs


def _key(loop: ClosedLoop) -> Hashable | None:
    """All that the programs depend on besides the robot; None where something in it cannot be compared."""
    controller: list[Any] = []
    if loop.controller is not None:
        controller = [type(loop.controller), *(getattr(loop.controller, x.name) for x in fields(loop.controller))]
    sampling = loop.sampling and (loop.sampling.period, loop.sampling.resolution, any(loop.sampling.noise))
    key = (
        tuple(controller), loop.memory, loop.gravity, loop.loads, loop.load_names, loop.stiction_speed,
        loop.limit, sampling, loop.payload,
    )  # fmt: skip
    try:
        hash(key)
    except TypeError:
        return None
    return key
