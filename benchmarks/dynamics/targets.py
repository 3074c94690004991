"""What was to be reached, on one thread, with a batch of 1e5 states in float64; and whether it was."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

ROBOTS = ("puma560", "ur5", "panda")
PINOCCHIO = {
    "inverse_dynamics": 30, "forward_dynamics": 20, "mass_matrix": 20, "gravity_torque": 30,
    "inverse_dynamics_derivatives": 8,
}  # fmt: skip
CASADI_C = {"inverse_dynamics": 6, "forward_dynamics": 4, "mass_matrix": 4, "inverse_dynamics_derivatives": 3}
LIMIT = {
    "inverse_dynamics": 1.25, "forward_dynamics": 1.3, "mass_matrix": 1.6, "inverse_dynamics_derivatives": 2,
    "regressor": 1.5,
}  # fmt: skip
"""At most so many times the limit of the same row."""
SINGLE, TWO_THREADS, ONE_CALL = 1.6, 1.8, 0.6
OF_DYNAMIS = ("inverse_dynamics", "forward_dynamics")


@dataclass(frozen=True)
class Target:
    """A ratio that was wanted: at least `wanted`, or at most if `at_most`."""

    robot: str
    quantity: str
    what: str
    wanted: float
    found: float
    at_most: bool = False

    @property
    def reached(self) -> bool:
        return self.found <= self.wanted if self.at_most else self.found >= self.wanted

    def as_json(self) -> dict[str, Any]:
        return {**self.__dict__, "reached": self.reached}


def targets(rows: list[dict[str, Any]]) -> list[Target]:
    """Every target that the rows can tell about."""
    return [target for row in rows if row["robot"] in ROBOTS for target in _of_row(row)]


def _of_row(row: dict[str, Any]) -> list[Target]:
    robot, quantity = row["robot"], row["quantity"]
    ns = {name: cell["ns"] for name, cell in row["cells"].items()}
    ratios: list[Target] = []

    def add(what: str, bound: float, above: str, below: str, at_most: bool = False) -> None:
        if above in ns and below in ns:
            ratios.append(Target(robot, quantity, what, bound, ns[above] / ns[below], at_most))

    if "dynamis" not in ns:
        return []
    if quantity in LIMIT and row.get("limit"):
        found = ns["dynamis"] / row["limit"]["ns"]
        ratios.append(Target(robot, quantity, "limit", LIMIT[quantity], found, at_most=True))
    if quantity in PINOCCHIO:
        column = "Pinocchio batch" if "Pinocchio batch" in ns else "Pinocchio call"
        add(column, PINOCCHIO[quantity], column, "dynamis")
    if quantity in CASADI_C:
        add("CasADi C", CASADI_C[quantity], "CasADi C", "dynamis")
        add("CasADi C textbook", CASADI_C[quantity], "CasADi C textbook", "dynamis")
    if quantity in OF_DYNAMIS:
        add("float32", SINGLE, "dynamis", "dynamis float32")
        add("2 threads", TWO_THREADS, "dynamis", "dynamis 2 threads")
        if row["joints"] == 6:
            add("one call to Pinocchio's", ONE_CALL, "dynamis one call", "Pinocchio call", at_most=True)
    return ratios
