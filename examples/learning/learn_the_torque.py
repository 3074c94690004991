"""How does an arm find the torques of its motion when its model is 20 % too heavy?

Run: python examples/learning/learn_the_torque.py
"""

import dynamis

arm = dynamis.load("bar-2r")
model = dynamis.identification.with_mass_error(arm, 20)
motion = dynamis.trajectories.quintic([-1.47, 2.94], [-0.45, 0.9], 2.0)

found = dynamis.learn(arm, motion, model=model, period=2e-3, trials=12)
print(found.table(), end="\n\n")
print("\n".join(found.sentences()))

# The learned torque alone, without the PD loop, takes the arm to its goal.
run = dynamis.simulate(arm, *motion.at(0.0)[:2], control=found.torque, duration=2.0, period=2e-3, step=2e-3)
print(f"\nwithout feedback the arm ends {abs(run.q[-1] - motion.at(2.0)[0]).max():.1e} rad from its goal")

found.figure("errors").savefig("errors.png", dpi=200)
found.to_csv("torque.csv")
