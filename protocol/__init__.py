"""Text in, text out: the chess protocols and the command line. The only code that reads input or prints."""

COMPLETE_VARIABLE = "_STANDSTILL_COMPLETE"  # set by a shell that asks for completions of a command line (`completion`)
