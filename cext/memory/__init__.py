"""Memory of the search: the transposition table and histories."""
