"""The inertia of a link from simple bodies: in numbers, in letters, and in a robot."""

from dynamis import Body, Joint, Link, Robot
from dynamis.bodies import exact_body

RHO = 2710  # aluminium [kg/m^3]

# Two bored cubes at the ends of a rod; the second is turned by 45 degrees.
cube = Body.box([0.1, 0.1, 0.1], density=RHO)
head = (cube - Body.cylinder(0.01, 0.1, density=RHO)).named("head")
tail = (cube - Body.cylinder(0.025, 0.1, density=RHO)).named("tail")
rod = Body.cylinder(0.025, 0.7, density=RHO, axis="x").named("rod")
link = head.at("Tx(-0.4)") + rod + tail.at("Tx(0.4) Rx(pi/4)")

found = link.properties()
print(f"mass {found.mass:.4f} kg, CoM {found.com.round(4)} m")
print("inertia about the CoM [kg m^2]:")
print(found.inertia.round(6))
print("principal moments:", found.principal.moments.round(6))

# The same in letters: a rod with a ball at its end.
rod = Body.cylinder("r", "h", mass="m").at("Tz(h/2)")
print(exact_body(rod + Body.point("M").at("Tz(h)")).text())

# As a link of a robot.
mass, com, inertia = link.link_values()
lever = Link("lever", Joint("q1", "revolute", axis=[0, 1, 0]), mass=mass, com=com, inertia=inertia)
pendulum = Robot("pendulum", [lever])
print("gravity torque at 0:", pendulum.gravity_torque([0.0]))
