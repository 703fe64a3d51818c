"""The command line `standstill COMMAND`: a module for each command, completion, the manual page, terminal output."""
