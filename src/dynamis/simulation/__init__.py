"""Direct dynamics: integrators, controllers, rollouts, learning.

One run, noun by noun. `Simulate` (simulate.py) is what can be asked; `load_simulation` (task.py) reads
it from a file.

1. `SimulationSetup` (loop/setup.py) is all of it checked: the initial state x0, how long, and
2. the `ClosedLoop` (loop/closed_loop.py) of robot, control law, loads and sampling. It is data. Its `LoopEquations`
   (loop/equations.py) are x' = rate(x, inputs) over any scalars, its `LoopPrograms` (loop/programs.py) are those
   compiled, together with the steps of loop/integrators.py. An `InputSchedule` (loop/schedule.py) gives torques, goal
   and loads over time.
3. A `Run` (runs/run.py) integrates and takes `Snapshot`s: `AdaptiveRun` by SciPy's integrators, `FixedRun` by compiled
   steps. Between events it follows its `Flow` (runs/flow.py), the rates with the joints that stops and `DryFriction`
   hold; an `EventMonitor` (runs/events.py) finds events and applies them.
4. `Simulation` (results/) is what comes of the snapshots; `BlowUpError` says why a run failed, `Accuracy` how far to
   trust it.

`rollouts` and `learn` take 1 and 2 and run many robots, or many trials, by compiled steps alone (runs/steps.py).
"""
