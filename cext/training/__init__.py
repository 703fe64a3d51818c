"""Python bindings for making and reading training games, and for training networks."""
