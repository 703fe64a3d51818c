"""Measurements of what parts of the program cost, in time or nodes."""
