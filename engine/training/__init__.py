"""Games for training networks: self-play, file format and reading (docs/training-data.md)."""
