"""Games in Portable Game Notation: files, plain or compressed, and the games in them as bytes."""
