"""Bodies that can exist: pseudo-inertia, the nearest such links, payloads, and drive gains from a known one."""
