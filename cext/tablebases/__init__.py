"""R-Mobility tablebases: index, solver, probing."""
