"""An arm falls, is held by two controllers, and a thousand of them are simulated at once.

python examples/simulate_an_arm.py
"""

import numpy as np

import dynamis

arm = dynamis.load("bar-2r")

falls = dynamis.simulate(arm, [0.5, 0.3], duration=3, check=True)
print("\n".join(falls.sentences()), end="\n\n")

# Without gravity compensation an error stays: K_P e = g. With it, none does.
goal = [1.0, 0.5]
for law in (dynamis.controllers.PD(60, 20), dynamis.controllers.PDGravity(60, 20)):
    run = dynamis.simulate(arm, [0.5, 0.3], control=law, goal=goal, duration=4)
    print(f"{run.control}: {np.abs(run.q[-1] - goal).max():.2g} rad from the goal after {run.duration:g} s")
    for condition in law.check(arm).conditions(arm, goal):
        print(f"    {condition}")

# The whole loop as one compiled function: from which of these starts does a weak motor still get there?
starts = np.random.default_rng(1).uniform(-np.pi, np.pi, (1000, 2))
found = dynamis.rollouts(
    arm, starts, control=dynamis.controllers.PDGravity(60, 20), goal=goal, duration=4, step=1e-3, torque_limit=[9, 3]
)
near = np.abs(found.q - goal).max(axis=1) < 0.01
print(f"\n{found}\n{near.mean():.0%} of them are at the goal")
