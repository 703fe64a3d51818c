"""R-Mobility tablebases: which classes there are, building them, their files, asking them."""
