"""ROS 2: a package with a plugin for `inverse_dynamics_solver::InverseDynamicsSolver` around the exported C.

Parameters that stay arguments are parameters of the node, read when the plugin is initialised.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from xml.sax.saxutils import escape

from dynamis.apps.exports import words
from dynamis.apps.exports.exported import Export, ExportedFunction, own_values
from dynamis.apps.exports.syntax import Names, comment
from dynamis.apps.exports.target import SOLVER
from dynamis.apps.exports.targets import c
from dynamis.apps.exports.template import fill_template

VALUES = ("parameters", "gravity")
"""Arguments that are parameters of the node."""


def files(export: Export) -> dict[str, str | bytes]:
    """package.xml, CMakeLists.txt, plugins.xml, the solver, the C and its self-check."""
    name, package, code, values = export.name, package_name(export), c.files(export), _values(export)
    about = escape(comment(f"Inverse dynamics of {export.robot.name}, written by dynamis {export.origin.version}."))
    fields = {
        "NAME": name, "PACKAGE": package, "CLASS": class_name(export), "JOINTS": str(export.robot.n), "ABOUT": about,
        "HEAD": c.block(words.head(export)), "DECLARATIONS": _declarations(values), "READ": _reads(values),
        **{verb.upper(): _arguments(export, verb) for verb in SOLVER},
    }  # fmt: skip
    places = {
        "package.xml": "package.xml", "CMakeLists.txt": "CMakeLists.txt", "plugins.xml": "plugins.xml",
        "solver.hpp": f"include/{package}/solver.hpp", "solver.cpp": "src/solver.cpp", "Makefile": "Makefile",
    }  # fmt: skip
    return {
        **{place: fill_template(f"ros2/{text}.in", **fields) for text, place in places.items()},
        f"src/{name}.h": code[f"{name}.h"], f"src/{name}.c": code[f"{name}.c"], "test/check.c": code["check.c"],
    }  # fmt: skip


def usage(export: Export) -> str:
    """How to build the package, and a controller's lines that load the plugin."""
    package, name = package_name(export), class_name(export)
    parameters = [f"//   {x.name}: {'required' if x.own is None else repr(x.own)}" for x in _values(export)]
    listed = ["// Parameters of the node, in the namespace that initialize takes:", *parameters] if parameters else []
    return "\n".join([
        f"# put this folder into the src of a workspace:\ncolcon build --packages-select {package}\n",
        "// C++",
        "pluginlib::ClassLoader<inverse_dynamics_solver::InverseDynamicsSolver> loader(",
        '    "inverse_dynamics_solver", "inverse_dynamics_solver::InverseDynamicsSolver");',
        f'auto solver = loader.createSharedInstance("{package}/{name}");',
        'solver->initialize(node->get_node_parameters_interface(), "solver");',
        "Eigen::VectorXd tau = solver->getTorques(q, qd, qdd) + solver->getFrictionVector(qd);",
        *listed,
    ])  # fmt: skip


def package_name(export: Export) -> str:
    """Of the package: lower case, as ROS wants it."""
    return f"{export.name.lower()}_inverse_dynamics"


def class_name(export: Export) -> str:
    """Ur5Solver for ur5."""
    return "".join(part[:1].upper() + part[1:] for part in export.name.split("_")) + "Solver"


def _function(export: Export, verb: str) -> ExportedFunction:
    return next(x for x in export.functions if x.source.quantity and x.source.quantity[0] == verb)


def _arguments(export: Export, verb: str) -> str:
    """`ur5_gravity_torque(q, ` with what stays an argument, before the result."""
    function = _function(export, verb)
    given = [f"{x.name}_.data()" if x.name in VALUES else x.name for x in function.inputs]
    return f"{export.name}_{function.name}({', '.join(given)}, "


@dataclass(frozen=True)
class Value:
    """A parameter of the node, the entry of an argument of the C, and the robot's own value."""

    name: str
    argument: str
    place: int
    own: float | None


def _values(export: Export) -> list[Value]:
    operands = {x.name: x for f in export.functions for x in f.inputs if x.name in VALUES}
    names = Names()
    return [
        Value(names(entry), key, place, own)
        for key, operand in operands.items()
        for place, (entry, own) in enumerate(zip(operand.entries, own_values(export, operand), strict=True))
    ]


def _declarations(values: list[Value]) -> str:
    counts = Counter(x.argument for x in values)
    return "".join(f"\n  std::array<double, {n}> {key}_{{}};" for key, n in counts.items())


def _reads(values: list[Value]) -> str:
    return "".join(
        f'\n    {x.argument}_[{x.place}] = read("{x.name}", {"std::nullopt" if x.own is None else repr(float(x.own))});'
        for x in values
    )
