"""UCI: commands of the GUI become calls of the session, and what the session reports becomes lines."""
