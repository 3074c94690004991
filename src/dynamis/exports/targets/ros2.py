"""ROS 2: a package with a plugin for `inverse_dynamics_solver::InverseDynamicsSolver` around the exported C.

Parameters that stay arguments are parameters of the node, read when the plugin is initialised.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from xml.sax.saxutils import escape

from dynamis.exports import words
from dynamis.exports.export import Export, ExportedFunction
from dynamis.exports.syntax import Names, comment
from dynamis.exports.targets import c
from dynamis.scalars.floats import number

VALUES = ("parameters", "gravity")
"""Arguments that are parameters of the node."""


def files(export: Export) -> dict[str, str | bytes]:
    """package.xml, CMakeLists.txt, plugins.xml, the solver, the C and its self-check."""
    name, package, code = export.name, package_name(export), c.files(export)
    joints = str(export.robot.n)
    fields = {"@NAME@": name, "@PACKAGE@": package, "@CLASS@": class_name(export), "@JOINTS@": joints}
    values = _values(export)

    def filled(text: str) -> str:
        for key, value in fields.items():
            text = text.replace(key, value)
        return text

    about = escape(comment(f"Inverse dynamics of {export.robot.name}, written by dynamis {export.origin.version}."))
    solver = filled(SOLVER).replace("@DECLARATIONS@", _declarations(values)).replace("@READ@", _reads(values))
    for verb in ("inverse_dynamics", "mass_matrix", "coriolis_torque", "gravity_torque"):
        solver = solver.replace(f"<{verb}>", _arguments(export, verb))
    return {
        "package.xml": filled(MANIFEST).replace("@ABOUT@", about),
        "CMakeLists.txt": filled(CMAKE),
        "plugins.xml": filled(PLUGINS).replace("@ABOUT@", about),
        f"include/{package}/solver.hpp": f"{c.block(words.head(export))}\n{solver}",
        "src/solver.cpp": filled(SOURCE),
        f"src/{name}.h": code[f"{name}.h"], f"src/{name}.c": code[f"{name}.c"],
        "test/check.c": code["check.c"],
        "Makefile": MAKEFILE.replace("@NAME@", name),
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
        Value(names(entry), key, place, _own(export, key, place, entry))
        for key, operand in operands.items()
        for place, entry in enumerate(operand.entries)
    ]


def _own(export: Export, argument: str, place: int, entry: str) -> float | None:
    if argument == "gravity":
        return number(export.robot.gravity[place], export.robot.values)
    return export.nominal.get(entry)


def _declarations(values: list[Value]) -> str:
    counts = Counter(x.argument for x in values)
    return "".join(f"\n  std::array<double, {n}> {key}_{{}};" for key, n in counts.items())


def _reads(values: list[Value]) -> str:
    return "".join(
        f'\n    {x.argument}_[{x.place}] = read("{x.name}", {"std::nullopt" if x.own is None else repr(float(x.own))});'
        for x in values
    )


MANIFEST = """<?xml version="1.0"?>
<package format="3">
  <name>@PACKAGE@</name>
  <version>1.0.0</version>
  <description>@ABOUT@</description>
  <maintainer email="you@example.com">you</maintainer>
  <license>0BSD</license>
  <buildtool_depend>ament_cmake</buildtool_depend>
  <depend>eigen</depend>
  <depend>inverse_dynamics_solver</depend>
  <depend>pluginlib</depend>
  <depend>rclcpp</depend>
  <export>
    <build_type>ament_cmake</build_type>
  </export>
</package>
"""
CMAKE = """cmake_minimum_required(VERSION 3.16)
project(@PACKAGE@ C CXX)

find_package(ament_cmake REQUIRED)
find_package(Eigen3 REQUIRED)
find_package(inverse_dynamics_solver REQUIRED)
find_package(pluginlib REQUIRED)
find_package(rclcpp REQUIRED)

add_library(@PACKAGE@ SHARED src/solver.cpp src/@NAME@.c)
target_compile_features(@PACKAGE@ PUBLIC c_std_99 cxx_std_17)
target_include_directories(@PACKAGE@ PRIVATE include src ${inverse_dynamics_solver_INCLUDE_DIRS})
target_link_libraries(@PACKAGE@ PRIVATE Eigen3::Eigen pluginlib::pluginlib rclcpp::rclcpp m)
pluginlib_export_plugin_description_file(inverse_dynamics_solver plugins.xml)

install(TARGETS @PACKAGE@ ARCHIVE DESTINATION lib LIBRARY DESTINATION lib RUNTIME DESTINATION bin)

if(BUILD_TESTING)
  add_executable(check test/check.c src/@NAME@.c)
  target_compile_features(check PRIVATE c_std_99)
  target_include_directories(check PRIVATE src)
  target_link_libraries(check PRIVATE m)
  add_test(NAME check COMMAND check)
endif()

ament_package()
"""
PLUGINS = """<library path="@PACKAGE@">
  <class name="@PACKAGE@/@CLASS@" type="@PACKAGE@::@CLASS@"
         base_class_type="inverse_dynamics_solver::InverseDynamicsSolver">
    <description>@ABOUT@</description>
  </class>
</library>
"""
SOLVER = """#pragma once

#include <array>
#include <optional>
#include <stdexcept>
#include <string>

#include <inverse_dynamics_solver/inverse_dynamics_solver.hpp>

#include "@NAME@.h"

namespace @PACKAGE@
{

/* Joints in the order of the C; SI units. Constant functions may run in several threads at once. */
class @CLASS@ : public inverse_dynamics_solver::InverseDynamicsSolver
{
public:
  using Vector = Eigen::VectorXd;

  /* The robot is that of the C: robot_description is not read. */
  void initialize(
    rclcpp::node_interfaces::NodeParametersInterface::ConstSharedPtr parameters_interface = nullptr,
    const std::string & param_namespace = "", const std::string & robot_description = "") override
  {
    (void)robot_description;
    const auto read = [&](const std::string & name, std::optional<double> own) {
        const std::string full = param_namespace.empty() ? name : param_namespace + "." + name;
        if (parameters_interface && parameters_interface->has_parameter(full)) {
          return parameters_interface->get_parameter(full).as_double();
        }
        if (!own) {throw std::runtime_error("@PACKAGE@ needs the parameter " + full);}
        return *own;
      };
    (void)read;@READ@
  }

  Eigen::MatrixXd getInertiaMatrix(const Vector & joint_positions) const override
  {
    const double * q = checked(joint_positions);
    double M[@JOINTS@ * @JOINTS@];
    <mass_matrix>M);
    Eigen::MatrixXd result(@JOINTS@, @JOINTS@);
    for (int i = 0; i < @JOINTS@; i++) {
      for (int j = 0; j < @JOINTS@; j++) {result(i, j) = M[@JOINTS@ * i + j];}
    }
    return result;
  }

  Vector getCoriolisVector(const Vector & joint_positions, const Vector & joint_velocities) const override
  {
    const double * q = checked(joint_positions);
    const double * qd = checked(joint_velocities);
    Vector result(@JOINTS@);
    <coriolis_torque>result.data());
    return result;
  }

  Vector getGravityVector(const Vector & joint_positions) const override
  {
    const double * q = checked(joint_positions);
    Vector result(@JOINTS@);
    <gravity_torque>result.data());
    return result;
  }

  /* Friction depends on velocities alone: what is left of the torques at q = 0. */
  Vector getFrictionVector(const Vector & joint_velocities) const override
  {
    const double * qd = checked(joint_velocities);
    const double q[@JOINTS@] = {}, qdd[@JOINTS@] = {};
    double c[@JOINTS@], g[@JOINTS@];
    Vector result(@JOINTS@);
    <inverse_dynamics>result.data());
    <coriolis_torque>c);
    <gravity_torque>g);
    for (int i = 0; i < @JOINTS@; i++) {result[i] -= c[i] + g[i];}
    return result;
  }

  /* Without friction, as the interface has it. */
  Vector getTorques(
    const Vector & joint_positions, const Vector & joint_velocities,
    const Vector & joint_accelerations) const override
  {
    const double * q = checked(joint_positions);
    const double * qd = checked(joint_velocities);
    const double * qdd = checked(joint_accelerations);
    const Vector friction = getFrictionVector(joint_velocities);
    Vector result(@JOINTS@);
    <inverse_dynamics>result.data());
    for (int i = 0; i < @JOINTS@; i++) {result[i] -= friction[i];}
    return result;
  }

private:
  static const double * checked(const Vector & values)
  {
    if (values.size() != @JOINTS@) {
      throw std::invalid_argument("@PACKAGE@ has @JOINTS@ joints, got " + std::to_string(values.size()) + " values");
    }
    return values.data();
  }
@DECLARATIONS@
};

}  // namespace @PACKAGE@
"""
SOURCE = """#include "@PACKAGE@/solver.hpp"

#include <pluginlib/class_list_macros.hpp>

PLUGINLIB_EXPORT_CLASS(@PACKAGE@::@CLASS@, inverse_dynamics_solver::InverseDynamicsSolver)
"""
MAKEFILE = """# make check: runs the self-check of the C, without ROS; colcon test runs it as well.
CFLAGS ?= -O2

check: src/@NAME@.c test/check.c
\t$(CC) -std=c99 -Wall -Wextra -Wpedantic -Werror $(CFLAGS) -Isrc -o check src/@NAME@.c test/check.c -lm
\t./check

.PHONY: check
"""
