"""Time and memory are kept, whatever the robot: every operation is estimated, and large ones go in parts."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

import dynamis
from dynamis.base.errors import MemoryLimitError
from dynamis.errors import ArgumentError, TimeLimitError
from dynamis.exact.derive import derive_only
from dynamis.scalars.exact import products, ring
from dynamis.scalars.exact.limits import MIN_CHARGED_TERMS, Deadline, Memory, size_of
from dynamis.scalars.exact.ring import Exact, Ring
from dynamis.telling.renderers.page import render
from tests.support.limited import limited, long_sum, robot_file
from tests.support.rings import ring as parameters_and_angles


def decimal_chain(joints: int, seed: int) -> str:
    """A URDF of a chain with decimals in the place of every number."""
    random = Random(seed)

    def some(count: int, low: float, high: float) -> str:
        return " ".join(f"{random.uniform(low, high):.6f}" for _ in range(count))

    def origin() -> str:
        return f'<origin xyz="{some(3, -1, 1)}" rpy="{some(3, -3, 3)}"/>'

    text = f'<robot name="decimals{joints}"><link name="l0"/>'
    for k in range(1, joints + 1):
        inertia = " ".join(f'{key}="{some(1, 1, 1.2)}"' for key in ("ixx", "iyy", "izz"))
        inertia += " " + " ".join(f'{key}="{some(1, -0.1, 0.1)}"' for key in ("ixy", "ixz", "iyz"))
        text += f"""
            <link name="l{k}"><inertial>{origin()}<mass value="{some(1, 1, 5)}"/><inertia {inertia}/></inertial></link>
            <joint name="j{k}" type="continuous"><parent link="l{k - 1}"/><child link="l{k}"/>{origin()}
            <axis xyz="0 0 1"/></joint>"""
    return text + "</robot>"


@pytest.mark.parametrize(
    ("limits", "sentence"),
    [
        (["--seconds", "1"], "the model is not finished in 1 s; missing: "),
        (["--memory", "0.05"], "the model needs more than 0.05 GB of memory; missing: "),
    ],
)
def test_a_power_of_a_long_sum_stops_within_its_limits(tmp_path: Path, limits: list[str], sentence: str):
    file = robot_file(tmp_path, f"({long_sum(190)})^8", 190)
    done = limited("-m", "dynamis", "derive", str(file), *limits)
    assert done.returncode == 2, done.stderr
    assert sentence in done.stderr


def test_an_entry_of_a_long_chain_of_decimals_stops_within_its_time(tmp_path: Path):
    file = tmp_path / "decimals.urdf"
    file.write_text(decimal_chain(7, 1))
    done = limited("-m", "dynamis", "derive", str(file), "--only", "M[1,1]", "--seconds", "1")
    assert done.returncode == 2, done.stderr
    assert "not finished in 1 s; missing: M[1,1]; " in done.stderr
    assert "--only" not in done.stderr  # a single entry was asked for already
    assert "give more time (--seconds 10)" in done.stderr
    assert "--numeric" not in done.stderr
    assert "fixed angles are not multiples of 15 degrees" in done.stderr


def test_the_bound_on_memory_holds_for_the_library():
    robot = dynamis.load("panda").symbolic(keep_zeros=False)
    model = robot.equations(memory=0.005)
    with pytest.raises(MemoryLimitError, match=r"needs more than 0\.005 GB of memory") as caught:
        _ = model.torques
    assert caught.value.gigabytes == 0.005
    assert model.M[6, 6]
    with pytest.raises(ArgumentError, match=r"memory must be a positive number \[GB\], got 0"):
        robot.equations(memory=0)


def test_memory_is_counted_while_a_scalar_lives():
    world = parameters_and_angles("xy")
    x, y = world.scalar("x"), world.scalar("y")
    total = world.from_terms({(k, 1): Fraction(1, k + 1) for k in range(2 * MIN_CHARGED_TERMS)})
    assert world.memory.used == size_of(total.polynomial)
    more = total * x + y
    assert world.memory.used == size_of(total.polynomial) + size_of(more.polynomial)
    del total, more
    assert world.memory.used == 0


SINGLE = parameters_and_angles("mxy", joints="ab", roots=(2,), inverses=("m",))
SUMS = parameters_and_angles("xym", joints="a", inverses=("x", "x + y"))


def some_scalar(world: Ring, random: Random, terms: int, most: int = 2) -> Exact:
    count = len(world.symbols)
    return world.from_terms(
        {
            tuple(random.randint(0, most) for _ in range(count)): Fraction(
                random.randint(-9, 9) or 1, random.randint(1, 4)
            )
            for _ in range(terms)
        }
    )


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("world", [SINGLE, SUMS], ids=["relations", "sums below"])
def test_large_operations_in_parts_are_the_operations(world: Ring, seed: int, monkeypatch: pytest.MonkeyPatch):
    random = Random(seed)
    a, b, c = (some_scalar(world, random, terms) for terms in (12, 9, 3))
    put = {"x": c, "y": world.scalar("m") + world.scalar("x"), "m": world.number(3)}
    if world is SUMS:
        put = {"m": c}
    whole = a * b, a.substitute(put), some_scalar(world, Random(seed), 5, 5)
    for module in (products, ring):
        monkeypatch.setattr(module, "MAX_DIRECT_PRODUCTS", 4)
    assert (a * b, a.substitute(put), some_scalar(world, Random(seed), 5, 5)) == whole


def test_large_operations_check_time(monkeypatch: pytest.MonkeyPatch):
    world, random = SINGLE, Random(1)
    a, b = some_scalar(world, random, 20), some_scalar(world, random, 20)
    deadline = Deadline(60)
    deadline.end = 0
    late = Ring(SINGLE.symbols, deadline, memory=Memory())
    monkeypatch.setattr(products, "MAX_DIRECT_PRODUCTS", 4)
    for operation in (
        lambda: products.multiply_in_pieces(a.polynomial, b.polynomial, late),
        lambda: products.stepwise(a.polynomial, *world.rules[0], late),
        lambda: Exact(a.polynomial, late).substitute({"x": Exact(b.polynomial, late)}),
    ):
        with pytest.raises(TimeLimitError):
            operation()


def test_generated_robots_end_within_their_limits():
    """Each in 0.2 s and 0.1 GB, or with the sentence that says which of the two it needs more of."""
    done = limited("-m", "tests.support.hostile_robots", "0", "30")
    assert done.returncode == 0, done.stderr
    ends: dict[str, list[str]] = json.loads(done.stdout)
    assert {"finished", "TimeLimitError"} <= {end for end, _ in ends.values()}
    slow = {seed: seconds for seed, (_, seconds) in ends.items() if float(seconds) > 10}
    assert not slow


def test_a_page_has_no_more_terms_than_its_time_allows(monkeypatch: pytest.MonkeyPatch):
    """Text of thousands of terms takes longer than they do; what was cut is said."""
    model = dynamis.load("planar-elbow").equations(seconds=60)
    found = derive_only(model, "M[1,1]", whole=True)
    assert json.loads(render(found, "json"))["whole"]
    assert model.ring.deadline is not None
    model.ring.deadline.end = 0
    assert json.loads(render(found, "json"))["whole"]
    monkeypatch.setattr("dynamis.telling.notation.formula_printer.ALWAYS_WRITTEN", 2)
    monkeypatch.setattr("dynamis.telling.notation.formula_printer.LATE_CAP", 2)
    assert not json.loads(render(found, "json"))["whole"]
