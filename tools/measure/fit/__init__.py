"""Fitting the evaluation, and the reported win rates, to games."""
