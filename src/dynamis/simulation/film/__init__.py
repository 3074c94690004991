"""A simulation as a film: an HTML player, GIF, MP4."""
