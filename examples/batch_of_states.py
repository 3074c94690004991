"""A million torques, and how they change with the payload: the engine over a batch of states."""

import numpy as np

import dynamis

robot = dynamis.load("ur5").with_payload(3.0, com=(0, 0, 0.05))
random = np.random.default_rng(0)
q, qd, qdd = random.uniform(-1, 1, (3, 100_000, robot.n))

tau = robot.inverse_dynamics(q, qd, qdd)
peak = np.abs(tau).max(axis=0)
print("peak torque [N m]:", ", ".join(f"{joint.name} {x:.1f}" for joint, x in zip(robot.joints, peak, strict=True)))

# Forward dynamics undoes inverse dynamics.
print("largest error of qdd:", f"{np.abs(robot.forward_dynamics(q, qd, tau) - qdd).max():.0e}")

# The payload as an input of the program: nothing is compiled again.
torques = robot.compile("inverse_dynamics", parameters=["payload.mass"])
for mass in (0.0, 1.0, 5.0):
    peak = np.abs(torques(q, qd, qdd, [mass])).max(axis=0)
    print(f"payload {mass:.0f} kg: shoulder {peak[1]:.1f} N m, elbow {peak[2]:.1f} N m")

print(robot.cost("inverse_dynamics"))
