"""`derive` and `prove` from the command line: single entries, parameters, what is finished when the time is over."""

import json
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

import dynamis
from dynamis.errors import TimeLimitError
from dynamis.exact.derive import derive, derive_only
from dynamis.exact.equations import Equations
from dynamis.exact.proof.laws import CLAIMS
from dynamis.exact.prove import prove_all
from dynamis.scalars.exact.limits import Deadline
from dynamis.telling.blocks import Equation
from dynamis.telling.notation import NOTATIONS
from dynamis.telling.renderers.page import PAGE_FORMATS, render
from tests.support.command_line import Call, caller
from tests.support.feet import without_foot


@pytest.fixture
def cli(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Call:
    return caller(monkeypatch, capsys)


class StopsAfter(Deadline):
    """A clock of a model that is over after so many products."""

    def __init__(self, products: int) -> None:
        super().__init__(7.0)
        self.end, self.products = 0.0, products

    @property
    def over(self) -> bool:
        return self.products < 0

    def check(self) -> None:
        self.products -= 1
        if self.over and not self.suspended:
            raise TimeLimitError(7)


def stopping(name: str, products: int) -> Equations:
    model = dynamis.load(name).equations(seconds=7)
    object.__setattr__(model.ring, "deadline", StopsAfter(products))
    return model


def texts(value: object) -> object:
    """The entries of formulas as text."""
    return [texts(row) for row in value] if isinstance(value, Iterable) else str(value)


@pytest.mark.parametrize("form", PAGE_FORMATS)
@pytest.mark.parametrize("products", [0, 150, 400])
def test_what_is_finished_is_shown_when_the_time_is_over(form: str, products: int):
    """Every part that is on the page is complete and right; the rest is named."""
    whole = derive(dynamis.load("planar-elbow").equations())
    model = stopping("planar-elbow", products)
    found = derive(model)
    assert found.missing
    assert len(found.steps) < len(whole.steps) + (not found.proofs)
    for step, full in zip(found.steps, whole.steps, strict=False):
        assert step.title == full.title
        for part, other in zip(step.blocks, full.blocks, strict=False):
            if isinstance(part, Equation) and isinstance(other, Equation):
                assert part.left == other.left
                assert texts(part.right) == texts(other.right)
        assert step.finished == (len(step.blocks) == len(full.blocks))
    page = render(found, form)
    assert "is not finished in 7 s; missing: " in page
    assert "only=" in page.replace("\\", "")
    if form == "json":
        data = json.loads(page)
        assert (data["finished"], data["missing"]) == (False, list(found.missing))


def test_proofs_that_are_finished_are_shown_when_the_time_is_over():
    reports = (prove_all(stopping("planar-elbow", products), design=True) for products in range(200, 20000, 200))
    report = next(report for report in reports if report)
    assert len(report) < len(CLAIMS)
    assert report.missing[0] == list(CLAIMS)[len(report)]
    assert report.missing[-1] == "whether M is positive definite"
    assert "proved" in str(report)
    assert "not finished: " in str(report)
    assert report.as_dict()["finished"] is False


def test_the_command_line_when_the_time_is_over(cli: Call, tmp_path: Path):
    slow = cli("derive", "panda", "--steps", "--seconds", "0.01")
    assert slow.code == 2
    assert slow.out.startswith("Equations of motion of panda")
    assert "Not finished" in slow.out
    assert slow.err.startswith("error: the model is not finished in 0.01 s; missing: ")
    data = json.loads(cli("derive", "panda", "--steps", "--seconds", "0.01", "--json").out)
    assert data["finished"] is False
    proved = cli("prove", "panda", "--all-symbols", "--seconds", "0.01", "--json")
    assert (proved.code, json.loads(proved.out)["finished"]) == (2, False)
    page = tmp_path / "panda.html"
    assert cli("derive", "panda", "--as", "html", "--seconds", "0.01", "-o", str(page)).code == 2
    assert "Not finished" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("entry", "wanted"),
    [
        ("M[1,1]", "m₁ lc₁² + m₂ (l₁² + lc₂² + 2 l₁ lc₂ cos q₂) + I₁ + I₂"),
        ("M[2,1]", "m₂ (lc₂² + l₁ lc₂ cos q₂) + I₂"),
        ("c[2]", "m₂ l₁ lc₂ sin(q₂) q̇₁²"),
        ("C[1,1]", "−m₂ l₁ lc₂ sin(q₂) q̇₂"),
        ("christoffel [1,2,1]", "−m₂ l₁ lc₂ sin q₂"),
        ("c[1,2,1]", "−m₂ l₁ lc₂ sin q₂"),
        ("g[2]", "m₂ lc₂ g cos(q₁ + q₂)"),
        ("tau[2]", "+ m₂ lc₂ g cos(q₁ + q₂)"),
        ("U", "(m₁ lc₁ + m₂ l₁) g sin q₁ + m₂ lc₂ g sin(q₁ + q₂)"),
        ("T[1]", "1/2 m₁ 𝐯c₁ · 𝐯c₁ + 1/2 𝛚₁ · 𝐈₁ 𝛚₁"),
        ("J[2,2]", "l₂ cos(q₁ + q₂)"),
        ("Jv[1]", "lc₁ cos q₁"),
        ("C", "−m₂ l₁ lc₂ sin(q₂) (q̇₁ + q̇₂)"),
        ("tau", "τ₂ = m₁₂ q̈₁ + m₂₂ q̈₂ + c₂ + g₂\n       = (m₂"),
        ("christoffel", "c₂₂₁ = ∂m₁₂/∂q₂ − 1/2 ∂m₂₂/∂q₁"),
        ("christoffel", "c₁₂₂ = 1/2 ∂m₂₂/∂q₁\n         = 0"),
        ("p[c2]", "𝐩c₂ = │ l₁ sin q₁ + lc₂ sin(q₁ + q₂) │"),
        ("A[2]", "𝐀₂ = Tx(l₁) Rz(q₂)"),
        ("T02", "𝐓₀₂ = Rz(q₁) Tx(l₁) Rz(q₂)"),
        ("T[0,c2]", "l₁ cos q₁ + lc₂ cos(q₁ + q₂)"),
        ("T[c2,1]", "𝐓c₂,₁ = 𝐓₁c₂⁻¹\n"),
        ("T2tool", "𝐓₂,tool ="),
    ],
)
def test_a_single_entry(cli: Call, entry: str, wanted: str):
    found = cli("derive", "planar-elbow", "--only", entry)
    assert found.code == 0
    assert wanted in found.out


@pytest.mark.parametrize("name", ["stanford", "puma560", "genova-3r", "cartesian"])
def test_single_entries_are_those_of_the_whole(name: str):
    model = dynamis.load(name).equations()

    def only(entry: str) -> object:
        (step,) = derive_only(dynamis.load(name).equations(), entry).steps
        return [part.right for part in step.blocks if isinstance(part, Equation)][-1]

    for k in range(model.n):
        assert str(only(f"M[1,{k + 1}]")) == str(model.M[0, k])
        assert str(only(f"c[{k + 1}]")) == str(model.coriolis[k])
        assert str(only(f"C[2,{k + 1}]")) == str(model.coriolis_matrix[1][k])
        assert str(only(f"g[{k + 1}]")) == str(model.gravity[k])
    assert str(only("tau[1]")) == str(model.torques[0])
    assert str(only("T")) == str(model.kinetic_energy)


def test_a_single_entry_does_not_derive_the_rest():
    model = dynamis.load("puma560").equations()
    derive_only(model, "M[1,1]")
    assert set(model.M.entries) == {(0, 0)}
    assert not {"kinetic_energies", "coriolis", "newton_euler"} & set(vars(model))


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        (
            "Z[1]",
            'unknown entry "Z" (known: M, c, christoffel, C, Ck, S, g, Q, tau, T, U, L, A, p, J, Jv, Jw, ',
        ),
        ("m[1,1]", 'unknown entry "m"; did you mean "M"?'),
        ("M[3,1]", '"M[3,1]": there is no 3 among the joints 1 to 2'),
        ("M[1]", '"M[1]": M has no entry with 1 index; write M or M[1,2]'),
        (
            "M[",
            '"M[" is not an entry (indices count from 1, without leading zeros)',
        ),
        ("T[3]", '"T[3]": there is no 3 among the links 1 to 2'),
        ("T03", '"T03": there is no 3 among the links 0 to 2 (0 is the base)'),
        ("T[0,c3]", '"T[0,c3]": there is no c3 among the CoMs of the links, which are c1 to c2'),
        ("T[0,tol]", 'unknown link or frame "tol" in robot "planar-elbow"; did you mean "tool"?'),
        ("T[0,1,2]", '"T[0,1,2]": T has no entry with 3 indices; write T or T[1] or T[0,2]'),
        ("A[0]", '"A[0]": there is no 0 among the links 1 to 2'),
        ("M[01,1]", '"M[01,1]": there is no 01 among the joints 1 to 2'),
        ("M, g[3]", '"M, g[3]": there is no 3 among the joints 1 to 2'),
        ("M;;c", '"M;;c" is not an entry (indices count from 1, without leading zeros); ask for one of M, M[1'),
        ("p", '"p": p has no entry with 0 indices; write p[c2] or p[tool]'),
        ("p[c3]", '"p[c3]": there is no c3 among the CoMs of the links, which are c1 to c2'),
        (f"M[{'9' * 5000},1]", '"M['),
    ],
)
def test_an_entry_that_is_none(cli: Call, entry: str, message: str):
    found = cli("derive", "planar-elbow", "--only", entry)
    assert (found.code, found.out) == (2, "")
    assert found.err.startswith(f"error: {message}")


def test_what_stands_above_several_entries_stands_there_once(cli: Call):
    found = cli("derive", "cartesian", "--only", "Jv[1],Jv[2],Jw[2],c[1,1,1],C[1,2]").out
    for words in ("= Jvi q̇: column j", "= Jwi q̇: column j", "cᵢⱼₖ = 1/2 ("):
        assert found.count(words) == 1


def test_only_and_a_method_exclude_each_other(cli: Call):
    by_jacobians = cli("derive", "bar-2r", "--only", "M,g", "--method", "jacobians").out
    assert "M = Σᵢ (mᵢ Jviᵀ Jvi + Jwiᵀ 𝐈₀ᵢ Jwi)" in by_jacobians
    assert "g(q) = −Σᵢ mᵢ Jviᵀ 𝐠" in by_jacobians
    assert (
        "leave the method out, or give --method jacobians"
        in cli("derive", "bar-2r", "--only", "g[1]", "--method", "newton-euler").err
    )
    assert "exclude each other" in cli("derive", "bar-2r", "--json", "--as", "latex").err


def test_base_parameters_with_their_reasons(cli: Call):
    found = " ".join(cli("derive", "planar-elbow", "--method", "base-parameters").out.split())
    assert "β₁ = mx₁ + l₁ m₂" in found
    assert "13 are zero and 1 depends on the others" in found
    assert (
        "mz₁ is not identifiable: it is in no torque, because link1 rotates about its z axis only, and mz1 is along it"
        in found
    )
    assert "mx₁ is identifiable only in the combination β₁ = mx₁ + l₁ m₂." in found
    assert "m₂ is identifiable only in combinations, β₁, β₃." in found
    assert "Regressor of the base parameters" in cli("derive", "bar-2r", "--method", "base-parameters", "--steps").out


def test_coefficients_and_the_way_back(cli: Call):
    found = cli("derive", "deluca-2r", "--method", "coefficients", "--notation", "deluca").out
    assert "a₂ = m₂ l₁ d₂" in found
    assert "│ a₁ + 2 a₂ c₂   a₃ + a₂ c₂ │" in found
    assert "exact rank over the rationals is 5" in found
    assert "M, c and g are those of the physical" in found
    wrong = cli("derive", "ur5", "--method", "coefficients", "--numeric")
    assert (wrong.code, "ask a symbolic model" in wrong.err) == (2, True)


def test_the_regressor_and_its_proof(cli: Call):
    found = cli("derive", "cartesian", "--method", "regressor").out
    assert "Ym₁ = │ q̈₁ + g │" in found
    assert "τ = Y 𝛑, linear in the inertial parameters (and the drives): proved" in found


def test_design_questions(cli: Call):
    """A robot of numbers is only asked whether M is positive definite."""
    found = cli("prove", "deluca-2r", "--design")
    assert "M is constant if and only if d2 = 0" in found.out
    assert "M is positive definite for all q: det M is a sum of squares" in found.out
    numbers = cli("prove", "ur5", "--design", "--numeric")
    assert numbers.code == 0
    assert "M is positive definite for all q: every link has inertia about its own joint axis" in numbers.out
    assert "is constant" not in numbers.out


def test_progress_is_shown_on_a_terminal_only(cli: Call, monkeypatch: pytest.MonkeyPatch):
    assert cli("derive", "bar-2r", "--steps").err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    found = cli("derive", "bar-2r", "--steps")
    assert "deriving: Mass matrix" in found.err
    assert found.err.endswith("\r")


@pytest.mark.parametrize("form", PAGE_FORMATS)
def test_every_format_can_be_written_to_a_file(cli: Call, form: str, tmp_path: Path):
    page = tmp_path / f"page.{form}"
    assert cli("derive", "bar-2r", "--as", form, "-o", str(page)).code == 0
    printed = cli("derive", "bar-2r", "--as", form).out
    assert without_foot(page.read_text(encoding="utf-8")) == without_foot(printed)


SUFFIXES = {"text": "txt", "latex": "tex", "markdown": "md", "html": "html", "typst": "typ", "json": "json"}


@pytest.mark.parametrize("form", PAGE_FORMATS)
def test_the_suffix_of_a_file_chooses_its_format(cli: Call, form: str, tmp_path: Path):
    page = tmp_path / f"page.{SUFFIXES[form]}"
    assert cli("derive", "bar-2r", "--only", "g[1]", "-o", str(page)).code == 0
    printed = cli("derive", "bar-2r", "--only", "g[1]", "--as", form).out
    assert without_foot(page.read_text(encoding="utf-8")) == without_foot(printed)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["-o", "page.doc"], 'the suffix of "page.doc" is not that of a page (.txt, .tex, .md, .html, .typ, .json,'),
        (["-o", "page.tex", "--as", "html"], '--as html and the suffix of "page.tex" disagree; give one of them'),
        (["-o", "page.tex", "--json"], '--json and the suffix of "page.tex" disagree; give one of them'),
    ],
)
def test_a_suffix_that_stands_for_no_format_or_for_another_one(cli: Call, more: list[str], message: str):
    found = cli("derive", "bar-2r", *more)
    assert found.code == 2
    assert found.err.startswith(f"error: {message}")


def test_all_symbols_and_whole_from_the_command_line(cli: Call):
    assert "I₁zz" in cli("derive", "bar-2r", "--all-symbols", "--only", "M[1,1]").out
    both = cli("derive", "bar-2r", "--all-symbols", "--numeric")
    assert (both.code, both.err) == (
        2,
        "error: --all-symbols and --numeric exclude each other; give one of them\n",
    )
    page = cli("derive", "niryo-one", "--only", "tau[2]", "--whole").out
    assert "named terms" not in page
    assert "terms in all" not in page
    data = json.loads(cli("derive", "niryo-one", "--only", "tau[2]", "--json").out)
    (entry,) = [e for step in data["steps"] for e in step["equations"]]
    assert entry["text"][0].replace(" ", "") in "".join(page.split())


def test_what_is_set_is_a_number(cli: Call):
    """Beside letters, on the page and in the proofs."""
    page = cli("derive", "deluca-2r", "--set", "d2=0", "--set", "m2=3").out
    assert "Equations of motion of deluca-2r with d2 = 0, m2 = 3 (energies)" in page
    assert "= I₂ q̈₁ + I₂ q̈₂" in page
    assert "M is constant for all parameters." in cli("prove", "deluca-2r", "--set", "d2=0", "--design").out


def test_an_entry_may_be_written_without_brackets(cli: Call):
    assert cli("derive", "deluca-2r", "--only", "M12").out == cli("derive", "deluca-2r", "--only", "M[1,2]").out
    assert cli("derive", "deluca-2r", "--only", "c121").out == cli("derive", "deluca-2r", "--only", "c[1,2,1]").out
    assert "there is no 3 among the joints 1 to 2" in cli("derive", "deluca-2r", "--only", "M13").err


def test_a_folder_is_no_file_to_write(cli: Call, tmp_path: Path):
    for more in ([], ["--force"]):
        found = cli("derive", "deluca-2r", "-o", str(tmp_path), *more)
        assert (found.code, "is a folder; give the name of a file" in found.err) == (2, True)


def test_the_help_names_every_notation(cli: Call):
    assert all(name in cli("derive", "--help").out for name in NOTATIONS)


WRENCH = "tool force=fx,fy,0 moment=0,0,nz axes=tool direction=exerted_by_tool"


def test_loads_in_symbols(cli: Call, tmp_path: Path) -> None:
    """The same words as those of `inverse`, with symbols, for derive, prove and check; --set gives them numbers."""
    page = tmp_path / "page.txt"
    call = cli("derive", "planar-elbow", "--method", "newton-euler", "--steps", "--load", WRENCH, "-o", str(page))
    assert call.code == 0
    text = page.read_text(encoding="utf-8")
    assert text.index("tool (exerted by it)") < text.index("Outward, link 1") < text.index("𝐟₂ = 𝐅₂ + 𝐑₃ 𝐟₃")
    assert "fx      force at the tool along x [N]" in text
    assert cli("check", "planar-elbow", str(page), "--load", WRENCH).code == 0
    without = cli("check", "planar-elbow", str(page))
    assert (without.code, 'unknown symbol "fy"' in " ".join(without.out.split())) == (1, True)
    proved = cli("prove", "planar-elbow", "--load", WRENCH, "--load", "link=link1 force=0,-F,0 point=r,0,0")
    assert proved.code == 0
    assert "τ = Y 𝛑 − Q" in proved.out
    assert "Q₂ = −7 − l₂ fy" in cli("derive", "planar-elbow", "--only", "Q[2]", "--load", WRENCH, "--set", "nz=7").out


@pytest.mark.parametrize(
    ("load", "message"),
    [
        ("link=lnk1 force=1,2,3", 'unknown link or frame "lnk1" in robot "planar-elbow"; did you mean "link1"?'),
        ("link=link1 force=fx,fy", "force must be three values [x, y, z]"),
        ("link=link1 force=q1,0,0", '"q1" is a joint of robot "planar-elbow", not a force'),
        (
            "link=link1 moment=0,0,l1",
            '"l1" is a parameter of robot "planar-elbow" (length of link 1 [m]), not a moment',
        ),
        ("tool force=fx,0,0", "direction"),
    ],
)
def test_bad_loads(cli: Call, load: str, message: str) -> None:
    call = cli("derive", "planar-elbow", "--load", load)
    assert call.code == 2
    assert message in call.err
    assert call.err.count("\n") == 1


def test_the_force_of_no_load(cli: Call) -> None:
    assert "there are none; give --load" in cli("derive", "planar-elbow", "--only", "Q[1]").err


URDF = """<robot name="rounded"><link name="base"/><link name="arm"><inertial><origin xyz="0.123456 0 0"/>
<mass value="1.23456789"/><inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.0345678"/></inertial></link>
<joint name="q1" type="revolute"><parent link="base"/><child link="arm"/><origin rpy="1.5708 0 0"/><axis xyz="0 0 1"/>
<limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>"""


def test_digits_and_exact_angles(cli: Call, tmp_path: Path) -> None:
    """Fewer digits on the page, all of them in JSON; 1.5708 is pi/2 if the reader says so."""
    path = tmp_path / "rounded.urdf"
    path.write_text(URDF, encoding="utf-8")
    assert "sin 1.5708" in cli("derive", str(path), "--only", "g[1]").out
    page = cli("derive", str(path), "--only", "g[1]", "--exact-angles", "--digits", "3").out
    assert "g₁ = ∂U₁/∂q₁\n       = 1.5 cos q₁\n" in page
    assert "Numbers of more than 3 digits are rounded to 3 on this page" in page
    assert "1.495" in cli("derive", str(path), "--only", "g[1]", "--exact-angles", "--digits", "3", "--json").out
    assert "--exact-angles" in cli("lint", str(path)).out
    assert cli("prove", str(path), "--exact-angles").code == 0
    converted = tmp_path / "exact.toml"
    assert cli("convert", str(path), str(converted), "--exact-angles").code == 0
    assert "pi/2" in converted.read_text(encoding="utf-8")
