"""The pictures in `docs/images`."""
