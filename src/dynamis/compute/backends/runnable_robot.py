"""A robot whose quantities run: on which backend, on how many threads, and by which function."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Self, TypeVar

import numpy as np

from dynamis.base.arguments import integer
from dynamis.compute.backends.backend import ArrayFunction, Backend, backend_for
from dynamis.compute.backends.casadi_backend import CasadiFunctions
from dynamis.compute.backends.engine import Engine
from dynamis.compute.quantities.arguments import Gravity
from dynamis.compute.quantities.reference import plain
from dynamis.compute.quantities.registry import complete_options
from dynamis.model.loads import Load
from dynamis.model.robot import RobotModel

T = TypeVar("T")
NO_OPTIONS: dict[str, str] = {}


@dataclass(frozen=True, repr=False, eq=False)
class RunnableRobot(RobotModel):
    """A model, the backend and the threads that its quantities run on. `Robot` adds the verbs."""

    backend: str | Backend | None = field(default=None, compare=False, kw_only=True)
    thread_count: int = field(default=1, compare=False, kw_only=True)

    def threads(self, count: int) -> Self:
        """The same robot, whose verbs split large batches over `count` threads."""
        robot = replace(self, thread_count=integer("threads", count))
        robot.__dict__["_memory"] = self._memory
        return robot._ready()

    def on(self, backend: str | Backend) -> Self:
        """The same robot on another backend: "llvm", "numpy", "cuda", "casadi", "torch", "jax", or a `Backend`.

        On "torch" and "jax" verbs have gradients of every order.
        """
        backend_for(backend)
        if not isinstance(backend, str):
            return replace(self, backend=backend)
        robot = self.memo(("on", backend, self.thread_count), lambda: replace(self, backend=backend))
        return robot._ready()

    def compile(self, quantity: str, parameters: Sequence[str] = (), **options: str) -> ArrayFunction:
        """A quantity as a function of arrays: (q, qd, qdd), or what it needs, and the parameters.

        `parameters` are names of the robot's parameters, or of what a link has: "payload.mass", "forearm.com.x",
        "forearm.inertia.zz". Their values are the last argument, (..., k), and may change from state to state.
        It is machine code at once; without parameters the verb of the same name is, too.

        >>> import dynamis
        >>> tau = dynamis.load("bar-2r").compile("inverse_dynamics", parameters=["m2"])
        >>> tau([0, 0], [0, 0], [0, 0], [[1.0], [2.0]]).shape
        (2, 2)
        """
        options = complete_options(self, quantity, options)
        same = isinstance(parameters, list | tuple) and not parameters
        engine = self.engine
        function = engine.function(quantity, options) if same else engine.compile(quantity, options, parameters)
        function.ufunc()
        return function

    def prepared(
        self, quantity: str, *, loads: Sequence[Load] = (), gravity: Gravity = True, **options: str
    ) -> Callable[..., Any]:
        """A quantity under these loads in this gravity as a function of arrays, for calls again and again."""
        options = complete_options(self, quantity, options)
        if gravity is True and isinstance(loads, list | tuple) and not loads:
            return self.engine.function(quantity, options)
        function, values = self.engine.loaded_function(quantity, options, gravity, loads)
        return lambda *arrays, **keywords: function(*arrays, *values, **keywords)

    @cached_property
    def casadi(self) -> CasadiFunctions:
        """The quantities as `casadi.Function`s: `robot.casadi.inverse_dynamics(q, qd, qdd)`."""
        return CasadiFunctions(self.on("casadi").prepared)

    @property
    def engine(self) -> Engine:
        """The functions of this robot by what they compute."""
        return self.memo("engine", lambda: Engine(self, backend_for(self.backend)))

    def memo(self, key: Hashable, build: Callable[[], T]) -> T:
        """What `build` returned for this key, now or earlier: kept as long as the robot, not pickled, not copied."""
        return self._memory[key] if key in self._memory else self._memory.setdefault(key, build())

    def _ready(self) -> Self:
        """With what verbs look up: PyTorch's compiler can follow a verb, but not how that is made."""
        _ = self.n, self.engine, self._own_functions
        return self

    @cached_property
    def _memory(self) -> dict[Hashable, Any]:
        return {}

    @cached_property
    def _own_functions(self) -> dict[str, ArrayFunction]:
        """Functions without options, in the robot's own gravity, on one thread: what single states ask for."""
        return {}

    def _run(
        self, name: str, arrays: tuple[Any, ...], options: Mapping[str, str] = NO_OPTIONS, gravity: Gravity = True,
        loads: Sequence[Load] = (), out: Any = None,
    ) -> Any:  # fmt: skip
        """A quantity of the arrays q, qd, ...: an array, or a tuple of arrays."""
        own = gravity is True and loads.__class__ is tuple and not loads
        # The shortest way first: a single state takes less time than the questions below.
        if own and out is None and name in self._own_functions:
            return self._own_functions[name].quick_call(*arrays)
        if not self.n:
            outputs: Any = plain(self, name, *arrays, gravity=gravity, loads=loads, **options)
            return outputs if len(outputs) > 1 else outputs[0]
        if own:
            function = self.engine.function(name, options)
            if out is None and self.thread_count == 1:
                if not options:
                    self._own_functions[name] = function
                return function.quick_call(*arrays)
        else:
            function, values = self.engine.loaded_function(name, options, gravity, loads)
            if all(getattr(x, "dtype", None) == np.float32 for x in arrays):
                values = [x.astype(np.float32) for x in values]
            arrays = (*arrays, *values)
        return function(*arrays, out=out, threads=self.thread_count)
