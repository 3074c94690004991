"""Animations of a simulation: an HTML page with a player, GIF, MP4."""
