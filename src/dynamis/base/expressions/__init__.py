"""Numbers and symbols as people write them: parsed, printed, and evaluated in any kind of scalars."""
