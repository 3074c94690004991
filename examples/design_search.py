"""Which link lengths give a planar 3R arm much reach for little torque? The Pareto front of both, with a sweep inside.

The links are tubes, whose mass grows with their length; the motors of joints 2 and 3 are masses at the ends of the
links before them. A short arm needs little torque, a long one reaches far: the front is what can be had.

Run: python examples/design_search.py
"""

import dynamis
from dynamis import Joint, Link, Robot
from dynamis.sweeps import box

LENGTHS = ("l1", "l2", "l3")
names = {"rho": "mass of a tube per length [kg/m]", "m": "mass of a motor [kg]", "p": "payload [kg]"}
names |= {x: f"length of link {x[1]} [m]" for x in LENGTHS}
links = [
    Link(
        f"link{k}",
        Joint(f"q{k}", before=(f"l{k - 1}", 0, 0)) if k > 1 else Joint("q1"),
        parent=f"link{k - 1}" if k > 1 else "base",
        mass=f"rho*l{k} + {end}",
        com=(f"(rho*l{k}/2 + {end})*l{k}/(rho*l{k} + {end})", 0, 0),
    )
    for k, end in ((1, "m"), (2, "m"), (3, "p"))
]
arm = Robot("planar 3R", tuple(links), parameters=names, gravity=(0, -9.81, 0)).with_tool(("l3", 0, 0), "link3")
arm = arm.with_values(rho=4, m=2, p=1.5, l1=0.5, l2=0.4, l3=0.2)

found = dynamis.sweeps.design_search(
    arm,
    ["gravity_torque", "tool"],
    parameters={"l1": box(0.2, 0.8), "l2": box(0.2, 0.8), "l3": box(0.1, 0.4)},
    over={"q": box(-3.1416, 3.1416)},
    aims=("max tool.radius", "-peak gravity_torque.q1"),
    trials=2000,
)
print(f"{len(found.designs)} designs on the front, of {len(found.tried)} tried")
for k in range(0, len(found.designs), max(1, len(found.designs) // 6)):
    reach, torque = found.values[k]
    l1, l2, l3 = found.designs[k]
    print(f"reach {reach:.2f} m with {torque:5.1f} N m: l1 = {l1:.2f}, l2 = {l2:.2f}, l3 = {l3:.2f}")
