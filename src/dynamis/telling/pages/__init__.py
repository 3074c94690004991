"""Pages of what the rooms below hold: robots and their parts, bodies, compiled functions, results of algorithms."""
