"""Torques and reactions of single states as results; exercises, solved and compared with what their documents print."""
