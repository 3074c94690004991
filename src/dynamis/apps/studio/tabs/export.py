"""Files to take away: the report, code in other languages, data, the robot itself."""

from __future__ import annotations

import zipfile
from base64 import b64encode
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from dynamis.apps.exports.export import export
from dynamis.apps.exports.exported import STYLES
from dynamis.apps.exports.syntax import identifier
from dynamis.apps.exports.target import TARGETS
from dynamis.apps.live.live_report import FORMATS
from dynamis.apps.live.report import report
from dynamis.apps.studio.request import Request
from dynamis.apps.studio.tabs.learn import learning
from dynamis.apps.studio.tabs.motion import task_and_budget, task_of
from dynamis.apps.studio.tabs.simulate import simulation
from dynamis.telling.result import Result

DATA = ("motion", "simulation", "learning")
ARCHIVE_DATE = (1980, 1, 1, 0, 0, 0)
"""Of files in an archive: the same input gives the same bytes."""


def write_report(request: Request) -> dict[str, Any]:
    """The live report, with the motion of the page where it is asked for; Markdown comes with its pictures."""
    suffix = f".{request.choice('format', [x[1:] for x in FORMATS], 'html')}"
    robot = request.robot()
    result = report(robot, task_of(request) if request.text("task") else None, progress=request.progress)
    request.progress("the page")
    with TemporaryDirectory(dir=".") as folder:
        path = Path(folder, f"{_name(robot.name)}-report{suffix}")
        result.save(path)
        if suffix == ".md":
            files = {str(x.relative_to(folder)): x.read_bytes() for x in sorted(Path(folder).rglob("*")) if x.is_file()}
            return _archive(path.stem, files)
        return _file(path.name, path.read_bytes())


def code(request: Request) -> dict[str, Any]:
    """What `dynamis export` writes, as an archive."""
    target, style = request.choice("target", TARGETS, "c"), request.choice("style", STYLES, STYLES[0])
    robot = request.robot()
    request.progress(target)
    functions = [x.strip() for x in request.text("functions").split(",") if x.strip()]
    made = export(robot, target, functions=functions or None, style=style)
    name = f"{_name(robot.name)}-{target}"
    return _archive(name, {f"{name}/{path}": content for path, content in made.contents.items()})


def data(request: Request) -> dict[str, Any]:
    """Every sample of a motion, a simulation or of what was learned."""
    what = request.choice("what", DATA)
    kind = request.choice("format", ("csv", "json"), "csv")
    result: Result = {
        "motion": lambda: task_and_budget(request)[1], "simulation": lambda: simulation(request),
        "learning": lambda: learning(request),
    }[what]()  # fmt: skip
    name = f"{_name(request.robot().name)}-{what}.{kind}"
    with TemporaryDirectory(dir=".") as folder:
        path = Path(folder, name)
        result.to_csv(path) if kind == "csv" else result.to_json(path, history=True)
        return _file(name, path.read_bytes())


def _name(name: str) -> str:
    return identifier(name)[:60] or "robot"


def _file(name: str, content: bytes) -> dict[str, Any]:
    return {"name": name, "base64": b64encode(content).decode()}


def _archive(name: str, files: dict[str, Any]) -> dict[str, Any]:
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in files.items():
            archive.writestr(zipfile.ZipInfo(path, ARCHIVE_DATE), content, zipfile.ZIP_DEFLATED)
    return _file(f"{name}.zip", buffer.getvalue())
