"""R-Mobility tablebases: material classes, building, files and probing."""
