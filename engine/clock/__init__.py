"""Correspondence clocks: exact to the millisecond, and independent of the present time."""
