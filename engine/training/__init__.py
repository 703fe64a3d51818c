"""Games for training networks: playing them, their files, and what they hold (docs/training-data.md)."""
