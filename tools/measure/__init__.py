"""Measurements against other engines and libraries; nothing here is a test, nothing here is installed."""
