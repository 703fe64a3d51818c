"""Makes the packages that users install: wheels and an archive that needs no Python."""
