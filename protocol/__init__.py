"""Text in, text out: the chess protocols and the command line. The only code that reads input or prints."""

COMPLETE_VARIABLE = "_STANDSTILL_COMPLETE"  # set by a shell that asks how a line may go on (`completion`)
