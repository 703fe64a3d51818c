"""What every board has: types, bits, keys, attack tables, the abstract board."""
