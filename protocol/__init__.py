"""The chess protocols and the command line: the only code that reads standard input or prints."""

COMPLETE_VARIABLE = "_STANDSTILL_COMPLETE"  # set by a shell that asks for completions of a command line
