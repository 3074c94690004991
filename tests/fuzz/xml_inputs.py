"""URDF files changed as trees, and the bombs that XML is known for."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from random import Random
from xml.etree import ElementTree

from tests.fuzz import hostile
from tests.fuzz.mutations import mutate_bytes

Element = ElementTree.Element
_TAGS = (
    "link", "joint", "inertial", "mass", "inertia", "origin", "axis", "limit", "dynamics", "mimic", "parent", "child",
    "transmission", "actuator", "motorInertia", "mechanicalReduction", "visual", "gazebo", "xacro:macro", "robot",
)  # fmt: skip
_ATTRIBUTES = (
    "name", "type", "xyz", "rpy", "value", "ixx", "iyy", "izz", "ixy", "link", "joint", "lower", "upper", "effort",
    "velocity", "damping", "friction",
)  # fmt: skip
_KINDS = ("revolute", "continuous", "prismatic", "fixed", "floating", "planar", "ball", "")
_BOMBS = (
    '<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>',
    '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
    '<!DOCTYPE r SYSTEM "http://localhost:1/x.dtd">',
    '<?xml version="1.0" encoding="utf-16"?>',
    '<?xml version="1.1"?>',
    "<!-- " + "-" * 2000 + " -->",
    "<![CDATA[x]]>",
    "<?php echo 1 ?>",
)


def mutated(trees: Sequence[Element], random: Random) -> bytes:
    """One of the files, changed in a few places."""
    root = copy.deepcopy(random.choice(trees))
    for _ in range(random.choice((0, 1, 1, 2, 2, 3, 5))):
        _change(root, random, trees)
    if random.random() < 0.03:
        _deepen(root, random)
    data = _text(root).encode("utf-8", "surrogatepass")
    if random.random() < 0.06:
        data = random.choice(_BOMBS).encode() + data
    return mutate_bytes(data, random) if random.random() < 0.15 else data


def _change(root: Element, random: Random, trees: Sequence[Element]) -> None:
    elements = list(root.iter())
    element = random.choice(elements)
    match random.randrange(12):
        case 0 | 1 | 2 | 3 if element.attrib:
            element.set(random.choice(list(element.attrib)), _value(random))
        case 4 if element.attrib:
            del element.attrib[random.choice(list(element.attrib))]
        case 5:
            element.set(random.choice(_ATTRIBUTES), _value(random))
        case 6:
            element.tag = random.choice(_TAGS)
        case 7 if len(element):
            element.remove(random.choice(list(element)))
        case 8:
            element.append(copy.deepcopy(random.choice(list(random.choice(trees).iter()))))
        case 9:
            other = random.choice(elements)
            element.attrib, other.attrib = other.attrib, element.attrib
        case 10:
            element.text = _value(random)
        case _ if len(element):
            children = list(element)
            random.shuffle(children)
            element[:] = children[: random.randint(0, len(children))] * random.choice((1, 1, 2))
        case _:
            element.set("name", random.choice(hostile.TEXT_NAMES))


def _deepen(root: Element, random: Random) -> None:
    inner = root
    for _ in range(random.choice((20, 99, 101, 400))):
        inner = ElementTree.SubElement(inner, random.choice(_TAGS))


def _value(random: Random) -> str:
    match random.randrange(8):
        case 0 | 1 | 2:
            return hostile.number(random)
        case 3 | 4:
            return " ".join(hostile.number(random) for _ in range(random.choice((3, 3, 3, 2, 4, 0))))
        case 5:
            return random.choice(_KINDS)
        case _:
            return hostile.name(random)


def _text(element: Element) -> str:
    """As ElementTree writes it, but without refusing the odd characters."""
    attributes = "".join(f' {key}="{_escaped(value)}"' for key, value in element.attrib.items())
    inner = _escaped(element.text or "") + "".join(map(_text, element))
    return f"<{element.tag}{attributes}>{inner}</{element.tag}>\n" if inner else f"<{element.tag}{attributes}/>\n"


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
