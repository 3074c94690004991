"""Plain text tables of texts."""

from __future__ import annotations

from collections.abc import Sequence

from dynamis.document.numbers import fixed, short
from dynamis.document.renderers.layout import text_table as aligned_table

__all__ = ["fixed", "short", "text_table"]


def text_table(header: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1) -> str:
    """Columns under a header and a rule; the first `left` columns stand to the left."""
    return aligned_table(header, rows, [k >= left for k in range(len(header))])
