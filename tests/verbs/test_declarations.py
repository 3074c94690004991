"""A verb is declared once: its function, its command, its schema and its page have what the declaration has."""

from __future__ import annotations

import inspect
import json
from pathlib import Path
from typing import Any

import pytest
import typer

import dynamis
from dynamis.base.verb import declared_options, sentence
from dynamis.cli.main import app
from dynamis.verbs.catalogue import PLACES, verb_named
from dynamis.verbs.json_request import schema
from dynamis.verbs.kinds import kind_of
from dynamis.verbs.words import flags
from tests.support.command_line import Call, caller
from tests.support.verb_tables import PAGE, page

LOG = str(Path(__file__).parents[1] / "data" / "logs" / "bar-2r.csv")
every = pytest.mark.parametrize("name", PLACES)


@pytest.fixture
def call(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Call:
    return caller(monkeypatch, capsys)


def function_of(name: str) -> Any:
    """The function of Python."""
    module = inspect.getmodule(verb_named(name))
    assert module is not None
    return next(x for x in vars(module).values() if getattr(x, "__wrapped__", None) is verb_named(name))


@every
def test_the_function_has_its_fields(name: str) -> None:
    kind = verb_named(name)
    found = inspect.signature(function_of(name)).parameters
    assert list(found) == list(declared_options(kind))
    for x in declared_options(kind).values():
        assert found[x.name].default == (inspect.Parameter.empty if x.required else x.default)


@every
def test_its_docstring_tells_every_argument(name: str) -> None:
    text = " ".join((function_of(name).__doc__ or "").split())
    for x in declared_options(verb_named(name)).values():
        assert f"{x.name} {sentence(x)}" in text


@every
def test_the_command_has_its_options(name: str) -> None:
    kind, command = verb_named(name), typer.main.get_command(app).commands[name]  # type: ignore[attr-defined]
    typed = {flag for parameter in command.params for flag in (*parameter.opts, *parameter.secondary_opts)}
    for x in declared_options(kind).values():
        for one in kind_of(x).spellings(x, bool(kind.file and x.about.file)):
            assert {one.name} if one.positional else {*flags(one)} <= typed


@every
def test_help_names_every_choice(name: str) -> None:
    for x in declared_options(verb_named(name)).values():
        assert [choice for choice in x.names() if choice not in x.about.help] == []


@every
def test_the_schema_has_its_options(name: str) -> None:
    found = schema(name)
    for x in declared_options(verb_named(name)).values():
        assert kind_of(x).properties(x).keys() <= found["properties"].keys()
        assert kind_of(x).properties(x) or x.about.kind == "python"
    assert json.loads(json.dumps(found)) == found


def test_the_page_shows_every_option() -> None:
    assert PAGE.read_text("utf-8") == page()


def test_a_wrong_call_is_told_by_the_name_of_the_function() -> None:
    simulate: Any = dynamis.simulate
    with pytest.raises(TypeError, match=r"^simulate\(\) got an unexpected keyword argument 'secs'$"):
        simulate(dynamis.load("bar-2r"), [0, 0], secs=3)
    with pytest.raises(TypeError, match=r"^simulate\(\) missing 1 required positional argument: 'q0'$"):
        simulate(dynamis.load("bar-2r"))


def asked(call: Call, tmp_path: Path, **request: Any) -> Any:
    file = tmp_path / "request.json"
    file.write_text(json.dumps(request))
    return call("ask", str(file))


def test_a_request_in_json_is_the_call_in_python(call: Call, tmp_path: Path) -> None:
    given = {"duration": 0.2, "samples": 5, "gravity": [0, 0, -1], "torque_limit": [20, 8], "check": True}
    done = asked(call, tmp_path, verb="simulate", robot="bar-2r", values={"m1": 7}, q0=[0.1, 0.2], payload=0.5, **given)
    run = dynamis.simulate(dynamis.load("bar-2r").with_values(m1=7), [0.1, 0.2], payload=0.5, **given)
    found = json.loads(done.out)
    assert done.code == 0
    assert found["settings"]["gravity"] == [0, 0, -1]
    own = json.loads(run.page("json"))
    for key in ("settings", "ends", "events", "energy"):
        assert found.get(key) == own.get(key)
    assert len(found.keys() & {"settings", "ends", "events", "energy"}) > 1


def test_a_request_with_a_file_is_the_command(call: Call, tmp_path: Path) -> None:
    done = asked(call, tmp_path, verb="learn", robot="bar-2r", file="two-bar-reach", trials=2, period=5e-3)
    same = call("learn", "bar-2r", "two-bar-reach", "--trials", "2", "--period", "5e-3", "--json")
    assert json.loads(done.out)["trials"] == json.loads(same.out)["trials"]


@pytest.mark.parametrize(
    ("request_", "command"),
    [
        (
            {"verb": "motion", "file": "two-bar-reach", "samples": 51, "payload": 0.5},
            "motion bar-2r two-bar-reach --samples 51 --payload 0.5",
        ),
        (
            {"verb": "excite", "iterations": 2, "planes": [[1, 0, 0, -2.5]], "box": [[-3, -3, -3], [3, 3, 3]]},
            "excite bar-2r --iterations 2 --plane=1,0,0,-2.5 --box=-3,-3,-3,3,3,3",
        ),
        (
            {"verb": "identify", "data": [LOG], "cutoff": 20, "physical": False, "friction": ["viscous"]},
            f"identify bar-2r {LOG} --cutoff 20 --no-physical --friction viscous",
        ),
        (
            {"verb": "sweep", "file": "two-bar-gravity", "explain": True, "payload": {"mass": 2}},
            "sweep bar-2r two-bar-gravity --explain --payload 2",
        ),
    ],
    ids=["motion", "excite", "identify", "sweep"],
)
def test_a_request_is_answered_as_its_command(call: Call, tmp_path: Path, request_: Any, command: str) -> None:
    done, same = asked(call, tmp_path, robot="bar-2r", **request_), call(*command.split(), "--json")
    assert (done.code, same.code) == (0, 0)
    found, own = json.loads(done.out), json.loads(same.out)
    for one in (found, own):
        one.pop("provenance", None)
        for measured in ("seconds", "memory_bytes"):  # of a plan
            one.pop(measured, None)
    assert found == own


@pytest.mark.parametrize(
    ("request_", "sentence"),
    [
        ({"verb": "simulate"}, "robot is missing"),
        ({"robot": "bar-2r"}, "verb is missing"),
        ({"verb": "juggle", "robot": "bar-2r"}, 'unknown verb "juggle"'),
        ({"verb": "simulate", "robot": "bar-2r"}, "file, or q0 is missing"),
        ({"verb": "sweep", "robot": "bar-2r"}, "file is missing"),
        ({"verb": "motion", "robot": "bar-2r"}, "file is missing"),
        ({"verb": "simulate", "robot": "bar-2r", "steps": 3}, 'unknown key "steps"; did you mean "step"?'),
        ({"verb": "simulate", "robot": "bar-2r", "duration": "2"}, 'duration must be a number or null, got "2"'),
        ({"verb": "simulate", "robot": "bar-2r", "duration": True}, "duration must be a number or null, got true"),
        ({"verb": "simulate", "robot": "bar-2r", "samples": 1}, "samples must be at least 2, got 1"),
        ({"verb": "simulate", "robot": "bar-2r", "limits": "wall"}, "limits must be one of stop, end, ignore, got"),
        ({"verb": "simulate", "robot": "bar-2r", "q0": [1, "2"]}, "q0 must be a list, each entry a number, got"),
        ({"verb": "simulate", "robot": "bar-2r", "gravity": [1, 2]}, "must be true or false or a list of 3 numbers"),
        ({"verb": "simulate", "robot": "bar-2r", "payload": {"m": 1}}, "an object with mass, com, inertia, got"),
        ({"verb": "simulate", "robot": "bar-2r", "payload": {"mass": -1}}, "an object whose mass is at least 0, got"),
    ],
)
def test_wrong_requests_are_one_sentence(call: Call, tmp_path: Path, request_: Any, sentence: str) -> None:
    done = asked(call, tmp_path, **request_)
    assert done.code == 2
    assert sentence in done.err
    assert sentence in json.loads(done.out)["error"]["message"]


def test_what_is_no_json_is_one_sentence(call: Call, tmp_path: Path) -> None:
    file = tmp_path / "request.json"
    file.write_text("[" * 100_000)
    done = call("ask", str(file))
    assert (done.code, "is not JSON" in done.err) == (2, True)
    assert "give a request, or --schema VERB" in call("ask").err
