"""The command line `standstill COMMAND`: one module a command, completion, the manual page, output on terminals."""
