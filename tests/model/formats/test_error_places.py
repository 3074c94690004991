"""Whatever is wrong in a file, the error says the file and the line."""

from __future__ import annotations

import re
import warnings
from pathlib import Path

import pytest

import dynamis
from dynamis import DynamisError
from dynamis.files import load_body

SHIPPED = Path(dynamis.__file__).parent
FILES = {
    "robot": SHIPPED / "robots" / "genova-2r.toml",
    "table": SHIPPED / "robots" / "exercises" / "exercise-3.1-gravity.toml",
    "body": SHIPPED / "model" / "bodies" / "library" / "xu-link.toml",
}
WRONG = ["1e400", "nan", "true", '"x y"', '"unknown"', '"1/0"', "[]", "[1]", "{}", '"sqrt(-1)"', f"1{'0' * 299}", '""']


@pytest.mark.parametrize("kind", FILES)
@pytest.mark.parametrize("wrong", WRONG)
def test_every_entry(kind: str, wrong: str, tmp_path: Path) -> None:
    lines = FILES[kind].read_text(encoding="utf-8").splitlines()
    file = tmp_path / "file.toml"
    load = load_body if kind == "body" else dynamis.load
    for at, line in enumerate(lines):
        entry = re.match(r"([\w.]+ *= *)[^=]+$", line)
        if entry is None or line.endswith(("[", '"""', "\\")):
            continue
        file.write_text("\n".join([*lines[:at], entry[1] + wrong, *lines[at + 1 :]]), encoding="utf-8")
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                load(file)
        except DynamisError as error:
            place = error.file, error.line is not None, len(str(error)) < 1000
            assert place == (str(file), True, True), f"{line} -> {wrong}: {error}"  # noqa: PT017


def test_the_end_of_a_file_is_a_place(tmp_path: Path) -> None:
    (tmp_path / "open.toml").write_text('[robot]\nname = """open')
    with pytest.raises(DynamisError, match=r"open\.toml:2: is not TOML: Unterminated string"):
        dynamis.load(tmp_path / "open.toml")
