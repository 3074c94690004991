"""How robots, bodies, tasks and states come in from files and go out again."""
