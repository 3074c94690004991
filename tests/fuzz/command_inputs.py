"""Words of a command line: verbs, options and values, right and wrong ones, kept with NUL between them."""

from __future__ import annotations

from random import Random

from tests.fuzz import hostile
from tests.fuzz.text_inputs import chain, expression

_ROBOTS = (
    "bar-2r",
    "genova-rp",
    "cartesian",
    "planar-elbow",
    "arm.toml",
    "arm.urdf",
    "exercise-2.1",
    "nothing",
    "puma56",
)
_OPTIONS = {
    "show": ("--json", "--set"),
    "lint": ("--json", "--set"),
    "robots": ("--json",),
    "convert": ("--json", "--set", "--force"),
    "export": ("--to", "--functions", "--parameters", "--style", "--json", "--set", "--force"),
    "inverse": (
        "--q", "--qd", "--qdd", "--load", "--gravity", "--no-gravity", "--degrees", "--decimals", "--json", "--set",
        "--convention", "--reactions", "--steps", "--compare-gravity",
    ),
    "state": (
        "--q", "--qd", "--qdd", "--load", "--gravity", "--no-gravity", "--degrees", "--decimals", "--json", "--set",
        "--convention", "--only", "--frame", "--rows", "--as", "--width",
    ),
    "inertia": ("--steps", "--about", "--frame", "--set", "--digits", "--as", "--json", "--width"),
    "derive": ("--only", "--as", "--notation", "--method", "--numeric", "--json", "--set", "--width"),
    "check": ("--json", "--set"),
    "prove": ("--json", "--set"),
}  # fmt: skip
_SHAPES = ("box", "cylinder", "cone", "ball", "cad", "ellipsoid", "mesh", "parts.toml", "solid.obj", "x")
_WORDS = ("radius", "height", "size", "mass", "density", "axis", "scale", "com", "moments", "inertia", "r", "x")


def mutated(random: Random) -> bytes:
    """`verb words...`; what could take long is held to a part of a second by its own option."""
    verb = random.choice(list(_OPTIONS)) if random.random() < 0.97 else hostile.name(random)
    words = [verb]
    match verb:
        case "inertia":
            words.append(random.choice(_SHAPES))
            words += [f"{random.choice(_WORDS)}={_value(random)}" for _ in range(random.randint(0, 4))]
        case "robots":
            pass
        case "convert":
            words += [
                random.choice(_ROBOTS),
                random.choice(("out.toml", "out.urdf", "out.xml", "out", "", "folder/out.toml")),
            ]
        case "check":
            words += [random.choice(_ROBOTS), random.choice(("answer.txt", "nothing.txt", "."))]
        case _:
            words.append(random.choice(_ROBOTS))
    for option in random.choices(_OPTIONS.get(verb, ("--json",)), k=random.choice((0, 1, 1, 2, 3))):
        words.append(option)
        if random.random() < 0.85:
            words.append(_argument(option, random))
    if random.random() < 0.1:
        words.insert(random.randint(0, len(words)), _plain(hostile.name(random)))
    if verb in ("derive", "check", "prove"):
        words += ["--seconds", "0.1"]
    return "\0".join(words).encode("utf-8", "surrogatepass")


def _argument(option: str, random: Random) -> str:
    match option:
        case "--q" | "--qd" | "--qdd" | "--gravity" | "--about":
            return ",".join(_value(random) for _ in range(random.choice((2, 2, 3, 3, 1, 0))))
        case "--set":
            return f"{random.choice(('m1', 'l1', 'x', 'g', ''))}={_value(random)}"
        case "--load":
            return random.choice((
                f"link={random.choice(('link1', 'upper', 'forearm', 'x'))} force={_value(random)},0,0",
                f"tool force=0,0,{_value(random)} direction=exerted_by_tool", "tool", "'", 'link="a b', _value(random),
            ))  # fmt: skip
        case "--only":
            return random.choice(
                ("M[1,1]", "c[1]", "g[2]", "T", "U", "J", "tau[1]", "M[9,9]", "C[1,2]", _value(random))
            )
        case "--as":
            return random.choice(("text", "latex", "html", "typst", "markdown", "json", "pdf"))
        case "--to":
            return random.choice(("c", "json", "cobol"))
        case "--functions":
            return random.choice(("gravity_torque", "jacobian:frame=x", "pd-gravity", "step:control=pid", "a:b", ""))
        case "--parameters":
            return random.choice(("m1", "payload", "gravity", "link1.mass", "m1,m1", "x.y"))
        case "--notation":
            return random.choice(("deluca", "craig", "spong", "siciliano", "x"))
        case "--method":
            return random.choice(
                ("energies", "lagrange", "jacobians", "moving-frames", "newton-euler", "coefficients", "regressor", "x")
            )
        case "--frame":
            return chain(random)
        case _:
            return _value(random)


def _value(random: Random) -> str:
    draw = random.random()
    text = hostile.number(random) if draw < 0.6 else expression(random, 3) if draw < 0.85 else hostile.name(random)
    return _plain(text)


def _plain(word: str) -> str:
    """Words cannot have NUL, and none may name a place outside of the folder."""
    return word.replace("\0", "").replace("/", "_").replace("-o", "-p")
