"""The gallery: pictures that the build makes, with the lines that make them."""

from __future__ import annotations

import re
import tempfile
import warnings
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

import dynamis
from dynamis.errors import UnphysicalWarning
from dynamis.files import load_task
from website import notebooks

ROOT = Path(__file__).parents[1]
FOLDER = "pictures/gallery"


@cache
def files() -> tuple[tuple[str, str | bytes], ...]:
    """The page and its pictures."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnphysicalWarning)
        pictures = {**_robots(), "first-arm.svg": _first_arm(), **_scenes()}
        made = {f"{FOLDER}/{name}": content for name, content in pictures.items()}
        return (("gallery.md", _page()), *made.items(), *notebooks.files())


def _card(path: Path) -> str:
    """A notebook with its first picture; the file alone where the build cannot execute it."""
    title = notebooks.title(path)
    if not notebooks.can_execute():
        return f"[{title}](notebooks/{path.name})"
    page, picture = f"notebooks/{path.stem}.md", notebooks.picture(path)
    shown = f"[![{title}]({picture})]({page})<br>" if picture else ""
    return f"{shown}[{title}]({page})"


def _page() -> str:
    robots = "\n".join(_figure(name, dynamis.load(name).description) for name in dynamis.robots())
    cards = "\n\n".join(map(_card, notebooks.notebooks()))
    return f"""# Gallery

Every picture on this page was made when the page was built, by the lines beside it.

## A torque budget

What the torques of a PUMA 560 are for, while it lifts its hand against 15 N.

```python
import dynamis

task = dynamis.files.load_task("puma-lift", dynamis.load("puma560"))
task.budget().figure("shares").savefig("shares.svg")
```

![Torques of the PUMA 560 by effect]({FOLDER}/shares.svg)

[More on torque budgets](torque-budget.md)

## A film

A double pendulum falls. The file is one HTML page with a player; it needs no network.

```python
import dynamis

run = dynamis.simulate(dynamis.load("bar-2r"), [0.5, 0.3], duration=4)
run.animate("falls.html")
```

<iframe class="film" src="{FOLDER}/falls.html" title="A double pendulum falls"></iframe>

[More on simulation](simulation.md)

## A free body

The forearm of the two-bar arm in motion: weight, reactions, inertia, in equilibrium.

```python
import dynamis

dynamis.load("bar-2r").free_body("link2", [0.5, 0.7], [1, 1], [0, 0]).save("forearm.svg")
```

![Free body of the forearm]({FOLDER}/forearm.svg)

## Notebooks

One per kind of user, with all that their cells show; the build has run them. [What a notebook shows](notebook.md)

<div class="gallery" markdown="1">

{cards}

</div>

## The robots that ship

`dynamis show NAME --figure arm.svg`, or `dynamis.load(NAME).draw().save("arm.svg")`. [More on drawings](drawing.md)

<div class="gallery" markdown="0">
{robots}
</div>
"""


def _figure(name: str, description: str) -> str:
    """A robot with the first sentence of its description."""
    (sentence,) = re.findall(r"^.*?(?=[.:](?:\s|$)|$)", description)[:1]
    return (
        f'<figure><img src="{FOLDER}/{name}.svg" alt="{escape(name)}" loading="lazy">'
        f"<figcaption><b>{escape(name)}</b><br>{escape(sentence)}</figcaption></figure>"
    )


def _robots() -> dict[str, str]:
    return {f"{name}.svg": dynamis.load(name).draw(frames=False, dimensions=False).svg() for name in dynamis.robots()}


def _first_arm() -> str:
    """The arm of the tutorial, in the pose that the tutorial draws."""
    tutorial = (ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8")
    text = tutorial.partition('```toml title="arm.toml"\n')[2].partition("```")[0]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "arm.toml"
        path.write_text(text, encoding="utf-8")
        return dynamis.load(path).draw([0.6, 0.8]).svg()


def _scenes() -> dict[str, bytes]:
    arm = dynamis.load("bar-2r")
    task = load_task("puma-lift", dynamis.load("puma560"))
    run = dynamis.simulate(arm, [0.5, 0.3], duration=4)
    with tempfile.TemporaryDirectory() as folder:
        run.animate(Path(folder) / "falls.html")
        shares: Any = task.budget().figure("shares")
        shares.savefig(Path(folder) / "shares.svg")
        arm.free_body("link2", [0.5, 0.7], [1, 1], [0, 0]).save(Path(folder) / "forearm.svg")
        return {path.name: path.read_bytes() for path in sorted(Path(folder).iterdir())}
