"""Documents for the page: HTML of the one renderer, and charts as data that its script plots."""

from __future__ import annotations

from typing import Any

from dynamis.apps.live.page import ChartPage
from dynamis.base.display import Displayable
from dynamis.telling.blocks import Document, Section
from dynamis.telling.renderers.page import render

Fragment = dict[str, Any]


def fragment(result: Document | Displayable, *, folded: bool = False, **options: Any) -> Fragment:
    """A document as a piece of HTML and its charts; `folded`: every section of it can be opened and closed."""
    charts: list[dict[str, Any]] = []
    own: Any = type("Own", (StepPage if folded else ChartPage,), {"charts": charts})
    return {"html": render(result, "html", kind=own, fragment=True, **options), "charts": charts}


class StepPage(ChartPage):
    """A page whose sections are steps."""

    def section(self, section: Section, number: int | None = None, level: int = 2) -> str:
        text = super().section(section, number, level)
        if not any(section is block for block in self.document.blocks) or not section.title:
            return text
        heading = self.heading(self.plain(section.title), number, level)
        body = text.removeprefix(heading).strip()
        return f'<details class="step"><summary>{heading}</summary>\n{body}\n</details>'
