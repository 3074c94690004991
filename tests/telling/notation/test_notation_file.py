"""Notation files: what is read, and one sentence for what cannot be."""

from pathlib import Path

import pytest

import dynamis
from dynamis.base.errors import ArgumentError, DynamisError, UnknownNameError
from dynamis.telling.notation import NOTATIONS, Notation
from dynamis.telling.notation.schools import SHIPPED, as_notation, read_notation


def written(folder: Path, text: str) -> str:
    path = folder / "mine.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_the_schools_are_files():
    assert sorted(NOTATIONS) == SHIPPED.names()
    assert all(read_notation(SHIPPED.path(name)) == school for name, school in NOTATIONS.items())


def test_a_file_starts_from_a_school(tmp_path: Path):
    mine = as_notation(written(tmp_path, 'like = "craig"\n[letters]\nrevolute = "ϑ"\n[sums]\ngravity_first = true\n'))
    assert (mine.name, mine.revolute, mine.vector, mine.cosine) == ("mine", "vartheta", "Theta", "c")
    assert mine.symbols == NOTATIONS["craig"].symbols
    assert mine.layout.gravity_first
    assert not mine.layout.factored


ERRORS = {
    '[symbols]\n"mass matrx" = "B"': ':2: unknown meaning "mass matrx"; did you mean "mass matrix"?',
    '[symbols]\n"torque" = "M"': ':2: the symbol M stands for both "mass matrix" and "torque"; give one of',
    '[letters]\ncosine = "c"': ":2: cosine and sine are abbreviated together: give both symbols or neither",
    '[letters]\ncosine = "t"\nsine = "s"\n[symbols]\n"rotor inertia" = "t"': ':5: the symbol t of "rotor inertia" is',
    '[letters]\nrevolute = "\\\\input{x}"': ':2: the symbol of "revolute" must be a letter',
    '[symbols]\n"torque" = "<b>"': ':2: the symbol of "torque" must be a letter',
    '[symbols]\n"torque" = ""': ':2: the symbol of "torque" must be a letter',
    '[symbols]\n"torque" = 3': ":2: torque must be a text in quotes, got 3",
    f'[letters]\nrevolute = "{"q" * 40}"': ':2: the symbol of "revolute" must be a letter',
    '[letters]\nrevolut = "q"': ':2: unknown key "revolut" in [letters]; did you mean "revolute"?',
    "[sums]\nfactored = 1": ":2: factored must be true or false, got 1",
    '[arguments]\n"gravity vector" = "q"': ":2: gravity vector must be a list in square brackets",
    '[arguments]\n"gravity vector" = ["x"]': 'the arguments of "gravity vector" must be of q, qd and qdd',
    '[equation]\ncoriolis = "tensor"': ':2: unknown coriolis "tensor"',
    'like = "crag"': ':1: unknown like "crag"; did you mean "craig"?',
    f'about = "{"x" * 301}"': ":1: about has 301 characters; at most 300 are allowed",
    "#" * 50_001: "has more than 0.05 MB; no more are read",
}


@pytest.mark.parametrize("text", ERRORS, ids=lambda text: text[:30])
def test_what_a_file_cannot_say(text: str, tmp_path: Path):
    with pytest.raises(DynamisError) as caught:
        read_notation(written(tmp_path, text))
    assert ERRORS[text] in str(caught.value)
    assert "mine.toml" in str(caught.value)


def test_names_that_are_no_notations(tmp_path: Path):
    with pytest.raises(UnknownNameError, match='unknown notation "crag"; did you mean "craig"'):
        as_notation("crag")
    with pytest.raises(DynamisError, match="no such file"):
        as_notation(str(tmp_path / "none.toml"))
    with pytest.raises(ArgumentError, match='stands for both "mass matrix" and "Coriolis vector"'):
        Notation("mine", symbols={"Coriolis vector": "M"})


def test_a_symbol_with_a_subscript():
    mine = Notation("mine", symbols={"gravity vector": "P_C", "torque": "Gamma_m"})
    page = dynamis.load("planar-elbow").equations().text(mine)
    assert "PC =" in page


def test_entries_have_the_letter_of_their_matrix() -> None:
    """h of H, unless that is another symbol, or the notation says otherwise."""
    entry = "mass matrix entry"
    assert Notation("a", symbols={"mass matrix": "H"}).symbols[entry] == "h"
    assert Notation("b", symbols={"mass matrix": "H", entry: "a"}).symbols[entry] == "a"
    assert entry not in Notation("c", symbols={"mass matrix": "H", "Jacobian": "h"}).symbols
    assert entry not in Notation("d", symbols={"mass matrix": "Pi"}).symbols
