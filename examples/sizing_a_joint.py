"""Which torque and which bearing load must the shoulder of a Puma 560 carry?

The arm lifts 2 kg at full reach and is pushed sideways at the tool. Run: python examples/sizing_a_joint.py
"""

import numpy as np

import dynamis

robot = dynamis.load("puma560").with_payload(2.0, com=(0, 0, 0.1))
push = dynamis.ToolWrench("exerted_by_environment", force=(0, 20, 0))

# The shoulder swings through a quarter turn with the arm stretched out.
shoulder = np.linspace(0, np.pi / 2, 91)
q = np.zeros((91, robot.n))
q[:, 1] = shoulder
q[:, 2] = -np.pi / 2
qdd = np.zeros(robot.n)
qdd[1] = 2.0

found = robot.reactions(q, qdd=qdd, loads=[push])
worst = int(np.abs(found.tau[:, 1]).argmax())
bearing = np.linalg.norm(found.force[:, 1], axis=-1)

print(f"largest torque of joint 2: {found.tau[worst, 1]:.2f} N m at q2 = {np.degrees(shoulder[worst]):.0f} deg")
print(f"largest force on its bearing: {bearing.max():.2f} N\n")
print(found.at(worst))
