"""Direct dynamics: integrators, controllers, rollouts, learning."""
