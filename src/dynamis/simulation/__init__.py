"""Direct dynamics: integrators, controllers, rollouts, learning.

One run, noun by noun:

1. `SimulationTask` (task.py) is a file read into the arguments of `simulate` (simulate.py), or one calls that.
2. `SimulationSetup` (loop/setup.py) is all of it checked: the robot, the initial state x0, how long, and
3. a `ClosedLoop` (loop/system.py), the description of robot, controller, loads and sampling, with the layout of x, and
4. an `InputSchedule` (loop/schedule.py), which gives its inputs over time: torques, goal, loads.
5. `System` is the loop over any scalar: x' = rate(x, inputs), a sample, what is observed. `Programs` (loop/programs.py)
   are its compiled functions; those of a whole step come from loop/integrators.py.
6. A `Run` (runs/) integrates: `AdaptiveRun` by SciPy, `FixedRun` by compiled steps. It holds a
7. `Flow` (runs/flow.py), the rates with what is in force now: joints on stops, joints stuck by `DryFriction`;
8. an `EventMonitor` (runs/events.py), which finds events and applies them; and a
9. `Recorder` (runs/recorder.py), which keeps the states.
10. `Simulation` (results/) is the outcome; `BlowUpError` and `Accuracy` say why a run failed, and how far to trust it.

`rollouts` and `learn` take 2 to 5 and run many robots, or many trials, by compiled steps alone (`StepInputs`).
"""
