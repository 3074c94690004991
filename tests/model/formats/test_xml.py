"""Safe XML: the tree and its lines, and what is refused."""

from __future__ import annotations

import pytest

from dynamis.errors import FormatError
from dynamis.model.formats.xml_tree import MAX_BYTES, parse_xml

BILLION_LAUGHS = """<?xml version="1.0"?>
<!DOCTYPE lolz [
 <!ENTITY lol "lol">
 <!ENTITY lol1 "&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;">
]>
<robot name="&lol1;"/>
"""
EXTERNAL = '<?xml version="1.0"?>\n<!DOCTYPE robot SYSTEM "http://127.0.0.1:1/robot.dtd">\n<robot/>'
REFUSED = {
    "": "r.urdf:1: is not XML: no element found (column 1)",
    "hello": "r.urdf:1: is not XML: syntax error (column 1)",
    '<robot name="r">\n<link name="a">': "r.urdf:2: is not XML: no element found (column 16)",
    "<robot>\n<link></robot>": "r.urdf:2: is not XML: mismatched tag (column 9)",
    '<robot name="a" name="b"/>': "r.urdf:1: is not XML: duplicate attribute (column 17)",
    '<robot name="&lol;"/>': "r.urdf:1: is not XML: undefined entity (column 1)",
    '<robot name="\0"/>': "r.urdf:1: is not XML: not well-formed (invalid token) (column 14)",
    '<robot name="\ud800"/>': "r.urdf: is not a text in UTF-8",
    BILLION_LAUGHS: "r.urdf:2: has a DOCTYPE; document types and entities are not read, take it out",
    EXTERNAL: "r.urdf:2: has a DOCTYPE; document types and entities are not read, take it out",
    "<a>" * 101 + "</a>" * 101: "r.urdf:1: is nested deeper than 100 elements; that deep is not read",
    "<a>" + "<b/>" * 200_000 + "</a>": "r.urdf:1: has more than 200000 elements; that many are not read",
    "<a>" + " " * MAX_BYTES + "</a>": "r.urdf: is 20.0 MB; at most 20 MB are read",
}


@pytest.mark.parametrize("text", REFUSED, ids=lambda text: repr(text[:25]))
def test_refused(text: str) -> None:
    with pytest.raises(FormatError) as caught:
        parse_xml(text, "r.urdf")
    assert str(caught.value) == REFUSED[text]


def test_the_limits_are_where_they_say() -> None:
    deep = parse_xml("<a>" * 100 + "</a>" * 100, "r.urdf")
    many = parse_xml("<a>" + "<b/>" * 199_999 + "</a>", "r.urdf")
    assert len(list(deep.walk())) == 100
    assert len(list(many.walk())) == 200_000


def test_elements_know_their_lines_in_document_order() -> None:
    root = parse_xml('<?xml version="1.0"?>\n<a>\n<!-- \n -->\n<b\n x="1"><c/></b>\n<b/>\n</a>', "r.urdf")
    assert [(element.tag, element.line) for element in root.walk()] == [("a", 2), ("b", 5), ("c", 6), ("b", 7)]
    assert [element.attributes for element in root.all("b")] == [{"x": "1"}, {}]
    assert root.first("b") is root.children[0]
    assert root.first("c") is None


def test_text_and_escapes() -> None:
    root = parse_xml('<a name="&lt;&amp;&#233;">1<b/>2 &gt;<![CDATA[<c>]]></a>', "r.urdf")
    assert root.attributes == {"name": "<&é"}
    assert root.text == "12 ><c>"


def test_the_declared_encoding_of_a_text_does_not_matter() -> None:
    root = parse_xml('<?xml version="1.0" encoding="ISO-8859-1"?><a name="é"/>', "r.urdf")
    assert root.attributes == {"name": "é"}


def test_long_text_is_cut() -> None:
    assert len(parse_xml(f"<a>{'x' * 5000}<b/>{'x' * 5000}</a>", "r.urdf").text) == 1000
