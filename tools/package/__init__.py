"""Makes what strangers install: wheels and an archive that needs no Python."""
