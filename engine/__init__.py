"""Chess logic outside the hot code: sessions, time, options, notation. It uses the core, but no protocol."""

NAME = "Standstill"
AUTHOR = "the Standstill developers"
VERSION = "1.0.0"
