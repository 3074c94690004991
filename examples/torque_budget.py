"""What does it cost a Puma 560 to carry 2 kg around, and what should be made lighter?

Run: python examples/torque_budget.py
"""

import dynamis

robot = dynamis.load("puma560").with_payload(2.0, com=(0, 0, 0.1))
motion = dynamis.trajectories.double_s(
    [0, 0.3, -1.2, 0, 0, 0], [1.5, -0.6, 0.2, 0.5, 0.4, 0.0], velocity=2.0, acceleration=8.0, jerk=100.0
)
budget = dynamis.torque_budget(robot, motion)

print(f"{motion.duration:.2f} s\n")
print(budget.table("sizing"), end="\n\n")
print(budget.table("effects", decimals=1), end="\n\n")
print("\n".join(budget.sentences(2)))

budget.figure("torques").savefig("torques.png", dpi=200)
budget.to_csv("torques.csv")
