"""The search of one thread. No Python."""
