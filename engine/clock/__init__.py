"""Correspondence clocks: exact to the millisecond, and independent of the current time."""
