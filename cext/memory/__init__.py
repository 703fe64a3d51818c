"""What a search remembers: positions and moves."""
