"""Where in its workspace does a UR5 that carries 3 kg need the most torque, and how often more than its motors give?

A quarter of a million states are drawn, computed and reduced as they are made; nothing is stored but the map.
Run: python examples/torque_map.py
"""

import numpy as np

import dynamis

robot = dynamis.load("ur5").with_payload(3.0)
sweep = dynamis.sweep(
    robot,
    "inverse_dynamics",
    over={"q": dynamis.sweeps.box("limits"), "qd": dynamis.sweeps.box(2), "qdd": dynamis.sweeps.box(5)},
    draw=dynamis.sweeps.sobol(2**18),
    by={"r": ("tool.radius", 12), "z": ("tool.z", 12)},
    keep=["peak", "argpeak", dynamis.sweeps.exceeds("effort")],
)
print(sweep.explain())
ds = sweep.run()
print(sweep.report(ds).table("values"))

shoulder = ds["peak"].sel(value="q2")
worst = shoulder.where(shoulder == shoulder.max(), drop=True)
print(
    f"\njoint 2 needs {float(shoulder.max()):.0f} N m at r = {worst['r'].item():.2f} m, z = {worst['z'].item():.2f} m"
)
index = int(ds["argpeak"].sel(value="q2", r=worst["r"], z=worst["z"]).item())
print(f"in the state q = {np.round(sweep.state(index)['q'], 2)}")
