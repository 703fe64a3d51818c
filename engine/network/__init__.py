"""Networks that evaluate positions: file format, loading, and the choice of a network."""
