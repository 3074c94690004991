"""A document in every format, and what a result with a document can do."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import dynamis
from dynamis.errors import ArgumentError, UnknownNameError
from dynamis.telling.blocks import Column, Document, Figure, Items, Note, Section, Table, Words
from dynamis.telling.chart import Chart, Line, Panel
from dynamis.telling.renderers.page import PAGE_FORMATS, render
from dynamis.telling.result import Result
from dynamis.trajectories import quintic

TORQUES = Table(
    (Column("joint"), Column("tau", "N m", "fixed"), Column("share", form="%"), "remark"),
    ((1, 4.3561, 0.75, "<b>"), (2, -1e-17, float("nan"), "a_1"), (3, None, None, None)),
)


@dataclass(frozen=True)
class Torques(Result):
    """A result as short as one can be."""

    tau: tuple[float, ...] = (4.3561, -1e-17)

    def document(self) -> Document:
        blocks = (
            Words(("What the motors give.",)),
            Section("Torques", (TORQUES, Note("joint 1 is at its limit", "warning")), "torques"),
            Section("Tool", name="tool", missing=ArgumentError("there is no tool", key="tool")),
            Items(("one thing", "another")),
            Figure("tau", lambda: Chart((Panel((Line([0, 1], [0, 2], "joint 1"),), x="time [s]", y="tau [N m]"),))),
        )
        return Document(
            "An arm", blocks, data=lambda: {"tau": self.tau}, columns=lambda: {"t [s]": np.array([0.0, 0.5])}
        )


def test_text() -> None:
    assert str(Torques()) == (
        "An arm\n\nWhat the motors give.\n\n"
        "Torques\njoint  tau [N m]  share  remark\n-----  ---------  -----  ------\n"
        "1          4.356   75 %  <b>\n2          0.000      -  a_1\n3\n"
        "warning: joint 1 is at its limit\n\none thing\nanother"
    )
    assert Torques().table("torques", 1).splitlines()[3].split() == ["1", "4.4", "75", "%", "<b>"]


def test_sections_by_name() -> None:
    with pytest.raises(UnknownNameError, match='unknown table "torque"; did you mean "torques"'):
        Torques().table("torque")
    with pytest.raises(ArgumentError, match="there is no tool"):
        Torques().table("tool")
    with pytest.raises(ArgumentError, match="decimals must be an integer from 0 to 15, got 16"):
        Torques().table(decimals=16)
    assert "no tool" not in str(Torques())


@pytest.mark.parametrize("form", [form for form in PAGE_FORMATS if form != "json"])
def test_every_format_has_all_of_it(form: str) -> None:
    page = render(Torques(), form)
    for text in ("An arm", "What the motors give.", "Torques", "4.356", "limit", "another"):
        assert text in page.replace("\\", "")
    assert ("<b>" in page) == (form == "text")


def test_an_unknown_format() -> None:
    with pytest.raises(UnknownNameError, match='unknown format "pdf"'):
        Torques().page("pdf")


def test_a_notebook_shows_escaped_tables() -> None:
    page = Torques()._repr_html_()
    root = ElementTree.fromstring(page)
    rows = [[cell.text for cell in row] for row in root.iter("tr")]
    assert rows[:2] == [["joint", "tau [N\xa0m]", "share", "remark"], ["1", "4.356", "75 %", "<b>"]]
    assert rows[3] == ["3", None, None, None]


def test_data_columns_and_figures(tmp_path: Path) -> None:
    data = {"schema": "dynamis/torques/1", "tau": [4.3561, -1e-17]}
    assert json.loads(render(Torques(), "json")) == Torques().as_dict() == data
    whole = json.loads(Torques().to_json(tmp_path / "x.json", history=True))
    assert whole == json.loads((tmp_path / "x.json").read_text())
    assert whole.pop("provenance")["version"] == dynamis.__version__
    assert whole == {**data, "history": {"t [s]": [0, 0.5]}}
    Torques().to_csv(tmp_path / "x.csv")
    assert (tmp_path / "x.csv").read_text().split() == ["t", "[s]", "0.0", "0.5"]
    pytest.importorskip("matplotlib")
    (ax,) = Torques().figure().axes
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("time [s]", "tau [N m]")
    with pytest.raises(UnknownNameError, match='unknown plot "taus"; did you mean "tau"'):
        Torques().plot("taus")


def test_blocks_without_data_are_the_json() -> None:
    data = json.loads(render(Document("Links", (Section("Masses", (TORQUES,)),)), "json"))
    assert data["sections"][0]["tables"][0]["rows"][0] == [1, 4.3561, 0.75, "<b>"]


def test_a_table_too_wide_for_the_page() -> None:
    columns = tuple(Column(f"column {k}", "N m", form=".1f") for k in range(12))
    wide = Document("", (Table(("link", *columns), (("arm", *(float(k) for k in range(12))),), splits=(7,)),))
    whole = render(wide, width=200).split("\n")
    assert whole[0].endswith("column 10 [N m]  column 11 [N m]")
    # First the heads wrap, each under its own column, then the table splits and every part has its key.
    heads = render(wide, width=110).split("\n")
    assert [line.split()[:2] for line in heads[:3]] == [["column", "column"], ["0", "1"], ["link", "[N"]]
    assert all(len(line) <= 110 for line in heads)
    for width in (40, 60, 80):
        parts = render(wide, width=width).split("\n\n")
        assert len(parts) > 1
        assert all("\nlink" in part and "\narm" in part for part in parts)
        assert max(map(len, "\n".join(parts).split("\n"))) <= width
        assert [cell for part in parts for cell in part.split() if "." in cell] == [f"{k}.0" for k in range(12)]
    told = Table(("name", "meaning"), (("m1", "word " * 40),))
    assert max(map(len, render(Document("", (told,))).split("\n"))) <= 100


def test_rows_that_print_as_zero_can_be_left_out() -> None:
    table = Table(("part", Column("lowest", form="fixed")), (("a", 1e-5), ("b", 1.0)), hide_zeros=True)
    assert "a " not in render(Document("", (table,)))
    assert "a " in render(Document("", (table,)), decimals=5)


@pytest.fixture(scope="module")
def results() -> dict[str, Result]:
    arm, goal = dynamis.load("bar-2r"), quintic([0, 0], [0.5, 0.3], 0.2)
    return {
        "budget": dynamis.torque_budget(arm, goal, samples=21),
        "simulation": dynamis.simulate(arm, [0, 0], duration=0.1),
        "learning": dynamis.learn(arm, goal, trials=2, period=0.01),
        "reactions": arm.reactions([0.1, 0.2]),
        "link motions": arm.link_motions([[0.1, 0.2]] * 3, [1, 2]),
        "recursion": arm.recursion([0.1, 0.2], [1, 2]),
        "frame motion": arm.frame_motion([0.1, 0.2], [1, 2]),
        "torque components": arm.torque_components([0.1, 0.2], [1, 2]),
        "inverse derivatives": arm.inverse_dynamics_derivatives([0.1, 0.2]),
        "forward derivatives": arm.forward_dynamics_derivatives([0.1, 0.2]),
    }


SMALL = (
    "link motions", "recursion", "frame motion", "torque components", "inverse derivatives", "forward derivatives",
)  # fmt: skip


@pytest.mark.parametrize("name", ["budget", "simulation", "learning", "reactions", *SMALL])
def test_every_result_is_all_formats_for_nothing(results: dict[str, Result], name: str, tmp_path: Path) -> None:
    result = results[name]
    text = str(result)
    cells = {word for line in text.splitlines() for word in line.split() if word[-1].isdigit()}
    page = " ".join(ElementTree.fromstring(result._repr_html_()).itertext())
    assert {cell for cell in cells if cell not in page} == set()
    for form in PAGE_FORMATS:
        assert len(result.page(form)) > 200
    data = json.loads(result.page("json"))
    assert data == json.loads(result.to_json())
    assert data.pop("provenance")["version"] == dynamis.__version__
    data.pop("references", None)
    assert data == result.as_dict()
    if not result.columns():
        with pytest.raises(ArgumentError, match="no series to write"):
            result.to_csv(tmp_path / "x.csv")
    else:
        pytest.importorskip("pyarrow")
        result.to_parquet(tmp_path / "x.parquet")
        result.to_csv(tmp_path / "x.csv")


def test_a_notebook_shows_a_robot() -> None:
    page = " ".join(ElementTree.fromstring(dynamis.load("puma560")._repr_html_()).itertext())
    assert "Rz(q3) Tz(d3) Tx(a3) Rx(-pi/2)" in page


def test_pages_have_pictures(results: dict[str, Result]) -> None:
    pytest.importorskip("matplotlib")
    budget = results["budget"]
    page = budget.page("html")
    assert page.count("<svg") == len(budget.document().figures)
    assert budget._repr_html_().count("<svg") == 1
    assert page == budget.page("html")


@pytest.mark.parametrize("form", ["text", "html", "markdown", "typst"])
def test_powers_of_units_in_cells_are_raised(form: str) -> None:
    table = Table(("parameter", Column("unit")), (("Izz1", "kg m^2"), ("mx1", "kg m")))
    page = render(Document("links", (table,)), form).replace("\u00a0", " ")
    assert "kg m²" in page
    assert "m^2" not in page


def test_units_per_coordinate() -> None:
    """A prismatic joint has a force in N, and its acceleration is in m/s^2."""
    arm = dynamis.load("genova-rp")
    arm = arm if not arm.missing_values else arm.with_numbers(dict.fromkeys(arm.missing_values, 1.0))
    parts, slopes = arm.torque_components([0.1, 0.2], [1, 2]), arm.forward_dynamics_derivatives([0.1, 0.2])
    assert parts.units == ("N m", "N")
    assert "tau1 [N m]  tau2 [N]" in str(parts)
    assert "rad/s²" in str(slopes)
    assert " m/s²" in str(slopes)


def test_the_operations_of_a_quantity() -> None:
    cost = dynamis.load("bar-2r").cost("mass_matrix")
    assert f"multiplications  {cost.multiplications:>7}" in cost.page()
    assert cost.as_dict()["additions"] == cost.additions
    assert "<td" in cost._repr_html_()


def test_a_result_without_figures_says_so() -> None:
    for kind in ("", "torque"):
        with pytest.raises(ArgumentError, match=r"this result has no plot; print it, or write it with page\(...\)"):
            dynamis.load("bar-2r").cost("inverse_dynamics").plot(kind)


@pytest.mark.parametrize("numbered", [False, True])
def test_titles_and_items_keep_to_the_width(numbered: bool) -> None:
    words = "a title, or an item of a list, that has more words than a line of the text is wide"
    document = Document(words, (Items((words, "short")),), numbered=numbered)
    lines = render(document, width=40).splitlines()
    assert max(map(len, lines)) <= 40
    assert " ".join(" ".join(line for line in lines if not line.startswith("=")).split()) == f"{words} {words} short"
