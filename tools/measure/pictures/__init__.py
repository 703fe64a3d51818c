"""Scripts that make the pictures in `docs/images`."""
