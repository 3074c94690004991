"""The verbs of a robot that draw it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike

from dynamis.compute.quantities.arguments import Gravity
from dynamis.model.loads import Load
from dynamis.model.robot import RobotModel

if TYPE_CHECKING:
    from dynamis.telling.drawing.drawing import Drawing
    from dynamis.telling.notation.notation import Notation


class DrawableRobot(RobotModel):
    """A model that can be drawn. `Robot` inherits from it."""

    def draw(
        self, q: ArrayLike | None = None, qd: ArrayLike | None = None, qdd: ArrayLike | None = None, *,
        loads: Sequence[Load] = (), gravity: Gravity = True, reactions: bool = False, frames: bool | None = None,
        dimensions: bool | None = None, notation: str | Notation = "dynamis",
    ) -> Drawing:  # fmt: skip
        """The kinematic scheme at q: flat for an arm that moves in a plane, axonometric for a spatial one.

        q: one value per joint [rad or m]; left out, a pose that shows the arm well
        qd, qdd: the motion of the reactions, at rest if left out
        loads: drawn as arrows where they act
        gravity: True, False or an acceleration in base axes [m/s^2]
        reactions: also the force and the moment of the parent on every link
        frames, dimensions: axes x, y, z of the link frames, lengths and twists; by default up to eight links
        notation: how coordinates, lengths and gravity are written, as in `Equations.latex`

        Parameters without a value are drawn with lengths of 1 m and masses of 1 kg, as the caption says.

        >>> import dynamis
        >>> print(dynamis.load("bar-2r").draw([0.5, 0.7]).svg()[:4])
        <svg
        """
        from dynamis.telling.drawing.draw import draw

        return draw(
            self, q, qd, qdd, loads=loads, gravity=gravity, reactions=reactions, frames=frames, dimensions=dimensions,
            notation=notation,
        )  # fmt: skip

    def plot(self, q: ArrayLike | None = None, *, ax: Any = None, fig: Any = None, **options: Any) -> Any:
        """`draw` with pyplot, so that a notebook and `plt.show()` show it; the Axes.

        ax, fig: the Axes, or the Figure or SubFigure, to draw in
        options: those of `draw`
        """
        return self.draw(q, **options).plot(ax=ax, fig=fig)

    def free_body(
        self, link: str, q: ArrayLike | None = None, qd: ArrayLike | None = None, qdd: ArrayLike | None = None, *,
        loads: Sequence[Load] = (), gravity: Gravity = True,
    ) -> Drawing:  # fmt: skip
        """The free body of a link with its five groups of forces, which are in equilibrium, drawn and as a table.

        Weight, external loads reduced to the CoM, reactions of the previous and of the next links, inertia.
        """
        from dynamis.telling.drawing.free_body import free_body

        return free_body(self, link, q, qd, qdd, loads=loads, gravity=gravity)
