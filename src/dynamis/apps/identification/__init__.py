"""From a log to a model: what joint torques tell about masses, friction and drives, and how far to trust it."""
