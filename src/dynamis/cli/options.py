"""The arguments that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dynamis.cli.completion import completed, completed_by_robot
from dynamis.formats.robot_formats import usual_suffixes

if TYPE_CHECKING:
    from dynamis.equations.equations import Equations
    from dynamis.model.loads import Load
    from dynamis.model.payload import Payload
    from dynamis.robot import Robot


RobotArgument = Annotated[
    str,
    typer.Argument(
        metavar="ROBOT",
        help=f"A shipped robot's name, or a {usual_suffixes()} file.",
        autocompletion=completed("robot"),
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")]
SetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="Give a parameter a value, such as --set m1=2.5; may be repeated.",
        autocompletion=completed_by_robot(lambda robot: [f"{name}=" for name in robot.parameters]),
    ),
]
SecondsOption = Annotated[float, typer.Option(min=0.001, help="Time limit of the derivation [s].")]
MemoryOption = Annotated[float, typer.Option(min=0.001, help="Memory limit of its polynomials [GB].")]

AllSymbolsOption = Annotated[
    bool,
    typer.Option("--all-symbols", "--all-letters", help="Every mass, CoM, inertia and length as a symbol, zeros too."),
]
ExactAnglesOption = Annotated[
    bool,
    typer.Option(
        "--exact-angles", help="Rounded angles are the multiples of 15 degrees that they round: 1.5708 is pi/2."
    ),
]
NumericOption = Annotated[bool, typer.Option("--numeric", help="The values as exact rationals, no symbols.")]

FormatOption = Annotated[
    str | None,
    typer.Option(
        "--as",
        metavar="FORMAT",
        help="text, latex, markdown, html, typst or json; without it that of the file's suffix (or .pdf), or text.",
        autocompletion=completed("format"),
    ),
]
OutputOption = Annotated[Path | None, typer.Option("-o", "--output", metavar="FILE", help="Write to a file.")]
FolderOption = Annotated[
    Path | None,
    typer.Option(
        "-o",
        "--output",
        metavar="FOLDER",
        help="Write the results there: text, JSON, samples, figures; a name such as page.html, .tex or .pdf: a page.",
    ),
]
FragmentOption = Annotated[
    bool, typer.Option("--fragment", help="Without the head of the file, to include it in another one.")
]
ForceOption = Annotated[bool, typer.Option("--force", help="Overwrite files that exist.")]
WidthOption = Annotated[
    int | None,
    typer.Option(min=40, max=1000, help="Width of the text in characters; that of the terminal if left out."),
]
NotationOption = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        help="How equations look: dynamis, bejczy, craig, deluca, genova, jnadi, siciliano, spong or a notation file.",
        autocompletion=completed("notation"),
    ),
]
FiguresOption = Annotated[
    str | None,
    typer.Option(help="Figure format: png (the default), pdf, svg or none.", autocompletion=completed("figures")),
]
HistoryOption = Annotated[
    str, typer.Option(help="Every sample as csv, parquet or none.", autocompletion=completed("history"))
]
DecimalsOption = Annotated[int, typer.Option(min=0, max=15, help="Decimals in the tables.")]
LoadOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="LOAD",
        help="'link=forearm force=0,0,-10 axes=world point=0.1,0,0', or at the tool 'tool force=0,0,-10 "
        "moment=0,0,1 direction=exerted_by_environment' (or exerted_by_tool); may be repeated.",
    ),
]
SymbolicLoadOption = Annotated[
    list[str] | None,
    typer.Option(
        "--load",
        metavar="LOAD",
        help="'link=forearm force=fx,0,-10 axes=world point=0.1,0,0', or at the tool 'tool force=fx,fy,0 "
        "moment=0,0,nz axes=tool direction=exerted_by_tool' (or exerted_by_environment); names are symbols; may be "
        "repeated.",
    ),
]
PayloadOption = Annotated[float | None, typer.Option(min=0, metavar="KG", help="Mass held in the tool frame [kg].")]
PayloadComOption = Annotated[
    str | None, typer.Option(metavar="X,Y,Z", help="CoM of the payload in the tool frame [m]; its origin if left out.")
]
PayloadInertiaOption = Annotated[
    str | None,
    typer.Option(
        metavar="XX,YY,ZZ",
        help="Inertia of the payload about its CoM [kg m^2], also with XY,XZ,YZ; a point mass if left out.",
    ),
]
NoGravityOption = Annotated[bool, typer.Option("--no-gravity", help="Without gravity.")]


def payload_of(mass: float | None, com: str | None, inertia: str | None) -> Payload | None:
    """The payload of `--payload`, `--payload-com` and `--payload-inertia`."""
    from dynamis.errors import ArgumentError
    from dynamis.formats.tasks.state_file import numbers
    from dynamis.model.payload import payload_from

    if mass is None:
        for option, text in (("--payload-com", com), ("--payload-inertia", inertia)):
            if text is not None:
                raise ArgumentError(f"{option} goes with --payload KG, which is missing", key="payload")
        return None
    return payload_from(
        mass, None if com is None else numbers(com, "--payload-com"),
        None if inertia is None else numbers(inertia, "--payload-inertia"),
    )  # fmt: skip


def load_robot(name: str, values: list[str] | None = None) -> Robot:
    """The robot with the values of `--set`."""
    from dynamis.library import load

    return set_values(load(name), values)


def robot_and_state(name: str, values: list[str] | None) -> tuple[Robot, dict[str, Any]]:
    """A robot and no state, or those of an exercise with its gravity and loads: q, qd, qdd, loads, gravity."""
    from dynamis.formats.robot_file.joint_table import Exercise
    from dynamis.library import read
    from dynamis.robot import Robot

    content = read(name)
    if not isinstance(content, Exercise):
        return set_values(Robot.from_model(content, name), values), {}
    state = {key: getattr(content, key) for key in ("q", "qd", "qdd", "loads", "gravity")}
    return set_values(Robot.from_model(content.robot, name), values), state


def loaded_robot(robot: Robot, texts: list[str] | None, values: list[str] | None) -> tuple[Robot, list[Load]]:
    """The loads of `--load`, and the robot with their symbols and the values of `--set`."""
    from dynamis.formats.tasks.state_file import parse_load
    from dynamis.model.loads import with_load_symbols

    loads = [load for text in texts or [] for load in parse_load(text, robot, symbols=True)]
    return set_values(with_load_symbols(robot, loads), values), loads


def set_values(robot: Robot, values: list[str] | None) -> Robot:
    """The values of `--set`, each NAME=VALUE."""
    from dynamis.errors import ArgumentError

    pairs: dict[str, Any] = {}
    for text in values or []:
        key, sign, value = text.partition("=")
        if not sign or not value.strip():
            raise ArgumentError(f'--set "{text}" is not NAME=VALUE, such as m1=2.5', key="set")
        pairs[key.strip()] = value
    return robot.with_values(pairs) if pairs else robot


def exact_model(
    name: str,
    values: list[str] | None,
    all_symbols: bool,
    numeric: bool,
    seconds: float,
    memory: float,
    loads: list[str] | None = None,
    angles: bool = False,
) -> Equations:
    """The closed-form model of a robot: parameters are symbols but those of `--set`, or all of them numbers."""
    from dynamis.errors import ArgumentError
    from dynamis.library import load
    from dynamis.model.exact_angles import with_exact_angles
    from dynamis.model.with_numbers import substituted, with_numbers

    if all_symbols and numeric:
        raise ArgumentError("--all-symbols and --numeric exclude each other; give one of them", key="numeric")
    robot, acting = loaded_robot(with_exact_angles(load(name)) if angles else load(name), loads, values)
    if not numeric:
        names = [text.partition("=")[0].strip() for text in values or []]
        acting = [substituted(one, {name: robot.values[name] for name in names}) for one in acting]
        robot = with_numbers(robot, names)
    return (robot.symbolic(keep_zeros=False) if all_symbols else robot).equations(numeric, seconds, memory, acting)
