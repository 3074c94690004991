"""Sweeps: from one state to 10^12, made from their index and reduced as they are made."""
