"""Texts that people see, kept in tests/golden/ and compared to the letter.

Set DYNAMIS_UPDATE_GOLDEN=1 to write them anew, then read the diff.
"""

import os
from pathlib import Path

FOLDER = Path(__file__).parent / "golden"


def check_golden(name: str, text: str) -> None:
    path = FOLDER / name
    if os.environ.get("DYNAMIS_UPDATE_GOLDEN"):
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text
