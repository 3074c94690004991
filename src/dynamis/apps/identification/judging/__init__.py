"""How far to trust a fit: mistakes in a log, residuals, sensitivity, torques of other motions."""
