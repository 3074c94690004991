"""The font of the formulas on an HTML page: of STIX Two Math a page carries the glyphs that it needs.

A browser needs a font with a MATH table to set fractions, brackets and sums, and many computers have none. The font
(SIL Open Font License) is read from the package ziamath, which ships it; nothing else of that package is used.
"""

from __future__ import annotations

import logging
import re
from base64 import b64encode
from collections.abc import Generator
from contextlib import contextmanager
from functools import lru_cache
from html import unescape
from importlib import import_module
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import Any
from unicodedata import normalize
from zlib import crc32

_FORMULA = re.compile(r"<math.*?</math>", re.DOTALL)
_TAG = re.compile(r"<[^>]*>")
_ITALIC = {normalize("NFKC", chr(code)): code for code in (*range(0x1D434, 0x1D468), *range(0x1D6E2, 0x1D71C), 0x210E)}
"""The slanted letters that a browser takes for single ones: 𝑞 for q."""
FAMILY = "dynamis math"
ROOT = "√"
"""What a browser draws for `<msqrt>`, which has no character of its own."""


def math_font(page: str) -> str:
    """The rule of CSS that gives a page its font, FAMILY; empty where no formula is, or no font is installed."""
    formulas = _FORMULA.findall(page)
    characters = "".join(_TAG.sub("", formula) for formula in formulas)
    roots = ROOT if any("<msqrt" in formula for formula in formulas) else ""
    return rule(frozenset(unescape(characters) + roots)) if characters else ""


def cell_font(cell: str) -> tuple[str, str]:
    """The rule of `math_font` and its family: the cells of a notebook are one page, and each has glyphs of its own."""
    font = math_font(cell)
    family = f"{FAMILY} {crc32(font.encode()):08x}" if font else ""
    return font.replace(FAMILY, family), family


def font_file() -> Path | None:
    """The whole font; None where it is not installed."""
    package = find_spec("ziamath")
    if package is None or package.origin is None:
        return None
    return Path(package.origin).parent / "fonts" / "STIXTwoMath-Regular.ttf"


@lru_cache(maxsize=32)
def rule(characters: frozenset[str]) -> str:
    path = font_file()
    if path is None:
        return ""
    try:
        subset: Any = import_module("fontTools.subset")
        ttlib: Any = import_module("fontTools.ttLib")
        font = ttlib.TTFont(BytesIO(path.read_bytes()), lazy=True, recalcTimestamp=False)
    except (ImportError, OSError):
        return ""
    # The table MATH stays, and with it the sizes of brackets, sums and roots; other features would double the glyphs.
    options = subset.Options(hinting=False, notdef_outline=False, glyph_names=False)
    options.drop_tables += ["GSUB", "GPOS", "GDEF"]
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=[*map(ord, characters), *(_ITALIC[c] for c in characters if c in _ITALIC)])
    font.flavor = "woff"
    content = BytesIO()
    with _quiet("fontTools"):
        subsetter.subset(font)
        font.save(content, reorderTables=False)
    data = b64encode(content.getvalue()).decode()
    return f'@font-face {{ font-family: "{FAMILY}"; src: url(data:font/woff;base64,{data}) format("woff"); }}\n'


@contextmanager
def _quiet(logger: str) -> Generator[None]:
    """Without the remarks of a library, of which a notebook that logs would show pages."""
    log = logging.getLogger(logger)
    level = log.level
    log.setLevel(logging.WARNING)
    try:
        yield
    finally:
        log.setLevel(level)
