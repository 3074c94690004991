"""Joint positions for a pose of the tool: closed forms and damped least squares."""
