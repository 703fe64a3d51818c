"""Runs engine programs in separate processes, driven by python-chess's engine clients."""
