"""A picture as SVG: an element that stands alone and inside of HTML."""

from __future__ import annotations

from dynamis.base.provenance import Provenance
from dynamis.telling.escapes import html_text
from dynamis.telling.pictures.picture import LOOKS, PAPER, TINT, Circle, Fill, Label, Mark, Path, Picture, Role
from dynamis.telling.pictures.text import FONT_SIZE, SCRIPT_SCALE, Sign

_HEAD = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="{w}pt" height="{h}pt" viewBox="0 0 {w} {h}" role="img" '
    'font-family="STIX Two Text, Latin Modern Roman, Times New Roman, Times, serif" font-size="{size}" '
    'text-anchor="middle" stroke-linejoin="round" stroke-linecap="round" style="background: white">'
)


def svg(picture: Picture, provenance: Provenance | None = None) -> str:
    """The element, with its title for those who cannot see it, and where it comes from in its metadata."""
    head = _HEAD.format(w=number(picture.width), h=number(picture.height), size=number(FONT_SIZE))
    title = f"<title>{html_text(picture.title)}</title>"
    source = [] if provenance is None else [f"<metadata>{html_text(str(provenance))}</metadata>"]
    return "\n".join([head, title, *source, *(_mark(mark, picture.height) for mark in picture.marks), "</svg>\n"])


def number(x: float) -> str:
    """In hundredths, without zeros at the end."""
    return f"{x:.2f}".rstrip("0").rstrip(".")


def _mark(mark: Mark, height: float) -> str:
    match mark:
        case Path():
            points = " ".join(f"{number(x)},{number(height - y)}" for x, y in mark.points)
            shape = "polygon" if mark.closed else "polyline"
            return f'<{shape} points="{points}" {_style(mark.role, mark.fill, mark.stroke)}/>'
        case Circle(centre=(x, y)):
            place = f'cx="{number(x)}" cy="{number(height - y)}" r="{number(mark.radius)}"'
            return f"<circle {place} {_style(mark.role, mark.fill, True)}/>"
        case Label(at=(x, y)):
            spans = "".join(html_text(part) if isinstance(part, str) else _sign(part) for part in mark.text)
            place = f'x="{number(x)}" y="{number(height - y)}"'
            return f'<text {place} fill="{LOOKS[mark.role].colour}" xml:space="preserve">{spans}</text>'


def _style(role: Role, fill: Fill, stroke: bool) -> str:
    look = LOOKS[role]
    inside = {"none": "none", "paper": PAPER, "tint": TINT, "ink": look.colour}[fill]
    style = f'fill="{inside}"'
    if stroke:
        style += f' stroke="{look.colour}" stroke-width="{number(look.width)}"'
        if look.dashes:
            style += f' stroke-dasharray="{" ".join(map(number, look.dashes))}"'
    return style


def _sign(sign: Sign) -> str:
    look = 'font-weight="bold"' if sign.bold else 'font-style="italic"'
    spans = f"<tspan {look}>{html_text(sign.unicode)}</tspan>"
    shift = 0.0
    for script, by in ((sign.sub, 0.22), (sign.sup, -0.38)):
        if script:
            dy, small = number((by - shift) * FONT_SIZE), number(SCRIPT_SCALE * FONT_SIZE)
            spans += f'<tspan dy="{dy}" font-size="{small}">{html_text(script)}</tspan>'
            shift = by
    # The next text goes back to the baseline; a space without width carries the shift. It is an entity of XML, because
    # the terminal makes characters that nobody sees visible.
    return f'{spans}<tspan dy="{number(-shift * FONT_SIZE)}">&#8203;</tspan>' if shift else spans
