"""Numbers of the evaluation and of what is told of it, fitted to games."""
