"""One file is the symbolic and the numeric model: De Luca's 2R gets its numbers.

Run: python examples/symbolic_to_numbers.py
"""

import dynamis

arm = dynamis.load("deluca-2r")
print("no values yet for:", ", ".join(arm.missing_values))
try:
    arm.inverse_dynamics([0.1, 0.2])
except dynamis.errors.MissingValuesError as error:
    print("asking for numbers:", error)

arm = arm.with_values(l1=0.5, l2=0.4, d1=0.25, d2=0.2, m1=3, m2=2, I1=0.06, I2=0.03)
print("torques:", arm.inverse_dynamics([0.1, 0.2], [1, 2], [0, 0]).round(4), "N m")
print("Jacobian of the tool:\n", arm.jacobian([0.1, 0.2]).round(4))
