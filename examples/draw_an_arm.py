"""Drawings: the scheme of an arm of one's own, what loads it, and the free body of a link."""

import dynamis
from dynamis import Force, Joint, Link, Robot

# A column that turns, a boom that slides out of it, a hand that turns on the boom.
column = Link("column", Joint("q1", before="Tz(0.2)"), mass=8, com=(0, 0, 0.15))
boom = Link("boom", Joint("q2", "prismatic", (1, 0, 0), before="Tz(0.3)"), "column", mass=3, com=(-0.2, 0, 0))
hand = Link("hand", Joint("q3", axis=(1, 0, 0), before="Tx(0.1)"), "boom", mass=0.5, com=(0.05, 0, 0))
arm = Robot("boom arm", (column, boom, hand)).with_tool("Tx(0.12)")

# Its scheme in a pose that shows it well, and at a state with a weight in the hand and all reactions.
scheme = arm.draw()
scheme.save("scheme.svg")
print(scheme.caption)
load = Force("hand", (0, 0, -20), point=(0.12, 0, 0))
arm.draw([0.5, 0.4, 0.0], loads=[load], reactions=True, frames=False).save("loads.tikz")

# The five groups of forces on the boom while it brakes: in the picture, and as a table.
body = arm.free_body("boom", [0.5, 0.4, 0.0], [1.0, 0.5, 0.0], [0.0, -2.0, 0.0], loads=[load])
body.save("boom.svg")
print(body)

# Symbols need no numbers: the caption says with which ones they are drawn.
print(dynamis.load("niryo-one").draw().caption)
