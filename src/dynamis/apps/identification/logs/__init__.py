"""Logs of motion and torque: files and their columns, time stamps, filters, and the samples that a fit sees."""
