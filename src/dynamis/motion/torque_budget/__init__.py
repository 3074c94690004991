"""What every joint must give for a motion, and what causes it."""
