"""Figures compared with those of other engines and libraries: `make bench-peers` prints the table."""
