"""Which material can mate, and endings that are solved without a search."""
