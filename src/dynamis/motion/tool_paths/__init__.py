"""Lines and arcs of the tool as joint trajectories."""
