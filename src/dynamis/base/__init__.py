"""What everything stands on: safe text, errors with a place, arrays, checks of arguments, files, expressions, TOML with lines."""
