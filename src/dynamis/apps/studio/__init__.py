"""The studio: a local workbench in the browser. It holds no physics: documents and the exported WebAssembly do.

    server.py       one page, its scripts, and one address that computes
    guard.py        who may ask: Host, Origin, token, sizes
    files.py        what is served
    workers.py      processes that compute, so that work can be stopped
    worker.py       such a process: request -> verb -> answer
    request.py      what the page sent, checked
    verbs.py        the verbs by name
    boot.py         the robot that the studio starts with
    robot_file.py   a robot file opened, edited, saved; robot_form.py: as a form; dh_table.py: from a D-H table
    tabs/           the verbs of each tab: robot, equations, motion, simulate, learn, export
    menus.py        what can be chosen
    told.py         documents as HTML
    page/           the page: scripts (ES modules, beside those of apps/live/page), styles

The text of the robot file is the state, and the page keeps it: every request brings it along. So windows do not know
of each other, and a reload or a restart of the studio loses nothing.
"""
