"""A robot whose joints move no mass has kinematics but no torques."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import pytest

import dynamis
from dynamis import Force, Inertia, Joint, Link, MissingMassError, Robot, UnphysicalWarning
from dynamis.formats.urdf.read import read_urdf
from dynamis.quantities.registry import QUANTITIES
from tests.support.command_line import caller

BODY = '<inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'


def arm(*bodies: str, reach: str = "0 0 0.5") -> str:
    """The text of a URDF: a chain of links with these <inertial>s."""
    links = "".join(f'<link name="l{k}">{body}</link>' for k, body in enumerate(bodies, 1))
    joints = "".join(
        f'<joint name="j{k}" type="revolute"><parent link="l{k - 1}"/><child link="l{k}"/>'
        f'<origin xyz="{reach}"/><axis xyz="0 1 0"/></joint>'
        for k in range(1, len(bodies) + 1)
    )
    return f'<robot name="arm"><link name="l0"/>{links}{joints}</robot>'


def robot(*bodies: str, reach: str = "0 0 0.5") -> Robot:
    return Robot.from_model(read_urdf(arm(*bodies, reach=reach), "arm.urdf"))


def ask(subject: Robot, name: str, **more: object) -> object:
    names = {"frame": "tool", "relative_to": "l0", "convention": "joint", "link": "l1"}
    wanted = QUANTITIES[name]
    options = {key: names[key] for key in wanted.options if key in names}
    function = subject.prepared(name, **options, **more)  # type: ignore[arg-type]
    return function(*([0.1] * subject.n for _ in wanted.inputs))


KINEMATICS = {
    "regressor", "link_motions", "forward_kinematics", "frame_motion", "jacobian", "bias_acceleration", "com_pose",
    "com_jacobian", "com_bias_acceleration", "jacobian_rate", "hessian", "full_regressor",
    "com_jacobian_rate", "com_hessian", "link_poses",
}  # fmt: skip


@pytest.mark.parametrize("name", QUANTITIES)
def test_only_kinematics_do_without_a_mass(name: str) -> None:
    weightless = robot("", "")
    if name in KINEMATICS:
        ask(weightless, name)
        return
    with pytest.raises(MissingMassError, match=r'robot "arm": no link that moves has a mass, .* \(l1, l2\); give them'):
        ask(weightless, name)


@pytest.mark.parametrize("verb", ["inverse", "simulate", "motion", "derive", "prove"])
def test_every_command_names_the_links(verb: str, tmp_path, monkeypatch, capsys) -> None:  # type: ignore[no-untyped-def]
    path, task = tmp_path / "arm.urdf", tmp_path / "task.toml"
    path.write_text(arm("", ""))
    task.write_text({
        "simulate": "duration = 0.1\n[start]\nq = [0.1, 0.2]\n",
        "motion": '[motion]\nkind = "quintic"\nstart = [0, 0]\ngoal = [1, 1]\nduration = 1\n',
    }.get(verb, ""))  # fmt: skip
    call = caller(monkeypatch, capsys)
    more = {"inverse": ["--q", "0.1,0.2"], "simulate": [str(task)], "motion": [str(task)]}.get(verb, [])
    found = call(verb, str(path), *more)
    assert (found.code, found.out) == (2, "")
    assert "no link that moves has a mass" in found.err
    assert "(l1, l2)" in found.err


@pytest.mark.parametrize("verb", ["show", "lint"])
def test_a_weightless_robot_can_be_looked_at(verb: str, tmp_path, monkeypatch, capsys) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "arm.urdf"
    path.write_text(arm("", ""))
    assert caller(monkeypatch, capsys)(verb, str(path)).code in (0, 1)
    dynamis.save(dynamis.load(path), tmp_path / "again.toml")
    assert dynamis.load(tmp_path / "again.toml").n == 2


def test_a_tip_without_mass_warns_and_has_no_acceleration() -> None:
    tip = robot(BODY, "")
    with pytest.warns(UnphysicalWarning, match="l2 moves but has no mass, which counts as 0 in every torque"):
        assert tip.inverse_dynamics([0.1, 0.2])[1] == 0
    with pytest.raises(MissingMassError, match=r"so their acceleration is not determined \(l2\)"):
        tip.forward_dynamics([0.1, 0.2])


def test_a_long_link_without_mass_warns() -> None:
    with pytest.warns(UnphysicalWarning, match="l1, l2 move but have no mass"):
        robot("", "", BODY).inverse_dynamics([0.1, 0.2, 0.3])


@pytest.mark.filterwarnings("error")
def test_a_joint_of_several_axes_is_sound() -> None:
    """The usual way to write a hip or a wrist: links of no length between the axes."""
    assert robot("", "", BODY, reach="0 0 0").inverse_dynamics([0.1, 0.2, 0.3]).shape == (3,)


@pytest.mark.filterwarnings("error")
def test_a_rotor_is_a_mass_and_so_is_a_payload() -> None:
    drive = Robot("drive", (Link("disc", Joint("j", rotor_inertia=0.1)),))
    assert drive.forward_dynamics([0.0], tau=[1.0]) == pytest.approx([10])
    held = Robot("rod", (Link("rod", Joint("j")),)).with_tool("Tx(1)").with_payload(1)
    assert held.forward_dynamics([0.0], tau=[2.0]).shape == (1,)


def test_loads_on_a_weightless_arm_are_statics() -> None:
    with pytest.warns(UnphysicalWarning, match="have no mass"):
        tau = robot("", "").inverse_dynamics([0, 0], loads=[Force("l2", (1, 0, 0), point=(0, 0, 1))])
    assert tau == pytest.approx([-1.5, -1])


def test_masses_may_come_at_run_time() -> None:
    tau = robot("", "").compile("inverse_dynamics", parameters=["l1.mass", "l2.inertia.yy"])
    assert tau([0, 0], [0, 0], [0, 1], [1.0, 3.0]) == pytest.approx([3, 3])
    named = Robot("r", (Link("a", Joint("j"), mass="m", com=(1, 0, 0)),), values={"m": 0})
    with pytest.raises(MissingMassError):
        named.mass_matrix([0.0])
    assert named.compile("mass_matrix", parameters=["m"])([0.0], [2.0]) == pytest.approx(2)


def test_symbols_are_masses() -> None:
    model = Robot("r", (Link("a", Joint("j"), inertia=Inertia.of(zz="I")),), parameters={"I": ""}).equations()
    assert str(model.M[0, 0]) == "I"
    with pytest.raises(MissingMassError):
        _ = robot("", "").equations().M[0, 0]
    assert len(robot("", "").symbolic(keep_zeros=False).equations().M[0, 0]) > 1


MOTION = '[motion]\nkind = "quintic"\nstart = [0, 0]\ngoal = [1, 1]\nduration = 1\n'
COMMANDS: dict[str, list[str]] = {
    "show": [], "convert": ["OUT"], "state": ["--q", "0.1,0.2"], "inverse": ["--q", "0.1,0.2"],
    "motion": ["TASK", "--samples", "5"], "simulate": ["TASK"], "learn": ["TASK"], "derive": [], "prove": [],
}  # fmt: skip


@pytest.mark.filterwarnings("always::dynamis.errors.UnphysicalWarning")
@pytest.mark.parametrize(
    ("tip", "sentence"),
    [
        ("", 'robot "arm": l2 moves but has no mass, which counts as 0 in every torque; the torque of j2, which'),
        (
            BODY.replace('"1"', '"0"'),
            'robot "arm": l2 moves but has no inertia about the axis of the joint; the torque',
        ),
    ],
    ids=["no mass", "a point on the axis"],
)
@pytest.mark.parametrize("verb", COMMANDS)
def test_every_command_says_that_a_moving_link_has_no_inertia(  # type: ignore[no-untyped-def]
    verb: str, tip: str, sentence: str, tmp_path, monkeypatch, capsys
) -> None:
    path, task = tmp_path / "arm.urdf", tmp_path / "task.toml"
    path.write_text(arm(BODY, tip))
    task.write_text("duration = 0.1\n[start]\nq = [0.1, 0.2]\n" if verb == "simulate" else MOTION)
    names = {"TASK": str(task), "OUT": str(tmp_path / "again.toml")}
    found = caller(monkeypatch, capsys)(verb, str(path), *(names.get(x, x) for x in COMMANDS[verb]))
    assert f"warning: {sentence}" in found.err
    assert found.code == (2 if verb in ("simulate", "learn") else 0)


@pytest.mark.filterwarnings("error")
def test_what_a_fixed_joint_carries_is_a_mass_and_the_base_needs_none() -> None:
    """Links on fixed joints are merged; the root, and what is fixed on it, does not move."""
    fixed = '<joint name="f{0}" type="fixed"><parent link="{1}"/><child link="{0}"/></joint>'
    text = arm("", "", BODY).replace('<joint name="j3" type="revolute">', '<joint name="j3" type="fixed">')
    text = text.replace("</robot>", f'<link name="stand"/>{fixed.format("stand", "l0")}</robot>')
    text = text.replace('<link name="l1"></link>', f'<link name="l1"></link><link name="case">{BODY}</link>')
    merged = read_urdf(text.replace("</robot>", f"{fixed.format('case', 'l1')}</robot>"), "arm.urdf")
    assert [link.name for link in merged.links] == ["l1", "l2"]


@pytest.mark.filterwarnings("error")
def test_a_motor_in_a_transmission_is_an_inertia() -> None:
    motor = '<actuator name="m"><mechanicalReduction>2</mechanicalReduction><motorInertia>0.1</motorInertia></actuator>'
    text = arm(BODY, "").replace("</robot>", f'<transmission name="t"><joint name="j2"/>{motor}</transmission></robot>')
    found = Robot.from_model(read_urdf(text, "arm.urdf"))
    assert found.inverse_dynamics([0, 0], [0, 0], [0, 1]) == pytest.approx([0, 0.4])


SENTENCE = "l2 moves but has no mass"


@pytest.mark.filterwarnings("always")
@pytest.mark.parametrize("verb", ["show", "state --q 0,1", "inverse --q 0,1 --reactions", "motion", "derive", "prove"])
def test_every_command_says_it_on_its_pages_and_in_json(
    verb: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "arm.urdf").write_text(arm(BODY, ""))
    (tmp_path / "task.toml").write_text(MOTION)
    name, *options = verb.split()
    call = caller(monkeypatch, capsys, name, str(tmp_path / "arm.urdf"))
    words = [str(tmp_path / "task.toml"), *options] if name == "motion" else options
    for suffix in ("html", "tex", "txt"):
        page = tmp_path / f"page.{suffix}"
        assert SENTENCE in call(*words, "-o", str(page)).err
        assert " ".join(page.read_text().split()).count(SENTENCE) == 1
    assert sum(SENTENCE in note for note in json.loads(call(*words, "--json").out)["notes"]) == 1


@pytest.mark.filterwarnings("ignore:robot")
def test_results_in_python_say_it_too() -> None:
    light = robot(BODY, "")
    assert SENTENCE in light.warnings[0]
    assert light.reactions([0.0, 1.0]).notes == light.warnings
    budget = dynamis.torque_budget(light, dynamis.quintic([0, 0], [1, 1], 1))
    assert budget.notes == light.warnings
    for text in (str(light.reactions([0.0, 1.0])), str(budget), budget.page("html"), str(light), light._repr_html_()):
        assert " ".join(text.split()).count(SENTENCE) == 1
    assert robot(BODY, BODY).warnings == ()


@pytest.mark.parametrize("backend", ["llvm", "numpy", "casadi"])
def test_a_compiled_function_carries_the_note(backend: str) -> None:
    light = robot(BODY, "").on(backend)
    with pytest.warns(UnphysicalWarning, match="l2 moves but has no mass"):
        tau = light.compile("inverse_dynamics")
    assert tau.notes == light.warnings  # type: ignore[attr-defined]
    assert "no mass, which counts as 0 in every torque" in tau._repr_html_()  # type: ignore[attr-defined]
    if backend != "casadi":
        assert pickle.loads(pickle.dumps(tau)).notes == tau.notes  # type: ignore[attr-defined]
    whole = robot(BODY, BODY).on(backend).compile("inverse_dynamics")
    assert whole.notes == ()  # type: ignore[attr-defined]
