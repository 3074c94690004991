"""The C of an export as compilers see it: no warning, no undefined behaviour, a small stack, headers for C and C++."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

import dynamis
from dynamis.errors import ArgumentError

STRICT = ("-Wall", "-Wextra", "-Wpedantic", "-Werror")
MAIN = """
#include <cmath>
#include "bar_2r.hpp"
int main() {
    const auto rest = bar_2r::inverse_dynamics({0.1, 0.2});
    const auto moving = bar_2r::inverse_dynamics({0.1, 0.2}, {0.3, 0.4}, {0.5, 0.6});
    const auto slopes = bar_2r::inverse_dynamics_derivatives({0.1, 0.2});
    bar_2r::real state[2] = {0.1, 0.2};
    bar_2r_gravity_torque(state, state);
    return !(std::abs(rest[0] - state[0]) < 1e-12 && moving[0] != rest[0] && slopes.dtau_dq.size() == 4);
}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("c") / "out"
    names = ["inverse_dynamics", "gravity_torque", "inverse_dynamics_derivatives"]
    dynamis.export(dynamis.load("bar-2r"), "c", path, functions=names)
    return path


def run(*command: str, folder: Path) -> str:
    if not command[0].startswith("./") and shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not installed")
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_it_is_clean_and_has_no_undefined_behaviour(folder: Path, compiler: str) -> None:
    sanitized = ("-std=c99", *STRICT, "-fsanitize=undefined", "-fno-sanitize-recover=all")
    run(compiler, *sanitized, "bar_2r.c", "check.c", "-lm", "-o", compiler, folder=folder)
    assert "all functions agree" in run(f"./{compiler}", folder=folder)


def test_the_cpp_header_and_results_in_the_place_of_inputs(folder: Path) -> None:
    (folder / "main.cpp").write_text(MAIN)
    run("gcc", "-std=c99", "-c", "bar_2r.c", folder=folder)
    run("g++", "-std=c++17", *STRICT, "main.cpp", "bar_2r.o", "-lm", "-o", "main", folder=folder)
    run("./main", folder=folder)


def test_the_stack_is_what_the_header_says(folder: Path) -> None:
    """Without optimisation every value has a place; a call needs some hundred bytes more."""
    run("gcc", "-std=c99", "-O0", "-fstack-usage", "-c", "bar_2r.c", folder=folder)
    said = [int(x) for x in re.findall(r"(\d+) bytes when not", (folder / "bar_2r.h").read_text())]
    used = [int(x.split("\t")[1]) for x in next(folder.glob("*.su")).read_text().splitlines()]
    assert all(a < b + 160 for a, b in zip(used, said, strict=True))


def test_nothing_is_global_or_allocated(folder: Path) -> None:
    source = (folder / "bar_2r.c").read_text()
    assert not re.search(r"\b(malloc|static(?! real \w+\()|extern)\b", source)


def test_the_readable_style_is_the_textbooks() -> None:
    robot = dynamis.load("planar-elbow")
    files = dynamis.export(
        robot, "c", functions=["mass_matrix"], style="readable", parameters=robot.missing_values
    ).files
    source = str(files["planar_elbow.c"])
    assert "M[0] = m1*lc1*lc1 + m2*(l1*l1 + lc2*lc2 + R(2.0)*l1*lc2*c2) + I1 + I2;" in source
    assert "const real m1 = parameters[4];" in source


def test_a_closed_form_that_nobody_can_read_is_refused() -> None:
    with pytest.raises(ArgumentError, match="terms in closed form, too many to read; use style=fast"):
        dynamis.export(dynamis.load("panda"), "c", functions=["gravity_torque", "mass_matrix"], style="readable")
