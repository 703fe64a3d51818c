"""The search of one thread, without Python objects."""
