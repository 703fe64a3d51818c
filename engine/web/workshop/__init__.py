"""The page Workshop: a game by definition is written, seen, tried and measured."""
