"""Exports to ROS 2, without ROS: the solver is compiled and run against small stand-ins for what it includes."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import dynamis
from dynamis import Joint, Link, Robot
from tests.support.export_checks import hostile

STAND_INS = {
    "rclcpp.hpp": """
#pragma once
#include <map>
#include <memory>
#include <string>
namespace rclcpp {
struct Parameter { double value; double as_double() const { return value; } };
namespace node_interfaces {
struct NodeParametersInterface {
  using ConstSharedPtr = std::shared_ptr<const NodeParametersInterface>;
  std::map<std::string, double> values;
  bool has_parameter(const std::string & name) const { return values.count(name) > 0; }
  Parameter get_parameter(const std::string & name) const { return {values.at(name)}; }
};
}}
""",
    "Eigen.hpp": """
#pragma once
#include <cstddef>
#include <vector>
namespace Eigen {
struct VectorXd {
  std::vector<double> v;
  explicit VectorXd(int n) : v(static_cast<std::size_t>(n)) {}
  double * data() { return v.data(); }
  const double * data() const { return v.data(); }
  long size() const { return static_cast<long>(v.size()); }
  double & operator[](int i) { return v[static_cast<std::size_t>(i)]; }
  double operator[](int i) const { return v[static_cast<std::size_t>(i)]; }
};
struct MatrixXd {
  int columns;
  std::vector<double> v;
  MatrixXd(int n, int m) : columns(m), v(static_cast<std::size_t>(n * m)) {}
  double & operator()(int i, int j) { return v[static_cast<std::size_t>(i * columns + j)]; }
};
}
""",
    "inverse_dynamics_solver/inverse_dynamics_solver.hpp": """
#pragma once
#include "Eigen.hpp"
#include "rclcpp.hpp"
namespace inverse_dynamics_solver {
struct InverseDynamicsSolver {
  using V = Eigen::VectorXd;
  virtual ~InverseDynamicsSolver() {}
  virtual void initialize(rclcpp::node_interfaces::NodeParametersInterface::ConstSharedPtr = nullptr,
                          const std::string & = "", const std::string & = "") = 0;
  virtual Eigen::MatrixXd getInertiaMatrix(const V &) const = 0;
  virtual V getCoriolisVector(const V &, const V &) const = 0;
  virtual V getGravityVector(const V &) const = 0;
  virtual V getFrictionVector(const V &) const = 0;
  virtual V getTorques(const V &, const V &, const V &) const = 0;
};
}
""",
    "pluginlib/class_list_macros.hpp": """
#pragma once
#define PLUGINLIB_EXPORT_CLASS(kind, base) base * plugin() { return new kind; }
""",
}
MAIN = """
#include <cstdio>
#include <exception>
#include "inverse_dynamics_solver/inverse_dynamics_solver.hpp"
inverse_dynamics_solver::InverseDynamicsSolver * plugin();
int main() {
  auto node = std::make_shared<rclcpp::node_interfaces::NodeParametersInterface>();
  auto * solver = plugin();
  try { solver->initialize(node, "arm"); return 1; } catch (const std::exception & e) { std::puts(e.what()); }
  node->values["arm.m2"] = 3;
  node->values["arm.payload_mass"] = 0.5;
  solver->initialize(node, "arm");
  Eigen::VectorXd q(2), qd(2), qdd(2);
  q.v = {0.3, 0.4}; qd.v = {0.5, -0.6}; qdd.v = {0.7, 0.8};
  const auto show = [](const std::vector<double> & v) { for (double x : v) std::printf("%.17g ", x); std::puts(""); };
  show(solver->getInertiaMatrix(q).v);
  show(solver->getCoriolisVector(q, qd).v);
  show(solver->getGravityVector(q).v);
  show(solver->getFrictionVector(qd).v);
  show(solver->getTorques(q, qd, qdd).v);
  try { solver->getGravityVector(Eigen::VectorXd(3)); } catch (const std::exception & e) { std::puts(e.what()); }
  delete solver;
}
"""


def test_the_solver_computes_what_the_robot_does(tmp_path: Path) -> None:
    if shutil.which("g++") is None or shutil.which("gcc") is None:
        pytest.skip("gcc and g++ are not installed")
    upper = Link("upper", Joint("first", damping=0.1, coulomb=0.2), mass=2, com=(0.3, 0, 0))
    lower = Link("lower", Joint("second", before="Tx(0.5)", damping=0.3), "upper", "m2", (0.2, 0, 0))
    robot = Robot("My Arm", (upper, lower), gravity=(0, -9.81, 0), parameters={"m2": "kg"})
    out, stand_ins = tmp_path / "out", tmp_path / "stand_ins"
    dynamis.export(robot, "ros2", out, functions=["gravity_torque"], parameters=["m2", "payload", "gravity"])
    for name, text in STAND_INS.items():
        (stand_ins / name).parent.mkdir(parents=True, exist_ok=True)
        (stand_ins / name).write_text(text)
    (stand_ins / "main.cpp").write_text(MAIN)
    strict = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-I", f"{out}/src", "-I", f"{out}/include", "-I", "."]
    for command in (
        ["gcc", "-c", "-std=c99", *strict, f"{out}/src/My_Arm.c", "-o", "arm.o"],
        ["g++", "-std=c++17", *strict, "main.cpp", f"{out}/src/solver.cpp", "arm.o", "-lm", "-o", "main"],
    ):
        ran = subprocess.run(command, cwd=stand_ins, capture_output=True, text=True, timeout=60)
        assert ran.returncode == 0, ran.stderr[-2000:]
    ran = subprocess.run(["./main"], cwd=stand_ins, capture_output=True, text=True, timeout=60, check=True)
    missing, *lines, wrong = ran.stdout.splitlines()
    assert missing == "my_arm_inverse_dynamics needs the parameter arm.m2"
    assert wrong == "my_arm_inverse_dynamics has 2 joints, got 3 values"
    inertia, coriolis, gravity, friction, torques = (np.array(line.split(), float) for line in lines)
    loaded = robot.with_values(m2=3).with_payload("0.5")
    q, qd, qdd = np.array([0.3, 0.4]), np.array([0.5, -0.6]), np.array([0.7, 0.8])
    assert np.allclose(inertia.reshape(2, 2), loaded.mass_matrix(q), rtol=1e-12)
    assert np.allclose(coriolis, loaded.coriolis_torque(q, qd), rtol=1e-12)
    assert np.allclose(gravity, loaded.gravity_torque(q), rtol=1e-12)
    assert np.allclose(friction, [0.1 * 0.5 + 0.2, 0.3 * -0.6], rtol=1e-9)
    assert np.allclose(torques + friction, loaded.inverse_dynamics(q, qd, qdd), rtol=1e-12)


@pytest.mark.filterwarnings("ignore::dynamis.errors.UnphysicalWarning")
def test_the_package_is_well_formed() -> None:
    """Also for hostile names; plugin, library and class have the same names everywhere."""
    files = dynamis.export(hostile(), "ros2").files
    package = ElementTree.fromstring(str(files["package.xml"])).findtext("name")
    library = ElementTree.fromstring(str(files["plugins.xml"]))
    (plugin,) = library.iter("class")
    assert (library.get("path"), plugin.get("name")) == (package, f"{package}/ClassGrosseU65e5X{'x' * 40}Solver")
    assert f"PLUGINLIB_EXPORT_CLASS({plugin.get('type')}, {plugin.get('base_class_type')})" in str(
        files["src/solver.cpp"]
    )
    assert f"project({package} C CXX)" in str(files["CMakeLists.txt"])
    assert package == f"class_grosse_u65e5_{'x' * 41}_inverse_dynamics"
