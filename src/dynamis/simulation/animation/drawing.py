"""The frames of an animation by matplotlib, as GIF, or as MP4 where ffmpeg is present."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError, WriteError
from dynamis.base.numbers import short
from dynamis.base.writing import atomic_write
from dynamis.simulation.animation.frames import Animation
from dynamis.telling.figure import COLOURS, INK, style

PICTURE_SIZE, PICTURE_DPI = 5.6, 100
"""Size of the picture [in], and dots per inch."""
GIF_COLOURS = 64
"""Enough for lines and their antialiasing."""
SHORTEST_FRAME = 2
"""Time of a frame of a GIF [1/100 s]: browsers show shorter ones slowly."""
NAMES = ("x", "y", "z")


class Drawing:
    """Draws one frame after another; constructed within the style."""

    def __init__(self, animation: Animation) -> None:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        self.animation, self.page = animation, animation.view.page()
        self.figure: Any = Figure(figsize=(PICTURE_SIZE, PICTURE_SIZE), dpi=PICTURE_DPI)
        FigureCanvasAgg(self.figure)
        self.ax: Any = self.figure.add_axes((0.12, 0.1, 0.85, 0.82) if animation.view.flat else (0.02, 0.02, 0.96, 0.9))
        self.points, self.path = self._page(animation.points), self._page(animation.path)
        self._frame()
        self._paper()
        if animation.goal is not None:
            self.goal = self._sticks(color="#BBBBBB", lw=2.0, ls=(0, (4, 2)))
            self.aim = self._page(animation.goal)
        (self.trail,) = self.ax.plot([], [], color=COLOURS[1], lw=1.0)
        self.sticks = self._sticks(color=COLOURS[0], lw=4.0)
        joints = list(zip(animation.figure.joints, animation.figure.revolute, strict=True))
        revolute, prismatic = ([point for point, turns in joints if turns is kind] for kind in (True, False))
        self.joints = [(revolute, self._dots("o", COLOURS[4], 7.5)), (prismatic, self._dots("s", COLOURS[2], 7.5))]
        self.joints.append(([animation.figure.tip], self._dots("o", COLOURS[1], 4.5)))
        self.held = self._dots("D", "#FFFFFF", 9.0)
        self.clock: Any = self.ax.set_title(" ", fontfamily="monospace")
        self.moving = [self.trail, self.sticks, self.held, *(dots for _, dots in self.joints), self.clock]
        if animation.goal is not None:
            self.moving.insert(0, self.goal)
        for artist in self.moving:
            artist.set_animated(True)
        self.still: Any = None

    def show(self, k: int) -> None:
        """Frame k."""
        animation, now = self.animation, self.points[k]
        if animation.goal is not None:
            self.goal.set_segments(self._ends(self.aim[min(k, len(self.aim) - 1)]))
        self.sticks.set_segments(self._ends(now))
        self.trail.set_data(*self.path[: k * animation.finer + 1].T)
        self.held.set_data(*now[[animation.figure.tip] if animation.held[k] else []].T)
        for which, dots in self.joints:
            dots.set_data(*now[which].T)
        self.clock.set_text(f"{animation.run.robot.name.replace('$', chr(92) + '$')}   t = {animation.times[k]:6.3f} s")

    def pixels(self, k: int) -> Any:
        """Frame k as an array of RGBA; the background is drawn once."""
        canvas = self.figure.canvas
        if self.still is None:
            canvas.draw()
            self.still = canvas.copy_from_bbox(self.figure.bbox)
        canvas.restore_region(self.still)
        self.show(k)
        for artist in self.moving:
            self.ax.draw_artist(artist)
        return np.asarray(canvas.buffer_rgba())

    def _page(self, points: Array) -> Array:
        return points @ self.page[:2].T

    def _ends(self, points: Array) -> Array:
        return points[np.array(self.animation.figure.segments)]

    def _sticks(self, **look: Any) -> Any:
        from matplotlib.collections import LineCollection

        return self.ax.add_collection(LineCollection([], capstyle="round", **look), autolim=False)

    def _dots(self, marker: str, colour: str, size: float) -> Any:
        return self.ax.plot([], [], marker, ms=size, mfc=colour, mec=INK, mew=0.8)[0]

    def _frame(self) -> None:
        """Equal axes around all that is ever drawn."""
        points = np.concatenate([self.points.reshape(-1, 2), self.path])
        if self.animation.goal is not None:
            points = np.concatenate([points, self._page(self.animation.goal).reshape(-1, 2)])
        low, high = points.min(axis=0), points.max(axis=0)
        half = 0.58 * (float((high - low).max()) or 1.0)
        middle = (low + high) / 2
        self.ax.set_xlim(middle[0] - half, middle[0] + half)
        self.ax.set_ylim(middle[1] - half, middle[1] + half)
        self.ax.set_aspect("equal")
        self.half = half

    def _paper(self) -> None:
        if self.animation.view.flat:
            self.ax.set_xlabel(_along(self.page[0]))
            self.ax.set_ylabel(_along(self.page[1]))
            return
        # A floor of squares through the base's origin, and the base's axes.
        self.ax.set_axis_off()
        ahead, aside, _ = self.animation.view.axes
        gap, count = _round(self.half / 2.5), 4
        for k in range(-count, count + 1):
            for a, b in ((ahead, aside), (aside, ahead)):
                ends = self._page(np.array([k * a - count * b, k * a + count * b]) * gap)
                self.ax.plot(*ends.T, color="#DDDDDD", lw=0.6, zorder=0)
        for k, name in enumerate(NAMES):
            tip = self._page(0.6 * gap * np.eye(3)[k])
            self.ax.plot([0.0, tip[0]], [0.0, tip[1]], color="#777777", lw=1.2, zorder=3)
            self.ax.annotate(name, tip, color="#777777", xytext=(3, 3), textcoords="offset points", zorder=3)
        self.ax.text(0.01, 0.01, f"squares of {short(gap)} m", transform=self.ax.transAxes, color="#777777")


def write_gif(animation: Animation, path: Path) -> None:
    """A GIF; its frames last whole hundredths of a second that add up to the animation's duration."""
    if animation.fps > 100 / SHORTEST_FRAME:
        raise ArgumentError(
            f"fps must be at most {100 // SHORTEST_FRAME} for a GIF, got {animation.fps:g}; HTML and MP4 take more",
            key="fps",
        )
    with style():
        pictures = _pictures(Drawing(animation), len(animation.times))
        ends = np.rint(100 * np.arange(len(animation.times) + 1) / animation.fps).astype(int)
        first = next(pictures)
        with atomic_write(path) as place:
            first.save(
                place, format="GIF", save_all=True, append_images=pictures, loop=0, optimize=False, disposal=1,
                duration=(10 * np.diff(ends)).tolist(), comment=str(animation.provenance or "").encode(),
            )  # fmt: skip


def _pictures(drawing: Drawing, count: int) -> Iterator[Any]:
    image: Any = import_module("PIL.Image")
    for k in range(count):
        picture = image.fromarray(drawing.pixels(k)[..., :3].copy())
        yield picture.quantize(GIF_COLOURS, method=image.Quantize.FASTOCTREE, dither=image.Dither.NONE)


def check_ffmpeg() -> None:
    """Raises where ffmpeg is missing."""
    with style():
        if not shutil.which(_ffmpeg()):
            raise ArgumentError(
                "MP4 requires the program ffmpeg, which was not found; HTML and GIF need nothing", key="path"
            )


def _ffmpeg() -> str:
    matplotlib: Any = import_module("matplotlib")
    return str(matplotlib.rcParams["animation.ffmpeg_path"])


def write_mp4(animation: Animation, path: Path) -> None:
    """An MP4 by ffmpeg, which takes the frames as they are drawn."""
    from subprocess import CalledProcessError

    with style():
        writers: Any = import_module("matplotlib.animation")
        drawing = Drawing(animation)
        metadata = {"comment": str(animation.provenance or "")}
        writer = writers.FFMpegWriter(fps=animation.fps, metadata=metadata, extra_args=["-pix_fmt", "yuv420p"])
        with atomic_write(path) as place:
            try:
                with writer.saving(drawing.figure, str(place), PICTURE_DPI):
                    for k in range(len(animation.times)):
                        drawing.show(k)
                        writer.grab_frame()
            except (OSError, CalledProcessError) as error:
                raise WriteError(f"ffmpeg could not write it: {error}; write .html or .gif").at(str(path)) from None


def _along(axis: Array) -> str:
    """`x [m]` for an axis of the base frame, `−y [m]` for one against it, else where it points."""
    k = int(np.argmax(np.abs(axis)))
    if abs(abs(axis[k]) - 1) < 1e-9:
        return f"{'−' if axis[k] < 0 else ''}{NAMES[k]} [m]"
    return f"along ({', '.join(short(round(float(x), 3)) for x in axis)}) [m]"


def _round(x: float) -> float:
    """1, 2 or 5 times a power of ten, at most x."""
    power = 10.0 ** np.floor(np.log10(x))
    return float(max(k * power for k in (1, 2, 5) if k * power <= x * (1 + 1e-9)))
