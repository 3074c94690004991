"""Coupled joints: a gripper whose second finger mirrors the first, and an arm whose hand stays level."""

import dynamis
from dynamis import Inertia, Joint, Link, Robot

# A gripper: one coordinate, two fingers. Torques, M and Jacobians are those of the coordinate.
left = Link("left", Joint("q1", "prismatic", (0, 1, 0)), mass="0.2")
right = Link("right", Joint("q2", "prismatic", (0, 1, 0), coupling={"q1": -1}, damping=3), mass="0.2")
gripper = Robot("gripper", (left, right))
print("coordinates:", [coordinate.name for coordinate in gripper.coordinates])
print("M:", gripper.mass_matrix([0.01]))
print("force to close with 0.1 m/s:", gripper.inverse_dynamics([0.01], [0.1], [0.0]))


# A planar arm with two belts that keep its hand level, in symbols: q3 = -q1 - q2.
def link(k: int, joint: Joint, parent: str) -> Link:
    return Link(f"link{k}", joint, parent, f"m{k}", (f"c{k}", 0, 0), Inertia.of(about="com", zz=f"I{k}"))


arm = Robot(
    "level hand",
    (
        link(1, Joint("q1"), "base"),
        link(2, Joint("q2", before="Tx(l1)"), "link1"),
        link(3, Joint("q3", before="Tx(l2)", coupling={"q1": -1, "q2": -1}), "link2"),
    ),
    gravity=(0, "-g", 0),
    parameters=dict.fromkeys(["m1", "m2", "m3", "c1", "c2", "c3", "I1", "I2", "I3", "l1", "l2", "g"], ""),
)
model = arm.equations()
print(model.text())
print("proved:", all(proof.holds for proof in model.prove()))

# A simulation of the gripper with a constant force.
run = dynamis.simulate(gripper, [0.0], control=[0.5], duration=0.2)
print("after 0.2 s the fingers are", 2 * run.q[-1, 0], "m apart")
