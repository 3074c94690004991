"""Mass, centre of mass and inertia of solids, composites and meshes."""
