"""Controllers: one file each, with its equation and its source."""
