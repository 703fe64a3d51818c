"""Builds what Windows users install, by a cross compiler on Debian; ``make windows`` runs it."""
