"""Games by definition: compiled rules, positions, moves."""
