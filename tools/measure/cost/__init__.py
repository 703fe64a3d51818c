"""What a part of the program costs, in time or nodes."""
