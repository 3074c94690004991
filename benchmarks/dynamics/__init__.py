"""Dynamics in numbers: every quantity, a batch of states, beside every peer that is installed."""
