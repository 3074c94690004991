"""The inertia of a body step by step."""
