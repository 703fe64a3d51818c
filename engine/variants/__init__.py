"""Games that a definition file describes (docs/variants.md): the model, the file format, the catalogue, notation."""
