"""Measurements against other engines and libraries; neither run as tests nor installed."""
