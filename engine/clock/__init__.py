"""Correspondence clocks: exact to the millisecond, without a wall clock of their own."""
