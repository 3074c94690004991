"""One file per language: `files(export)` and `usage(export)`."""
