"""`dynamis inertia`: mass, centre of mass and inertia of a body."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

import typer

from dynamis.cli.completion import completed
from dynamis.cli.options import ForceOption, FormatOption, FragmentOption, JsonOption, OutputOption, WidthOption
from dynamis.cli.output import page_target
from dynamis.cli.terminal import remark


def command(
    body: Annotated[
        str,
        typer.Argument(
            metavar="BODY",
            help="A shipped body, a body file (.toml), a mesh (.stl, .obj, .ply, .glb), or a shape: box, ..., cad.",
            autocompletion=completed("body"),
        ),
    ],
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[KEY=VALUE]...",
            help="Sizes of a shape or a mesh: radius=0.1 height=h size=a,b,c mass=m density=2710 axis=x scale=0.001.",
        ),
    ] = None,
    steps: Annotated[
        bool, typer.Option("--steps", help="Each part about its own CoM, rotated, shifted, and the sum.")
    ] = False,
    about: Annotated[
        str | None, typer.Option(metavar="X,Y,Z", help="Also the inertia about this point, instead of the origin.")
    ] = None,
    frame: Annotated[
        str | None, typer.Option(metavar="CHAIN", help='Everything in this frame, such as "Tz(0.1) Rx(pi/2)".')
    ] = None,
    values: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="Give a symbol a value, such as --set r=0.1; repeatable."),
    ] = None,
    repair: Annotated[bool, typer.Option("--repair", help="Repair meshes that are not closed or face inward.")] = False,
    allow_overlap: Annotated[
        bool, typer.Option("--allow-overlap", help="Do not check whether parts overlap and holes lie inside.")
    ] = False,
    digits: Annotated[int, typer.Option(min=2, max=15, help="Significant digits of the numbers.")] = 6,
    page: FormatOption = None,
    output: OutputOption = None,
    force: ForceOption = False,
    fragment: FragmentOption = False,
    width: WidthOption = None,
    as_json: JsonOption = False,
) -> None:
    """Mass, centre of mass, inertia, principal axes and Euler matrix of a body, in numbers or in symbols.

    dynamis inertia cylinder radius=r height=h mass=m
    """
    from dynamis.exact.derivations.bodies.question import entries, find_body, seen_from

    target = page_target(page, as_json, output, force, body=body)
    question = find_body(body, words or [], repair=repair, allow_overlap=allow_overlap)
    solid = question.body.substituted(_values(values, question.body.parameters()))
    notes = (*(f"not checked: {note}" for note in solid.check()), *question.notes)
    solid, point = seen_from(solid, frame) if frame else solid, entries(about) if about else None
    inertia = replace(question, body=solid, notes=notes, point=point, steps=steps, digits=digits)
    text = target.text(inertia, width, fragment=fragment)
    for note in notes:
        remark("note", note)
    target.write(text, inertia.document().title)


def _values(texts: list[str] | None, symbols: frozenset[str]) -> dict[str, Any]:
    """The values of --set."""
    from dynamis.base.errors import ArgumentError, UnknownNameError
    from dynamis.base.expressions.parser import as_expression

    symbol_values: dict[str, Any] = {}
    for text in texts or []:
        key, sign, value = text.partition("=")
        if not sign or not value.strip():
            raise ArgumentError(f'--set "{text}" is not NAME=VALUE, such as r=0.1', key="set")
        if key.strip() not in symbols:
            raise UnknownNameError("symbol", key.strip(), sorted(symbols), within="the body", key="set")
        symbol_values[key.strip()] = as_expression(value, key)
    return symbol_values
