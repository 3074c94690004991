"""Benchmarks: what dynamis takes, beside its peers, in one run on one machine."""
