"""Verbs behind every face: a declaration as a command, as keys of a file, as a form, as a schema of JSON."""
