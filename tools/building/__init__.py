"""What setup.py builds with: requirements, flags of compilers, and its commands."""
