"""Frames, joint transforms and moments of bodies, regrouped so that fewer operations remain."""
