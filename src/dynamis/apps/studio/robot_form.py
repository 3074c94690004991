"""A robot file as a form: groups of rows of inputs, each with the place of its value in the file and its unit."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from decimal import Decimal
from typing import Any, cast

from dynamis.apps.studio.robot_file import WORDS
from dynamis.model.link import KINDS

TURNING = {"damping": "N m s/rad", "coulomb": "N m", "effort": "N m", "velocity": "rad/s", "position": "rad"}
SLIDING = {"damping": "N s/m", "coulomb": "N", "effort": "N", "velocity": "m/s", "position": "m"}
DH = {"theta": ("θ", "rad"), "d": ("d", "m"), "a": ("a", "m"), "alpha": ("α", "rad")}
PARTS = "Mass, CoM and inertia come from the parts of this link; edit them in the file."
_UNIT = re.compile(r"\s*\[([^\]]*)\]\s*$")
Row = dict[str, Any]


def robot_form(text: str) -> list[dict[str, Any]]:
    """The groups of a robot file that can be read."""
    data = tomllib.loads(text, parse_float=Decimal)
    head: dict[str, Any] = data["robot"]
    groups = [{"title": "Robot", "rows": list(_head(head))}]
    if rows := list(_parameters(data)):
        groups.append({"title": "Parameters", "rows": rows})
    for k, link in enumerate(cast("list[dict[str, Any]]", data["link"])):
        at: list[Any] = ["link", k]
        parts = any(key in link for key in ("part", "hole", "body"))
        rows = [*_joint(at, link), *_place(at, link, head["convention"]), *(() if parts else _body(at, link))]
        groups.append({"title": str(link["name"]), "rows": rows, "note": PARTS if parts else ""})
    return groups


def _row(label: str, *inputs: dict[str, Any], hint: str = "") -> Row:
    return {"label": label, "inputs": inputs, "hint": hint}


def _input(path: list[Any], value: Any, name: str = "", unit: str = "", **more: Any) -> dict[str, Any]:
    shown = f"{value:f}" if isinstance(value, Decimal) and abs(value.adjusted()) < 16 else str(value)
    return {"path": path, "value": shown, "name": name, "unit": unit, **more}


def _vector(path: list[Any], label: str, values: Any, unit: str) -> Row:
    return _row(label, *(_input([*path, j], values[j] if values else "", "xyz"[j], unit) for j in range(3)))


def _head(head: dict[str, Any]) -> Iterator[Row]:
    yield _row("name", _input(["robot", "name"], head["name"], unit=WORDS))
    yield _vector(["robot", "gravity"], "gravity", head.get("gravity", (0, 0, Decimal("-9.81"))), "m/s²")


def _parameters(data: dict[str, Any]) -> Iterator[Row]:
    """Every parameter, with the value that it has or may get."""
    words: dict[str, str] = data.get("parameters", {})
    values: dict[str, Any] = data.get("values", {})
    for name in dict.fromkeys((*words, *values)):
        meaning = words.get(name, "")
        unit = _UNIT.search(meaning)
        told = unit[1].replace("^2", "²") if unit else ""
        yield _row(name, _input(["values", name], values.get(name, ""), "", told), hint=_UNIT.sub("", meaning))


def _joint(at: list[Any], link: dict[str, Any]) -> Iterator[Row]:
    whole = isinstance(link["joint"], str)
    joint: dict[str, Any] = {"kind": link["joint"]} if whole else link["joint"]
    at = [*at, "joint"]
    yield _row("joint", _input(at if whole else [*at, "kind"], joint["kind"], options=list(KINDS)))
    if joint["kind"] == "fixed":
        return
    units = SLIDING if joint["kind"] == "prismatic" else TURNING
    limits: dict[str, Any] = joint.get("limits", {})
    ends, place = limits.get("position"), [*at, "limits"]
    inputs = [
        _input([*place, *(["position", j] if ends else [key])], ends[j] if ends else limits.get(key, ""), key,
               units["position"])
        for j, key in enumerate(("lower", "upper"))
    ]  # fmt: skip
    inputs += [_input([*place, key], limits.get(key, ""), key, units[key]) for key in ("velocity", "effort")]
    yield _row("limits", *inputs)
    yield _row("friction", *(
        _input([*at, key], joint.get(key, ""), name, units[key])
        for key, name in (("damping", "viscous"), ("coulomb", "Coulomb"))
    ))  # fmt: skip
    yield _row("drive", _input([*at, "gear_ratio"], joint.get("gear_ratio", ""), "gear ratio"),
               _input([*at, "rotor_inertia"], joint.get("rotor_inertia", ""), "rotor inertia", "kg m²"))  # fmt: skip


def _place(at: list[Any], link: dict[str, Any], convention: str) -> Iterator[Row]:
    """Where the link is: lengths and angles, as the convention of the file has them."""
    if convention.endswith("-dh"):
        yield _row("D-H", *(_input([*at, "dh", key], link["dh"][key], *DH[key]) for key in DH))
    elif convention == "offset" and "placement" not in link:
        yield _vector([*at, "offset"], "offset", link.get("offset"), "m")
    for key in ("frame", "placement", "after"):
        if key in link:
            yield _row(key, _input([*at, key], link[key], unit=WORDS))
    if "axis" in link:
        yield _vector([*at, "axis"], "axis", link["axis"], "")


def _body(at: list[Any], link: dict[str, Any]) -> Iterator[Row]:
    yield _row("mass", _input([*at, "mass"], link.get("mass", ""), "", "kg"))
    if isinstance(link.get("com"), str):
        yield _row("CoM", _input([*at, "com"], link["com"], unit=WORDS))
    else:
        yield _vector([*at, "com"], "CoM", link.get("com"), "m")
    inertia: dict[str, Any] = link.get("inertia", {})
    at = [*at, "inertia"]
    if inertia:
        yield _row("inertia", _input([*at, "about"], inertia["about"], "about", options=["com", "origin"]))
    if "matrix" in inertia:
        for i, a in enumerate("xyz"):
            row = inertia["matrix"][i]
            yield _row("", *(_input([*at, "matrix", i, j], row[j], f"{a}{b}", "kg m²") for j, b in enumerate("xyz")))
    elif "gyration" in inertia:
        yield _vector([*at, "gyration"], "gyration", inertia["gyration"], "m")
    else:
        for keys in (("xx", "yy", "zz"), ("xy", "xz", "yz")):
            label = "" if inertia or keys[0] == "xy" else "inertia"
            yield _row(label, *(_input([*at, key], inertia.get(key, ""), key, "kg m²") for key in keys))
