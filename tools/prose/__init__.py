"""Finds turns of phrase that readers of this project have stumbled over, so that they do not come back."""
