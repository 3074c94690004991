"""XML read safely: a small tree of elements that know their lines.

Document types are refused, and with them entities, so nothing is expanded and nothing is fetched;
size, depth and number of elements are bounded. Names keep their prefix as it is written.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NoReturn
from xml.parsers import expat

from dynamis.base.errors import DynamisError, FormatError

MAX_BYTES = 20_000_000
MAX_DEPTH = 100
MAX_ELEMENTS = 200_000
# Text inside elements is short where it means something; the rest of a long one is dropped.
MAX_TEXT = 1000
BUFFER_BYTES = 1 << 20
"""Bytes of a long text that come at a time: in small pieces, each joined to those before, a mesh would take minutes."""


@dataclass(slots=True)
class Element:
    """One element: its tag, its attributes, its children and the line where it opens."""

    tag: str
    attributes: dict[str, str]
    file: str
    line: int
    children: list[Element] = field(default_factory=list["Element"])
    text: str = ""

    def first(self, tag: str) -> Element | None:
        """The first child with this tag, or None."""
        return next((child for child in self.children if child.tag == tag), None)

    def all(self, tag: str) -> list[Element]:
        return [child for child in self.children if child.tag == tag]

    def walk(self) -> Iterator[Element]:
        """This element and everything inside it, in document order."""
        pending: list[Element] = [self]
        while pending:
            element = pending.pop()
            yield element
            pending.extend(reversed(element.children))

    def require(self, attribute: str) -> str:
        """An attribute that must be there."""
        if attribute not in self.attributes:
            self.fail(f"<{self.tag}> has no {attribute}, which is required")
        return self.attributes[attribute]

    def fail(self, message: str) -> NoReturn:
        raise FormatError(message).at(self.file, self.line)

    @contextmanager
    def place(self) -> Generator[None]:
        """Give the errors raised inside the line of this element."""
        try:
            yield
        except DynamisError as error:
            raise error.at(self.file, self.line) from None


def parse_xml(text: str, file: str, most_bytes: int = MAX_BYTES, most_text: int = MAX_TEXT) -> Element:
    """The root element of an XML text of at most so many bytes; of a text inside of it so many characters are kept.

    >>> root = parse_xml('<robot name="r">\\n  <link name="base"/>\\n</robot>', "r.urdf")
    >>> root.tag, root.children[0].attributes, root.children[0].line
    ('robot', {'name': 'base'}, 2)
    """
    try:
        data = text.encode("utf-8")
    except UnicodeEncodeError:
        raise FormatError("is not a text in UTF-8").at(file) from None
    if len(data) > most_bytes:
        raise FormatError(f"is {len(data) / 1e6:.1f} MB; at most {most_bytes / 1e6:g} MB are read").at(file)
    builder = _Builder(file, most_text)
    try:
        builder.parser.Parse(data, True)
    except expat.ExpatError as error:
        reason = expat.errors.messages[error.code]
        raise FormatError(f"is not XML: {reason} (column {error.offset + 1})").at(file, error.lineno) from None
    return builder.root


class _Builder:
    """Builds the tree from expat's events."""

    def __init__(self, file: str, most_text: int) -> None:
        self.file = file
        self.most_text = most_text
        self.open: list[Element] = []
        self.count = 0
        # The text is UTF-8 by now, whatever its declaration says.
        self.parser = expat.ParserCreate("utf-8")
        self.parser.buffer_text = True
        self.parser.buffer_size = BUFFER_BYTES if most_text > MAX_TEXT else MAX_TEXT
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.data
        self.parser.StartDoctypeDeclHandler = self.doctype

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self.count += 1
        if self.count > MAX_ELEMENTS:
            self.fail(f"has more than {MAX_ELEMENTS} elements; that many are not read")
        if len(self.open) == MAX_DEPTH:
            self.fail(f"is nested deeper than {MAX_DEPTH} elements; that deep is not read")
        element = Element(tag, attributes, self.file, self.parser.CurrentLineNumber)
        if self.open:
            self.open[-1].children.append(element)
        else:
            self.root = element
        self.open.append(element)

    def end(self, tag: str) -> None:
        self.open.pop()

    def data(self, text: str) -> None:
        element = self.open[-1]
        element.text += text[: self.most_text - len(element.text)]

    def doctype(self, *declaration: object) -> None:
        self.fail("has a DOCTYPE; document types and entities are not read, take it out")

    def fail(self, message: str) -> NoReturn:
        raise FormatError(message).at(self.file, self.parser.CurrentLineNumber)
