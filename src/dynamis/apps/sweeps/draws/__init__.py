"""Draws: which states a sweep takes, by their index or from rows that are given."""
