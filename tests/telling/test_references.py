"""References: works of the methods that were really used, as text and as BibTeX."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import dynamis
from dynamis.base.provenance import Provenance
from dynamis.compute.mechanics.efficient.factor import carrying_joints
from dynamis.compute.mechanics.mechanism import mechanism
from dynamis.compute.quantities.registry import QUANTITIES
from dynamis.compute.quantities.robot_at_state import LONGEST_CHAIN_TO_FACTOR
from dynamis.controllers import controller
from dynamis.errors import UnknownNameError
from dynamis.exact.derivations.robots.methods import METHODS
from dynamis.exact.derive import derive, derive_only
from dynamis.motion.single_states.parts import METHODS as STATE_METHODS
from dynamis.motion.single_states.parts import PARTS
from dynamis.motion.single_states.state import robot_state
from dynamis.robot import forward_method
from dynamis.simulation.controllers.catalogue import CATALOGUE
from dynamis.telling.blocks import Document
from dynamis.telling.references import References, references
from dynamis.telling.renderers.page import render
from dynamis.telling.works import works
from dynamis.trajectories import double_s, planar_inverse_kinematics, quintic, sequence, trapezoidal
from tests.support.arms import chain
from tests.support.command_line import caller

EVERY = references()
ORIGIN = Provenance("1", "2001-09-09")


def keys(result: References) -> list[str]:
    return [work.key for work in result.works]


def test_every_work_is_whole_and_used():
    assert len(EVERY.works) == len({str(work) for work in EVERY.works})
    named = set(
        re.findall(r"^\[works\.(\S+)\]", (Path(dynamis.__file__).parent / "telling/works.toml").read_text(), re.M)
    )
    assert named == set(keys(EVERY)), "a work that no method follows, or a key that names none"
    for work in EVERY.works:
        assert work.authors
        assert all(re.fullmatch(r"[\w .'-]+, [A-Z][\w .-]*", author) for author in work.authors), work.key
        assert work.fields.get("year", "1900").isdigit()
        needed = {"article": {"journal", "year"}, "book": {"publisher", "year"}, "inproceedings": {"booktitle", "year"}}
        assert needed.get(work.kind, set()) | {"title"} <= set(work.fields), work.key
        assert re.match(rf"@{work.kind}\{{{work.key},\n(  \w+ = \{{.+\}},\n)+\}}\n$", work.bibtex())
        assert work.bibtex().count("{") == work.bibtex().count("}")
        assert "  " not in str(work)
        assert ", ," not in str(work)


def test_methods_are_those_that_there_are():
    known = {*QUANTITIES, *METHODS, *CATALOGUE, "rk45", "dop853", "radau"}
    others = {
        "denavit-hartenberg", "composite-bodies", "articulated-bodies", "inverse-kinematics", "spherical-wrist",
        "planar-arm", "trapezoidal", "double-s", "polynomial", "parabolic-blends", "shortest-time",
        "iterative-learning", "identification", "physical-parameters", "instrumental-variables",
        "payload-identification", "drive-gains", "excitation",
    }  # fmt: skip
    assert set(EVERY.methods) <= known | others
    assert set(METHODS) <= set(EVERY.methods)
    assert set(STATE_METHODS) <= set(PARTS)
    assert set(STATE_METHODS.values()) <= set(EVERY.methods)


def test_unknown_methods_are_told():
    with pytest.raises(UnknownNameError, match='unknown method "newton"'):
        dynamis.load("bar-2r").references("newton")


@pytest.mark.parametrize("n", [1, LONGEST_CHAIN_TO_FACTOR, LONGEST_CHAIN_TO_FACTOR + 1])
def test_forward_dynamics_is_what_the_robot_takes(n: int):
    robot = chain(n)
    short = max(map(len, carrying_joints(mechanism(robot, robot.floats()))), default=0) < LONGEST_CHAIN_TO_FACTOR
    assert forward_method(robot) == ("composite-bodies" if short else "articulated-bodies")
    assert (keys(robot.references("forward_dynamics"))[0] == "walker1982") is short


def test_pages_list_the_works_of_their_methods_and_no_others():
    page = derive(dynamis.load("bar-2r").equations(), "newton-euler")
    for form in ("text", "latex", "html", "typst", "markdown"):
        text = re.sub(r"[\\\s]+", " ", re.sub(r"\\-", "-", page.page(form, provenance=ORIGIN)))
        assert "Scheme for Mechanical Manipulators" in text, form
        assert "Introduction to Robotics" in text, form
        assert "Siciliano" not in text, form
    assert "Scheme for Mechanical" not in page.page(), "printed text has no foot"
    data = json.loads(page.page("json"))
    assert [work["key"] for work in data["references"]] == ["luh1980", "craig2005"]
    assert all(
        work["bibtex"].startswith(f"@{'article' if k == 0 else 'book'}") for k, work in enumerate(data["references"])
    )
    state = json.loads(robot_state(dynamis.load("bar-2r"), [0, 1], only="M g").page("json"))
    assert [work["key"] for work in state["references"]] == ["walker1982", "featherstone2008"]


def test_a_document_in_another_one_brings_its_works():
    document = Document("", (Document("", (), methods=("rk45",)),), methods=("pd", "rk45"))
    assert document.all_methods == ("pd", "rk45")
    assert [work.key for work in works(document.all_methods)] == ["takegaki1981", "dormand1980"]
    assert "References" not in render(Document("x", ()), "html", provenance=ORIGIN)


def test_simulations_name_their_integrator_and_control():
    robot = dynamis.load("bar-2r")
    run = dynamis.simulate(
        robot, [0.1, 0.0], control=controller("pd-gravity", kp=10, kd=5), goal=[0, 0], duration=0.01,
        check=False, integrator="rk45",
    )  # fmt: skip
    assert run.document().methods == ("composite-bodies", "rk45", "pd-gravity")


def test_the_command_writes_text_and_bibtex(monkeypatch, capsys, tmp_path: Path):
    monkeypatch.chdir(tmp_path)
    call = caller(monkeypatch, capsys, "references")
    assert "J. Y. S. Luh" in call("newton-euler").out
    assert call("newton-euler", "--bibtex").out == references("newton-euler").bibtex()
    assert call("newton-euler", "-o", "works.bib").out == "wrote works.bib: 2 works\n"
    assert Path("works.bib").read_text() == references("newton-euler").bibtex()
    assert call("newton-euler", "-o", "works.bib").code == 2
    assert json.loads(call("rk45", "--json").out)["methods"] == {"rk45": "dormand1980"}


def test_pages_name_the_methods_that_were_used():
    robot, model = dynamis.load("planar-elbow"), dynamis.load("planar-elbow").equations()
    motion = sequence([quintic([0, 0], [1, 1], 1), trapezoidal([1, 1], [0, 0], 1, 2)])
    assert motion.document().methods == ("polynomial", "trapezoidal")
    branches = planar_inverse_kinematics(dynamis.load("bar-2r"), [0.5, 0.3, 0])
    assert branches.document().methods == ("planar-arm",)
    budget = dynamis.torque_budget(dynamis.load("bar-2r"), double_s([0, 0], [1, 1], 1, 1, 1), samples=5)
    assert budget.document().methods[-1] == "double-s"
    assert derive_only(model, "g").methods == ("energies",)
    assert derive_only(model, "T[0,2], Jv[1]").methods == ("jacobian",)
    assert robot.equations().prove().document().methods == ("newton-euler", "lagrange")
