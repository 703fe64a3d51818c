"""Chess logic outside the hot code: sessions, time, options, notation. This package uses the core, but no protocol."""

NAME = "Standstill"
AUTHOR = "the Standstill developers"
VERSION = "1.0.0"
