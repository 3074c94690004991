"""Design search: parameters of a robot chosen by an optimiser, with a sweep inside of every trial."""
