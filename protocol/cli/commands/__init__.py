"""Subcommands of ``standstill``, one file each; every file has a click command called ``command``."""
