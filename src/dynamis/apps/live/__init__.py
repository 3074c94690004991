"""Live pages: documents that compute. A robot's model runs in the page as WebAssembly, and sliders are its arguments.

    inputs.py       what can be moved: the robot with symbols for masses and lengths, a payload, the ranges of sliders
    live_model.py   the model as WebAssembly with these inputs, and what the page must know of it
    figure.py       what the 3-D view draws: points, segments, axes, inertia
    visuals.py      links as their URDF draws them: meshes and shapes, small enough for a page
    loads.py        the loads of a task: where they act, in which axes, and how they change
    motion.py       the samples of a task, which the page computes anew when a slider moves
    numbers.py      arrays and placements as the scripts read them
    charts.py       a chart as data that the page plots
    sections.py     what a report tells, as sections of a document
    report.py       the verb: what can be asked
    report_on.py    robot and task -> `LiveReport`
    live_report.py  what that is, a result like any other
    page.py         the report as one HTML file that asks for nothing
    notebook.py     the report as a notebook with the calls that made it
    page/           scripts (ES modules, put into the page one after the other) and styles

The page holds no physics: positions, torques, reactions and energies come from the module. What a script adds is sums,
extremes and where things are drawn.
"""
