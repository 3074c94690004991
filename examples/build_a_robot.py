"""A robot written in Python: a slider that carries a pendulum, with symbols, then with numbers.

Run: python examples/build_a_robot.py
"""

import dynamis
from dynamis import Inertia, Joint, Link, Robot

cart = Link("cart", Joint("x", "prismatic", axis=(1, 0, 0), damping="b"), mass="M")
rod = Link(
    "rod",
    Joint("theta", "continuous", axis=(0, 1, 0)),
    parent="cart",
    mass="m",
    com=(0, 0, "-l/2"),
    inertia=Inertia.of(xx="m*l^2/12", yy="m*l^2/12"),
)
names = {
    "M": "mass of the cart [kg]",
    "m": "mass of the rod [kg]",
    "l": "length of the rod [m]",
    "b": "damping [N s/m]",
}
crane = Robot("crane", (cart, rod), parameters=names)
print(crane, "\n")

crane = crane.with_values(M=10, m=2, l=1.5, b=4)
tau = crane.inverse_dynamics(q=[0, 0.3], qd=[1, 0], qdd=[0.5, 0])
print("force of the drive and torque at the hinge:", tau.round(3))
dynamis.save(crane, "crane.toml")
print("crane.toml computes the same:", dynamis.load("crane.toml").inverse_dynamics([0, 0.3], [1, 0], [0.5, 0]).round(3))
