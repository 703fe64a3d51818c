"""Imports, stores, updates and exports correspondence games."""
