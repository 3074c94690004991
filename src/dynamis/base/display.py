"""What displays itself: one line as `repr`, a page in a notebook.

The page is not written here: telling stands above whatever is displayed. A page imports what it tells, never the
other way; so whatever is displayed knows its page by name alone, and that is imported when the first page is asked for.
"""

from __future__ import annotations

from collections.abc import Sized
from importlib import import_module
from typing import Any

from dynamis.base.printable import in_a_line

PAGES = "dynamis.telling.pages.page_of"
"""The module with `page_of(thing)`, a document, and `notebook(thing)`, HTML, for what names no other."""
_NAMES = ("quantity", "claim", "frame", "title", "name")
"""Attributes that name what has no robot."""


class Displayable:
    """Prints as one line, and as its document in a notebook."""

    __slots__ = ()
    _page = PAGES
    """The module whose `page_of(self)` is the page; it imports the class."""

    def __init_subclass__(cls, **options: Any) -> None:
        """Set `__repr__` before `@dataclass` does, which would print every field."""
        super().__init_subclass__(**options)
        if "__repr__" not in cls.__dict__:
            cls.__repr__ = Displayable.__repr__

    def document(self) -> Any:
        """The page, as blocks."""
        return import_module(self._page).page_of(self)

    def _owner(self) -> Any:
        """The robot, or its name; None for a result without one."""
        holders = (self, getattr(self, "model", None), getattr(self, "question", None))
        return next((robot for holder in holders if (robot := getattr(holder, "robot", None))), None)

    @property
    def robot_warnings(self) -> tuple[str, ...]:
        """What a reader must know of the robot, where the result has it."""
        warnings: tuple[str, ...] = getattr(self._owner(), "warnings", ())
        return warnings

    def _short(self) -> str:
        """A few words for `repr`, where neither a robot nor a name says what it is."""
        return ""

    def __repr__(self) -> str:
        owner = self._owner()
        name = owner if isinstance(owner, str) else getattr(owner, "name", "")
        own = next((text for key in _NAMES if isinstance(text := getattr(self, key, None), str)), "")
        own = own or self._short()
        about = f" of {in_a_line(name)}" if name else f": {in_a_line(own)}" if own else ""
        rows = f", {len(self)} {'row' if len(self) == 1 else 'rows'}" if isinstance(self, Sized) else ""
        return f"<{type(self).__name__}{about}{rows}>"

    def _repr_html_(self) -> str:
        return import_module(PAGES).notebook(self)
