"""What is not hot: sessions, time, options, notation. Knows the core, knows no protocol."""

NAME = "Standstill"
AUTHOR = "the Standstill developers"
VERSION = "0.1.0"
