"""Where Python enters the core; only here is the interpreter lock given and taken."""
