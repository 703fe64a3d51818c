"""Evaluation of chess by a network (docs/network.md)."""
