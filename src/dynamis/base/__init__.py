"""What everything stands on: safe text, errors, arrays, checks of arguments, files, expressions, TOML with lines."""
