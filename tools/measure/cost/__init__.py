"""The cost of parts of the program, in time or nodes."""
