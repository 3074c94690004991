"""What pages may do is in their heads: static ones run no script, the others their own alone."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256

import pytest

import dynamis
from dynamis.document.renderers.page import render

ARM = dynamis.load("bar-2r")


def pages() -> dict[str, str]:
    film = dynamis.film(ARM, dynamis.quintic([0, 0], [1, 2], 1.0)).html()
    found = dynamis.payload_map(dynamis.load("ur5"), draw=dynamis.sobol(256)).page("html")
    return {"film": film, "map": found, "static": render(ARM.equations().M, "html")}


@pytest.mark.parametrize("name", pages())
def test_only_the_scripts_of_a_page_run_and_none_of_a_static_one(name: str) -> None:
    page = pages()[name]
    head, found, _ = page.partition("<title>")
    assert found
    (policy,) = re.findall(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', head)
    rules = {rule.split()[0]: rule.split()[1:] for rule in policy.split("; ")}
    assert [rules[name] for name in ("default-src", "base-uri", "form-action")] == [["'none'"]] * 3
    assert [rules[name] for name in ("img-src", "font-src")] == [["data:"]] * 2
    scripts = re.findall(r"<script(?: type=\"module\")?>(.*?)</script>", page, re.DOTALL)
    assert len(scripts) == (name != "static")
    hashes = [f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'" for text in scripts]
    assert rules.get("script-src", []) == hashes
    assert not re.search(r"\son\w+=", page)
