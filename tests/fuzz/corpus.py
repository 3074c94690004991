"""Where mutations start: the files that ship, the examples, and small files of every kind."""

from __future__ import annotations

import warnings
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import dynamis
from dynamis.formats.urdf.write import write_urdf
from tests.fuzz.toml_inputs import Tree, parse
from tests.support.collada import BIND, FLOOR, scene

ROOT = Path(__file__).parents[2]
SOURCE = Path(dynamis.__file__).parent
# Large files say little more than small ones, and take ten times as long.
SMALL = 3_500
SHARED = '<node><scale>2 2 2</scale><instance_node url="#n"/></node>'
NODES = '<node id="n"><rotate>0 0 1 90</rotate><instance_geometry url="#pyramid"/></node>'


def _texts(*patterns: str) -> list[str]:
    paths = sorted(path for pattern in patterns for path in ROOT.glob(pattern))
    return [text for path in paths if len(text := path.read_text("utf-8")) <= SMALL]


SEEDS = Path(__file__).parent / "seeds"


def seed(path: str) -> str:
    """A small good file."""
    return (SEEDS / path).read_text("utf-8")


@cache
def robot_trees() -> list[Tree]:
    return _trees("robot", "src/dynamis/robots/*.toml")


@cache
def exercise_trees() -> list[Tree]:
    return _trees("", "src/dynamis/robots/exercises/*.toml")


@cache
def state_trees() -> list[Tree]:
    return _trees("state")


@cache
def task_trees() -> list[Tree]:
    return _trees("task", "src/dynamis/motion/tasks/two-bar-reach.toml")


@cache
def simulation_trees() -> list[Tree]:
    return _trees("simulation", "src/dynamis/simulation/tasks/*.toml")


@cache
def body_trees() -> list[Tree]:
    return _trees("body")


@cache
def sweep_trees() -> list[Tree]:
    return _trees("sweep", "src/dynamis/sweeps/tasks/*.toml")


@cache
def notation_trees() -> list[Tree]:
    return _trees("", "src/dynamis/notations/*.toml")


@cache
def collada_trees() -> list[ElementTree.Element]:
    scenes = (
        scene(),
        scene(BIND.format("<translate>1 2 3</translate>")),
        scene(faces=FLOOR),
        scene(SHARED, nodes=NODES),
    )
    return [ElementTree.fromstring(text.replace(" xmlns=", " about=")) for text in scenes]


@cache
def urdf_trees() -> list[ElementTree.Element]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        written = [write_urdf(dynamis.load(name)) for name in ("bar-2r", "genova-rp")]
    return [ElementTree.fromstring(text) for text in (*[seed("urdf/1.urdf")] * 2, *written)]


@cache
def answers() -> list[bytes]:
    folders = "tests/fuzz/seeds/answer", "tests/grading/data", "tests/grading/students/*"
    files = _texts(*(f"{folder}/*.{suffix}" for folder in folders for suffix in ("txt", "m", "tex")))
    return [text.encode() for text in files]


def _trees(folder: str, *patterns: str) -> list[Tree]:
    """Our own seeds of a folder, twice as often as the files of other folders."""
    own = _texts(f"tests/fuzz/seeds/{folder}/*.toml") if folder else []
    return [parse(text) for text in (*own, *own, *_texts(*patterns))]
