"""From values to verdicts."""
