"""What can be exported, by name: quantities, control laws, and steps of a simulation, each over any kind of scalars.

    inverse_dynamics                      a quantity of the registry
    jacobian:frame=elbow                  with its options
    pd-gravity                            a control law: torques from q, qd and the goal; its gains are arguments
    pd-gravity:kp=100:kd=20               the same with these gains
    operational-pd                        in the space of the tool: the goal, a position, is an argument too
    operational-pd:goal=pose              the goal is a pose, 4x4
    momentum-observer:inner=pd-gravity    an observer, with the law that it observes
    step                                  one step of the robot under motor torques
    step:control=pd-gravity               one step of the robot under a control law

A function runs on floats, where it is the reference for the test vectors, and on traced scalars, where it leaves the
program that is exported.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from dynamis.base.errors import ArgumentError, UnknownNameError, check_name
from dynamis.compute.mechanics.dynamics.missing_masses import check_masses
from dynamis.compute.mechanics.friction import SMOOTHING_SPEED, joint_directions
from dynamis.compute.mechanics.mechanism import mechanism, state_at
from dynamis.compute.program.program import Program, program
from dynamis.compute.program.quantity_program import GRAVITY, STATE_UNITS, flat, output_operand, shape_of, state_operand
from dynamis.compute.program.signature import Operand
from dynamis.compute.program.trace import Trace
from dynamis.compute.program.traced_scalars import TracedScalars
from dynamis.compute.quantities.registry import QUANTITIES, complete_options, quantity
from dynamis.compute.quantities.robot_at_state import RobotAtState
from dynamis.robot import Robot
from dynamis.scalars.floats import Floats
from dynamis.scalars.vectors import Vector
from dynamis.simulation.controllers.catalogue import CATALOGUE, ControllerEntry, controller
from dynamis.simulation.controllers.law import EFFORT, SPEED, Controller, Observation
from dynamis.simulation.controllers.operational_pd import OperationalPD
from dynamis.simulation.controllers.slotine_li import SlotineLi
from dynamis.simulation.loop.closed_loop import ClosedLoop
from dynamis.simulation.loop.equations import LoopEquations
from dynamis.simulation.loop.integrators import FIXED

Values = Mapping[str, list[Any]]
"""The entries of every input by its name."""
Outputs = list[tuple[str, str, Any]]
"""Name, unit as in `Quantity.units`, and a nested list of scalars."""
USUAL = ("inverse_dynamics", "forward_dynamics", "mass_matrix", "coriolis_matrix", "gravity_torque",
         "forward_kinematics", "jacobian")  # fmt: skip
"""What is exported where nobody chooses."""
STEP = "step"
POSE = "pose"
"""A goal of operational-pd: a pose that is an argument."""
ESTIMATE = "estimate"
"""What a law calls parameters, which are an input here."""
TURNS = ("kp_turn", "kd_turn")
GOAL = {"goal_q": "q", "goal_qd": "qd", "goal_qdd": "qdd"}


@dataclass(frozen=True)
class Arguments:
    """The robot, and what of it is an argument of all functions: parameters, gravity; with the robot's own values."""

    robot: Robot
    operands: tuple[Operand, ...] = ()
    nominal: Mapping[str, float | None] = field(default_factory=dict[str, "float | None"])

    def scalars(self, values: Values, trace: Trace | None) -> Any:
        """Floats, or traced scalars, with the arguments among `values` in place of the robot's own values."""
        inputs = {entry: values[x.name][k] for x in self.operands for k, entry in enumerate(x.entries)}
        given = {name: value for name, value in self.robot.values.items() if name not in inputs}
        floats = Floats(given, self.robot.name, {} if trace else inputs)
        return TracedScalars(floats, trace, inputs) if trace else floats

    def gravity(self, values: Values) -> Vector[Any] | None:
        return Vector(*values["gravity"]) if "gravity" in values else None


@dataclass(frozen=True)
class Function:
    """A function to export: its name, a line about it, its inputs, and how it is computed.

    `compute` takes the values of the inputs and a trace, or None for floats; on floats it is the plain reference.
    """

    name: str
    about: str
    inputs: tuple[Operand, ...]
    compute: Callable[[Values, Trace | None], Outputs]
    given: Arguments
    quantity: tuple[str, Mapping[str, str]] | None = None
    """Its name in the registry and its options, where it is a quantity."""

    def trace(self) -> Program:
        """The program; goals and parameters that it does not use are left out, q, qd, qdd and tau are kept."""
        trace = Trace()
        values = {x.name: [trace.input(f"{x.name}:{k}") for k in range(x.count)] for x in self.inputs}
        try:
            outputs = self.compute(values, trace)
        except ZeroDivisionError:
            raise ArgumentError(
                f'robot "{self.given.robot.name}" has no {self.name}: in every state it is divided by zero '
                "(a moving link without mass, inertia and rotor, or a Jacobian that is always singular)"
            ) from None
        operands = [(output_operand(self.given.robot, name, shape_of(x), unit), flat(x)) for name, unit, x in outputs]
        result = program(self.inputs, operands)
        used = {op[1].partition(":")[0] for op in result.operations if op[0] == "input"}
        kept = tuple(x for x in self.inputs if x.name in used or x.name in STATE_UNITS)
        return replace(result, signature=replace(result.signature, inputs=kept))


def function(request: str | Controller, given: Arguments) -> Function:
    """The function of a request, such as "jacobian:frame=elbow", or of a control law with its gains."""
    if isinstance(request, Controller):
        name = next((key for key, entry in CATALOGUE.items() if entry.kind is type(request)), type(request).__name__)
        return _law(name, request.check(given.robot), {}, given)
    name, *pairs = (part.strip() for part in str(request).split(":"))
    options: dict[str, str] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals:
            raise ArgumentError(
                f'"{pair}" in function "{request}" is not OPTION=VALUE, such as frame=tool', key="functions"
            )
        options[key.strip()] = value.strip()
    if name == STEP:
        return _step(options, given)
    if name in CATALOGUE:
        return _law(name, *_controller(name, options, given), given)
    if name not in QUANTITIES:
        raise UnknownNameError("function", name, names(), key="functions")
    return _quantity(name, options, given)


def _quantity(name: str, options: dict[str, str], given: Arguments) -> Function:
    robot = given.robot
    chosen = complete_options(robot, name, {key: x.replace("+", " ") for key, x in options.items()})
    entry = quantity(name, chosen)
    arguments = {entry for x in given.operands for entry in x.entries}
    check_masses(robot, entry.mass, {key: x for key, x in robot.values.items() if key not in arguments})

    def compute(values: Values, trace: Trace | None) -> Outputs:
        m = mechanism(robot, given.scalars(values, trace))
        state = state_at(m, values["q"], values.get("qd"), values.get("qdd"))
        x = RobotAtState(robot, m, state, values.get("tau", ()), given.gravity(values), fast=trace is not None)
        units = entry.units or ("",) * len(entry.outputs)
        return list(zip(entry.outputs, units, entry.of(x, **chosen), strict=True))

    inputs = (*(state_operand(robot, x) for x in entry.inputs), *given.operands)
    title, about = "_".join([name, *options.values()]), _first_line(getattr(Robot, name))
    return Function(title, about, inputs, compute, given, (name, chosen))


def _controller(name: str, options: Mapping[str, str], given: Arguments) -> tuple[Controller, dict[str, Operand]]:
    """The control law, and operands for its goal and gains that have no value yet."""
    robot, entry = given.robot, CATALOGUE[name]
    gains: dict[str, Any] = {key: _value(x) for key, x in options.items()}
    free: dict[str, Operand] = {}
    if "inner" in entry.gains:
        if "inner" not in options:
            raise ArgumentError(f"{name} needs the law that it observes: {name}:inner=pd-gravity", key="functions")
        check_name("controller", options["inner"], CATALOGUE, key="functions")
        of_inner = {key: x for key, x in options.items() if key not in entry.gains}
        gains = {key: x for key, x in gains.items() if key in entry.gains}
        gains["inner"], free = _controller(options["inner"], of_inner, given)
    start: dict[str, Any] = {}
    for key, operand, value in _unknown(entry, gains, robot):
        free[key], start[key] = operand, value
    law = controller(name, **{**gains, **start}).check(robot)
    if isinstance(law, SlotineLi) and law.base is not None and GRAVITY in given.operands:
        raise ArgumentError(f"{name} learns base parameters of one gravity; use {name}:parameters=all", key="functions")
    return law, free


def _unknown(
    entry: ControllerEntry, gains: Mapping[str, Any], robot: Robot
) -> Iterator[tuple[str, Operand, float | Sequence[Any]]]:
    """What of a law stays an argument, and a value for the time being: gains per joint, and those of the tool."""
    units = {**entry.gains, **entry.options}
    for key in entry.kind.joint_gains:
        if key in entry.gains and key not in gains:
            either = units[key].split(" or ")
            each = tuple(either[not x.revolute and len(either) > 1] for x in robot.coordinates)
            yield key, Operand(key, (robot.n,), tuple(x.name for x in robot.coordinates), each), 1.0
    if entry.kind is OperationalPD:
        if pose := gains.get("goal") == POSE:
            yield "goal", Operand("goal", (4, 4)), [[float(i == j) for j in range(4)] for i in range(4)]
        for key, unit in (("goal", "m"), ("kp", units["kp"]), ("kd", units["kd"])):
            if key not in gains:
                yield key, Operand(key, (3,), ("x", "y", "z"), (unit,) * 3), [1.0] * 3
        for key in TURNS if pose else ():
            if key not in gains:
                yield key, Operand(key, (1,), (key,), (units[key],)), 1.0


def _fill_law(law: Any, gains: Mapping[str, Operand], values: Values) -> Any:
    """The law with the values of its arguments."""
    own: dict[str, Any] = {key: tuple(values[key]) for key in gains if hasattr(law, key)}
    own |= {key: own[key][0] for key in TURNS if key in own}
    if "goal" in own and len(own["goal"]) == 16:
        own["goal"] = tuple(own["goal"][k : k + 4] for k in range(0, 16, 4))
    if hasattr(law, "inner"):
        own["inner"] = _fill_law(law.inner, gains, values)
    return replace(law, **own)


def _law(name: str, law: Controller, gains: dict[str, Operand], given: Arguments) -> Function:
    """A sampled control law: torques, its signals, and its memory for the next sample."""
    robot, model = given.robot, law.believed(given.robot)
    memory = len(law.start(model, [0.0] * robot.n, [0.0] * robot.n))

    def compute(values: Values, trace: Trace | None) -> Outputs:
        believed = given if model is robot else Arguments(model)
        m = mechanism(model, believed.scalars(values, trace))
        state = state_at(m, values["q"], values["qd"], sign=joint_directions(m, values["qd"], SMOOTHING_SPEED))
        x = RobotAtState(model, m, state, gravity=given.gravity(values), fast=trace is not None)
        own = _fill_law(law, gains, values)
        q_goal, qd_goal, qdd_goal = (values[key] for key in GOAL)
        z, (period,) = values.get("memory", []), values["period"]
        command = own.law(Observation(x, q_goal, qd_goal, qdd_goal, z, period, SMOOTHING_SPEED))
        after = command.after
        if after is None:
            after = [a + period * rate for a, rate in zip(z, command.rates, strict=True)]
        signals = [
            (ESTIMATE if key == "parameters" else key, _signal_unit(law, key), list(value))
            for key, value in command.signals.items()
        ]
        return [("tau", "tau", command.tau), *signals, *([("memory_after", "", after)] if memory else [])]

    inputs = _loop_inputs(robot, memory, gains, given)
    return Function(name, CATALOGUE[name].description if name in CATALOGUE else "a control law", inputs, compute, given)


def _step(options: dict[str, str], given: Arguments) -> Function:
    """One step of the robot under torques, or under a control law, whose goal is constant meanwhile."""
    robot, name = given.robot, options.pop("control", "")
    integrator = options.pop("integrator", "rk4")
    if integrator not in FIXED:
        raise UnknownNameError("fixed-step integrator", integrator, FIXED, key="functions")
    law: Controller | None = None
    gains: dict[str, Operand] = {}
    if name:
        if name not in CATALOGUE:
            raise UnknownNameError("controller", name, CATALOGUE, key="functions")
        law, gains = _controller(name, options, given)
        if law.sampled_only:
            raise ArgumentError(
                f"{name} controls in samples: export it beside a step of the robot alone", key="functions"
            )
    elif options:
        raise UnknownNameError("option", next(iter(options)), ("control", "integrator"), within=STEP, key="functions")
    memory = len(law.start(law.believed(robot), [0.0] * robot.n, [0.0] * robot.n)) if law else 0
    method = FIXED[integrator]

    def compute(values: Values, trace: Trace | None) -> Outputs:
        own = law and _fill_law(law, gains, values)
        loop = ClosedLoop(robot, own, memory, given.gravity(values), stiction_speed=SMOOTHING_SPEED)
        scalars = given.scalars(values, trace)
        system = LoopEquations(loop, trace, trace is not None, scalars.inputs)
        x = loop.state.join(q=values["q"], qd=values["qd"], memory=values.get("memory", []), held=[], work=[0.0] * 3)
        goal = {key: values.get(key, []) for key in GOAL}
        inputs = loop.inputs.join(torque=values.get("tau", []), **goal, loads=[], direction=[], payload=[])
        after = loop.state.split(method.step(system, x, values["h"][0], [inputs] * len(method.instants)))
        rest = [("memory_after", "", after["memory"])] if memory else []
        return [("q_after", "q", after["q"]), ("qd_after", "qd", after["qd"]), *rest]

    check_masses(robot, "every joint")
    inputs = _loop_inputs(robot, memory, gains, given)
    if law is None:
        inputs = (*(state_operand(robot, x) for x in ("q", "qd", "tau")), *given.operands)
    inputs = (*(x for x in inputs if x.name != "period"), Operand("h", (1,), ("h",), ("s",)))
    under = f"under {name}, towards a constant goal" if name else "under constant motor torques"
    title = "_".join([STEP, *([name] if name else []), *([integrator] if integrator != "rk4" else [])])
    return Function(title, f"q and qd after a step h ({integrator}) {under}", inputs, compute, given)


def _loop_inputs(robot: Robot, memory: int, gains: Mapping[str, Operand], given: Arguments) -> tuple[Operand, ...]:
    goal = [replace(state_operand(robot, key), name=name) for name, key in GOAL.items()]
    kept = [Operand("memory", (memory,))] if memory else []
    period = Operand("period", (1,), ("period",), ("s",))
    return (
        state_operand(robot, "q"),
        state_operand(robot, "qd"),
        *goal,
        *kept,
        period,
        *gains.values(),
        *given.operands,
    )


def _signal_unit(law: Controller, key: str) -> str:
    """As in `Quantity.units`."""
    unit = law.signal_units.get(key, "")
    return {EFFORT: "tau", SPEED: "qd", "1": ""}.get(unit, unit)


def _value(text: str) -> Any:
    """A number, several such as 100+50+20, or a name."""
    for value in (lambda: float(text), lambda: [float(x) for x in text.split("+")]):
        with suppress(ValueError):
            return value()
    return text


def _first_line(verb: Callable[..., Any]) -> str:
    """What a verb of `Robot` is, without shapes of batches: (..., n)."""
    return (verb.__doc__ or "").partition("\n")[0].partition(": (...")[0].rstrip(".")


def requests(text: str | Sequence[str | Controller] | None, robot: Robot) -> list[str | Controller]:
    """The requests of `a,b` or of a list; "all" is every quantity that needs no further names.

    Quantities of a frame need its name where a robot has no tool, as those with several arms; those of the operational
    space need their rows where there are fewer than six joints.
    """
    if isinstance(text, str):
        text = [x.strip() for x in text.split(",")]
    has_tool = robot.tool is not None or any(x.name == "tool" for x in (*robot.frames, *robot.links))
    needed = {"link", *(() if has_tool else ("frame",)), *(() if robot.n >= 6 else ("rows",))}
    every = [name for name, entry in QUANTITIES.items() if not needed & set(entry.options)]
    several = {"all": every, "usual": [name for name in USUAL if name in every]}
    asked = ("usual",) if text is None else text
    return [x for one in asked for x in several.get(one if isinstance(one, str) else "", [one]) if x]


def names() -> list[str]:
    """Every name of a function."""
    return [*QUANTITIES, STEP, *CATALOGUE]
