"""The parts of setup.py: requirements, compiler flags, and its commands."""
