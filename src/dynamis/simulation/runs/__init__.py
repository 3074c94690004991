"""One run of a closed loop: adaptive and fixed steps, events, dry friction, recording."""
