"""The hand-crafted evaluators."""
