"""Tools for authors of games: new definition files, and conversion from and to Fairy-Stockfish's ``variants.ini``."""
