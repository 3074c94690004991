"""Applications: each uses the rooms below, none of which knows of it."""
